"""The one retry policy for model calls, and the text of a service's error.

Retried: 408, 409, 425, 429 and 5xx, timeouts, lost or refused connections. Never retried: any other
4xx, a window that is too large, a spent quota, a wrong key. The adapters (litellm_model.py, agents/ask.py)
raise `Unanswered` for an error that is worth a retry.
"""

import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple, TypeVar

import tenacity

from siltstone.prompts import line
from siltstone.store.errors import Unavailable
from siltstone.store.redaction import redact

T = TypeVar("T")

PASSING = frozenset({408, 409, 425, 429})
"""The only client errors worth asking again; all of 5xx are."""
ATTEMPTS = 5
TOTAL_SECONDS = 300.0
FIRST_WAIT, LONGEST_WAIT = 1.0, 30.0
LONGEST_ASKED = 60.0
"""A service that asks for a longer pause is left alone: the window is tried by a later run."""
MOST_READ = 2_000
"""Characters of an error text that are read."""
MOST_SAID = 200
"""Characters of an error text that are passed on."""
_COLOURS = re.compile("\x1b\\[[0-9;?]*[A-Za-z]")


class Unanswered(Unavailable):
    """One call failed in a way that may pass. `after`: seconds the service asked us to wait."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


def is_passing(status: int | None) -> bool:
    """Whether an HTTP status says that the same request may succeed later."""
    return status in PASSING or (status is not None and 500 <= status <= 599)


def seconds_asked(headers: Mapping[str, str], now: datetime) -> float | None:
    """`Retry-After` in seconds, from a number or a date; None when there is none that can be read."""
    value = next((value for key, value in headers.items() if key.lower() == "retry-after"), "").strip()
    if value.isdecimal() and len(value) < 9:
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max((moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds(), 0.0)


class Policy(NamedTuple):
    """How often and with which pauses. `sleep` is handed in, so that tests do not."""

    attempts: int = ATTEMPTS
    sleep: Callable[[float], None] = time.sleep

    def run(self, call: Callable[[], T]) -> T:
        """The result of `call`, or the error of its last attempt."""
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(
                lambda error: isinstance(error, Unanswered) and (error.after or 0.0) <= LONGEST_ASKED
            ),
            wait=_wait,
            stop=tenacity.stop_after_attempt(self.attempts) | tenacity.stop_after_delay(TOTAL_SECONDS),
            sleep=self.sleep,
            reraise=True,
        )
        return retrying(call)


_BACKOFF = tenacity.wait_exponential_jitter(initial=FIRST_WAIT, max=LONGEST_WAIT)


def _wait(state: tenacity.RetryCallState) -> float:
    """As long as the service asked for, else longer from time to time."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, Unanswered) and error.after is not None:
        return error.after
    return _BACKOFF(state)


def error_text(text: str) -> str:
    """The beginning of a service's or program's error text, on one line, without an end mark.

    Services quote the key they refuse. The text goes to the ledger, so it is redacted (invariant 8).
    """
    return redact(line(_COLOURS.sub("", text[:MOST_READ]))).text[:MOST_SAID].rstrip(". ")
