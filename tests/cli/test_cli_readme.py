"""The README shows what is printed today: every line, apart from dates, commits and figures."""

import re
from pathlib import Path

import pytest
from hook_calls import begun, context, hook, prompted, told
from past_talk import claude, run_over
from support.code import Project
from support.commands import call

pytestmark = pytest.mark.usefixtures("nobody_waits")
README = Path(__file__).resolve().parents[2] / "README.md"
CHANGING = re.compile(r"\d{4}-\d\d-\d\d|\b[0-9a-f]{8}\b(?!-)|\d+%")


def unshown(printed: str) -> list[str]:
    """The lines that the README does not show."""
    shown = {CHANGING.sub("…", line).strip() for line in README.read_text("utf-8").splitlines()}
    return [line for line in printed.splitlines() if CHANGING.sub("…", line).strip() not in shown]


@pytest.fixture
def shop(home: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(Path.cwd().with_name("shop"), {"shop/cart.py": "def retry(n):\n    return n * 3\n"})
    monkeypatch.chdir(project.top)
    return project


def test_a_rule_is_there_when_a_session_starts_and_at_the_call(home: Path, shop: Project) -> None:
    prompted("please remember: we use pnpm, never npm, in this repository")
    (notes,) = unshown(begun(session_id="s2"))
    assert notes.startswith("Dated notes")  # left out as "…"
    asked = told("PreToolUse", tool_name="Bash", tool_input={"command": "npm install"}, session_id="s3")
    assert unshown(context(hook("claude", asked))) == []


def test_a_prompt_and_a_search_of_sessions(home: Path, shop: Project) -> None:
    said = [("user", "The login bug is back: people are signed out after a minute")]
    claude(home, "5e0c1d2a-1111-4222-8333-444455556666", said, str(shop.top))
    run_over(home)
    why = "Why: the payment page is on another domain, and without it people come back signed out."
    text = f"The login cookie needs SameSite=None\n\n{why}\n"
    assert call("write", "login-cookie", "-", "--type", "decision", given=text).code == 0
    shown = prompted("Why are people signed out after they paid?")
    assert (unshown(shown), why in shown, said[0][1] in shown) == ([], True, True)
    found = call("sessions", "login bug").out
    assert (unshown(found), said[0][1] in found) == ([], True)


def test_code_that_moved_on(shop: Project) -> None:
    call("remember", "`retry` in shop/cart.py never retries a payment")
    shop.change({"shop/cart.py": "def retry(n):\n    return n * 4\n"})
    stale = call("stale").out
    assert (unshown(stale), "retry" in stale) == ([], True)
