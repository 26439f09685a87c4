"""Saving at once what a prompt asks to remember (docs/seeds.md C20, E8), and naming what it takes back.

Rules find the request here. A child process (`save_typed.py`) saves it, because git, the store's rules and
the settings take longer to load than a hook may take. The hook waits for the child as long as it has time;
after that the child goes on by itself.
"""

import json
import os
import time
from collections.abc import Mapping
from typing import NamedTuple

from siltstone.cli.hooks.background import ask
from siltstone.cli.hooks.common import Answer, Work
from siltstone.cli.note import note
from siltstone.pipeline.reading import echo
from siltstone.pipeline.rules.saves import REASONS, hear, takes_back
from siltstone.recall import escape
from siltstone.recall.escape import CLOSE, OPEN
from siltstone.recall.prepared import FILE

MAX_TYPED = 20_000
"""Characters. A longer prompt is a paste: requests in it are found when the transcript is read."""
MARGIN = 0.3
"""Seconds kept for the hook itself when it waits for the child."""
LATER = "What the user asked to remember is being saved, or will be when this session is read: do nothing."
SAVING = "Siltstone is saving what you asked to remember"
BACK = (
    'The user takes something back; nothing is deleted. In this session was kept, as the user asked: "{}". '
    "If that is meant, run `silt forget {}` (`silt undo` brings it back), or tell the user to."
)
"""Only somebody who read the conversation knows what "that" is; a hook would guess (docs/doors.md)."""
PERHAPS = (
    "The user takes something back; nothing is deleted. If a memory is meant, `silt list` names it and "
    "`silt forget NAME` deletes it."
)
REFUSED = "Not saved, although the user asked to remember it ({}): tell the user so."
IN_WORDS: Mapping[str, str] = {
    **REASONS,
    "only-secret": "it contains only a secret",
    "only-tags": "it contains only tags",
    "over-limit": "it is too long",
}
"""The ledger's reasons that a user may meet here, in words."""
DISPUTED = ' It contradicts "{}": both stay; tell the user to settle it with `silt conflicts`.'
LINE = 160
"""Characters of a memory that the agent is shown."""


class Asked(NamedTuple):
    """What the child is sent."""

    agent: str
    session: str
    cwd: str
    text: str
    at: float
    message: str


def step(work: Work, answer: Answer) -> None:
    """Save what a hook's prompt asks to remember, as far as there is time.

    The answer gets a line for each memory that was saved, refused or taken back, and until that is known what
    the agent is to do meanwhile.
    """
    call, folder, before = work.call, work.state.folder, answer.told
    if len(call.typed) > MAX_TYPED:
        return
    text = echo.strip(call.typed)
    heard = hear(text, work.rules.keyword_patterns)
    if heard.requests:
        unkept = [REFUSED.format(REASONS[one.reason]) for one in heard.requests if one.reason]
        answer.meanwhile = _block([LATER, *unkept] if heard.kept else unkept)
        answer.told = _told(before, *([SAVING] if heard.kept else []))
    elif takes_back(text) and os.path.isfile(os.path.join(folder, FILE)):  # there is a store to take it from
        answer.meanwhile = _block([PERHAPS])
    else:
        return
    typed = call.typed.encode("utf-8", "replace").decode()
    asked = Asked(call.agent, call.session, call.cwd, typed, work.now, call.message)._asdict()
    seconds = work.until - time.monotonic() - MARGIN
    given = json.dumps(asked, ensure_ascii=False).encode()
    printed = ask(["siltstone.cli.hooks.save_typed"], folder, work.environ, given, seconds)
    try:
        result = dict(json.loads(printed or b""))
    except ValueError:
        note(f"{call.event}: what was typed is saved in the background, or when the session is read")
        return
    if not result["waits"]:
        back = [BACK.format(escape.line(said, LINE), _name(path)) for path, said in result["taken_back"]]
        refused = [REFUSED.format(IN_WORDS.get(reason, reason)) for reason in result["refused"]]
        answer.add(_block([*back, *(_line(*one) for one in result["saved"]), *refused]))
        kept = (f'{_where(path)}: "{escape.line(said, LINE)}"' for path, said, _ in result["saved"])
        answer.told = _told(before, *(f"Siltstone keeps {one}" for one in kept))


def _told(*lines: str) -> str:
    return "; ".join(filter(None, lines))


def _where(path: str) -> str:
    return "for all projects" if path.startswith("global/") else "for this project"


def _line(path: str, description: str, against: str) -> str:
    text = escape.line(description, LINE)
    kept = f'Kept {_where(path)}, as the user asked: "{text}" (`silt forget {_name(path)}` undoes it).'
    return kept + DISPUTED.format(escape.line(against, LINE)) if against else kept


def _name(path: str) -> str:
    return os.path.basename(path).removesuffix(".md")


def _block(lines: list[str]) -> str:
    return "\n".join([OPEN, *lines, CLOSE]) + "\n" if lines else ""
