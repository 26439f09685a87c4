"""`silt watch`: one process that stays, commits hand edits and runs batches."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer

from siltstone.cli.batch import Options, Work
from siltstone.cli.context import Context, now
from siltstone.cli.options import Roots
from siltstone.cli.output import note, show, stamp
from siltstone.cli.parts import readers
from siltstone.cli.rebuild import needs_git
from siltstone.cli.settings import Settings, configure
from siltstone.cli.watch.lock import alone
from siltstone.cli.watch.loop import Watch
from siltstone.cli.watch.world import Machine
from siltstone.pipeline.watching import Pace

AGREE = "agree with `silt run --yes`, or leave older messages out with `silt run --since DATE`"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("watch")(watch)


def watch(root: Roots = None) -> None:
    """Keep running: commit your edits of memories after two seconds, and run batches when they are due.

    A batch is run at the start, when sessions have been quiet for a minute, when you ticked a conflict,
    and every ten minutes for what is due by time. Each step is one line of output. Ctrl-C or SIGTERM ends
    it; a batch that is running finishes its window first. Instead of a process that stays: `silt schedule`.
    Example: silt watch
    """
    configured = configure()
    with alone(configured.places.state, now()), Signals().heard() as signals:
        with Context(configured, makes=True) as context:
            needs_git(context)
            Work(context, Options(root), note).consent(AGREE)
            machine = Machine(context.store.root, readers(configured, root), root or (), report)
        report(f"watching {configured.places.store}")
        try:
            Watch(machine, pace(configured.settings), signals, time.time, time.process_time, report).run()
        finally:
            report("stopped")


def pace(settings: Settings) -> Pace:
    """The settings that watching goes by."""
    return Pace(
        settings.auto_commit_debounce_ms / 1000,
        settings.idle_ms / 1000,
        settings.compact_poll_ms / 1000,
        settings.extract_enabled,
        settings.compact_enabled,
    )


def report(line: str) -> None:
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
