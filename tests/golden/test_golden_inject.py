"""`silt inject` in each layout over one small store: plain, for a question, in a session, within a budget.

How golden files are written anew: golden.py.
"""

import json
from pathlib import Path

import pytest
from golden import Desk, compare, readable

LAYOUTS = ("default", "memfs", "sections")
QUESTION = "Which package manager do we use, and where does free shipping start?"
EVENTS = (
    {"event": "message", "role": "user", "text": "Move the cart to the new rates, we use the Bring API"},
    {"event": "tool", "name": "Edit", "input": {"file_path": "src/cart.ts"}, "output": "ok"},
    {
        "event": "tool",
        "name": "Bash",
        "command": "pnpm test",
        "output": "AssertionError: 40 is not 50",
        "exit": 1,
    },
    {"event": "idle", "tokens": 8_800, "limit": 11_000, "reserve": 1_000},
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A prepared store with a hot memory, and a session that is under way."""
    made = Desk(tmp_path_factory.mktemp("inject"))
    made.prepare()
    assert made.silt("promote", "server-pages", cwd=shop(made)).returncode == 0
    for event in EVENTS:
        told = {"agent": "claude", "session": "s1", "cwd": str(shop(made)), **event}
        assert made.silt("event", given=json.dumps(told)).returncode == 0
    return made


def shop(desk: Desk) -> Path:
    return desk.home / "app"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_a_layout_shows(desk: Desk, layout: str) -> None:
    calls = [
        [],
        ["--query", QUESTION],
        ["--agent", "claude", "--session", "s1", "--query", QUESTION, "--receipt"],
        ["--budget", "700", "--receipt"],
    ]
    compare(f"inject_{layout}.txt", "".join(called(desk, ["--layout", layout, *words]) for words in calls))


def test_what_json_says_and_what_another_folder_sees(desk: Desk) -> None:
    shown = called(desk, ["--json"]) + called(desk, ["--cwd", str(desk.project("elsewhere"))])
    compare("inject_json.txt", shown)


def called(desk: Desk, words: list[str]) -> str:
    done = desk.silt("inject", *words, cwd=shop(desk))
    assert done.returncode == 0
    receipt = f"-- standard error\n{done.stderr}" if done.stderr else ""
    return desk.called(f"== silt inject {' '.join(words)}\n") + readable(done.stdout) + receipt + "\n"
