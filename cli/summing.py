"""What each project's last session came to, from its transcript: for agents that tell no events (E16)."""

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from siltstone.agents.events import rebuilt
from siltstone.pipeline.extraction.session_summary import excerpt, summarise
from siltstone.pipeline.messages import Filtered, Message, Reader
from siltstone.pipeline.model.port import Model
from siltstone.pipeline.reading.backlog import Unread
from siltstone.pipeline.reading.clean import clean
from siltstone.recall.session.state import SessionState
from siltstone.recall.session.summary import RULES, by_rule
from siltstone.recall.settings import RecallSettings
from siltstone.store.errors import SourceError, Terminal, Transient
from siltstone.store.state import Ended, State
from siltstone.store.state.sessions import MAX_AGE

LATEST = 400
"""Messages of a session that are looked at: the first typed one, and so many of the last."""


@dataclass(frozen=True, slots=True)
class Summing:
    """Whom to ask, and where to keep it."""

    readers: Mapping[str, Reader]
    model: Model | None
    db: State
    now: datetime
    rules: RecallSettings


def sum_up(met: Mapping[str, Unread], summing: Summing) -> list[str]:
    """Sum up the latest session of each scope, by scope in `met`; a line for each, saying why so (E22).

    A model is asked about a session of as many turns as are summed up at once; whatever keeps it from
    answering, rules do it.
    """
    return [said for scope, unread in sorted(met.items()) if (said := _one(scope, unread, summing))]


def to_ask(
    met: Mapping[str, Unread], readers: Mapping[str, Reader], now: datetime, rules: RecallSettings
) -> list[list[Message]]:
    """What `sum_up` would send a model of each session that it would ask about."""
    asked = []
    for _, unread in sorted(met.items()):
        with suppress(SourceError):  # `sum_up` says so when it comes to it
            if _is_of_late(unread, now):
                last = _last(unread, readers, rules)
                asked += [excerpt(last.messages)] if last.text and _is_long(last.state, rules) else []
    return asked


def newest(met: Mapping[str, Unread], scope: str, unread: Unread) -> bool:
    """Whether a session is a later one of its scope than what was met."""
    return scope not in met or met[scope].source.seconds <= unread.source.seconds


def _one(scope: str, unread: Unread, summing: Summing) -> str:
    session = unread.session
    where = f"{scope.removeprefix('projects/')}: last session {session.agent}/{session.id}"
    if not _is_of_late(unread, summing.now):
        return ""
    try:
        last = _last(unread, summing.readers, summing.rules)
    except SourceError as error:
        return f"{where} is not summed up: {error}"
    state, text = last.state, last.text
    before = summing.db.summaries.get(session.agent, session.id)
    if not text or (before is not None and before.at >= state.updated and summing.model is None):
        return ""
    told, maker, why = _told(state, text, last.messages, summing)
    at = state.updated if before is None else max(before.at, state.updated)
    ended = Ended(session.agent, session.id, at, session.cwd, maker, told)
    with summing.db.transaction():
        summing.db.summaries.put(ended)
    return f"{where} summed up by {maker}{why}"


@dataclass(frozen=True, slots=True)
class _Last:
    """A session as it was left."""

    state: SessionState
    text: str
    """Its summary by rule; "" when there is nothing to sum up."""
    messages: list[Message]


def _is_of_late(unread: Unread, now: datetime) -> bool:
    return now - unread.source.changed <= timedelta(seconds=MAX_AGE)


def _is_long(state: SessionState, rules: RecallSettings) -> bool:
    """Whether a model is worth asking."""
    return state.turn >= rules.turn_summary_interval or bool(state.compactions)


def _last(unread: Unread, readers: Mapping[str, Reader], rules: RecallSettings) -> _Last:
    session = unread.session
    kept = _read(unread, readers[session.agent])
    state = rebuilt(session.agent, session.id, session.cwd, kept, rules)
    return _Last(state, by_rule(state), [item for item in kept if isinstance(item, Message)])


def _read(unread: Unread, reader: Reader) -> list[Message | Filtered]:
    """The first typed message and the latest of all, clean."""
    reading = reader.read(unread.source, None)
    first: Message | None = None
    kept: deque[Message | Filtered] = deque(maxlen=LATEST)
    for step in reading.steps if reading is not None else ():
        item = step.item
        if first is None and isinstance(item, Message) and item.role == "user":
            first = item
        kept.append(item)
    if first is not None and first not in kept:
        kept.appendleft(first)
    return [clean(item) if isinstance(item, Message) else item for item in kept]


def _told(state: SessionState, text: str, messages: list[Message], summing: Summing) -> tuple[str, str, str]:
    """Text, maker, and why not the model where there is one."""
    if summing.model is None:
        return text, RULES, ""
    if not _is_long(state, summing.rules):
        return text, RULES, f": it has fewer than {summing.rules.turn_summary_interval} turns"
    try:
        answer = summarise(excerpt(messages), summing.model, summing.now.date())
    except (Transient, Terminal) as error:
        return text, RULES, f": {error}"
    return answer.value, summing.model.name, ""
