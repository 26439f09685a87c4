"""What a person asks to keep, heard by a hook while it is typed, kept before its transcript is read.

The same rules as for a transcript, in a window of this one message: redaction, proof, tombstones, merge
(docs/seeds.md C20, E8). No watermark moves: the transcript is read later all the same, and what it holds
is then found in the store and absorbed, with the message's own id put into the evidence (`HEARD`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from siltstone.pipeline.learn import keep_asked
from siltstone.pipeline.ledger import Outcome
from siltstone.pipeline.messages import Filtered, Message, Session
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.reading.clean import clean
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.store.entry import HEARD


@dataclass(frozen=True, slots=True)
class Typed:
    """A message that was typed just now."""

    agent: str
    session: str
    cwd: str
    text: str
    at: datetime
    """Aware, UTC."""
    message: str = ""
    """Its id, where it is already the one its transcript will give it."""


def keep_typed(typed: Typed, scope: str, parts: Parts, wait: float) -> Sequence[Outcome]:
    """Commit what the message asks to keep; one outcome for each thing asked.

    Raises Locked when the store is held by another writer for `wait` seconds.
    """
    at = typed.at.replace(microsecond=0)
    id_ = typed.message or f"{HEARD}{typed.at.timestamp():.3f}"
    message = clean(Message(id_, id_, "user", typed.text, at))
    if isinstance(message, Filtered):
        return ()
    session = Session(typed.agent, typed.session, typed.cwd)
    return keep_asked(Window(scope, (Shown(1, session, message),)), parts, wait)
