"""The state of a session after one more event: the only place that knows what an event changes.

Everything comes from events alone, so a lost state is rebuilt by applying the events of the transcript
again (`agents/events.py`).
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from siltstone.recall.session import errors, files, pressure, summary, working_memory
from siltstone.recall.session.event import Event
from siltstone.recall.session.state import Note, Pressure, SessionState
from siltstone.recall.settings import RecallSettings
from siltstone.store.redaction import cleaned

DECISIONS = 8
PENDING = 12
_LONGEST = 280
_MAX_CWD = 1_000
_READ = 20_000
"""Characters of a message that are read. What follows was pasted, and a hook must not take seconds."""
_ENDS = 3_000
"""Characters at either end of a longer typed text in which decisions, todos and paths are searched. What
stands between was pasted, and decides nothing."""
_SENTENCE_ENDS = ("\n", ". ", "! ", "? ", "。", "！", "？")


class Detector(Protocol):
    """What the pipeline knows about texts and commands (`pipeline/detector.py`); the caller hands it in.

    An event of a tool asks for `programs` alone, which no other asks for.
    """

    def programs(self, command: str) -> errors.Programs:
        """The programs of a command line: their words, what each prints, whether status 0 vouches for it."""

    def own(self, text: str) -> str:
        """The text without what machines inserted."""

    def kept(self, text: str, keywords: tuple[str, ...]) -> str:
        """A typed text without what it asks not to keep. `keywords` are the user's own for asking."""

    def wanted(self, text: str, keywords: tuple[str, ...]) -> str:
        """A typed text without what it asks to keep; "" when it asks for nothing else."""

    def announced(self, kind: str, text: str, keywords: tuple[str, ...]) -> Sequence[tuple[str, str]]:
        """Type and text of the memories that a text ("user", "assistant", "compaction") asks to keep."""


def apply(state: SessionState, event: Event, detector: Detector, settings: RecallSettings) -> SessionState:
    """The state after an event. An `end` changes nothing: the caller drops the state of an ended session."""
    if event.kind == "end":
        return state
    answers = event.kind == "message" and event.role == "assistant"
    by_agent = answers or event.kind in ("tool", "compaction", "idle")
    # What the agent reports about its context holds until it reports something else.
    figures = {"tokens": event.tokens, "limit": event.limit, "reserve": event.reserve}
    reported: dict[str, Any] = {name: figure for name, figure in figures.items() if figure is not None}
    state = state._replace(
        events=state.events + 1,
        updated=max(state.updated, event.at),
        answered=max(state.answered, event.at) if by_agent else state.answered,
        cwd=event.cwd if event.cwd and len(event.cwd) <= _MAX_CWD else state.cwd,
        pressure=state.pressure._replace(**reported),
    )
    if event.kind == "message":
        state = _message(state, event, detector, settings)
    elif event.kind == "tool":
        state = _tool(state, event, detector)
    elif event.kind == "compaction":
        # The state survives a compaction; of the context only the summary is left (docs/seeds.md B25).
        state = summary.summed_up(state, "compaction", event.at)
        state = _announce(state, detector.announced("compaction", event.text, ()), event.at)
        after = state.pressure._replace(chars=len(event.text), tokens=event.tokens)
        state = state._replace(compactions=state.compactions + 1, compacted=event.at, pressure=after)
    elif event.kind == "model":
        return state._replace(pressure=_model(state.pressure, event.model))
    return state._replace(pressure=pressure.moved(state.pressure))


def settled(state: SessionState, until: float | None) -> SessionState:
    """The state without pending memories from before `until`, which `silt run` has dealt with (A44)."""
    if until is None or not state.pending:
        return state
    return state._replace(pending=tuple(one for one in state.pending if one.at > until))


def _message(state: SessionState, event: Event, detector: Detector, settings: RecallSettings) -> SessionState:
    is_typed, keywords = event.role == "user", settings.keyword_patterns
    text = detector.own(event.text[:_READ])
    if is_typed:
        text = detector.kept(text, keywords)
        state = summary.typed(state, detector.wanted(text, keywords), event.at, settings)
    state = _visible(state, len(event.text))._replace(turn=state.turn + is_typed)
    state = _announce(state, detector.announced(event.role, text, keywords), event.at)
    if is_typed:
        text = _ends(text)
    decided = working_memory.decisions(text)
    state = _decide(state, decided, event.at)
    slots = working_memory.slot(state.slots, "decision", decided, state.events)
    if is_typed:
        slots = working_memory.slot(slots, "todo", working_memory.todos(text), state.events)
    pool = working_memory.mention(state.pool, _paths(text, state.cwd), state.events)
    return state._replace(slots=slots, pool=pool)


def _ends(text: str) -> str:
    """Whole sentences at either end of a long text: half a sentence may say the opposite, or hold half a
    secret."""
    if len(text) <= 2 * _ENDS:
        return text
    first, last = text[:_ENDS], text[-_ENDS:]
    head = max((first.rfind(mark) + len(mark) for mark in _SENTENCE_ENDS if mark in first), default=0)
    tail = min((last.find(mark) + len(mark) for mark in _SENTENCE_ENDS if mark in last), default=_ENDS)
    return f"{first[:head]}\n{last[tail:]}"


def _tool(state: SessionState, event: Event, detector: Detector) -> SessionState:
    state = _visible(state, len(event.input) + len(event.output))
    touched = files.touches(event.name, event.input, event.command)
    found = state.errors
    if event.command and event.exit == 0:
        found = errors.passed(found, event.command, detector.programs)
    elif event.command and (event.failed if event.exit is None else event.exit):
        # The text of a here-document looks like programs, and would seem to report errors.
        programs = () if "<<" in event.command else detector.programs(event.command)
        found = errors.failed(found, event.command, programs, event.output, state.events, event.exit)
    if not event.failed:
        found = errors.maybe_fixed(found, touched, state.cwd)
    new = [one.summary for one in found if one.event == state.events]
    # A slot holds an error's summary: those that this event fixed, or perhaps fixed, go.
    still = {one.summary for one in found if not one.maybe_fixed}
    fixed = {one.summary for one in state.errors} - still
    slots = tuple(one for one in state.slots if one.kind != "error" or one.text not in fixed)
    slots = working_memory.slot(slots, "error", new, state.events)
    wanted = working_memory.dependencies(event.command, event.output if event.command else "")
    slots = working_memory.slot(slots, "dependency", wanted, state.events)
    named = [path for touch in touched if (path := cleaned(files.shown(touch.path, state.cwd)))]
    pool = working_memory.mention(state.pool, named + _paths(event.output, state.cwd), state.events)
    kept = state.files if event.failed else files.track(state.files, touched, state.cwd, state.events)
    return state._replace(files=kept, errors=found, slots=slots, pool=pool)


def _paths(text: str, cwd: str) -> list[str]:
    """Paths that a text names, in the form of those of tools: one file is one item, however it is written."""
    return [path for named in working_memory.paths(text) if (path := files.shown(named, cwd))]


def _announce(state: SessionState, memories: Iterable[tuple[str, str]], at: float) -> SessionState:
    """Decisions among announced memories are also decisions of the session (docs/seeds.md A37)."""
    lines = ((type, cleaned(" ".join(body.split())[:_LONGEST]).strip()) for type, body in memories)
    notes = [Note(text, at, type) for type, text in lines if text]
    state = state._replace(pending=_latest(state.pending, notes, PENDING))
    return _decide(state, [one.text for one in notes if one.type == "decision"], at)


def _decide(state: SessionState, texts: Iterable[str], at: float) -> SessionState:
    return state._replace(decisions=_latest(state.decisions, [Note(text, at) for text in texts], DECISIONS))


def _latest(old: tuple[Note, ...], new: list[Note], most: int) -> tuple[Note, ...]:
    """The newest `most`; a repeated text counts as new."""
    by_text = {one.text: one for one in new}
    return tuple([one for one in old if one.text not in by_text] + list(by_text.values()))[-most:]


def _visible(state: SessionState, chars: int) -> SessionState:
    return state._replace(pressure=state.pressure._replace(chars=state.pressure.chars + chars))


def _model(before: Pressure, model: str) -> Pressure:
    """Another model has another context window, so reports about the old one are void."""
    if not model or model == before.model:
        return before
    if not before.model:
        return before._replace(model=model)
    return before._replace(model=model, tokens=None, limit=None, reserve=None, hushed=True)
