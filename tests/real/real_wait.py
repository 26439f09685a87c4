"""Waiting for processes that nobody waits for."""

import time
from collections.abc import Callable

LONGEST = 90.0
"""Seconds, on a machine that does much else."""


def eventually(holds: Callable[[], bool], told: Callable[[], object] = lambda: "") -> None:
    """Wait until something holds; when it never does, `told` says how things stand."""
    until = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < until, f"it did not come to hold: {told()}"
        time.sleep(0.1)
