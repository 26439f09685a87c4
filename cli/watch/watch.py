"""`silt watch`: a process that stays, commits the user's edits and runs batches when they are due.

Times are seconds. Rules: quiet edits are committed (docs/seeds.md D21), sessions that are quiet are read
(C12, E12), what is due by time is done every ten minutes (C23), and every act says why in the log (E22).
"""

import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import typer

from siltstone.agents.child import Stop
from siltstone.cli.batch import Options, Work
from siltstone.cli.context import Context, now, signals_to
from siltstone.cli.options import Roots
from siltstone.cli.output import show, stamp
from siltstone.cli.parts import actor, needs_git
from siltstone.cli.settings import Settings, configure
from siltstone.cli.watch import WATCH
from siltstone.cli.watch.run_process import COOLDOWN, RunProcess, pause
from siltstone.pipeline.messages import Reader, Source
from siltstone.pipeline.progress import tell_nobody
from siltstone.pipeline.words import counted
from siltstone.store import files
from siltstone.store.conflicts import PATH as CONFLICTS
from siltstone.store.errors import ConsentNeeded, Locked, SiltError, SourceError, StoreError
from siltstone.store.layout import fingerprint
from siltstone.store.recovery import NAMED, Settled
from siltstone.store.state import Holder

AGREE = "agree with `silt run --yes`, or skip older messages with `silt run --since DATE`"
STEP = 1.0
"""Between two steps of the loop."""
STORE_LOOK, TRANSCRIPTS_LOOK = 1.0, 5.0
"""Between two looks, at least. The more files there are, the rarer the looks:"""
SHARE, RAREST_LOOK = 0.01, 60.0
"""The share of the time that each kind of look may take; but it is never rarer than this."""
FOREVER = timedelta(days=36_500)
PATIENCE = 60
"""Given to a batch to finish its window after a signal; systemd allows 90 for a stop."""

app = typer.Typer()


@app.command("watch")
def watch(root: Roots = None) -> None:
    """Keep running: commit your edits of memories after two seconds, and run batches when they are due.

    A batch is run at the start, when sessions have been quiet for a minute, when you ticked a conflict,
    and every ten minutes for what is due by time. Each step is one line of output. Ctrl-C or SIGTERM ends
    it; a batch that is running finishes its window first. Instead of a process that stays: `silt schedule`.
    Example: silt watch
    """
    configured, stop = configure(), Stop()
    with signals_to(stop.ask):
        with Context(configured, makes=True) as context:
            if not context.state.leases.take(WATCH, Holder.current(), now(), FOREVER):
                raise Locked("another silt watch is using this state folder: keep that one, or stop it first")
            needs_git(context)
            work = Work(context, Options(root), tell_nobody)
            if not work.consent(AGREE):
                raise ConsentNeeded(f"nothing needs to be sent to the model now, but later it will; {AGREE}")
            store = context.store.root
        words = [word for one in root or () for word in ("--root", one)]
        loop = Watch(store, work.batch.readers, configured.settings, start=lambda: RunProcess(words))
        report(f"watching {configured.places.store}")
        try:
            loop.run(stop)
        finally:
            report("stopped")


def report(line: str) -> None:
    """Print a line of the log at once: it may go to a file or a pipe."""
    show(f"{stamp(now())}  {line}")
    sys.stdout.flush()


def commit_edits() -> Settled:
    """Commit the user's edits of the store as theirs. Raises SiltError."""
    with Context() as context:
        with suppress(SiltError):  # a state that was damaged is a new one, which knows no watch
            context.state.leases.take(WATCH, Holder.current(), now(), FOREVER)
        return files.flush(actor(context))


class Watch:
    """The loop: once a second it looks at what changed, and does what is due."""

    def __init__(
        self,
        store: Path,
        readers: Sequence[Reader],
        settings: Settings,
        *,
        start: Callable[[], RunProcess],
        commit: Callable[[], Settled] = commit_edits,
        report: Callable[[str], None] = report,
        clock: Callable[[], float] = time.time,
        processor_time: Callable[[], float] = time.process_time,
    ) -> None:
        self.store, self.readers, self.settings = store, readers, settings
        self.start, self.commit, self.report = start, commit, report
        self.clock, self.processor_time = clock, processor_time
        self.time = self.now = clock()
        """The clock, and the same without the steps back that a clock may make: it is for waiting."""
        self.reported: dict[str, Sequence[str]] = {}

        self.next_store_look = self.next_transcripts_look = self.now
        self.store_seen: int | None = None
        self.store_changed = self.now
        self.store_committed: int | None = None
        """The store as it was when edits were last committed."""
        self.commit_failures, self.next_commit = 0, self.now

        self.process: RunProcess | None = None
        self.run_begun: float | None = None
        self.run_failures, self.next_run = 0, self.now
        self.conflicts_edited = False
        self.stamps_read: dict[tuple[str, str], str] = {}
        """Of each session by agent and key, as it was when a batch read it."""
        self.unread: list[Source] = []

    def run(self, stop: Stop) -> None:
        """Watch until a signal comes; a batch that is running finishes its window.

        Raises StoreError when the store is gone: a batch would begin an empty one in its place.
        """
        try:
            while not stop.asked:
                if not (self.store / ".git").exists():
                    raise StoreError(
                        f"the store {self.store} no longer exists: restore it, then start `silt watch` again"
                    )
                self.step()
                stop.pause(STEP)
        finally:
            self._stop(stop)

    def step(self) -> None:
        last, self.time = self.time, self.clock()
        self.now += max(self.time - last, 0.0)
        self._see_end_of_batch()
        if self.now >= self.next_store_look:
            before = self.processor_time()
            seen = fingerprint(self.store)
            if seen != self.store_seen:
                self.store_seen, self.store_changed = seen, self.now
            self.next_store_look = self._next_look(STORE_LOOK, before)
        if self.now >= self.next_transcripts_look:
            self._look_at_transcripts()
        waits = [self._commit_when_quiet(), self._run_when_due()]
        self._report_new("waits", [line for line in waits if line])

    def _look_at_transcripts(self) -> None:
        before = self.processor_time()
        self.unread, complaints = [], []
        for reader in self.readers:
            try:
                for one in reader.discover():
                    if self.stamps_read.get((one.agent, one.key)) != one.stamp:
                        self.unread.append(one)
            except SourceError as error:  # the other agents are looked at nevertheless
                complaints.append(f"transcripts not read: {error}")
        self._report_new("transcripts", complaints)
        self.next_transcripts_look = self._next_look(TRANSCRIPTS_LOOK, before)

    def _next_look(self, least: float, before: float) -> float:
        took = self.processor_time() - before
        return self.now + min(max(least, took / SHARE), RAREST_LOOK)

    def _commit_when_quiet(self) -> str | None:
        """Commit edits that are quiet. A line for the log if they have to wait."""
        quiet = self.now - self.store_changed >= self.settings.auto_commit_debounce_ms / 1000
        if not quiet or self.store_seen == self.store_committed:
            return None
        if self.now < self.next_commit:
            return f"edits wait: committing failed; next try at {self._shown(self.next_commit)}"
        try:
            settled = self.commit()
        except SiltError as error:
            self.commit_failures += 1
            self.next_commit = self.now + pause(self.commit_failures)
            self.report(f"edits not committed: {error}")
            return None
        self.store_committed, self.commit_failures = self.store_seen, 0
        if settled.edited:
            more = len(settled.edited) - NAMED
            names = ", ".join(settled.edited[:NAMED]) + (f" and {more} more" if more > 0 else "")
            self.report(f"edits committed: {names}")
        self._report_new("edits", [f"edit not committed: {why}" for why in settled.refused])
        self.conflicts_edited |= CONFLICTS in settled.edited
        return None

    def _run_when_due(self) -> str | None:
        """Begin a batch if one is due. A line for the log if it has to wait."""
        why = self._why_run()
        if why is None:
            return None
        if self.process is not None:
            return f"a run waits for the current one to end ({why})"
        if self.now < self.next_run:
            return f"a run waits: the last run failed; next try at {self._shown(self.next_run)} ({why})"
        self.report(f"run begun: {why}")
        self.process = self.start()
        read = {(one.agent, one.key): one.stamp for one in self._idle()}
        self.stamps_read |= read
        self.unread = [one for one in self.unread if (one.agent, one.key) not in read]
        self.run_begun, self.conflicts_edited = self.now, False
        return None

    def _why_run(self) -> str | None:
        """Why a batch is due, in words for the log."""
        if self.run_begun is None:
            return "first run after the start"
        if self.conflicts_edited:
            return "conflicts were edited"
        since, poll = self.now - self.run_begun, self.settings.compact_poll_ms / 1000
        if since >= COOLDOWN and (ripe := self._idle()):
            return f"{counted(len(ripe), 'session')} quiet for {self.settings.idle_ms / 1000:g} s"
        if self.run_failures and self.process is None:
            return "the last run failed"
        return f"{poll / 60:g} minutes since the last run" if since >= poll else None

    def _idle(self) -> list[Source]:
        """The sessions that a batch would read now."""
        return [one for one in self.unread if self.time - one.seconds >= self.settings.idle_ms / 1000]

    def _see_end_of_batch(self) -> None:
        outcome = self.process.poll() if self.process else None
        if outcome is None:
            return
        self.process = None
        for line in outcome.lines:
            self.report(line)
        self.run_failures = self.run_failures + 1 if outcome.failed else 0
        self.next_run = self.now + pause(self.run_failures)

    def _stop(self, stop: Stop) -> None:
        if self.process is None:
            return
        self.report("stopping once the run has finished its window; press Ctrl-C again to stop at once")
        self.process.stop(signal.SIGINT)
        stop.asked = False
        for _ in range(PATIENCE):
            stop.pause(1.0)
            self._see_end_of_batch()
            if self.process is None:
                return
            if stop.asked:
                break
        self.process.stop(signal.SIGTERM)
        self.report("run stopped at once: the next run reads its unfinished window again")

    def _report_new(self, kind: str, lines: Sequence[str]) -> None:
        """Report those of the lines that were not among the last ones of their kind."""
        for line in lines:
            if line not in self.reported.get(kind, ()):
                self.report(line)
        self.reported[kind] = lines

    def _shown(self, when: float) -> str:
        """A time of `self.now`, as the clock will show it."""
        return datetime.fromtimestamp(when - self.now + self.time, UTC).strftime("%H:%M:%SZ")
