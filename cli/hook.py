"""`silt hook AGENT`: what an agent's settings call at its hooks, the payload on stdin. A hot command.

It never breaks or slows the agent: exit status 0 whatever happens, no more than LIMIT seconds, and what
fails is a line in `hooks.log`. Inside our own calls of an agent (`SILT_OWN`) it does nothing (docs/doors.md).
"""

import io
import os
import sys
import time

from siltstone.agents.hooks import AGENTS, OWN, hooks_of
from siltstone.cli import hot
from siltstone.cli.light_signal import signal
from siltstone.store.light_json import loads
from siltstone.store.places import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

LIMIT = 2.0
"""Seconds; then the process says what it knows by then, and ends where it stands."""
MOST = 16 * 2**20
"""Bytes of a payload: more is none."""


def run(argv: list[str], limit: float = LIMIT) -> int:
    """The command: the agent's name, its payload on standard input. Always 0: to some agents 2 means that
    the prompt is refused. `limit`: seconds it may take."""
    agent = argv[0] if len(argv) == 1 else ""
    if agent not in AGENTS:
        hot.note(f"`silt hook` wants one agent: {', '.join(AGENTS)}")
        return 0
    now = time.time()
    folder = state_folder(os.environ)
    until = time.monotonic() + limit
    reply = _Reply()
    told = io.StringIO()
    try:
        with _Limit(limit, folder, agent, now, reply), _Aside(told):
            raw = hot.given(MOST + 1)
            if raw and not os.environ.get(OWN):  # an agent that is ended may have no time to tell anything
                _answer(agent, raw, folder, now, until, reply)
    finally:
        for line in _by_reason(told.getvalue().splitlines()):
            _log(folder, agent, line, now)
    return 0


def _log(folder: str, agent: str, line: str, now: float) -> None:
    from siltstone.cli.hook_log import log  # most hooks have nothing to tell

    log(folder, agent, line, now)


def _by_reason(remarks: "Iterable[str]") -> list[str]:
    """Remarks (`what: why`) with one for all that has the same reason: a state that is held is one fault."""
    told: dict[str, list[str]] = {}
    for remark in remarks:
        what, mark, why = remark.removeprefix("silt: ").partition(": ")
        told.setdefault(why if mark else what, []).append(what if mark else "")
    return [
        ": ".join(filter(None, ("; ".join(filter(None, dict.fromkeys(whats))), why)))
        for why, whats in told.items()
    ]


class _Reply:
    """What is printed in the end, once: when all is done, or when the time is over."""

    def __init__(self) -> None:
        self.text: Callable[[], str] | None = None
        """Makes it of what is known by now; None when nothing was asked yet, or it was printed."""

    def give(self) -> None:
        made, self.text = self.text, None
        if made is None:
            return
        try:
            hot.put(made())
        except OSError as error:
            hot.note(
                f"what the agent is told cannot be written ({error.strerror}): it went away, or is broken"
            )


def _answer(agent: str, raw: bytes, folder: str, now: float, until: float, reply: _Reply) -> None:
    """Do what a payload asks for, and print the answer. What goes wrong is said on standard error."""
    try:
        payload = loads(raw) if 0 < len(raw) <= MOST else None
    except (ValueError, RecursionError):
        payload = None
    if not isinstance(payload, dict):
        hot.note(f"a payload of {len(raw):,} bytes is no JSON object, or too long; nothing is done")
        return
    hooks = hooks_of(agent)
    heard = hooks.heard(payload, now, os.environ)
    if not heard.session:
        return
    from siltstone.cli.hook_acts import Answer, Moment, act

    answer = Answer()
    reply.text = lambda: hooks.answer(heard.event, answer.context, answer.output)
    try:
        with hot.State(folder) as state:
            act(heard, raw, Moment(state, os.environ, now, until), answer)
    finally:
        reply.give()  # after a fault, too: what was shown by then is noted as shown


# Classes, for contextlib takes a hot command a millisecond to load.


class _Aside:
    """Within it, remarks go into a text."""

    def __init__(self, told: io.StringIO) -> None:
        self._told = told

    def __enter__(self) -> None:
        self._before, sys.stderr = sys.stderr, self._told

    def __exit__(self, *_: object) -> None:
        sys.stderr = self._before


class _Limit:
    """Within it, the process ends when its time is over, where the system has timers."""

    def __init__(self, seconds: float, folder: str, agent: str, now: float, reply: _Reply) -> None:
        self._seconds, self._folder, self._agent, self._now = seconds, folder, agent, now
        self._reply = reply

    def __enter__(self) -> None:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._end)
            signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *_: object) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _end(self, _number: int, _frame: "FrameType | None") -> None:
        self._reply.give()
        said = f"a hook took longer than {self._seconds:g} s and was ended"
        _log(self._folder, self._agent, said, self._now)
        os._exit(0)
