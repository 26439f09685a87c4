"""What the watching loop looks at and acts on: transcripts, the user's edits, batches.

A batch is a `silt run` in a process of its own: what it loads is gone when it ends, so that watching stays
small, and a signal reaches it as it would at a terminal.
"""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from siltstone.cli.actor import actor
from siltstone.cli.context import Context
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.watching import Heard, Place
from siltstone.pipeline.words import counted
from siltstone.store import files
from siltstone.store.errors import SourceError, StoreError
from siltstone.store.layout import fingerprint
from siltstone.store.recovery import Settled

INTERRUPTED = (130, -signal.SIGINT)
"""Exit statuses of a batch that SIGINT ended: its window finished, or hardly begun."""
BATCH = (sys.executable, "-P", "-m", "siltstone", "run", "--json")


@dataclass(frozen=True, slots=True)
class Ended:
    """A batch that came to its end."""

    failed: bool
    lines: tuple[str, ...]
    """For the log."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look at the transcripts found."""

    sessions: Mapping[Place, Heard]
    complaints: tuple[str, ...] = ()
    """One sentence for each agent whose transcripts cannot all be looked at."""


class World(Protocol):
    """Everything that the loop sees and does."""

    def check(self) -> None:
        """Raise StoreError when the store is gone: a batch would begin an empty one in its place."""
        ...

    def tree(self) -> int | None:
        """A number that changes when a file of the store does; None if nobody looks at them."""
        ...

    def sessions(self) -> Looked:
        """Every session there is."""
        ...

    def finished(self) -> bool:
        """Whether nothing will ever be left to do."""
        ...

    def commit(self) -> Settled:
        """Commit the user's edits. Raises SiltError."""
        ...

    def begin(self, why: str) -> None:
        """Begin a batch for this reason."""
        ...

    def ended(self) -> Ended | None:
        """What became of the batch; None while it goes on."""
        ...

    def stop(self, how: signal.Signals) -> None:
        """Ask the batch to end: SIGINT lets it finish the window in hand, SIGTERM does not."""
        ...


class Machine:
    """The world of `silt watch`: this machine."""

    def __init__(
        self, store: Path, readers: Sequence[Reader], roots: Sequence[str], report: Callable[[str], None]
    ) -> None:
        self._store, self._readers, self._report = store, readers, report
        self._argv = [*BATCH, *(word for root in roots for word in ("--root", root))]
        self._batch: Process | None = None

    def check(self) -> None:
        if not (self._store / ".git").exists():
            raise StoreError(f"the store {self._store} is gone: bring it back, then start `silt watch` again")

    def tree(self) -> int:
        return fingerprint(self._store)

    def sessions(self) -> Looked:
        found: dict[Place, Heard] = {}
        complaints = []
        for reader in self._readers:
            try:
                for one in reader.discover():
                    found[one.agent, one.key] = Heard(one.stamp, one.seconds)
            except SourceError as error:  # the other agents are looked at nevertheless
                complaints.append(str(error))
        return Looked(found, tuple(complaints))

    def commit(self) -> Settled:
        with Context() as context:
            return files.flush(actor(context))

    def finished(self) -> bool:
        return False

    def begin(self, why: str) -> None:
        self._report(f"run begun: {why}")
        self._batch = Process(self._argv)

    def ended(self) -> Ended | None:
        return None if self._batch is None else self._batch.ended()

    def stop(self, how: signal.Signals) -> None:
        if self._batch is not None:
            self._batch.process.send_signal(how)


class Process:
    """One batch, away from our terminal, so that Ctrl-C reaches it through us alone."""

    def __init__(self, argv: Sequence[str]) -> None:
        # Files, because nobody reads a pipe meanwhile.
        self._out, self._err = _spool(), _spool()
        self.process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=self._out, stderr=self._err, start_new_session=True
        )

    def ended(self) -> Ended | None:
        code = self.process.poll()
        if code is None:
            return None
        with self._out, self._err:
            return outcome(code, _all_of(self._out), _all_of(self._err))


def outcome(code: int, out: str, err: str) -> Ended:
    """What became of a batch, by its exit status and what it printed.

    Windows that failed are tried again by later batches; only what stopped the whole run is a failure here.
    """
    if code in INTERRUPTED:
        return Ended(True, ("run stopped: what was committed stays, the next one goes on from there",))
    try:
        told: Any = json.loads(out)
    except ValueError:
        last = err.strip().splitlines()[-1:] or [f"silt run ended with status {code}"]
        return Ended(True, (f"run failed: {last[0].removeprefix('silt: ')}",))
    lines = [f"run: {summary(told)}", *(f"  {line}" for line in (*told["notes"], *told["taken_back"]))]
    lines += [
        f"  {scope}: {done['summary']} ({done['why']})" for scope, done in (told["compaction"] or {}).items()
    ]
    lines += [f"  left out: {line}" for line in told["complaints"]]
    if told["stopped"] is not None:
        lines.append(f"run failed: {told['stopped']}")
    return Ended(told["stopped"] is not None, tuple(lines))


def summary(told: Mapping[str, Any]) -> str:
    """The document of `silt run --json` in one line."""
    kinds = {**told["outcome"], "rejected": sum(told["rejected"].values())}
    done = ", ".join(f"{n} {kind}" for kind, n in kinds.items() if n)
    left = {"in use": told["waiting"], "waiting for another try": told["backing_off"]}
    pieces = [
        f"{counted(told['messages'], 'message')} of {counted(told['sessions'], 'session')} read",
        done or "nothing to keep",
        *([f"{counted(told['failed'], 'window')} failed"] if told["failed"] else []),
        *(f"{counted(n, 'session')} {why}" for why, n in left.items() if n),
    ]
    return "; ".join(pieces)


def _spool() -> IO[bytes]:
    return tempfile.TemporaryFile()


def _all_of(spool: IO[bytes]) -> str:
    spool.seek(0)
    return spool.read().decode("utf-8", "replace")
