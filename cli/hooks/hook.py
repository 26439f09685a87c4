"""`silt hook AGENT`: what an agent calls at its hooks, with the payload on standard input (docs/doors.md).

It never disturbs the agent: the exit status is 0, it takes LIMIT seconds at most, and failures are lines in
`hooks.log`. Inside our own calls of an agent (`SILT_OWN`) it does nothing.
"""

import io
import json
import os
import signal
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, field
from types import FrameType
from typing import TypeVar

from siltstone.agents.hooks import AGENTS, OWN, HookCall, hooks_of, read_payload
from siltstone.cli.hooks import saving
from siltstone.cli.hooks.background import want
from siltstone.cli.hooks.common import LazyState, hook_settings, log, read_input, write_output
from siltstone.cli.hooks.event import sum_up, take
from siltstone.cli.hooks.showing import shown
from siltstone.cli.output import note
from siltstone.recall.session.event import Event
from siltstone.recall.session.pruning import prune
from siltstone.recall.session.state import NewerState, load
from siltstone.store.errors import SiltError
from siltstone.store.places import state_folder
from siltstone.store.state import Last

LIMIT = 2.0
"""Seconds. Then the hook prints what it has by then and ends."""
MAX_PAYLOAD = 16 * 2**20
"""Bytes; a longer payload is ignored."""
SHORT_OUTPUT = 2_000
"""Characters of a tool's output that are never cut."""
OWED = "hook owed"
"""Kept beside what a session was shown (`Shown`): the text that its next prompt is given."""

_Result = TypeVar("_Result")


@dataclass(slots=True)
class Answer:
    """What the agent will be given, as far as it is known: the time may be over at any moment."""

    parts: list[str] = field(default_factory=list)
    meanwhile: str = ""
    """Given in place of the part that is not done yet."""
    output: str | None = None
    """Replaces a tool's output; None leaves it as it is."""

    def add(self, part: str) -> None:
        self.parts.append(part)
        self.meanwhile = ""

    @property
    def context(self) -> str:
        """All parts, for the model to read."""
        return "\n".join(filter(None, (*self.parts, self.meanwhile)))


@dataclass(slots=True)
class Reply:
    """What is printed at the end, once: when everything is done or when the time is over."""

    text: Callable[[], str] | None = None
    """Makes the text of what is known by then; None before the payload was understood and after printing."""

    def give(self) -> None:
        made, self.text = self.text, None
        if made is None:
            return
        try:
            write_output(made())
        except OSError as error:
            note(f"the answer cannot be written ({error.strerror}): the agent went away, or the disk is full")


@dataclass(frozen=True, slots=True)
class Work:
    """One call of a hook: what it means, and what it works with."""

    call: HookCall
    state: LazyState
    environ: Mapping[str, str]
    now: float
    until: float
    """The monotonic time at which the hook must be over."""


def run(argv: list[str], limit: float = LIMIT) -> int:
    """The command: the agent's name, its payload on standard input. Always 0, because some agents take 2 as
    a refusal of the prompt. `limit`: seconds it may take."""
    agent = argv[0] if len(argv) == 1 else ""
    if agent not in AGENTS:
        note(f"`silt hook` takes one agent: {', '.join(AGENTS)}")
        return 0
    now, until = time.time(), time.monotonic() + limit
    folder = state_folder(os.environ)
    reply = Reply()
    notes = io.StringIO()

    def over(_number: int, _frame: FrameType | None) -> None:
        reply.give()
        log(folder, agent, f"the hook took longer than {limit:g} s and was ended", now)
        os._exit(0)

    try:
        with _alarm(limit, over), redirect_stderr(notes):
            raw = read_input(MAX_PAYLOAD + 1)
            if raw and not os.environ.get(OWN):  # an agent that is being ended may send nothing
                _answer(agent, raw, folder, now, until, reply)
    finally:
        for line in _by_reason(notes.getvalue().splitlines()):
            log(folder, agent, line, now)
    return 0


@contextmanager
def _alarm(seconds: float, over: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Call `over` when the block takes longer."""
    signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _by_reason(notes: Iterable[str]) -> list[str]:
    """Notes ("what: why") with those of one reason on one line: a locked state is one fault, not three."""
    reasons: dict[str, list[str]] = {}
    for one in notes:
        what, colon, why = one.removeprefix("silt: ").partition(": ")
        reasons.setdefault(why if colon else what, []).append(what if colon else "")
    return [
        ": ".join(filter(None, ("; ".join(filter(None, dict.fromkeys(whats))), why)))
        for why, whats in reasons.items()
    ]


def _answer(agent: str, raw: bytes, folder: str, now: float, until: float, reply: Reply) -> None:
    """Do what a payload asks for and print the answer."""
    try:
        payload = json.loads(raw) if 0 < len(raw) <= MAX_PAYLOAD else None
    except (ValueError, RecursionError):
        payload = None
    if not isinstance(payload, dict):
        note(f"a payload of {len(raw):,} bytes is too long or not a JSON object; it is ignored")
        return
    hooks = hooks_of(agent)
    call = read_payload(agent, payload, now, os.environ)
    if not call.session:
        return
    answer = Answer()
    reply.text = lambda: hooks.answer(call.event, answer.context, answer.output)
    try:
        with LazyState(folder) as state:
            _act(Work(call, state, os.environ, now, until), raw, answer)
    finally:
        reply.give()  # after a fault, too: what was shown by then is noted as shown


def _act(work: Work, raw: bytes, answer: Answer) -> None:
    """Do everything the payload asks for and collect the answer. After a failure the rest is still done."""
    call = work.call
    if not _tried("whether this is a repeated call is not known", lambda: _is_new(work, raw), True):
        return
    if call.show:
        answer.add(_tried("no memories are shown", lambda: _shown(work), ""))
    if call.events or call.gone:
        answer.add(_tried("the session's state is not updated", lambda: _updated(work), ""))
    if call.batch:
        _tried("the session is not queued for reading", lambda: _wanted(work), None)
    if call.typed:  # last, because it may take all the time that is left
        answer.add(_tried("nothing is saved", lambda: _saved(work, answer), ""))
    if call.tool:
        answer.output = _tried("the output is not cut", lambda: _pruned(work), None)


def _tried(otherwise: str, do: Callable[[], _Result], result: _Result) -> _Result:
    try:
        return do()
    except (SiltError, NewerState, OSError) as error:
        note(f"{otherwise}: {error}")
        return result


def _is_new(work: Work, raw: bytes) -> bool:
    """Whether these bytes did not come a moment ago: we may be registered in two places."""
    call = work.call
    db = work.state.open()
    with db.transaction():
        if db.hooks.heard(f"{call.agent} {zlib.crc32(raw):08x} {len(raw)}", work.now):
            return False
        if call.anew:
            db.shown.drop(call.agent, call.session)
    return True


def _shown(work: Work) -> str:
    return shown(work.call, work.state, work.environ, work.now)


def _wanted(work: Work) -> None:
    want(work.call, work.state, work.environ, work.now)


def _saved(work: Work, answer: Answer) -> str:
    call = work.call
    keywords = hook_settings(work.environ).keyword_patterns
    answer.meanwhile = saving.meanwhile(call, work.state.folder, keywords)
    if not answer.meanwhile:
        return ""
    return saving.saved(call, work.state.folder, work.environ, work.now, work.until, keywords)


def _updated(work: Work) -> str:
    """Update the session's state; returns what the agent should read about it.

    The state of a session that was left stays, because it may be resumed; it is swept when it is old. When a
    turn is over nobody reads an answer, so a text waits for the session's next prompt (OWED).
    """
    call, state, now = work.call, work.state, work.now
    texts = [take(event, state, now) for event in call.events]
    if call.gone == "deleted":
        take(Event("end", call.agent, call.session, now, call.cwd), state, now)
    elif call.gone:
        db = state.open()
        with db.transaction():
            sum_up(Event("idle", call.agent, call.session, now, call.cwd), db, now)
    if call.typed:
        texts.insert(0, _owed(work))
    text = "\n".join(filter(None, texts))
    if text and call.batch:
        db = state.open()
        with db.transaction():
            db.shown.put(call.agent, call.session, OWED, Last(text, now, now, 0, 0, ()))
        return ""
    return text


def _owed(work: Work) -> str:
    """What an earlier hook left for this prompt; it is given once."""
    call, db = work.call, work.state.open()
    last = db.shown.get(call.agent, call.session, OWED)
    if last is None:
        return ""
    with db.transaction():
        db.shown.drop_variant(call.agent, call.session, OWED)
    return last.text


def _pruned(work: Work) -> str | None:
    """A tool's output cut as the pressure asks for (docs/seeds.md B6-B9); None leaves it as it is."""
    call = work.call
    output = call.events[-1].output
    if len(output) < SHORT_OUTPUT:
        return None
    level = load(work.state.open().sessions.get(call.agent, call.session)).pressure.level
    if level == "safe":
        return None
    cut = prune(output, call.tool, level)
    return cut if len(cut) < len(output) else None
