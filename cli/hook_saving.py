"""Keeping at once what a prompt asks to keep (docs/seeds.md C20, E8), and naming what it takes back. On the
hot path until it does ask.

The rules that find such a request load only when a word of it is there (`pipeline/request_words.py`), and
only when they find one, a child begins: the one process a prompt may cost. It is waited for as long as the
hook has time, and goes on by itself after that.
"""

import os
import time

from siltstone.agents.hooks import Heard
from siltstone.cli import hot
from siltstone.pipeline import hearing
from siltstone.recall import escape
from siltstone.recall.prepared import FILE
from siltstone.recall.view import CLOSE, OPEN
from siltstone.store.light_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Mapping
    from typing import Any

MARGIN = 0.3
"""Seconds that are left for the hook itself when it has waited for the child."""
LATER = "What the user asked to remember is being kept, or will be when this session is read: do nothing."
BACK = (
    'The user takes something back; nothing is deleted. In this session was kept, as the user asked: "{}". '
    "If that is meant, run `silt forget {}` (`silt undo` brings it back), or tell the user to."
)
"""What "that" is, whoever read the conversation knows; a hook would guess (docs/doors.md)."""
PERHAPS = (
    "The user takes something back; nothing is deleted. If a memory is meant, `silt list` names it and "
    "`silt forget NAME` takes it out."
)
REFUSED = "Not kept, though the user asked to remember it ({}): tell the user so."
IN_WORDS: "Mapping[str, str]" = {
    "only-secret": "it holds nothing but a secret",
    "only-tags": "it holds nothing but tags",
    "over-limit": "it is too long",
}
"""The ledger's reasons that a user may meet here."""
DISPUTED = ' It contradicts "{}": both stay; tell the user to settle it with `silt conflicts`.'
LINE = 160
"""Characters of what was kept that the agent is told."""


def meanwhile(heard: Heard, folder: str) -> str:
    """What the agent is told as long as nobody knows what became of it; "" where a prompt neither asks to
    keep anything nor takes anything back, or there is no store yet to take it from."""
    text = hearing.own(heard.typed)
    if hearing.announced("user", text):
        return _block([LATER])
    known = os.path.isfile(os.path.join(folder, FILE))
    return _block([PERHAPS]) if known and hearing.takes_back(text) else ""


def saved(heard: Heard, folder: str, environ: "Mapping[str, str]", now: float, until: float) -> str:
    """Keep what was asked; what the agent is told of it, and of what is taken back: a line for each thing,
    "" for none.

    `until`: the monotonic time at which the hook must be over.
    """
    told = _told(heard, folder, environ, now, until)
    if told is None or told["waits"]:
        return meanwhile(heard, folder)
    back = [
        BACK.format(escape.line(description, LINE), _name(path)) for path, description in told["taken_back"]
    ]
    refused = [REFUSED.format(IN_WORDS.get(reason, reason)) for reason in told["refused"]]
    return _block([*back, *(_line(*one) for one in told["saved"]), *refused])


def _told(
    heard: Heard, folder: str, environ: "Mapping[str, str]", now: float, until: float
) -> "dict[str, Any] | None":
    """What the child says; None while it has nothing to say."""
    asked = {
        "agent": heard.agent,
        "session": heard.session,
        "cwd": heard.cwd,
        "text": heard.typed.encode("utf-8", "replace").decode(),
        "at": now,
        "message": heard.message,
    }
    from siltstone.cli.hook_child import ask

    child = ask(["siltstone.cli.save_typed"], folder, environ, dumps(asked).encode())
    said = child.answer(until - time.monotonic() - MARGIN)
    try:
        if said:  # nothing is no JSON, and to say so `json` would be loaded
            return dict(loads(said))
    except ValueError:
        pass  # as where it said nothing
    hot.note(f"{heard.event}: what was typed is kept in the background, or when the session is read")
    return None


def _line(path: str, description: str, against: str) -> str:
    where = "for all projects" if path.startswith("global/") else "for this project"
    said = escape.line(description, LINE)
    kept = f'Kept {where}, as the user asked: "{said}" (`silt forget {_name(path)}` undoes it).'
    return kept + DISPUTED.format(escape.line(against, LINE)) if against else kept


def _name(path: str) -> str:
    return os.path.basename(path).removesuffix(".md")


def _block(lines: list[str]) -> str:
    return "\n".join([OPEN, *lines, CLOSE]) + "\n" if lines else ""
