"""Every recorded payload of every agent through `silt hook`, one after another against one small store.

How golden files are written anew: golden.py.
"""

import fcntl
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from golden import MEMORIES, NOON, Desk, compare, readable
from support.table import lines

ASKED = (
    "Please remember that releases are cut on Mondays only.",
    "What was the package manager here?",
    "Do not remember this: my badge number is 4711.",
    "/status",
    "Please forget that releases are cut on Mondays.",
)
"""What no recorded session asks: a wish to keep something, and taking it back."""
AGENTS = ("claude", "codex", "gemini", "opencode")
LONG = "\n".join(f"test_{n:03d} ... ok in 0.0{n % 9}s" for n in range(160)) + "\nFAILED test_prices\n"
"""What a tool prints where the context is nearly full."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk where no process waits behind the hooks to read transcripts: its place is taken."""
    made = Desk(tmp_path)
    made.home.mkdir()
    (tmp_path / "state").mkdir(mode=0o700)
    with open(tmp_path / "state" / "hooks.lock", "w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield made


def recorded(agent: str) -> list[dict[str, object]]:
    """The payloads of a real agent, and prompts like its own that ask to keep something."""
    payloads = lines(f"hooks/{agent}")
    prompt = next(one for one in payloads if one["hook_event_name"] in ("UserPromptSubmit", "BeforeAgent"))
    return payloads + [prompt | {"prompt": words} for words in ASKED]


def of_the_plugin() -> list[dict[str, object]]:
    """A session as our plugin tells it: nearly full at its end, then compacted."""
    told = lines("hooks/plugin") + [
        {"hook_event_name": "chat.message", "session": "s1", "cwd": "/home/dev/app", "text": words}
        for words in ASKED
    ]
    long = {"output": LONG}
    return [one | {"at": n} | (long if one.get("output") == "LONG" else {}) for n, one in enumerate(told)]


@pytest.mark.parametrize("agent", AGENTS)
def test_what_hooks_answer_and_leave_behind(desk: Desk, agent: str) -> None:
    desk.prepare()
    payloads = of_the_plugin() if agent == "opencode" else recorded(agent)
    parts = []
    for number, payload in enumerate(payloads, 1):
        desk.now = NOON + 30 * number
        done = desk.silt("hook", agent, given=desk.here(json.dumps(payload)))
        asked = (
            payload.get("prompt") or payload.get("text") or payload.get("tool_name") or payload.get("tool")
        )
        head = f"== {number} {payload['hook_event_name']}: {str(asked or '')[:60]!r}\n"
        parts.append(head + readable(done.stdout) + done.stderr)
        assert done.returncode == 0
    compare(f"hooks_{agent}.txt", "".join(parts) + left_behind(desk))


def left_behind(desk: Desk) -> str:
    """What the sessions, the store and the log hold afterwards."""
    sessions = desk.silt("session", "--json").stdout
    first = json.loads(sessions)[0]["session"]
    state = filled(json.loads(desk.silt("session", "show", first, "--json").stdout))
    state["pressure"].pop("chars", None)  # with the length of this home's path
    known = {one["name"] for one in MEMORIES}
    found = sorted((desk.folder / "store").rglob("*-*.md"))
    kept = [file for file in found if file.stem.partition("-")[2] not in known]
    logs = sorted((desk.folder / "state").glob("*.log"))
    parts = {
        "silt session --json": readable(sessions),
        f"silt session show {first} --json": readable(json.dumps(state)),
        **{str(file.relative_to(desk.folder)): file.read_text("utf-8") for file in [*kept, *logs]},
    }
    return "".join(f"\n== {name}\n{desk.called(text)}" for name, text in parts.items())


def filled(value: Any) -> Any:
    """JSON without what is empty, so that a golden file holds only what is known."""
    if isinstance(value, dict):
        return {
            key: kept for key, inner in value.items() if (kept := filled(inner)) not in (None, "", 0, [], {})
        }
    return value
