"""Events of a made-up session, and a state that has seen them."""

import json
from collections.abc import Iterable

from siltstone.pipeline import detector
from siltstone.recall.session.apply import apply
from siltstone.recall.session.event import Event, Kind
from siltstone.recall.session.state import SessionState
from siltstone.recall.settings import RecallSettings

NOW = 1_795_165_198.0
CWD = "/home/dev/larkspur"
TS_ERROR = "src/index.ts(10,3): error TS2345: Argument of type 'string' is not assignable to type 'number'"


def an_event(kind: Kind, **told: object) -> Event:
    fields: dict[str, object] = {"kind": kind, "agent": "claude", "session": "s1", "at": NOW, "cwd": CWD}
    return Event(**(fields | told))  # type: ignore[arg-type]


def ran(command: str, exit: int | None, output: str = "", **told: object) -> Event:
    return an_event("tool", name="Bash", command=command, exit=exit, output=output, **told)


def used(name: str, path: str, **told: object) -> Event:
    return an_event("tool", name=name, input=json.dumps({"file_path": path}), **told)


def typed(text: str, **told: object) -> Event:
    return an_event("message", role="user", text=text, **told)


def after(
    events: Iterable[Event], state: SessionState | None = None, settings: RecallSettings | None = None
) -> SessionState:
    state = state or SessionState()
    for event in events:
        state = apply(state, event, detector, settings or RecallSettings())
    return state
