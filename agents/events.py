"""The events of a session, as hooks report them, from its transcript.

So the state of a session that no hook saw, or that was lost, is rebuilt from the transcript alone.
"""

from collections.abc import Iterable, Iterator

from siltstone.pipeline import detector
from siltstone.pipeline.messages import Filtered, Message
from siltstone.recall.session.apply import apply
from siltstone.recall.session.event import Event
from siltstone.recall.session.state import SessionState
from siltstone.recall.settings import RecallSettings


def events(agent: str, session: str, cwd: str, items: Iterable[Message | Filtered]) -> Iterator[Event]:
    """The events of what a reader yields, in its order.

    A compaction that the transcript shows as several records in a row is one event, at the time of the
    message before it; the candidate block a reader hands on belongs to it.
    """
    at, compacted = 0.0, False
    for item in items:
        if isinstance(item, Message):
            at, compacted = item.at.timestamp(), False
            event = Event("message", agent, session, at, cwd, item.role, item.text)
            if call := item.tool:
                told = (call.name, call.input, call.output, call.command or "", call.exit, call.failed)
                event = Event("tool", agent, session, at, cwd, "", "", *told)
            yield event
        elif item.reason == "compaction" and not compacted:
            compacted = True
            yield Event("compaction", agent, session, at, cwd)


def rebuilt(
    agent: str, session: str, cwd: str, items: Iterable[Message | Filtered], rules: RecallSettings
) -> SessionState:
    state = SessionState()
    for event in events(agent, session, cwd, items):
        state = apply(state, event, detector, rules)
    return state
