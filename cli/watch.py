"""`silt watch`: one process that stays, commits hand edits and runs batches."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import typer

from siltstone.cli.batch import Options, Work
from siltstone.cli.context import Context, now
from siltstone.cli.options import Roots
from siltstone.cli.output import note, show, stamp
from siltstone.cli.settings import Settings, configure
from siltstone.cli.unattended import LOCK, sign
from siltstone.cli.watch_hands import RealHands
from siltstone.cli.watch_loop import Watch
from siltstone.cli.work import needs_git, readers
from siltstone.pipeline.watching import Pace
from siltstone.store.disk import Disk
from siltstone.store.errors import Locked

AGREE = "agree with `silt run --yes`, or leave older messages out with `silt run --since DATE`"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("watch")(watch)


def watch(root: Roots = None) -> None:
    """Stay, commit your edits of memories when they are two seconds old, and run a batch when it is time.

    A batch is run at the start, when sessions have been quiet for a minute, when you ticked a conflict,
    and every ten minutes for what is due by time. What it does, and what waits and why, is told in a
    line each. Ctrl-C or SIGTERM ends it; a run that is going on finishes its window first.
    Instead of a process that stays: `silt schedule`. Example: silt watch
    """
    configured = configure()
    with _alone(configured.places.state), Signals().heard() as signals:
        with Context(configured) as context:
            needs_git(context)
            Work(context, Options(root), note).consent(AGREE)
            hands = RealHands(context.store.root, readers(configured, root), root or ())
        tell(f"watching {configured.places.store}")
        Watch(hands, pace(configured.settings), signals, time.time, time.process_time, tell).until_asked()


def pace(settings: Settings) -> Pace:
    """The settings that watching goes by."""
    return Pace(
        settings.auto_commit_debounce_ms / 1000,
        settings.idle_ms / 1000,
        settings.compact_poll_ms / 1000,
        settings.extract_enabled,
        settings.compact_enabled,
    )


def tell(line: str) -> None:
    """A line of the log, at once: it may go to a file or a pipe."""
    show(f"{stamp(now())}  {line}")
    sys.stdout.flush()


class Signals:
    """Signals that ask for an end, counted."""

    def __init__(self) -> None:
        self.times = 0
        self._came = threading.Event()

    def wait(self, seconds: float) -> None:
        """Wait, but no longer than until the next one."""
        if self._came.wait(seconds):
            self._came.clear()

    @contextmanager
    def heard(self) -> Iterator["Signals"]:
        """Take SIGTERM, SIGINT and SIGHUP for the block."""
        kinds = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        before = {kind: signal.signal(kind, self._take) for kind in kinds}
        try:
            yield self
        finally:
            for kind, handler in before.items():
                signal.signal(kind, handler)

    def _take(self, signum: int, frame: FrameType | None) -> None:
        self.times += 1
        self._came.set()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Be the only instance on this state. Raises Locked for a second one."""
    disk = Disk()
    disk.mkdir(folder)
    handle = disk.lock(folder / LOCK)
    if handle is None:
        raise Locked(f"another silt watch is at work on {folder}: leave it to that one, or stop it first")
    try:
        sign(handle, now())
        yield
    finally:
        disk.unlock(handle)
