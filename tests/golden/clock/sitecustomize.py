"""A clock that stands still, for every Python process that has this folder on its PYTHONPATH.

GOLDEN_CLOCK names the time in seconds since 1970. Limits of time count fifty times as long, so that a busy
machine changes no output.
"""

import datetime
import os
import select
import signal
import time
from typing import Any

LONGER = 50
NOW = float(os.environ.get("GOLDEN_CLOCK", "0"))
_real = datetime.datetime


class _Kind(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, _real)


class _Still(_real, metaclass=_Kind):
    """`datetime` with another `now`."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        return _real.fromtimestamp(NOW, tz)


def _install() -> None:
    monotonic, wait, alarm = time.monotonic, select.select, signal.setitimer

    def setitimer(which: int, seconds: float, interval: float = 0.0) -> Any:
        return alarm(which, seconds * LONGER, interval * LONGER)

    def longer(reads: Any, writes: Any, errors: Any, timeout: float | None = None) -> Any:
        return wait(reads, writes, errors, timeout if timeout is None else timeout * LONGER)

    changes: list[tuple[Any, str, Any]] = [
        (time, "time", lambda: NOW),
        (time, "monotonic", lambda: monotonic() / LONGER),
        (datetime, "datetime", _Still),
        (select, "select", longer),
        (signal, "setitimer", setitimer),
        (__import__("_signal"), "setitimer", setitimer),
    ]
    for module, name, value in changes:
        setattr(module, name, value)


if "GOLDEN_CLOCK" in os.environ:
    _install()
