"""The loop of `silt watch` and of the waiter: look, decide (`pipeline/watching.py`), act, report."""

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from siltstone.cli.watch.world import World
from siltstone.pipeline.watching import Commit, Heard, Pace, Place, Seen, Watching, committed, decide, ran
from siltstone.store.conflicts import PATH as CONFLICTS
from siltstone.store.errors import SiltError
from siltstone.store.recovery import NAMED

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
    """Whether somebody asked for an end, and how urgently."""

    @property
    def times(self) -> int:
        """How often they asked."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait, but not longer than until they ask."""
        ...


@dataclass(slots=True)
class Look:
    """When to look again, so that looking takes a small share of the time however much there is."""

    least: float
    next: float = 0.0

    def due(self, at: float) -> bool:
        """Whether it is time. A clock that was set back delays nothing for long."""
        return not at < self.next <= at + RAREST

    def looked(self, at: float, cost: float) -> None:
        """`cost`: seconds of processor time that it took."""
        self.next = at + min(max(self.least, cost / SHARE), RAREST)


class Watch:
    """The loop. What it looks at and acts on, clock, processor time and waiting are arguments.

    `last`: when the last batch began; None starts with one. `every`: least seconds between two looks at the
    sessions.
    """

    def __init__(
        self,
        world: World,
        pace: Pace,
        ask: Ask,
        clock: Callable[[], float],
        spent: Callable[[], float],
        report: Callable[[str], None],
        *,
        last: float | None = None,
        every: float = SESSIONS,
    ) -> None:
        self._world, self._pace, self._ask = world, pace, ask
        self._clock, self._spent, self._report = clock, spent, report
        self._state = Watching(begun=last)
        self._tree, self._sessions = Look(TREE), Look(every)
        self._reported: dict[str, set[str]] = {}

    def run(self) -> None:
        """Watch until somebody asks for an end or nothing is left to do; a running batch is seen to its end.

        Raises StoreError if the store is gone, after ending in the same way.
        """
        try:
            while not self._ask.times and not self._world.finished():
                self._world.check()
                self._step()
                self._ask.wait(TICK)
        finally:
            self._stop()

    def _step(self) -> None:
        self._reap()
        seen = Seen(self._looked_at_store(), self._looked_at_sessions())
        decision = decide(self._state, seen, self._clock(), self._pace)
        self._state = decision.state
        self._report_new("waits", decision.waits)
        for act in decision.acts:
            if isinstance(act, Commit):
                self._commit()
            else:
                self._world.begin(act.why)

    def _looked_at_store(self) -> int | None:
        if not self._tree.due(self._clock()):
            return None
        before = self._spent()
        tree = self._world.tree()
        self._tree.looked(self._clock(), self._spent() - before)
        return tree

    def _looked_at_sessions(self) -> Mapping[Place, Heard] | None:
        if not (self._pace.reads and self._sessions.due(self._clock())):
            return None
        before = self._spent()
        looked = self._world.sessions()
        self._report_new("sessions", [f"transcripts not read: {one}" for one in looked.complaints])
        self._sessions.looked(self._clock(), self._spent() - before)
        return looked.sessions

    def _commit(self) -> None:
        try:
            settled = self._world.commit()
        except SiltError as error:
            self._report(f"edits not committed: {error}")
            self._state = committed(self._state, True, False, self._clock())
            return
        if settled.edited:
            more = len(settled.edited) - NAMED
            names = ", ".join(settled.edited[:NAMED]) + (f" and {more} more" if more > 0 else "")
            self._report(f"edits committed: {names}")
        self._report_new("edits", [f"edit not committed: {said}" for said in settled.refused])
        self._state = committed(self._state, False, CONFLICTS in settled.edited, self._clock())

    def _reap(self) -> None:
        """See whether the batch has ended."""
        ended = self._world.ended() if self._state.running else None
        if ended is not None:
            for line in ended.lines:
                self._report(line)
            self._state = ran(self._state, ended.failed, self._clock())

    def _stop(self) -> None:
        if self._state.running:
            self._report("stopping: the run finishes its window; ask again to end it at once")
            self._world.stop(signal.SIGINT)
        until = self._clock() + PATIENCE
        while self._state.running and self._clock() < until and self._ask.times < 2:
            self._ask.wait(TICK)
            self._reap()
        if self._state.running:
            self._world.stop(signal.SIGTERM)
            self._report("run ended at once: the next one reads its unfinished window again")

    def _report_new(self, kind: str, lines: list[str] | tuple[str, ...]) -> None:
        """Report what was not reported the last time."""
        for line in lines:
            if line not in self._reported.get(kind, ()):
                self._report(line)
        self._reported[kind] = set(lines)
