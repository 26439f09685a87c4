"""What a resident `silt watch` does next: decided from what it saw and when, with no disk and no clock.

Hand edits are committed when the store has been quiet for two seconds (SEEDS.md D21), a batch is run when
sessions have been quiet (C12, E12), at the start, after a tick, and every ten minutes for what is due by
time (C23). Every act has a reason, and so has what waits (E22). Times are seconds since 1970.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from siltstone.pipeline.words import counted

COOLDOWN = 15.0
"""Seconds after a batch in which it is not run for the same session again (E12)."""
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 3600.0
"""Seconds after something failed: doubled with each failure in a row."""

Place = tuple[str, str]
"""Agent and key of a transcript."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The settings that say how fast things go; seconds."""

    quiet: float = 2.0
    idle: float = 60.0
    poll: float = 600.0
    reads: bool = True
    """Sessions are read at all."""
    compacts: bool = True


@dataclass(frozen=True, slots=True)
class Heard:
    """A transcript as its stat shows it."""

    stamp: str
    changed: float


@dataclass(frozen=True, slots=True)
class Seen:
    """What was looked at this time; None: not looked."""

    tree: int | None = None
    """Changes whenever a file of the store does (store/glance.py)."""
    sessions: Mapping[Place, Heard] | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Failures in a row, and until when nothing is tried."""

    failures: int = 0
    until: float = 0.0

    def more(self, now: float) -> "Trouble":
        """One more failure."""
        pause = min(FIRST_PAUSE * 2 ** min(self.failures, 16), LONGEST_PAUSE)
        return Trouble(self.failures + 1, now + pause)

    def holds(self, now: float) -> bool:
        """Whether it is too early; a clock that was set back holds nothing up for longer than a pause."""
        return now < self.until <= now + LONGEST_PAUSE


@dataclass(frozen=True, slots=True)
class Run:
    """Run a batch."""

    why: str


@dataclass(frozen=True, slots=True)
class Commit:
    """Commit the user's edits."""


@dataclass(frozen=True, slots=True)
class Watching:
    """What is remembered from one decision to the next."""

    tree: int | None = None
    since: float = 0.0
    """When the store was first seen as it is."""
    settled: int | None = None
    """The store as it was when edits were last committed."""
    running: bool = False
    begun: float | None = None
    """When the last batch was begun."""
    ticked: bool = False
    """A conflict was edited: its tick wants applying."""
    taken: Mapping[Place, str] = field(default_factory=dict)
    """Stamps of sessions with which a batch has dealt, or is dealing."""
    unread: Mapping[Place, Heard] = field(default_factory=dict)
    """Sessions that changed since."""
    cooling: Mapping[Place, float] = field(default_factory=dict)
    """Sessions of the last batch, and when it was begun."""
    runs: Trouble = Trouble()
    commits: Trouble = Trouble()


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do now."""

    state: Watching
    acts: tuple[Run | Commit, ...] = ()
    waits: tuple[str, ...] = ()
    """One line for each thing that would be done but for a reason."""


def decide(state: Watching, seen: Seen, now: float, pace: Pace) -> Decision:
    """The acts that are due. What they come to is told by `committed` and `ran`."""
    state = _noted(state, seen, now)
    acts: list[Run | Commit] = []
    waits: list[str] = []
    if state.tree != state.settled and now - state.since >= pace.quiet:
        if state.commits.holds(now):
            waits.append(f"edits wait: committing failed; next try at {_at(state.commits.until)}")
        else:
            acts.append(Commit())
            state = replace(state, settled=state.tree)
    why = _why_run(state, now, pace)
    if why is not None and state.running:
        waits.append(f"a run waits for the one that is going on ({why})")
    elif why is not None and state.runs.holds(now):
        waits.append(f"a run waits: the last one failed; next try at {_at(state.runs.until)} ({why})")
    elif why is not None:
        acts.append(Run(why))
        state = _begun(state, now, pace)
    return Decision(state, tuple(acts), tuple(waits))


def committed(state: Watching, failed: bool, ticked: bool, now: float) -> Watching:
    """After a `Commit`; `ticked`: the file of conflicts was among the edits."""
    if failed:
        return replace(state, settled=None, commits=state.commits.more(now))
    return replace(state, commits=Trouble(), ticked=state.ticked or ticked)


def ran(state: Watching, failed: bool, now: float) -> Watching:
    """After a `Run` has ended. What failed is tried again when its pause is over."""
    return replace(state, running=False, runs=state.runs.more(now) if failed else Trouble())


def _noted(state: Watching, seen: Seen, now: float) -> Watching:
    if seen.tree is not None and seen.tree != state.tree:
        state = replace(state, tree=seen.tree, since=now)
    if seen.sessions is not None:
        taken = state.taken
        unread = {place: one for place, one in seen.sessions.items() if taken.get(place) != one.stamp}
        state = replace(state, unread=unread)
    # A clock that was set back must not make anything wait until it has caught up.
    begun = None if state.begun is None else min(state.begun, now)
    cooling = {place: min(when, now) for place, when in state.cooling.items()}
    return replace(state, since=min(state.since, now), begun=begun, cooling=cooling)


def _why_run(state: Watching, now: float, pace: Pace) -> str | None:
    """Why a batch is due, in words for the log."""
    if not (pace.reads or pace.compacts):
        return None
    if state.begun is None:
        return "the first one after the start"
    if state.ticked:
        return "conflicts were edited"
    ripe = [place for place in _idle(state, now, pace) if now - state.cooling.get(place, 0.0) >= COOLDOWN]
    if ripe and pace.reads:
        return f"{counted(len(ripe), 'session')} quiet for {pace.idle:g} s"
    if state.runs.failures and not state.running:
        return "the last one failed"
    if now - state.begun >= pace.poll:
        return f"{pace.poll / 60:g} minutes since the last one"
    return None


def _idle(state: Watching, now: float, pace: Pace) -> list[Place]:
    return [place for place, heard in state.unread.items() if now - heard.changed >= pace.idle]


def _begun(state: Watching, now: float, pace: Pace) -> Watching:
    """A batch reads every idle session; the others stay unread here."""
    idle = _idle(state, now, pace)
    return replace(
        state,
        running=True,
        begun=now,
        ticked=False,
        taken={**state.taken, **{place: state.unread[place].stamp for place in idle}},
        unread={place: heard for place, heard in state.unread.items() if place not in set(idle)},
        cooling=dict.fromkeys(idle, now),
    )


def _at(when: float) -> str:
    return datetime.fromtimestamp(when, UTC).strftime("%H:%M:%SZ")
