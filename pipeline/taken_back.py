"""What was asked to be kept and then taken back in the same session ("actually no, don't remember that").

Nothing is deleted on such a word: what "that" means is known to whoever read the conversation, and "forget
that" is said of work as often as of a memory. What was kept last in the session is named instead, with the
command that takes it out: to the agent by the hook that hears it, and in the log of what was not believed
when the transcript is read.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from siltstone.pipeline.explicit import find_refusals
from siltstone.pipeline.foreign import own_words
from siltstone.pipeline.likeness import content
from siltstone.pipeline.retraction import POINTING, points_back, refuses
from siltstone.pipeline.window import Shown, Window
from siltstone.store.entry import Entry, Stored
from siltstone.store.tuples import NamedTuple

REASON = "taken-back"
"""In the ledger (`silt log --rejected`)."""


class TakenBack(NamedTuple):
    """A memory that still stands, though the user took it back."""

    said: Shown
    """The message in which they did."""
    stored: Stored

    @property
    def told(self) -> str:
        """One sentence for the user."""
        path, session = self.stored.path, self.said.session
        name = path.rpartition("/")[2].removesuffix(".md")
        return (
            f"{path} was asked to be kept and then taken back in {session.agent}/{session.id}: it stands "
            f"until `silt forget {name}`"
        )


def taken_back(window: Window, entries: Callable[[], Iterable[Stored]]) -> list[TakenBack]:
    """What a window's typed words take back; `entries` are asked for only where they do."""
    typed = (one for one in window.shown if one.message.role == "user" and not one.context)
    back = [(one, own) for one in typed if refuses(own := own_words(one.message.text))]
    stand = list(entries()) if back else []
    return [
        TakenBack(one, stored)
        for one, own in back
        for stored in meant(
            own, kept_before(stand, one.session.agent, one.session.id, one.message.at, one.message.id)
        )
    ]


def meant(text: str, kept: Sequence[Stored]) -> list[Stored]:
    """Of what a session kept, the last first, what a typed text takes back: what was kept last where it only
    points, else what it names."""
    if points_back(text):
        return list(kept[:1])
    pointing = content(" ".join(POINTING))
    named = [content(text[one.start : one.end]) - pointing for one in find_refusals(text)]
    return [one for one in kept if any(len(what) > 1 and what <= content(one.entry.body) for what in named)]


def kept_before(
    entries: Iterable[Stored], agent: str, session: str, until: datetime, besides: str = ""
) -> list[Stored]:
    """What a session asked to keep until a moment and still stands, the last first.

    `besides`: a message whose own requests do not count.
    """

    def asked(entry: Entry) -> list[tuple[datetime, str]]:
        if entry.source != "explicit":
            return []
        said = (one for one in entry.evidence if (one.agent, one.session) == (agent, session))
        # What a hook heard is named by its time, to a thousandth of a second.
        return [(one.at, one.message) for one in said if one.at <= until and one.message != besides]

    times = [(max(at), one) for one in entries if (at := asked(one.entry))]
    return [one for _, one in sorted(times, key=lambda told: (told[0], told[1].path), reverse=True)]
