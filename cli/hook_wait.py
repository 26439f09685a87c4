"""The waiter: a process of its own that waits until sessions are quiet, runs a batch, goes (C12, E12).

It holds a lock as long as it lives, so there is one; what it is to do stands in the state database, so that
nothing is forgotten when it is killed: the next hook that wants a batch begins another. Agents know nothing
of it, and may end. What it did or could not do is in `hooks.log`.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import NamedTuple, Protocol

from siltstone.agents.hooks import OWN
from siltstone.cli.hook_behind import held
from siltstone.cli.hook_log import log
from siltstone.store.errors import SiltError
from siltstone.store.places import state_folder
from siltstone.store.state.hooks import Hooks, Want
from siltstone.store.state.light import Light

COOLDOWN = 15.0
"""Seconds from the start of one batch to that of the next (E12)."""
SETTLE = 1.0
"""Seconds between a session's end and its reading: the agent may be writing its last line."""
STEP = 1.0
"""Seconds between two looks at what is wanted."""
TRIES = 3
PAUSE = 60.0
"""Seconds after a batch that failed, before the next try."""


class Plan(NamedTuple):
    """What to do now: read these sessions (and all others that are idle), or wait so many seconds."""

    read: tuple[Want, ...] = ()
    wait: float = 0.0


class World(Protocol):
    """What the waiter works with."""

    def now(self) -> float: ...
    def wait(self, seconds: float) -> None: ...
    def wanted(self) -> Sequence[Want]:
        """Raises SiltError."""
        ...

    def begun(self) -> float:
        """When the last batch began. Raises SiltError."""
        ...

    def run(self, ended: Sequence[Want]) -> bool:
        """Run a batch; False when it failed."""
        ...

    def done(self, wants: Sequence[Want]) -> None:
        """Raises SiltError."""
        ...


def plan(wants: Sequence[Want], begun: float, now: float, idle: float) -> Plan | None:
    """What is due; None when nothing is wanted. A clock that was set back makes nothing wait for ever."""
    if not wants:
        return None
    ripe = {want: min(want.at, now) + (SETTLE if want.ended else idle) for want in wants}
    free = min(begun, now) + COOLDOWN
    due = tuple(want for want, at in ripe.items() if at <= now)
    if due and free <= now:
        return Plan(read=due)
    first = max(min(ripe.values()), free) if not due else free
    return Plan(wait=first - now)


def serve(world: World, idle: float) -> None:
    """Until nothing is wanted any more. Raises SiltError when the state cannot be used."""
    failures = 0
    while (todo := plan(world.wanted(), world.begun(), world.now(), idle)) is not None:
        if not todo.read:
            world.wait(min(todo.wait, STEP))
            continue
        failures = 0 if world.run([want for want in todo.read if want.ended]) else failures + 1
        if 0 < failures < TRIES:
            world.wait(PAUSE)
            continue
        failures = 0
        world.done(todo.read)


class Machine:
    """The world as it is."""

    def __init__(self, folder: str, clock: Callable[[], float] = time.time) -> None:
        self._folder, self.now = folder, clock

    def wait(self, seconds: float) -> None:
        time.sleep(max(seconds, 0.05))

    def wanted(self) -> Sequence[Want]:
        with closing(Light(self._folder)) as light:
            return Hooks(light).wanted()

    def begun(self) -> float:
        with closing(Light(self._folder)) as light:
            return Hooks(light).begun()

    def run(self, ended: Sequence[Want]) -> bool:
        from siltstone.cli.watch_hands import BATCH, outcome

        with closing(Light(self._folder)) as light:
            Hooks(light).begin(self.now())
        words = [f"--ended={want.agent}/{want.session}" for want in ended]
        done = subprocess.run(
            [*BATCH, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        told = outcome(done.returncode, done.stdout, done.stderr)
        for line in told.told:
            log(self._folder, "batch", line, self.now())
        return not told.failed

    def done(self, wants: Sequence[Want]) -> None:
        with closing(Light(self._folder)) as light, light:
            Hooks(light).done(wants)


def idle_seconds() -> float:
    """How long a session must be quiet, as set."""
    from siltstone.cli.settings import survey

    return survey().configured.settings.idle_ms / 1000


def main() -> int:
    """Wait and run, if nobody else does; the exit status."""
    os.environ[OWN] = "1"
    folder = state_folder(os.environ)
    world = Machine(folder)
    try:
        # What was wanted between the last look and the release of the lock found a waiter living.
        while world.wanted() and (handle := held(folder)) is not None:
            try:
                serve(world, idle_seconds())
            finally:
                os.close(handle)
    except (SiltError, OSError) as error:
        log(folder, "batch", f"no batch is run: {error}", time.time())
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
