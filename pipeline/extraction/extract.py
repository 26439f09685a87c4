"""Window in, candidates out: the model's half of extraction (`rules` is the other).

Two calls a window, one to find memories and one to look at them once more; more when a reply has to be
repaired, one when nothing is found, none when nobody typed anything in it.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime

from siltstone.pipeline.candidate import RelatedEntry
from siltstone.pipeline.extraction.reply import Extraction, WireReply, parse
from siltstone.pipeline.extraction.second_look import look_again
from siltstone.pipeline.model.asking import MAX_REPLY_TOKENS, ask, mend
from siltstone.pipeline.model.json_reply import Unreadable
from siltstone.pipeline.model.port import Model
from siltstone.pipeline.proof.origin import find
from siltstone.pipeline.reading.window import Window
from siltstone.pipeline.rules import extract as rules
from siltstone.pipeline.rules.extract import resembling
from siltstone.pipeline.rules.pasted import pieces_of
from siltstone.prompts import Prompt, prompt
from siltstone.store.errors import SiltError


def prompt_of(
    window: Window, related: Sequence[RelatedEntry], today: date, before: Sequence[str] = ()
) -> Prompt:
    """The prompt of a window, as it is sent. What stands in it is redacted before.

    `before`: lines on what was proposed before and is no memory (`inbox.proposed_before`).
    """
    return prompt("extract", window=window, related=related, before=before, today=today, pieces_of=pieces_of)


FORM = frozenset(
    {"wrong-type", "unknown-number", "unknown-type", "unknown-action", "no-target", "empty", "no-evidence"}
)
"""Reasons to refuse an item that a model can mend."""


@dataclass(frozen=True, slots=True)
class Rules:
    """`rules`: needs no key and no network, and sends nothing anywhere."""

    name: str = "rules"
    keywords: tuple[str, ...] = ()
    """Patterns of the user's own that ask to keep something (E19)."""
    saves_alone: bool = False
    """Find nothing but what the user asks to keep: extraction is switched off (C31)."""

    def __call__(
        self, window: Window, shown: Sequence[RelatedEntry], before: Sequence[str] = ()
    ) -> Extraction:
        found = (*rules.extract(window, shown, self.keywords), *resembling(window, self.keywords))
        asked = (one for one in found if one.source == "explicit" or not self.saves_alone)
        return Extraction(tuple(asked))


@dataclass(slots=True)
class ModelExtractor:
    """A model, asked once a window."""

    model: Model
    clock: Callable[[], datetime]
    room: int = MAX_REPLY_TOKENS
    """Tokens that a reply is allowed: more once the model has been seen to need them."""

    @property
    def name(self) -> str:
        return self.model.name

    def __call__(
        self, window: Window, shown: Sequence[RelatedEntry], before: Sequence[str] = ()
    ) -> Extraction:
        """Ask the model about a window, and once more for the items that are wrong in form.

        Raises asking.Unread (a ReplyError) and asking.ReplyCut (an Overflow), both with their usage, and
        what the model raises: Overflow, Unavailable, ModelError, LimitReached.
        """
        if not window.typed:
            return Extraction(())
        numbers = {one.n for one in window.shown}
        request = prompt_of(window, shown, self.clock().date(), before)

        def place(n: int, quote: str) -> int | None:
            """The nearest message that holds it: a wrong number is mended without a call."""
            near = sorted(window.shown, key=lambda one: abs(one.n - n))
            return next((one.n for one in near if find(one, quote)), None)

        def read(text: str) -> Extraction:
            return parse(text, numbers, shown, place)

        answer = ask(self.model, request, WireReply, read, self.room)
        self.room = max(self.room, answer.room)
        found = answer.value
        wrong = {one.place: one.reason.replace("-", " ") for one in found.scraps if one.reason in FORM}
        if wrong:
            with suppress(SiltError, Unreadable):  # then the items are refused as they are
                answer = mend(self.model, request, WireReply, answer, wrong, read)
                again = answer.value
                if again.candidates or again.scraps:
                    rest = [one for one in found.scraps if one.place not in wrong]
                    found = Extraction((*found.candidates, *again.candidates), scraps=(*rest, *again.scraps))
        return look_again(self.model, found._replace(usage=answer.usage, calls=answer.calls), window, shown)
