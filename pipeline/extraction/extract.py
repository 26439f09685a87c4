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
from siltstone.prompts import Prompt, prompt


def prompt_of(window: Window, related: Sequence[RelatedEntry], today: date) -> Prompt:
    """The prompt of a window, as it is sent. What stands in `window` and `related` is redacted before."""
    return prompt("extract", window=window, related=related, today=today)


@dataclass(frozen=True, slots=True)
class Rules:
    """`rules`: needs no key and no network, and sends nothing anywhere."""

    name: str = "rules"
    keywords: tuple[str, ...] = ()
    """Patterns of the user's own that ask to keep something (E19)."""
    saves_alone: bool = False
    """Find nothing but what the user asks to keep: extraction is switched off (C31)."""

    def __call__(self, window: Window, shown: Sequence[RelatedEntry]) -> Extraction:
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

    def __call__(self, window: Window, shown: Sequence[RelatedEntry]) -> Extraction:
        """Ask the model about a window.

        Raises asking.Unread (a ReplyError) and asking.ReplyCut (an Overflow), both with their usage, and
        what the model raises: Overflow, Unavailable, ModelError, LimitReached.
        """
        if not window.typed:
            return Extraction(())
        numbers, request = {one.n for one in window.shown}, prompt_of(window, shown, self.clock().date())
        answer = ask(self.model, request, WireReply, lambda text: parse(text, numbers, shown))
        return replace(answer.value, usage=answer.usage, calls=answer.calls)
