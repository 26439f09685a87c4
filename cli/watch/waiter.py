"""The waiter: a process that hooks start, which runs batches for the sessions they queued, then ends (E12).

One at a time, by a lock. The queue is in the state database, so that nothing is forgotten if the waiter is
killed: the next hook starts another. Agents neither wait for it nor end it. Its log is `hooks.log`.
"""

import math
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from siltstone.agents.hooks import OWN
from siltstone.cli.hooks.background import held
from siltstone.cli.hooks.common import log
from siltstone.cli.settings import survey
from siltstone.cli.watch.loop import Ask, Watch
from siltstone.cli.watch.world import BATCH, Ended, Looked, Process
from siltstone.pipeline.watching import COOLDOWN, Heard, Pace
from siltstone.store.errors import SiltError
from siltstone.store.places import state_folder
from siltstone.store.recovery import Settled
from siltstone.store.state import HOOK_WAIT, State, Want

SETTLE = 1.0
"""Seconds between a session's end and its reading: the agent may be writing its last line."""
TRIES = 3
"""Of one batch that fails; then its sessions wait for the next hook or run."""
LOOKS = 1.0
"""Seconds between two looks at the queue."""


class Queue:
    """The world of the waiter: the sessions that hooks queued. Other idle sessions are read with them."""

    def __init__(
        self,
        folder: str,
        idle: float,
        clock: Callable[[], float] = time.time,
        start: Callable[[Sequence[str]], Process] = Process,
    ) -> None:
        self._folder, self._idle, self._clock, self._start = folder, idle, clock, start
        with State.open(folder, HOOK_WAIT) as db:
            self._wanted, self.last = db.hooks.wanted(), db.hooks.begun()
        self._since: dict[Want, float] = {}
        """When each was queued, as far as the clock can be believed."""
        self._taken: list[Want] = []
        self._process: Process | None = None
        self._failures = 0

    def finished(self) -> bool:
        return not self._wanted and self._process is None

    def check(self) -> None:
        """The batch itself checks the store."""

    def tree(self) -> None:
        """The user's edits are committed by the batch."""

    def commit(self) -> Settled:
        return Settled()

    def sessions(self) -> Looked:
        """The queue; each session is dated so that it is idle when it should be read."""
        try:
            with State.open(self._folder, HOOK_WAIT) as db:
                self._wanted = db.hooks.wanted()
        except SiltError as error:
            self._wanted = []  # the next hook starts another waiter
            return Looked({}, (str(error),))
        now = self._clock()
        self.last = min(self.last, now)  # a clock that was set back delays nothing for long
        self._since = {one: min(one.at, self._since.get(one, now)) for one in self._wanted}
        return Looked(
            {
                (one.agent, one.session): Heard(f"{one.at} {one.ended}", self._due(one) - self._idle)
                for one in self._wanted
            }
        )

    def _due(self, want: Want) -> float:
        """When a session is to be read."""
        return max(self._since[want] + (SETTLE if want.ended else self._idle), self.last + COOLDOWN)

    def begin(self, why: str) -> None:
        now = self._clock()
        self._taken = [one for one in self._wanted if self._due(one) <= now]
        self.last = now
        with suppress(SiltError), State.open(self._folder, HOOK_WAIT) as db:
            db.hooks.begin(now)
        ended = [f"--ended={one.agent}/{one.session}" for one in self._taken if one.ended]
        self._process = self._start([*BATCH, *ended])

    def ended(self) -> Ended | None:
        ended = self._process.ended() if self._process is not None else None
        if ended is None:
            return None
        self._process = None
        self._failures = self._failures + 1 if ended.failed else 0
        if self._failures in (0, TRIES):
            self._failures = 0
            # If this fails they are read again, which costs nothing where nothing is new.
            with suppress(SiltError), State.open(self._folder, HOOK_WAIT) as db, db.transaction():
                db.hooks.done(self._taken)
        return ended

    def stop(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.process.send_signal(how)


class Undisturbed:
    """Nobody asks the waiter to end."""

    times = 0

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)


def work_off(
    queue: Queue, idle: float, ask: Ask, clock: Callable[[], float], report: Callable[[str], None]
) -> None:
    """Run batches until the queue is empty."""
    pace = Pace(idle=idle, poll=math.inf)
    Watch(queue, pace, ask, clock, time.process_time, report, last=queue.last, every=LOOKS).run()


def main() -> int:
    """Run batches until the queue is empty, unless another waiter does; returns the exit status."""
    os.environ[OWN] = "1"
    folder = state_folder(os.environ)

    def report(line: str) -> None:
        log(folder, "batch", line, time.time())

    try:
        idle = survey().configured.settings.idle_ms / 1000
        # Again, because a hook that queues a session before the lock is released starts no waiter.
        while not (queue := Queue(folder, idle)).finished() and (lock := held(folder)) is not None:
            try:
                work_off(queue, idle, Undisturbed(), time.time, report)
            finally:
                os.close(lock)
    except (SiltError, OSError) as error:
        report(f"no batch is run: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
