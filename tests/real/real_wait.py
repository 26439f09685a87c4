"""Waiting for processes that nobody waits for, and ending those that a test leaves behind."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

LONGEST = 300.0
"""Seconds that anything may take, on a machine that does much else: what takes that long is stuck."""


def eventually(holds: Callable[[], bool], told: Callable[[], object] = lambda: "") -> None:
    """Wait until something holds; when it never does, `told` says how things stand."""
    until = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < until, f"it did not come to hold in {LONGEST:g} s: {told()}"
        time.sleep(0.1)


def living(*homes: Path) -> list[int]:
    """Processes that were started with one of these as their home, or with a home in one of them."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            for one in (process / "environ").read_bytes().split(b"\0"):
                name, _, value = os.fsdecode(one).partition("=")
                if name == "HOME" and any(Path(value).is_relative_to(home) for home in homes):
                    found.append(int(process.name))
    return found


def end(*homes: Path) -> None:
    """End what works there still: agents, their servers, and the one who waits to read their sessions.

    What is killed may have started another meanwhile, so it is looked again until there is none.
    """

    def none_left() -> bool:
        left = living(*homes)
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return not left

    eventually(none_left, lambda: living(*homes))
