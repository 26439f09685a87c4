"""What `silt doctor` checks: hooks and MCP servers as they stand in settings, called for real, and the
settings that keep an agent from running them."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from siltstone.agents.child import Ended, run
from siltstone.agents.door import Piece, Settings
from siltstone.agents.entries import MARK, SERVER, handlers, hook_words, is_our_hook, server_words
from siltstone.agents.hooks import hooks_of
from siltstone.agents.opencode.door import constant
from siltstone.agents.settings_json import value_at
from siltstone.agents.settings_toml import settings_in
from siltstone.store.plain_file import head

LONGEST = 10.0
"""Seconds a call may take. A hook of ours ends by itself after two."""
MOST = 1_000_000
"""Bytes of an answer. Ours have some thousands."""
_DATA: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "doctor.json").read_text("utf-8"))
"""A payload that the hooks of all agents understand, once it has the event's name and the folder; what a
client of an MCP server says first; and the settings that switch hooks off, with the value that does."""


class Tried(NamedTuple):
    event: str
    wrong: str
    """What is wrong with it; "" for nothing."""
    answer: str
    hung: bool = False


Server = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]
"""An MCP server of ours as it stands in settings: its words, and its variables with their values."""


def hooks_in(agent: str, paths: Iterable[Path]) -> dict[str, Sequence[str]]:
    """The words that call us at each event, by the agent's settings or plugin. Unreadable files have none."""
    found: dict[str, Sequence[str]] = {}
    for path in paths:
        if path.suffix == ".js":
            words = constant(head(path), "SILT")
            found |= {hook.name: (*words, "hook", agent) for hook in hooks_of(agent).hooks if words}
        elif path.suffix == ".json":
            for event, _, _, hook in handlers(settings_in(path)):
                if words := hook_words(hook, agent):
                    found[event] = words
    return found


def hooks_by_hand(agent: str, paths: Iterable[Path]) -> list[str]:
    """Events with a hook that calls us and that `silt install` did not write."""
    found = (hook for path in paths if path.suffix == ".json" for hook in handlers(settings_in(path)))
    return [event for event, _, _, hook in found if hook_words(hook, agent) and not is_our_hook(hook, agent)]


def servers_in(pieces: Iterable[Piece]) -> Iterator[Server]:
    """How the agent starts our MCP server. Unreadable files name none."""
    for piece in pieces:
        if isinstance(piece, Settings) and piece.server:
            entry = value_at(settings_in(piece.path), piece.server)
            if words := server_words(entry):
                env = entry.get("env")
                variables = env.items() if isinstance(env, dict) else ()
                yield tuple(words), tuple((k, str(v)) for k, v in variables if k != MARK)
        elif mcp := constant(plugin := head(piece.path), "MCP"):
            yield (*constant(plugin, "SILT"), *mcp), ()


def call_hooks(
    found: Mapping[str, Sequence[str]], environ: Mapping[str, str], cwd: Path, seconds: float = LONGEST
) -> list[Tried]:
    """Call hooks, each with a payload of its event, up to the first that hangs: they are one command, so
    the others would hang too."""
    tried: list[Tried] = []
    for event, words in found.items():
        answer, hung = "", False
        try:
            payload = json.dumps({**_DATA["hook"], "hook_event_name": event, "cwd": str(cwd)})
            done = run(words, payload, cwd, environ, seconds, MOST)
        except OSError as error:
            wrong = _not_run(words, error)
        else:
            hung = done.cut == "time"
            answer = "" if done.cut else done.out
            wrong = f"it does not finish within {seconds:g} seconds" if hung else _wrong(done)
        tried.append(Tried(event, wrong, answer, hung))
        if hung:
            break
    return tried


def _wrong(done: Ended) -> str:
    if done.cut:
        return f"it answers with more than {MOST:,} bytes"
    errors = done.err.strip().splitlines()
    if done.code or (errors and not done.out):
        return f"it ends with {done.code}{': ' + errors[-1] if errors else ''}"
    try:
        good = not done.out.strip() or isinstance(json.loads(done.out), dict)
    except ValueError:
        good = False
    return "" if good else "its answer is not a JSON object"


def server_fault(words: Sequence[str], environ: Mapping[str, str]) -> str:
    """Why an MCP server does not answer a client's first message; "" where it does."""
    try:
        done = run(words, json.dumps(_DATA["server"]) + "\n", Path.cwd(), environ, LONGEST, MOST)
        answer = json.loads(done.out.partition("\n")[0] or "null")
    except OSError as error:
        return _not_run(words, error)
    except ValueError:
        answer = None
    return "" if isinstance(answer, dict) and "result" in answer else "call it by hand to see why"


def _not_run(words: Sequence[str], error: OSError) -> str:
    """The agent says nothing of a command that does not start, and neither does our log."""
    needs = ", or what its first line names" if os.path.exists(words[0]) else ""
    return f"{words[0]} cannot be run ({error.strerror}{needs})"


def switched_off(agent: str, folder: Path, project: Path | None) -> str:
    """The setting that keeps the agent from running our hooks, with its file; "" for none.

    `folder`: the agent's settings for the user; `project`: the project one is in. The first file that names
    a switch counts, and each list of hooks that are off (seen with the versions in docs/doors.md). Unreadable
    files are skipped.
    """
    switches = _DATA["switches"].get(agent)
    if switches is None:
        return ""
    paths = [*(project / name for name in switches["project"] if project), folder / switches["user"]]
    found = [(path, settings_in(path)) for path in paths]
    for names, off in switches["off"]:
        values = ((value_at(settings, names), path) for path, settings in found)
        value, path = next((one for one in values if isinstance(one[0], bool)), (None, None))
        if value is off:
            return f"{'.'.join(names)} is {str(value).lower()} in {path}"
    if listing := switches.get("names"):
        for path, settings in found:
            listed = value_at(settings, listing)
            if isinstance(listed, list) and SERVER in listed:
                return f"{'.'.join(listing)} names {SERVER} in {path}"
    return ""
