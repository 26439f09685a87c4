"""The child process of a hook (`saving.py`): save what was typed just now, or name what it takes back.

It reads one JSON object (`agent`, `session`, `cwd`, `text`, `at`, `message`) and prints one:
`{"saved": [[path, description, what it contradicts or ""], …], "refused": [reason, …], "waits": sentence,
"taken_back": [[path, description], …]}`. What it does not save is also a line in `hooks.log`, because the
hook may be over by then.
"""

import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from siltstone.cli.context import Context
from siltstone.cli.hooks.background import wait_for_turn
from siltstone.cli.hooks.common import log
from siltstone.cli.hooks.saving import Asked
from siltstone.cli.parts import parts, rebuild
from siltstone.pipeline.learn import keep_typed
from siltstone.pipeline.ledger import Outcome
from siltstone.pipeline.messages import Session
from siltstone.pipeline.reading import echo
from siltstone.pipeline.reading.backlog import excluded
from siltstone.pipeline.rules.saves import takes_back
from siltstone.pipeline.taken_back import kept_before, meant
from siltstone.store.entry import GLOBAL, Stored
from siltstone.store.errors import EntryError, SiltError
from siltstone.store.places import state_folder

WAIT = 1.0
"""Seconds for the store's lock: only a run holds it longer, and that reads the message itself."""
TURN = 5.0
"""Seconds for what was typed before to be saved."""


NOTHING: Mapping[str, Any] = {"saved": [], "refused": [], "waits": "", "taken_back": []}


def main() -> None:
    """Save what is on standard input."""
    asked = Asked(**json.load(sys.stdin.buffer))
    if sys.argv[1:]:
        wait_for_turn(int(sys.argv[1]), TURN)
    try:
        told = save(asked)
    except (SiltError, OSError) as error:
        told = {**NOTHING, "waits": str(error)}
    lines = [f"a request to remember was refused: {reason}" for reason in told["refused"]]
    for line in [*lines, *([f"saved when the session is read: {told['waits']}"] if told["waits"] else [])]:
        log(state_folder(os.environ), asked.agent, line, time.time())
    with suppress(BrokenPipeError):  # the hook is over; what was saved stays
        sys.stdout.buffer.write(json.dumps(dict(told)).encode())
        sys.stdout.buffer.flush()


def save(asked: Asked) -> Mapping[str, Any]:
    """Save it; returns what was saved and where, and what saved before is taken back. Raises SiltError."""
    session, at = Session(asked.agent, asked.session, asked.cwd), datetime.fromtimestamp(asked.at, UTC)
    with Context(makes=True) as context:
        settings = context.configured.settings
        if excluded(asked.cwd, settings.exclude):
            return NOTHING
        scope = context.scopes.of(asked.cwd)
        back: list[Stored] = []
        if takes_back(text := echo.strip(asked.text)):
            entries = [one for name in dict.fromkeys((scope, GLOBAL)) for one in context.store.entries(name)]
            back = meant(text, kept_before(entries, asked.agent, asked.session, at), at)
        outcomes = keep_typed(session, asked.text, at, asked.message, scope, parts(context), WAIT)
        if outcomes:
            rebuild(context)
        saved = [
            [one.path, one.candidate.description, _against(context, one)]
            for one in outcomes
            if one.path is not None
        ]
    return {
        **NOTHING,
        "taken_back": [[one.path, one.entry.description] for one in back],
        "saved": saved,
        "refused": [one.reason for one in outcomes if one.path is None],
    }


def _against(context: Context, outcome: Outcome) -> str:
    """The description of the memory that a save contradicts; "" for none."""
    if outcome.kind != "conflicted" or outcome.other is None:
        return ""
    try:
        return context.store.read(outcome.other).entry.description
    except EntryError:  # it was deleted meanwhile; the conflict closes by itself
        return outcome.other


def log_fault(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
    """Log an unexpected fault: nobody reads the standard error of this process."""
    line = f"saved when the session is read: {kind.__name__}: {error}; run `silt doctor`"
    log(state_folder(os.environ), "save", line, time.time())


if __name__ == "__main__":
    sys.excepthook = log_fault
    main()
