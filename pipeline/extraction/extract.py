"""Window in, candidates out: the model's half of extraction (`rules` is the other).

One call a window, one more when its reply has to be repaired, none when nobody typed anything in it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from siltstone.pipeline.candidate import RelatedEntry
from siltstone.pipeline.extraction.reply import Extraction, WireReply, parse
from siltstone.pipeline.model.asking import ask
from siltstone.pipeline.model.port import Model
from siltstone.pipeline.reading.window import Window
from siltstone.pipeline.rules import extract as rules
from siltstone.pipeline.rules.extract import resembling
from siltstone.pipeline.rules.pasted import foreign_spans
from siltstone.prompts import Prompt, prompt


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


@dataclass(frozen=True, slots=True)
class ModelExtractor:
    """A model, asked once a window."""

    model: Model
    clock: Callable[[], datetime]

    @property
    def name(self) -> str:
        return self.model.name

    def __call__(
        self, window: Window, shown: Sequence[RelatedEntry], before: Sequence[str] = ()
    ) -> Extraction:
        """Ask the model about a window.

        Raises asking.Unread (a ReplyError) and asking.ReplyCut (an Overflow), both with their usage, and
        what the model raises: Overflow, Unavailable, ModelError, LimitReached.
        """
        if not window.typed:
            return Extraction(())
        numbers = {one.n for one in window.shown}
        request = prompt_of(window, shown, self.clock().date(), before)
        answer = ask(self.model, request, WireReply, lambda text: parse(text, numbers, shown))
        return replace(answer.value, usage=answer.usage, calls=answer.calls)
