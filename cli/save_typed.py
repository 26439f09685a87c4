"""What a hook has done in a process of its own: keep what was typed just now, or name what it takes back.

The hot path cannot: the store's rules, git and the settings take half a second to load. One JSON object on
standard input (`agent`, `session`, `cwd`, `text`, `at`, `message`), one on standard output:
`{"saved": [[path, description, what it contradicts or ""], …], "refused": [reason, …], "waits": sentence,
"taken_back": [[path, description], …]}`. What it does not keep is a line in `hooks.log` too: the hook may be
over by then, and hears nothing of it.
"""

import gc
import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from pydantic import BaseModel, ConfigDict

from siltstone.cli.context import Context
from siltstone.cli.hands import Scopes
from siltstone.cli.hook_log import log
from siltstone.cli.work import parts, rebuild
from siltstone.pipeline.backlog import excluded
from siltstone.pipeline.hearing import own, takes_back
from siltstone.pipeline.ledger import Outcome
from siltstone.pipeline.taken_back import kept_before, meant
from siltstone.pipeline.typed import Typed, keep_typed
from siltstone.store.entry import Stored
from siltstone.store.errors import EntryError, SiltError
from siltstone.store.places import state_folder
from siltstone.store.store import Store

WAIT = 1.0
"""Seconds for the store's lock: whoever holds it for longer is a run, which reads the message itself."""


NOTHING: Mapping[str, Any] = {"saved": [], "refused": [], "waits": "", "taken_back": []}


class Asked(BaseModel):
    """What the hook hands over."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    agent: str
    session: str
    cwd: str
    text: str
    at: float
    message: str


def main() -> int:
    """Keep what is on standard input; the exit status."""
    asked = Asked.model_validate_json(sys.stdin.buffer.read())
    try:
        told = save(asked)
    except (SiltError, OSError) as error:
        told = {**NOTHING, "waits": str(error)}
    _note(asked, told)
    with suppress(BrokenPipeError):  # the hook is over, and what was kept is kept
        sys.stdout.buffer.write(json.dumps(dict(told)).encode())
        sys.stdout.buffer.flush()
    return 0


def _note(asked: Asked, told: Mapping[str, Any]) -> None:
    lines = [f"what was asked to be kept is not: {reason}" for reason in told["refused"]]
    if told["waits"]:
        lines.append(f"kept when the session is read: {told['waits']}")
    for line in lines:
        log(state_folder(os.environ), asked.agent, line, time.time())


def save(asked: Asked) -> Mapping[str, Any]:
    """Keep it; what was kept and where, and what was kept before and is taken back. Raises SiltError."""
    typed = Typed(
        asked.agent,
        asked.session,
        asked.cwd,
        asked.text,
        datetime.fromtimestamp(asked.at, UTC),
        asked.message,
    )
    with Context() as context:
        settings = context.configured.settings
        if not settings.extract_enabled or excluded(asked.cwd, settings.exclude):
            return NOTHING
        back = _taken_back(asked, context.store)
        scopes = Scopes(context)
        outcomes = keep_typed(typed, scopes.of(asked.cwd), parts(context, scopes), WAIT)
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


def _taken_back(asked: Asked, store: Store) -> list[Stored]:
    text = own(asked.text)
    if not takes_back(text):
        return []
    return meant(
        text, kept_before(store.entries(), asked.agent, asked.session, datetime.fromtimestamp(asked.at, UTC))
    )


def _against(context: Context, outcome: Outcome) -> str:
    """What a save contradicts, in a line; "" where nothing does."""
    if outcome.kind != "conflicted" or outcome.other is None:
        return ""
    try:
        return context.store.read(outcome.other).entry.description
    except EntryError:  # somebody was faster; the conflict closes by itself
        return outcome.other


def fell(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
    """Tell of a fault nobody thought of in the log: nobody reads what this process says of it."""
    line = f"kept when the session is read: {kind.__name__}: {error}; run `silt doctor`"
    log(state_folder(os.environ), "save", line, time.time())


if __name__ == "__main__":
    sys.excepthook = fell
    gc.freeze()  # what was loaded is not gone through as the process ends, for which the hook waits
    sys.exit(main())
