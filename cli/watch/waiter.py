"""The waiter: a process that hooks start, which runs batches for the sessions they queued, then ends (E12).

One at a time, by a lock. The queue is in the state database, so that nothing is forgotten if the waiter is
killed: the next hook starts another. Agents neither wait for it nor end it. Its log is `hooks.log`.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence

from siltstone.agents.hooks import OWN
from siltstone.cli.hooks.background import held
from siltstone.cli.hooks.common import log
from siltstone.cli.settings import survey
from siltstone.cli.watch.run_process import COOLDOWN, RunProcess, pause
from siltstone.store.errors import SiltError
from siltstone.store.places import state_folder
from siltstone.store.state import State, Want

SETTLE = 1.0
"""Seconds between a session's end and its reading: the agent may be writing its last line."""
TRIES = 3
"""Of a batch that fails; then its sessions wait for the next hook or run."""
LOOK = 1.0
"""Seconds between two looks at the queue."""


def main() -> int:
    """Run batches until the queue is empty, unless another waiter does; returns the exit status."""
    os.environ[OWN] = "1"
    folder = state_folder(os.environ)

    def report(line: str) -> None:
        log(folder, "batch", line, time.time())

    try:
        idle = survey().settings.idle_ms / 1000
        # Again, because a hook that queues a session before the lock is released starts no waiter.
        while queue(folder) and (lock := held(folder)) is not None:
            try:
                work_off(folder, idle, report)
            finally:
                os.close(lock)
    except (SiltError, OSError) as error:
        report(f"no batch was run: {error}")
        return 1
    return 0


def work_off(
    folder: str,
    idle: float,
    report: Callable[[str], None],
    start: Callable[[Sequence[str]], RunProcess] = RunProcess,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Run batches until the queue is empty. A batch reads every session that is idle, not only queued ones.

    `idle`: seconds after which a session that has not ended is read. Raises StateError, Locked, OSError.
    """
    failures, next_try = 0, 0.0
    with State.open(folder) as db:
        last = db.hooks.begun()
    queued_at: dict[Want, float] = {}
    while wanted := queue(folder):
        now = clock()
        for one in wanted:
            queued_at.setdefault(one, min(one.at, now))
        # A clock that was set back delays nothing for long.
        last, next_try = min(last, now), min(next_try, now + pause(failures))
        if (earliest := max(last + COOLDOWN, next_try)) > now:
            sleep(earliest - now)
            continue
        due = [one for one in wanted if queued_at[one] + (SETTLE if one.ended else idle) <= now]
        if not due:
            sleep(LOOK)
            continue
        last = now
        with State.open(folder) as db:
            db.hooks.begin(now)
        outcome = start([f"--ended={one.agent}/{one.session}" for one in due if one.ended]).wait()
        for line in outcome.lines:
            report(line)
        failures = failures + 1 if outcome.failed else 0
        next_try = clock() + pause(failures)
        if failures % TRIES == 0:
            with State.open(folder) as db, db.transaction():
                db.hooks.done(due)


def queue(folder: str) -> list[Want]:
    """The sessions that hooks queued."""
    with State.open(folder) as db:
        return db.hooks.wanted()


if __name__ == "__main__":
    sys.exit(main())
