"""What an agent is shown at its hooks, by real payloads: the block, what fits a prompt, and nothing twice."""

import concurrent.futures
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hook_calls import PATIENT, context, hook, log_of, opencode, state_of, told
from support.commands import Said, call
from support.crowd import contexts

from siltstone.pipeline.reading.echo import strip
from siltstone.store.state import State

pytestmark = pytest.mark.usefixtures("nobody_waits")


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_session_is_shown_the_block_once(home: Path, kept: Said, agent: str) -> None:
    first = context(hook(agent, told("SessionStart", source="startup")))
    assert "Tuesdays" in first
    assert "1 of 1 shown" in first
    assert strip(first).strip() == ""
    assert context(hook(agent, told("SessionStart", source="resume"))) == ""
    call("remember", "Prices are kept in pence", "--type", "project")
    assert "pence" in context(hook(agent, told("SessionStart", source="resume", n=2)))
    assert log_of(home) == []


@pytest.mark.parametrize("agent", ["claude", "codex"])
@pytest.mark.parametrize("source", ["compact", "clear"])
def test_an_emptied_context_is_shown_it_again(home: Path, kept: Said, agent: str, source: str) -> None:
    assert context(hook(agent, told("SessionStart", source="startup")))
    assert "Tuesdays" in context(hook(agent, told("SessionStart", source=source)))


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_prompt_is_shown_what_fits_and_is_new(home: Path, kept: Said, agent: str) -> None:
    asked = told("UserPromptSubmit", prompt="When do deploys go out?")
    shown = context(hook(agent, asked | {"prompt_id": "1"}))
    assert "Tuesdays" in shown
    assert len(shown) <= 1200
    assert strip(shown).strip() == ""
    assert context(hook(agent, asked | {"prompt_id": "2"})) == ""
    assert context(hook(agent, told("UserPromptSubmit", prompt="What colour is the sky?"))) == ""
    assert "Tuesdays" in context(hook(agent, asked | {"session_id": "s2"}))


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_what_stood_in_the_block_does_not_come_with_a_prompt(home: Path, kept: Said, agent: str) -> None:
    assert context(hook(agent, told("SessionStart", source="startup")))
    assert context(hook(agent, told("UserPromptSubmit", prompt="When do deploys go out?"))) == ""


def test_gemini_is_shown_the_block_with_its_first_prompt(home: Path, kept: Said) -> None:
    """What comes before it would make a typed command of its own a prompt like any other."""
    call("remember", "Prices are kept in pence", "--type", "project")
    assert context(hook("gemini", told("SessionStart", source="startup"))) == ""
    asked = told("BeforeAgent", prompt="When do deploys go out?")
    shown = context(hook("gemini", asked | {"n": 1}))
    assert [shown.count(one) for one in ("Tuesdays", "pence", "2 of 2 shown")] == [1, 1, 1]
    assert context(hook("gemini", asked | {"n": 2})) == ""
    assert context(hook("gemini", told("SessionStart", source="clear"))) == ""
    assert "2 of 2 shown" in context(hook("gemini", asked | {"n": 3}))


def test_gemini_is_shown_with_a_later_prompt_what_fits_and_is_new(home: Path, kept: Said) -> None:
    assert "Tuesdays" in context(hook("gemini", told("BeforeAgent", prompt="Mend the cart please")))
    call("remember", "Prices are kept in pence", "--type", "project")
    asked = told("BeforeAgent", prompt="In what are prices kept?")
    shown = context(hook("gemini", asked | {"n": 1}))
    assert [one in shown for one in ("pence", "Tuesdays")] == [True, False]
    assert context(hook("gemini", asked | {"n": 2})) == ""


def test_gemini_resumed_is_shown_other_memories_with_its_next_prompt(home: Path, kept: Said) -> None:
    asked = told("BeforeAgent", prompt="Mend the cart please")
    assert "Tuesdays" in context(hook("gemini", asked | {"n": 1}))
    resumed = told("SessionStart", source="resume")
    assert context(hook("gemini", resumed | {"n": 1})) == ""
    assert context(hook("gemini", asked | {"n": 2})) == ""
    call("remember", "Prices are kept in pence", "--type", "project")
    assert context(hook("gemini", asked | {"n": 3})) == ""  # in a session that goes on nothing is restated
    assert context(hook("gemini", resumed | {"n": 2})) == ""
    typed = told("BeforeAgent", prompt="This is what `silt status` says:\n\nremember: it is none of this")
    assert context(hook("gemini", typed)) == ""
    assert "pence" in context(hook("gemini", asked | {"n": 4}))
    assert context(hook("gemini", asked | {"n": 5})) == ""


def test_gemini_is_shown_the_block_again_when_its_transcript_tells_of_a_compaction(
    home: Path, kept: Said
) -> None:
    chat = home / "chat.jsonl"
    chat.write_text('{"id": "1", "type": "user", "content": [{"text": "<state_snapshot>"}]}\n')
    asked = told("BeforeAgent", prompt="Mend the cart please", transcript_path=str(chat))
    assert "Tuesdays" in context(hook("gemini", asked | {"n": 1}))

    def restate(summary: str) -> None:
        said = f"<state_snapshot>{summary}</state_snapshot>"
        told_of = {"$set": {"messages": [{"type": "user", "content": [{"text": said}]}]}}
        with chat.open("a") as file:
            file.write(json.dumps(told_of, separators=(",", ":")) + "\n" + '{"id":"2"}\n')

    restate("Mending the cart")
    assert "Tuesdays" in context(hook("gemini", asked | {"n": 2}))
    restate("Mending the cart")  # resumed
    assert context(hook("gemini", asked | {"n": 3})) == ""
    restate("The cart is mended")
    assert "Tuesdays" in context(hook("gemini", asked | {"n": 4}))
    chat.unlink()
    assert context(hook("gemini", asked | {"n": 5})) == ""


def test_opencode_is_shown_the_same_bytes_until_its_context_is_emptied(home: Path, kept: Said) -> None:
    first = hook("opencode", opencode("system", at=1)).stdout
    assert "Tuesdays" in json.loads(first)["context"]
    assert hook("opencode", opencode("system", at=2)).stdout == first
    call("remember", "Prices are kept in pence", "--type", "project")
    assert hook("opencode", opencode("system", at=3)).stdout == first
    hook("opencode", opencode("session.compacted"))
    assert "pence" in json.loads(hook("opencode", opencode("system", at=4)).stdout)["context"]


def test_of_two_hooks_at_once_one_shows(home: Path, kept: Said) -> None:
    raw = json.dumps(told("SessionStart", source="startup")).encode()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        shown = [context(done) for done in pool.map(lambda _: hook("claude", raw), range(4))]
    assert sum("Tuesdays" in one for one in shown) == 1


def test_a_folder_that_is_gone_is_shown_what_holds_everywhere(home: Path, kept: Said) -> None:
    call("remember", "Answers are short", "--scope", "global")
    gone = home / "person" / "gone"
    gone.mkdir()
    code = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); {PATIENT}"
    shown = context(hook("claude", told("SessionStart", source="startup", cwd=str(gone)), code))
    assert "Answers are short" in shown
    assert "Tuesdays" not in shown


def test_of_a_store_that_is_gone_nothing_is_shown(home: Path, kept: Said) -> None:
    shutil.rmtree(home / "store")
    assert context(hook("claude", told("SessionStart", source="startup"))) == ""
    assert context(hook("claude", told("UserPromptSubmit", prompt="When do deploys go out?"))) == ""
    assert context(hook("opencode", {"hook_event_name": "system", "session": "s1", "cwd": str(home)})) == ""
    assert len(log_of(home)) == 3
    assert all(f"the store {home / 'store'} is not there any more" in line for line in log_of(home))
    call("rebuild")
    assert "Tuesdays" not in context(hook("claude", told("SessionStart", source="startup", n=2)))


def test_what_a_hand_committed_is_shown_from_the_next_hook_on(home: Path, kept: Said) -> None:
    (file,) = (home / "store").glob("projects/*/*tuesdays*.md")
    file.write_text(file.read_text().replace("Tuesdays", "Wednesdays"))
    git = ["git", "-C", str(home / "store"), "-c", "user.name=A", "-c", "user.email=a@b.example"]
    subprocess.run([*git, "commit", "-aqm", "By hand"], check=True)
    assert "silt rebuild" in call("inject").err
    first, second = (told("SessionStart", source="startup", session_id=name) for name in ("s1", "s2"))
    assert "Tuesdays" in contexts([first])[0]
    assert "Wednesdays" in contexts([second])[0]
    assert call("inject").err == ""


def test_what_is_shown_is_not_prepared_at_every_hook(home: Path) -> None:
    with State.open(str(home / "state")) as db:
        assert [db.hooks.renew(at) for at in (1000.0, 1001.0, 1029.0, 1030.0, 1031.0, 900.0)] == [
            *(True, False, False),
            *(True, False, True),
        ]


def test_a_session_that_was_left_keeps_its_state_and_its_summary_is_shown_to_the_next(
    home: Path, kept: Said
) -> None:
    hook("claude", told("UserPromptSubmit", prompt="Mend the cart please"))
    hook("claude", told("SessionEnd", reason="other"))
    assert state_of(home).turn == 1
    assert "Mend the cart" in context(hook("claude", told("SessionStart", source="startup", session_id="s2")))
