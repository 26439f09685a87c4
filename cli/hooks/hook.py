"""Answer an agent's hook, with the hook's payload on standard input. Agents'
settings call it.

AGENT is claude, codex, gemini or opencode. Shows memories at a session's
start and at each prompt, follows its tools, saves what the user asks to
remember, and has the transcript read when the session is quiet. Takes at most
two seconds. Failures are logged in `hooks.log` in the state folder; the exit
status is always 0.
Example: silt hook claude < payload.json
"""

import io
import json
import os
import signal
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr
from functools import partial
from importlib import import_module
from types import FrameType

from siltstone.agents.hooks import AGENTS, OWN, HookCall, hooks_of, read_payload
from siltstone.cli.hooks.common import Answer, LazyState, Work, hook_settings, log, read_input, write_output
from siltstone.cli.note import note
from siltstone.store.errors import SiltError
from siltstone.store.places import state_folder

LIMIT = 2.0
"""Seconds. Then the hook prints what it has by then and ends."""
MAX_PAYLOAD = 16 * 2**20
"""Bytes; a longer payload is ignored."""
STEPS: tuple[tuple[Callable[[HookCall], object], str, str], ...] = (
    (lambda call: call.action, "action", "no memories were given before the call"),
    (lambda call: call.show, "showing", "no memories were shown"),
    (lambda call: call.events or call.gone, "session_state", "the session's state was not updated"),
    (lambda call: any(e.role == "assistant" for e in call.events), "citations", "citations were not counted"),
    (lambda call: call.batch or call.show, "background", "the session was not queued for reading"),
    (lambda call: call.typed, "saving", "nothing was saved"),
    (lambda call: call.tool, "prune", "the output was not cut"),
)
"""What a call may ask for, the module whose `step` does it, and what is noted when it fails. A module is
loaded when it is asked for: a tool's hook, the most frequent one, needs neither recall nor the rules. Saving
comes late, because it may take all the time that is left."""

FAULTS = (SiltError, OSError)


def run(argv: list[str], limit: float = LIMIT) -> int:
    """The command: the agent's name, its payload on standard input. Always 0, because some agents take 2 as
    a refusal of the prompt. `limit`: seconds it may take. Inside our own calls of an agent it does nothing.
    """
    if {"-h", "--help"} & {*argv}:  # argparse would take as long to load as this takes in all
        write_output(f"usage: silt hook AGENT\n\n{__doc__}")
        return 0
    agent = argv[0] if len(argv) == 1 else ""
    if agent not in AGENTS:
        note(f"`silt hook` takes one agent: {', '.join(AGENTS)}")
        return 0
    now, until = time.time(), time.monotonic() + limit
    folder = state_folder(os.environ)
    answer = Answer()
    notes = io.StringIO()

    def log_notes() -> None:
        for line in _by_reason(notes.getvalue().splitlines()):
            log(folder, agent, line, now)

    def over(_number: int, _frame: FrameType | None) -> None:
        answer.give()
        log_notes()
        log(folder, agent, f"the hook took longer than {limit:g} s and was ended", now)
        os._exit(0)

    try:
        signal.signal(signal.SIGALRM, over)
        signal.setitimer(signal.ITIMER_REAL, limit)
        with redirect_stderr(notes):
            raw = read_input(MAX_PAYLOAD + 1)
            if raw and not os.environ.get(OWN):  # an agent that is being ended may send nothing
                _answer(agent, raw, folder, now, until, answer)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        log_notes()
    return 0


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


def _answer(agent: str, raw: bytes, folder: str, now: float, until: float, answer: Answer) -> None:
    """Do what a payload asks for and print the answer."""
    try:
        payload = json.loads(raw) if 0 < len(raw) <= MAX_PAYLOAD else None
    except (ValueError, RecursionError):
        payload = None
    if not isinstance(payload, dict):
        note(f"a payload of {len(raw):,} bytes is too long or not a JSON object; it is ignored")
        return
    call = read_payload(agent, payload, now, os.environ)
    if not call.session:
        return
    answer.form = partial(hooks_of(agent).answer, call.event)
    try:
        with LazyState(folder) as state:
            _act(Work(call, state, hook_settings(os.environ), os.environ, now, until), raw, answer)
    finally:
        answer.give()  # after a fault, too: what was shown by then is noted as shown


def _act(work: Work, raw: bytes, answer: Answer) -> None:
    """Do everything the payload asks for and collect the answer. After a failure the rest is still done."""
    try:
        # Before a call nothing is written unless a memory is given, and that is noted.
        if (work.call.action is None or work.call.events) and not _is_new(work, raw):
            return
    except FAULTS as error:
        note(f"whether this is a repeated call is not known: {error}")
    for asks, module, otherwise in STEPS:
        if asks(work.call):
            try:
                import_module(f"siltstone.cli.hooks.{module}").step(work, answer)
            except FAULTS as error:
                note(f"{otherwise}: {error}")


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
