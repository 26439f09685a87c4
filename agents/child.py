"""Running another program once: text in, text out, within bounds of time and size.

The program gets a session of its own, and whatever it started goes with it, however the call ends.
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

LOOK = 0.25
"""Seconds between two looks."""
PIECE = 65_536
MOST_TOLD = 65_536
"""Bytes of standard error that are kept: its end."""
GRACE = 2.0
"""Seconds to end by itself after it was asked to."""
Cut = Literal["", "time", "size", "stop"]
"""What a program was ended for: a bound that it passed, or that the command which asks was to end."""


@dataclass(slots=True)
class Stop:
    """Set by a signal's handler, looked at by whoever waits. Not a `threading.Event`: the handler could find
    its lock taken by the code that it interrupted."""

    asked: bool = False

    def pause(self, seconds: float) -> None:
        """Wait, but no longer than until it is."""
        until = time.monotonic() + seconds
        while not self.asked and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, LOOK))


@dataclass(frozen=True, slots=True)
class Ended:
    """What a program wrote, and how it ended."""

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

    What is no text in its output is replaced. Raises OSError when it cannot be started.
    """
    with _started(words, cwd, environ) as process:
        talk = _Talk(process, text.encode("utf-8", "replace"), most, stop or Stop())
        cut = talk.through(time.monotonic() + seconds)
        _end(process)
        talk.rest()
        return Ended(
            bytes(talk.out[:most]).decode("utf-8", "replace"),
            bytes(talk.err).decode("utf-8", "replace"),
            process.wait(),
            cut,
        )


@contextmanager
def _started(
    words: Sequence[str], cwd: Path, environ: Mapping[str, str]
) -> "Iterator[subprocess.Popen[bytes]]":
    process = subprocess.Popen(
        words,
        cwd=cwd,
        env=dict(environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        bufsize=0,
    )
    try:
        yield process
    finally:
        _kill(process, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _end(process: "subprocess.Popen[bytes]") -> None:
    """With all that it started: asked first, then made to."""
    if process.poll() is None:
        _kill(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
    _kill(process, signal.SIGKILL)


def _kill(process: "subprocess.Popen[bytes]", how: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, how)


class _Talk:
    """What goes in and comes out, none of the three pipes waiting for another."""

    def __init__(self, process: "subprocess.Popen[bytes]", text: bytes, most: int, stop: Stop) -> None:
        self.out = bytearray()
        self.err = bytearray()
        self._process = process
        self._left = memoryview(text)
        self._most = most
        self._stop = stop
        self._open = selectors.DefaultSelector()
        for pipe, events in (
            (process.stdin, selectors.EVENT_WRITE),
            (process.stdout, selectors.EVENT_READ),
            (process.stderr, selectors.EVENT_READ),
        ):
            assert pipe is not None  # noqa: S101 - all three were asked for
            os.set_blocking(pipe.fileno(), False)
            self._open.register(pipe, events)

    def through(self, until: float) -> Cut:
        """Until it has ended; what it was cut for. One that says nothing is looked after all the same: a
        child of its own that left its session may hold its pipes open for ever."""
        while True:
            if self._stop.asked:
                return "stop"
            left = until - time.monotonic()
            if left <= 0:
                return "time"
            ready = self._open.select(min(left, LOOK)) if self._open.get_map() else []
            for key, _ in ready:
                self._move(key.fileobj)  # type: ignore[arg-type]  # registered above
            if len(self.out) > self._most:
                return "size"
            if not self._open.get_map():
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(min(left, LOOK))
            if self._process.poll() is not None and not ready:
                return ""

    def rest(self) -> None:
        """What still stands in the pipes of a program that has ended."""
        while len(self.out) <= self._most and (ready := self._open.select(0)):
            for key, _ in ready:
                self._move(key.fileobj)  # type: ignore[arg-type]  # registered above
        self._open.close()

    def _move(self, pipe: IO[bytes]) -> None:
        try:
            if pipe is self._process.stdin:
                self._left = self._left[os.write(pipe.fileno(), self._left[:PIECE]) :]
                done = not self._left
            else:
                piece = os.read(pipe.fileno(), PIECE)
                self._keep(pipe, piece)
                done = not piece
        except BlockingIOError:
            return
        except OSError:  # it reads no more
            done = True
        if done:
            self._open.unregister(pipe)
            pipe.close()

    def _keep(self, pipe: IO[bytes], piece: bytes) -> None:
        if pipe is self._process.stdout:
            self.out += piece
        else:
            self.err = (self.err + piece)[-MOST_TOLD:]
