"""Running another program once: text in, text out, within bounds of time and size.

The program gets a session of its own, and whatever it started goes with it, however the call ends.
"""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Literal, NamedTuple

LOOK = 0.25
"""Seconds between two looks."""
MAX_ERRORS = 64 * 1024 * 1024
"""Bytes of standard error that a program may write."""
KEPT_ERRORS = 65_536
"""Bytes of standard error that are kept: its end."""
GRACE = 2.0
"""Seconds to end by itself after it was asked to."""
Cut = Literal["", "time", "size", "stop"]
"""What a program was ended for: a bound that it passed, or the end of the command that runs it."""


@dataclass(slots=True)
class Stop:
    """Set by a signal's handler, looked at by whoever waits. Not a `threading.Event`: the handler could find
    its lock taken by the code that it interrupted."""

    asked: bool = False

    def ask(self, *_: object) -> None:
        self.asked = True

    def pause(self, seconds: float) -> None:
        """Wait, but only until it is asked for."""
        until = time.monotonic() + seconds
        while not self.asked and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, LOOK))


class Ended(NamedTuple):
    out: str
    err: str
    code: int
    """Exit status; below 0 the signal that ended it."""
    cut: Cut = ""


def run(
    words: Sequence[str],
    text: str,
    cwd: Path,
    environ: Mapping[str, str],
    seconds: float,
    most: int,
    stop: Stop | None = None,
) -> Ended:
    """Run a program with `text` on its standard input; at most `seconds` and `most` bytes of output, and no
    longer than until `stop` is asked for.

    Its input and output are files without a name: no pipe can block, and a child of its own that holds its
    output open is not waited for. What is no text in its output is replaced. Raises OSError when it cannot
    be started.
    """
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(text.encode("utf-8", "replace"))
        given.seek(0)
        process = subprocess.Popen(
            words, cwd=cwd, env=dict(environ), stdin=given, stdout=out, stderr=err, start_new_session=True
        )
        try:
            cut = _watch(process, {out: most, err: MAX_ERRORS}, time.monotonic() + seconds, stop or Stop())
            if process.poll() is None:
                _kill(process, signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(GRACE)
        finally:
            _kill(process, signal.SIGKILL)
            process.wait()
        out.seek(0)
        err.seek(max(0, err.seek(0, os.SEEK_END) - KEPT_ERRORS))
        texts = [data.decode("utf-8", "replace") for data in (out.read(most), err.read())]
        return Ended(texts[0], texts[1], process.returncode, cut)


def _watch(
    process: "subprocess.Popen[bytes]", bounds: Mapping[IO[bytes], int], until: float, stop: Stop
) -> Cut:
    """Wait until the program has ended; what it is to be ended for."""
    while True:
        ended = process.poll() is not None
        if any(os.fstat(file.fileno()).st_size > bound for file, bound in bounds.items()):
            return "size"
        if ended:
            return ""
        left = until - time.monotonic()
        if stop.asked or left <= 0:
            return "stop" if stop.asked else "time"
        with suppress(subprocess.TimeoutExpired):
            process.wait(min(left, LOOK))


def _kill(process: "subprocess.Popen[bytes]", how: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, how)
