"""A batch as `silt watch` and the waiter run it: `silt run --watched` in a process of its own.

What it loads is gone when it ends, so that the process that stays is small. A signal reaches it as it would
at a terminal.
"""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import IO, NamedTuple

COOLDOWN = 15.0
"""Seconds between two batches (docs/seeds.md E12)."""
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 3600.0

_INTERRUPTED = (130, -signal.SIGINT)
"""Exit statuses after SIGINT: once the window was finished, or as the process started."""


def pause(failures: int) -> float:
    """Seconds to wait after so many failures in a row: a minute, doubled each time, at most an hour."""
    return min(FIRST_PAUSE * 2 ** min(failures - 1, 16), LONGEST_PAUSE) if failures else 0.0


class Outcome(NamedTuple):
    failed: bool
    lines: tuple[str, ...]
    """For the log."""


class RunProcess:
    """A running batch, with further words for `silt run`. It has a session of its own, away from the
    terminal: Ctrl-C reaches it only through `stop`."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        # Files and not pipes, because nobody reads meanwhile, or ever if we are killed.
        self._out = tempfile.TemporaryFile()  # noqa: SIM115 (closed when it has ended)
        self._err = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "siltstone", "run", "--watched", *words],
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=self._err,
            start_new_session=True,
        )

    def poll(self) -> Outcome | None:
        """What became of it; None while it runs."""
        return None if self._process.poll() is None else self.wait()

    def wait(self) -> Outcome:
        """What became of it, once it has ended. Asked once only."""
        code = self._process.wait()
        with self._out, self._err:
            return outcome(code, _text(self._out), _text(self._err))

    def stop(self, how: signal.Signals) -> None:
        """Ask it to end: SIGINT lets it finish the window in hand, SIGTERM does not."""
        self._process.send_signal(how)


def outcome(code: int, out: str, err: str) -> Outcome:
    """What became of a batch, by its exit status and what it printed.

    Windows that failed are tried again by later batches; only what stopped the whole run is a failure here.
    """
    if code in _INTERRUPTED:
        return Outcome(True, ("run stopped: what was committed stays, the next run continues from there",))
    lines = [line.removeprefix("silt: ") for line in err.splitlines()]
    why = lines.pop() if code and lines else f"silt run exited with status {code}"
    done = "; ".join(" ".join(line.split()) for line in out.splitlines())
    told = [f"run: {done}", *(f"  {line}" for line in lines)] if done else []
    return Outcome(code != 0, (*told, *([f"run failed: {why}"] if code else [])))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")
