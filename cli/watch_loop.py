"""The loop of `silt watch`: look, decide (`pipeline/watching.py`), act, tell; until a signal comes."""

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from siltstone.cli.watch_hands import Hands
from siltstone.pipeline.watching import Commit, Heard, Pace, Place, Seen, Watching, committed, decide, ran
from siltstone.store.conflicts import PATH as CONFLICTS
from siltstone.store.errors import SiltError
from siltstone.store.settle import NAMED

TICK = 1.0
"""Seconds between two decisions."""
TREE, SESSIONS = 1.0, 5.0
"""Seconds between two looks, at least, at the store and at the transcripts."""
SHARE = 0.01
"""Of the time that each kind of look may take: the larger the store, the rarer the looks."""
RAREST = 60.0
PATIENCE = 60.0
"""Seconds that a batch has to finish its window after a signal; systemd allows 90 for a stop."""


class Ask(Protocol):
    """Whether somebody wants an end, and how urgently."""

    @property
    def times(self) -> int:
        """How often they asked."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait, but no longer than until they ask."""
        ...


@dataclass(slots=True)
class Look:
    """When to look again, so that looking takes a small share of the time however much there is."""

    least: float
    next: float = 0.0

    def due(self, at: float) -> bool:
        """Whether it is time; a clock that was set back puts nothing off for long."""
        return not at < self.next <= at + RAREST

    def looked(self, at: float, cost: float) -> None:
        """`cost`: seconds of processor time that it took."""
        self.next = at + min(max(self.least, cost / SHARE), RAREST)


class Watch:
    """The loop; clock, processor time, waiting and hands are handed in."""

    def __init__(
        self,
        hands: Hands,
        pace: Pace,
        ask: Ask,
        clock: Callable[[], float],
        spent: Callable[[], float],
        tell: Callable[[str], None],
    ) -> None:
        self._hands, self._pace, self._ask = hands, pace, ask
        self._clock, self._spent, self._tell = clock, spent, tell
        self._state = Watching()
        self._tree, self._sessions = Look(TREE), Look(SESSIONS)
        self._told: dict[str, set[str]] = {}

    def until_asked(self) -> None:
        """Watch until somebody asks for an end; then see the batch in hand to its own.

        Raises StoreError when the store is gone, having ended in the same way.
        """
        try:
            while not self._ask.times:
                self._hands.check()
                self._step()
                self._ask.wait(TICK)
        finally:
            self._stop()

    def _step(self) -> None:
        self._reap()
        seen = Seen(self._looked_at_store(), self._looked_at_sessions())
        decision = decide(self._state, seen, self._clock(), self._pace)
        self._state = decision.state
        self._tell_new("waits", decision.waits)
        for act in decision.acts:
            if isinstance(act, Commit):
                self._commit()
            else:
                self._tell(f"run begun: {act.why}")
                self._hands.begin()

    def _looked_at_store(self) -> int | None:
        if not self._tree.due(self._clock()):
            return None
        before = self._spent()
        tree = self._hands.tree()
        self._tree.looked(self._clock(), self._spent() - before)
        return tree

    def _looked_at_sessions(self) -> Mapping[Place, Heard] | None:
        if not (self._pace.reads and self._sessions.due(self._clock())):
            return None
        before = self._spent()
        looked = self._hands.sessions()
        self._tell_new("sessions", [f"transcripts not looked at: {said}" for said in looked.complaints])
        self._sessions.looked(self._clock(), self._spent() - before)
        return looked.sessions

    def _commit(self) -> None:
        try:
            settled = self._hands.commit()
        except SiltError as error:
            self._tell(f"edits not committed: {error}")
            self._state = committed(self._state, True, False, self._clock())
            return
        if settled.edited:
            more = len(settled.edited) - NAMED
            names = ", ".join(settled.edited[:NAMED]) + (f" and {more} more" if more > 0 else "")
            self._tell(f"edits committed: {names}")
        self._tell_new("edits", [f"edit not committed: {said}" for said in settled.refused])
        self._state = committed(self._state, False, CONFLICTS in settled.edited, self._clock())

    def _reap(self) -> None:
        """See whether the batch has ended."""
        ended = self._hands.ended() if self._state.running else None
        if ended is not None:
            for line in ended.told:
                self._tell(line)
            self._state = ran(self._state, ended.failed, self._clock())

    def _stop(self) -> None:
        if self._state.running:
            self._tell("stopping: the run finishes its window or gives it back; ask again to end it at once")
            self._hands.stop(signal.SIGINT)
        until = self._clock() + PATIENCE
        while self._state.running and self._clock() < until and self._ask.times < 2:
            self._ask.wait(TICK)
            self._reap()
        if self._state.running:
            self._hands.stop(signal.SIGTERM)
            self._tell("run ended at once: what it had in hand is read again by the next one")
        self._tell("stopped")

    def _tell_new(self, kind: str, lines: list[str] | tuple[str, ...]) -> None:
        """Tell what was not told the last time."""
        for line in lines:
            if line not in self._told.get(kind, ()):
                self._tell(line)
        self._told[kind] = set(lines)
