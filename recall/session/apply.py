"""The state of a session after one more event: the only place that knows what an event changes.

Everything here comes from the events alone, so a state that was lost is rebuilt by applying the events of
the transcript again (`agents/events.py`).
"""

from siltstone.recall.rules import Rules
from siltstone.recall.session.pressure import moved
from siltstone.recall.session.state import Pressure, Said, SessionState
from siltstone.store.plain import cleaned

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Iterable

    from siltstone.recall.session.event import Event
    from siltstone.recall.session.hearing import Hearing
    from siltstone.recall.session.state import Slot, Trouble

DECISIONS = 8
PENDING = 12
_LONGEST = 280
_CWD = 1_000
_READ = 20_000
"""Characters of a message that are read: what is behind them was pasted, and a hook may not take seconds."""
_ENDS = 3_000
"""Characters of a longer typed text, at its start and at its end, in which decisions, work and files are
looked for: between them stands what was pasted, and that decides nothing."""
_STOPS = ("\n", ". ", "! ", "? ", "。", "！", "？")


def apply(state: SessionState, event: "Event", hearing: "Hearing", rules: Rules) -> SessionState:
    """The state after an event. An `end` leaves it as it is: what ended is dropped by its keeper."""
    if event.kind == "end":
        return state
    state = state._replace(
        events=state.events + 1,
        updated=max(state.updated, event.at),
        answered=max(state.answered, event.at) if _by_agent(event) else state.answered,
        cwd=event.cwd if event.cwd and len(event.cwd) <= _CWD else state.cwd,
        pressure=_told(state.pressure, event),
    )
    if event.kind == "message":
        state = _message(state, event, hearing, rules)
    elif event.kind == "tool":
        state = _tool(state, event, hearing)
    elif event.kind == "compaction":
        state = _compaction(state, event, hearing)
    elif event.kind == "model":
        return state._replace(pressure=_model(state.pressure, event.model))
    return state._replace(pressure=moved(state.pressure))


def settled(state: SessionState, until: float | None) -> SessionState:
    """The state without pending memories from before `until`: `silt run` has dealt with those (A44)."""
    if until is None or not state.pending:
        return state
    return state._replace(pending=tuple(one for one in state.pending if one.at > until))


def _by_agent(event: "Event") -> bool:
    said = (event.kind, event.role) == ("message", "assistant")
    return said or event.kind in ("tool", "compaction", "idle")


def _message(state: SessionState, event: "Event", hearing: "Hearing", rules: Rules) -> SessionState:
    from siltstone.recall.session import finding, summary, working  # an idle event has no need of them

    text = hearing.own(event.text[:_READ])
    if event.role == "user":
        text = hearing.kept(text)
        state = summary.typed(state, hearing.wanted(text), event.at, rules)
    state = _visible(state, len(event.text))._replace(turn=state.turn + (event.role == "user"))
    state = _announce(state, hearing.announced(event.role, text), event.at)
    if event.role == "user":
        text = _ends(text)
    decided = finding.decisions(text)
    state = _decide(state, decided, event.at)
    slots = working.slot(state.slots, "decision", decided, state.events)
    if event.role == "user":
        slots = working.slot(slots, "todo", finding.work(text), state.events)
    pool = working.mention(state.pool, _paths(text, state.cwd), state.events)
    return state._replace(slots=slots, pool=pool)


def _ends(text: str) -> str:
    """Whole sentences at either end of a long text: half of one may say the contrary, or hold half of a
    secret."""
    if len(text) <= 2 * _ENDS:
        return text
    first, last = text[:_ENDS], text[-_ENDS:]
    head = max((first.rfind(mark) + len(mark) for mark in _STOPS if mark in first), default=0)
    tail = min((last.find(mark) + len(mark) for mark in _STOPS if mark in last), default=_ENDS)
    return f"{first[:head]}\n{last[tail:]}"


def _tool(state: SessionState, event: "Event", hearing: "Hearing") -> SessionState:
    from siltstone.recall.session import files, finding, trouble, working

    state = _visible(state, len(event.input) + len(event.output))
    touched = files.touches(event.name, event.input, event.command)
    errors = state.errors
    if event.command and event.exit == 0:
        errors = trouble.passed(errors, event.command, hearing.programs)
    elif event.command and (event.failed if event.exit is None else event.exit):
        parts = hearing.parts(event.command)
        errors = trouble.failed(errors, event.command, parts, event.output, state.events, event.exit)
    if not event.failed:
        errors = trouble.mended(errors, touched, state.cwd)
    new = [one.summary for one in errors if one.event == state.events]
    slots = working.slot(_still_open(state, errors), "error", new, state.events)
    wants = finding.dependencies(event.command, event.output if event.command else "")
    slots = working.slot(slots, "dependency", wants, state.events)
    named = [path for touch in touched if (path := cleaned(files.shown(touch.path, state.cwd)))]
    pool = working.mention(state.pool, named + _paths(event.output, state.cwd), state.events)
    kept = state.files if event.failed else files.track(state.files, touched, state.cwd, state.events)
    return state._replace(files=kept, errors=errors, slots=slots, pool=pool)


def _paths(text: str, cwd: str) -> list[str]:
    """Paths a text names, as tools' are shown: one file is one thing, however it is written."""
    from siltstone.recall.session import finding

    found = finding.paths(text)
    if not found:
        return []
    from siltstone.recall.session import files

    return [path for named in found if (path := files.shown(named, cwd))]


def _still_open(state: SessionState, errors: "tuple[Trouble, ...]") -> "tuple[Slot, ...]":
    """The slots without errors that were open before this event and are fixed, or perhaps so, after it.

    A fingerprint is of the summary, and that is what stands in the slot.
    """
    still = {one.summary for one in errors if not one.maybe_fixed}
    fixed = {one.summary for one in state.errors} - still
    return tuple(one for one in state.slots if one.kind != "error" or one.text not in fixed)


def _compaction(state: SessionState, event: "Event", hearing: "Hearing") -> SessionState:
    """Everything survives; of the context only the summary is left (docs/seeds.md B25)."""
    from siltstone.recall.session import summary

    state = summary.summed_up(state, "compaction", event.at)
    state = _announce(state, hearing.announced("compaction", event.text), event.at)
    pressure = state.pressure._replace(chars=len(event.text), tokens=event.tokens)
    return state._replace(compactions=state.compactions + 1, compacted=event.at, pressure=pressure)


def _announce(state: SessionState, memories: "Iterable[tuple[str, str]]", at: float) -> SessionState:
    """Decisions among announced memories are also decisions of the session (docs/seeds.md A37)."""
    said = [Said(text, at, type_) for type_, body in memories if (text := _line(body))]
    pending = _latest(state.pending, said, PENDING)
    decided = [one.text for one in said if one.type == "decision"]
    return _decide(state._replace(pending=pending), decided, at)


def _decide(state: SessionState, texts: "Iterable[str]", at: float) -> SessionState:
    return state._replace(decisions=_latest(state.decisions, [Said(text, at) for text in texts], DECISIONS))


def _latest(old: tuple[Said, ...], new: list[Said], most: int) -> tuple[Said, ...]:
    """The newest so many; what is said again counts as new."""
    again = {one.text for one in new}
    once = {one.text: one for one in new}
    return tuple([one for one in old if one.text not in again] + list(once.values()))[-most:]


def _line(text: str) -> str:
    return cleaned(" ".join(text.split())[:_LONGEST]).strip()


def _visible(state: SessionState, chars: int) -> SessionState:
    return state._replace(pressure=state.pressure._replace(chars=state.pressure.chars + chars))


def _told(pressure: Pressure, event: "Event") -> Pressure:
    """What the agent itself tells of its context holds until it tells something else."""
    return pressure._replace(
        tokens=pressure.tokens if event.tokens is None else event.tokens,
        limit=pressure.limit if event.limit is None else event.limit,
        reserve=pressure.reserve if event.reserve is None else event.reserve,
    )


def _model(pressure: Pressure, model: str) -> Pressure:
    """Another model has another context window: what was told of the old one is void."""
    if not model or model == pressure.model:
        return pressure
    if not pressure.model:
        return pressure._replace(model=model)
    return pressure._replace(model=model, tokens=None, limit=None, reserve=None, hushed=True)
