"""Saving at once what a prompt asks to remember (docs/seeds.md C20, E8), and naming what it takes back.

Rules find the request here. A child process (`save_typed.py`) saves it, because git, the store's rules and
the settings take longer to load than a hook may take. The hook waits for the child as long as it has time;
after that the child goes on by itself.
"""

import json
import os
import time
from collections.abc import Mapping
from typing import Any

from siltstone.agents.hooks import HookCall
from siltstone.cli.hooks.background import ask
from siltstone.cli.hooks.common import Answer, Work, hook_settings
from siltstone.cli.note import note
from siltstone.pipeline.reading import echo
from siltstone.pipeline.rules.saves import REASONS, hear, takes_back
from siltstone.recall import escape
from siltstone.recall.layouts import CLOSE, OPEN
from siltstone.recall.prepared import FILE

CHILD = "siltstone.cli.hooks.save_typed"
MAX_TYPED = 20_000
"""Characters. A longer prompt is a paste: requests in it are found when the transcript is read."""
MARGIN = 0.3
"""Seconds kept for the hook itself when it waits for the child."""
LATER = "What the user asked to remember is being kept, or will be when this session is read: do nothing."
BACK = (
    'The user takes something back; nothing is deleted. In this session was kept, as the user asked: "{}". '
    "If that is meant, run `silt forget {}` (`silt undo` brings it back), or tell the user to."
)
"""Only somebody who read the conversation knows what "that" is; a hook would guess (docs/doors.md)."""
PERHAPS = (
    "The user takes something back; nothing is deleted. If a memory is meant, `silt list` names it and "
    "`silt forget NAME` takes it out."
)
REFUSED = "Not kept, though the user asked to remember it ({}): tell the user so."
IN_WORDS: Mapping[str, str] = {
    **REASONS,
    "only-secret": "it holds nothing but a secret",
    "only-tags": "it holds nothing but tags",
    "over-limit": "it is too long",
}
"""The ledger's reasons that a user may meet here, in words."""
DISPUTED = ' It contradicts "{}": both stay; tell the user to settle it with `silt conflicts`.'
LINE = 160
"""Characters of a memory that the agent is shown."""


def step(work: Work, answer: Answer) -> None:
    """Save what a hook's prompt asks to remember, as far as there is time."""
    call, folder = work.call, work.state.folder
    keywords = hook_settings(work.environ).keyword_patterns
    answer.meanwhile = meanwhile(call, folder, keywords)
    if answer.meanwhile:
        answer.add(saved(call, folder, work.environ, work.now, work.until, keywords))


def meanwhile(call: HookCall, folder: str, keywords: tuple[str, ...] = ()) -> str:
    """What the agent is given until the result is known.

    "" if a prompt neither asks to remember something nor takes anything back, or if there is no store yet to
    take it from.
    """
    if len(call.typed) > MAX_TYPED:
        return ""
    text = echo.strip(call.typed)
    if hear(text, keywords).requests:
        return _block([LATER])
    known = os.path.isfile(os.path.join(folder, FILE))
    return _block([PERHAPS]) if known and takes_back(text) else ""


def saved(
    call: HookCall,
    folder: str,
    environ: Mapping[str, str],
    now: float,
    until: float,
    keywords: tuple[str, ...] = (),
) -> str:
    """Save what was asked. Returns a line for each memory saved, refused or taken back; "" for none.

    `until`: the monotonic time at which the hook must be over.
    """
    result = _result(call, folder, environ, now, until)
    if result is None or result["waits"]:
        return meanwhile(call, folder, keywords)
    back = [
        BACK.format(escape.line(description, LINE), _name(path)) for path, description in result["taken_back"]
    ]
    refused = [REFUSED.format(IN_WORDS.get(reason, reason)) for reason in result["refused"]]
    return _block([*back, *(_line(*one) for one in result["saved"]), *refused])


def _result(
    call: HookCall, folder: str, environ: Mapping[str, str], now: float, until: float
) -> dict[str, Any] | None:
    """What the child answers; None if it fails or is not done in time."""
    asked = {
        "agent": call.agent,
        "session": call.session,
        "cwd": call.cwd,
        "text": call.typed.encode("utf-8", "replace").decode(),
        "at": now,
        "message": call.message,
    }
    seconds = until - time.monotonic() - MARGIN
    answer = ask([CHILD], folder, environ, json.dumps(asked).encode(), seconds)
    try:
        if answer is not None:
            return dict(json.loads(answer))
    except ValueError:
        pass
    note(f"{call.event}: what was typed is saved in the background, or when the session is read")
    return None


def _line(path: str, description: str, against: str) -> str:
    where = "for all projects" if path.startswith("global/") else "for this project"
    text = escape.line(description, LINE)
    kept = f'Kept {where}, as the user asked: "{text}" (`silt forget {_name(path)}` undoes it).'
    return kept + DISPUTED.format(escape.line(against, LINE)) if against else kept


def _name(path: str) -> str:
    return os.path.basename(path).removesuffix(".md")


def _block(lines: list[str]) -> str:
    return "\n".join([OPEN, *lines, CLOSE]) + "\n" if lines else ""
