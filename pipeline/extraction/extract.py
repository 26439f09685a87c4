"""Window in, candidates out: the model's half of extraction (`rules` is the other).

One call a window, more when its reply has to be repaired, none when nobody typed anything in it.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime

from siltstone.pipeline.candidate import Candidate, Quote, RelatedEntry
from siltstone.pipeline.extraction.reply import Extraction, WireReply, parse
from siltstone.pipeline.model.asking import MAX_REPLY_TOKENS, ask, mend
from siltstone.pipeline.model.json_reply import Unreadable
from siltstone.pipeline.model.port import Model
from siltstone.pipeline.proof.origin import find
from siltstone.pipeline.reading.window import Window
from siltstone.pipeline.rules import extract as rules
from siltstone.pipeline.rules.extract import resembling
from siltstone.pipeline.rules.pasted import foreign_spans
from siltstone.prompts import Prompt, prompt
from siltstone.store.errors import SiltError


def prompt_of(
    window: Window, related: Sequence[RelatedEntry], today: date, before: Sequence[str] = ()
) -> Prompt:
    """The prompt of a window, as it is sent. What stands in it is redacted before.

    `before`: lines on what was proposed before and is no memory (`inbox.proposed_before`).
    """
    return prompt("extract", window=window, related=related, before=before, today=today, parts=_parts)


def _parts(text: str) -> list[tuple[str, str]]:
    """A typed message in the pieces that the user wrote ("user") and that others wrote ("pasted")."""
    pieces: list[tuple[str, str]] = []
    at = 0
    for start, end in (*foreign_spans(text), (len(text), len(text))):
        pieces += [("user", text[at:start]), ("pasted", text[start:end])]
        at = end
    return [(who, said.strip()) for who, said in pieces if said.strip()]


FORM = frozenset({"wrong-type", "unknown-number", "unknown-type", "unknown-action", "no-target", "empty"})
"""Reasons to refuse an item that a model can mend."""
MAX_LINE = 200
"""Characters of a quote that are sent back."""


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

        def read(text: str) -> Extraction:
            found = parse(text, numbers, shown)
            return replace(found, candidates=tuple(_placed(one, window) for one in found.candidates))

        answer = ask(self.model, request, WireReply, read, self.room)
        self.room = max(self.room, answer.room)
        found = answer.value
        wrong = {
            scrap.place: scrap.reason.replace("-", " ") for scrap in found.scraps if scrap.reason in FORM
        }
        wrong |= {place: why for place, one in found.placed.items() if (why := _unquoted(one, window))}
        if wrong:
            with suppress(SiltError, Unreadable):  # then the items are refused as they are
                answer = mend(self.model, request, WireReply, answer, wrong, read)
                found = _mended(found, wrong, answer.value)
        return replace(found, usage=answer.usage, calls=answer.calls)


def _mended(found: Extraction, wrong: Collection[int], again: Extraction) -> Extraction:
    """What was found with its wrong items replaced by what came again; as it is when nothing came."""
    if not (again.candidates or again.scraps):
        return found
    kept = tuple(one for place, one in found.placed.items() if place not in wrong)
    scraps = tuple(one for one in found.scraps if one.place not in wrong)
    return Extraction((*kept, *again.candidates), scraps=(*scraps, *again.scraps))


def _placed(candidate: Candidate, window: Window) -> Candidate:
    """The candidate with a quote that stands in another message than it says put there, the nearest one."""
    return replace(candidate, quotes=tuple(_nearest(quote, window) or quote for quote in candidate.quotes))


def _nearest(quote: Quote, window: Window) -> Quote | None:
    near = sorted(window.shown, key=lambda one: abs(one.n - quote.n))
    return next((Quote(one.n, quote.text) for one in near if find(one, quote.text)), None)


def _unquoted(candidate: Candidate, window: Window) -> str:
    """Why the quotes of a candidate are none; "" when they stand where they should."""
    if not candidate.quotes:
        return "it has no quote"
    missing = (one.text for one in candidate.quotes if _nearest(one, window) is None)
    return next((f'"{text[:MAX_LINE]}" stands in no message' for text in missing), "")
