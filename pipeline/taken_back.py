"""What was asked to be kept and then taken back in the same session ("actually no, don't remember that").

Nothing is deleted on such a word: only somebody who read the conversation knows what "that" means, and
"forget that" is said of work as often as of a memory. What was kept last in the session is named instead,
with the command that takes it out: to the agent by its hook, and in the ledger when the transcript is read.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from siltstone.pipeline.merging.likeness import content
from siltstone.pipeline.merging.lookup import AT_ONCE
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.saves import hear, takes_back
from siltstone.pipeline.rules.statements import amends
from siltstone.store.entry import Stored
from siltstone.store.names import stem

REASON = "taken-back"
"""In the ledger (`silt log --rejected`)."""


class TakenBack(NamedTuple):
    """A memory that still stands, though the user took it back."""

    said: Shown
    """The message in which they did."""
    stored: Stored

    @property
    def sentence(self) -> str:
        path, session = self.stored.path, self.said.session
        return (
            f"{path} was saved on request and then taken back in {session.agent}/{session.id}: it stays "
            f"until `silt forget {stem(path)}`"
        )


def taken_back(window: Window, entries: Callable[[], Iterable[Stored]]) -> list[TakenBack]:
    """What a window's typed words take back; `entries` are asked for only where they do."""
    typed = (one for one in window.shown if one.message.role == "user" and not one.context)
    back = [one for one in typed if takes_back(one.message.text)]
    stand = list(entries()) if back else []
    return [
        TakenBack(one, stored)
        for one in back
        for stored in meant(
            one.message.text,
            kept_before(stand, one.session.agent, one.session.id, one.message.at, one.message.id),
            one.message.at,
        )
    ]


def meant(text: str, kept: Sequence[Stored], at: datetime) -> list[Stored]:
    """Of what a session kept, the last first, what a text typed at a time takes back: what was kept last
    where it only points or corrects it soon, else what it names."""
    heard = hear(text)
    if heard.retracts:
        return list(kept[:1])
    if amends(text):
        return [one for one in kept[:1] if any(at - said.at <= AT_ONCE for said in one.entry.evidence)]
    refused = [content(text[start:end]) for start, end in heard.refusals]
    bodies = [content(one.entry.body) for one in kept]
    # A refusal names a memory when most of the memory's words, and at least two, stand in it.
    return [
        one
        for one, body in zip(kept, bodies, strict=True)
        if any(len(words & body) > 1 and 2 * len(words & body) > len(body) for words in refused)
    ]


def kept_before(
    entries: Iterable[Stored], agent: str, session: str, until: datetime, besides: str = ""
) -> list[Stored]:
    """What a session asked to keep until a moment and still stands, the last first.

    `besides`: a message whose own requests do not count.
    """
    times: list[tuple[tuple[datetime, str], Stored]] = []
    for one in entries:
        said = [proof for proof in one.entry.evidence if (proof.agent, proof.session) == (agent, session)]
        # What a hook heard is named by its time, to a thousandth of a second.
        at = [(proof.at, proof.message) for proof in said if proof.at <= until and proof.message != besides]
        if at and one.entry.source == "explicit":
            times.append((max(at), one))
    return [one for _, one in sorted(times, key=lambda told: (told[0], told[1].path), reverse=True)]
