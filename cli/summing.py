"""How each project's last session ended, from its transcript: for agents that report no events (E16)."""

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

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
"""Messages of a session that are used: the first typed one, and this many of the last."""


class Summing(NamedTuple):
    """Summarizes the latest session of each scope. A model is called for sessions with at least
    `turn_summary_interval` turns. If it does not answer, rules do it."""

    met: Mapping[str, Unread]
    """By scope."""
    readers: Mapping[str, Reader]
    """By agent."""
    now: datetime
    rules: RecallSettings

    def to_ask(self) -> list[list[Message]]:
        """What `sum_up` would send a model, session by session."""
        asked = []
        for _, unread in sorted(self.met.items()):
            with suppress(SourceError):  # `sum_up` says so when it comes to it
                last = self._last(unread)
                if last is not None and self._is_long(last[0]):
                    asked.append(excerpt(last[1]))
        return asked

    def sum_up(self, model: Model | None, db: State) -> list[str]:
        """Keep the summaries. Returns a line for each, which says why (E22). Raises StateError and Locked."""
        lines = [self._one(scope, unread, model, db) for scope, unread in sorted(self.met.items())]
        return [line for line in lines if line]

    def _one(self, scope: str, unread: Unread, model: Model | None, db: State) -> str:
        session = unread.session
        where = f"{scope.removeprefix('projects/')}: last session {session.agent}/{session.id}"
        try:
            last = self._last(unread)
        except SourceError as error:
            return f"{where} was not summarized: {error}"
        if last is None:
            return ""
        state, messages = last
        before, at = db.summaries.get(session.agent, session.id), state.updated
        if before is not None and before.at >= at and model is None:
            return ""
        told, maker, why = by_rule(state), RULES, ""
        if model is not None and not self._is_long(state):
            why = f": it has fewer than {self.rules.turn_summary_interval} turns"
        elif model is not None:
            try:
                answer = summarise(excerpt(messages), model, self.now.date())
                told, maker = answer.value, model.name
            except (Transient, Terminal) as error:
                why = f": {error}"
        at = at if before is None else max(before.at, at)
        with db.transaction():
            db.summaries.put(Ended(session.agent, session.id, at, session.cwd, maker, told))
        return f"{where} summarized by {maker}{why}"

    def _is_long(self, state: SessionState) -> bool:
        """Whether it is worth calling a model."""
        return state.turn >= self.rules.turn_summary_interval or bool(state.compactions)

    def _last(self, unread: Unread) -> tuple[SessionState, list[Message]] | None:
        """The state that a session was left in, and the messages it comes from: the first typed one and the
        latest. None for an old session, or one with nothing to summarize. Raises SourceError."""
        session = unread.session
        if self.now - unread.source.changed > timedelta(seconds=MAX_AGE):
            return None
        reading = self.readers[session.agent].read(unread.source, None)
        first: Message | None = None
        kept: deque[Message | Filtered] = deque(maxlen=LATEST)
        for step in reading.steps if reading is not None else ():
            if first is None and isinstance(step.item, Message) and step.item.role == "user":
                first = step.item
            kept.append(step.item)
        if first is not None and first not in kept:
            kept.appendleft(first)
        items = [clean(item) if isinstance(item, Message) else item for item in kept]
        state = rebuilt(session.agent, session.id, session.cwd, items, self.rules)
        return (state, [item for item in items if isinstance(item, Message)]) if by_rule(state) else None
