"""The hooks and MCP servers of ours as they stand on disk, called for real: what `silt doctor` tries."""

import json
import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from siltstone.agents.child import run
from siltstone.agents.hooks import hooks_of
from siltstone.agents.opencode.plugin import constant
from siltstone.agents.pieces import Piece, Shared, mine, written
from siltstone.agents.servers import line_called, starts_silt
from siltstone.agents.settings_edit.hooks import Mine, commands, plain_of
from siltstone.agents.settings_edit.tree import Unreadable

LONGEST = 10.0
"""Seconds that a call may take; a hook of ours ends by itself after two."""
MOST = 1_000_000
"""Bytes of an answer; ours are some thousands."""
LONGEST_LINE = 4096
"""Bytes of a script's first line, which names what it runs in."""
SESSION = "silt-doctor"
PAYLOAD: Mapping[str, object] = {
    "session_id": SESSION,
    "session": SESSION,
    "source": "startup",
    "prompt": "What do you remember?",
    "text": "What do you remember?",
    "tool_name": "Bash",
    "tool": "bash",
    "tool_input": {"command": "true"},
    "input": {"command": "true"},
    "tool_response": "",
    "output": "",
    "last_assistant_message": "Done.",
    "prompt_response": "Done.",
    "reason": "other",
    "trigger": "manual",
}
"""What the hooks of all agents are told, each by the names it knows, beside its own name and the folder."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A hook that was called."""

    event: str
    wrong: str
    """What is wrong with it; "" for nothing."""
    said: str
    """What it answered."""
    hung: bool = False


def on_disk(agent: str, paths: Iterable[Path]) -> dict[str, Sequence[str]]:
    """The words that the agent runs at each hook, by its settings or plugin; what cannot be read has none."""
    found: dict[str, Sequence[str]] = {}
    for path in paths:
        if path.suffix == ".json":
            lines = _stand(path, mine(agent))
            found |= {event: ("sh", "-c", line) for event, line in lines.items()}
        elif path.suffix == ".js":
            words = constant(path, "SILT")
            found |= {hook.name: (*words, "hook", agent) for hook in hooks_of(agent).EVENTS if words}
    return found


def by_hand(agent: str, paths: Iterable[Path]) -> list[str]:
    """Events at which somebody's own hook calls us; `silt install` did not write it."""
    calls, ours = mine(agent), written(agent)
    found = (path for path in paths if path.suffix == ".json")
    return [
        event
        for path in found
        for event in _stand(path, lambda command: calls(command) and not ours(command))
    ]


@dataclass(frozen=True, slots=True)
class Started:
    """An MCP server of ours as it is registered."""

    words: tuple[str, ...]
    env: tuple[tuple[str, str], ...]


def servers(pieces: Iterable[Piece]) -> Iterator[Started]:
    """How the agent starts our MCP server. What cannot be read names none."""
    for piece in pieces:
        with suppress(OSError, ValueError, Unreadable):
            if isinstance(piece, Shared):
                there, _ = piece.server(piece.path.read_text(encoding="utf-8-sig")) or ({}, 0)
                if isinstance(there, dict) and starts_silt(there):
                    told = there.get("env")
                    env = told.items() if isinstance(told, dict) else ()
                    yield Started(tuple(line_called(there) or ()), tuple((k, str(v)) for k, v in env))
            elif mcp := constant(piece.path, "MCP"):
                yield Started((*constant(piece.path, "SILT"), *mcp), ())


def unstartable(words: Sequence[str], environ: Mapping[str, str]) -> str:
    """What is missing that these words need to begin at all; "" for nothing one can see. An agent says
    nothing of a hook that does not start, and no log of ours can."""
    try:
        program = shlex.split(words[2])[0] if words[:2] == ("sh", "-c") else words[0]
        found = shutil.which(program, path=environ.get("PATH"))
        if found is None:
            return f"{program} is {'no program' if os.path.exists(program) else 'not there'}"
        with open(found, "rb") as file:
            first = file.readline(LONGEST_LINE)
        needs = first[2:].split()[:1] if first.startswith(b"#!") else []
    except (OSError, ValueError, IndexError):
        return ""
    missing = [os.fsdecode(one) for one in needs if not os.path.exists(one)]
    return f"{found} needs {missing[0]}, which is not there" if missing else ""


def call_all(
    found: Mapping[str, Sequence[str]], environ: Mapping[str, str], cwd: Path, seconds: float = LONGEST
) -> list[Tried]:
    """Call hooks as their agent does, each with a payload of its event, up to the first that hangs: they
    are one command, and the next would be waited for in vain."""
    tried: list[Tried] = []
    for event, words in found.items():
        tried.append(_call(event, words, environ, cwd, seconds))
        if tried[-1].hung:
            break
    return tried


def _call(event: str, words: Sequence[str], environ: Mapping[str, str], cwd: Path, seconds: float) -> Tried:
    payload = json.dumps({**PAYLOAD, "hook_event_name": event, "cwd": str(cwd)})
    try:
        done = run(words, payload, cwd, environ, seconds, MOST)
    except OSError as error:
        return Tried(event, f"{words[0]} cannot be run ({error.strerror})", "")
    if done.cut == "time":
        return Tried(event, f"it does not end within {seconds:g} seconds", "", hung=True)
    if done.cut:
        return Tried(event, f"it answers with more than {MOST:,} bytes", "")
    told = done.err.strip().splitlines()
    if done.code or (told and not done.out):  # Gemini CLI's lines succeed all the same
        return Tried(event, f"it ends with {done.code}{': ' + told[-1] if told else ''}", done.out)
    return Tried(event, "" if _answers(done.out) else "its answer is no JSON object", done.out)


def _answers(said: str) -> bool:
    try:
        return not said.strip() or isinstance(json.loads(said), dict)
    except ValueError:
        return False


def _stand(path: Path, which: Mine) -> dict[str, str]:
    """Such a command of each event that has one; of a file that cannot be read none."""
    with suppress(OSError, ValueError):
        return _lines(which, path.read_text(encoding="utf-8-sig"))
    return {}


def _lines(which: Mine, text: str) -> dict[str, str]:
    try:
        return commands(plain_of(text), which)
    except Unreadable:
        return {}
