"""That a command was told to end while it asks an agent: a signal says so, and whoever waits looks."""

import time
from dataclasses import dataclass

LOOK = 0.25
"""Seconds between two looks."""


@dataclass(slots=True)
class Stop:
    """Whether it was. No event of `threading`, whose lock a signal's handler could find taken by itself."""

    asked: bool = False

    def pause(self, seconds: float) -> None:
        """Wait, but no longer than until it is."""
        until = time.monotonic() + seconds
        while not self.asked and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, LOOK))
