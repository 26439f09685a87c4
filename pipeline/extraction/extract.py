"""Window in, candidates out: the model's half of extraction (`rules` is the other).

One call a window, one more when its reply has to be repaired, none when nobody typed anything in it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import count
from pathlib import Path

from pydantic import BaseModel

from siltstone.pipeline.candidate import RelatedEntry
from siltstone.pipeline.extraction.reply import Extraction, WireReply, parse
from siltstone.pipeline.model.asking import ask
from siltstone.pipeline.model.port import Model, Reply, Turn
from siltstone.pipeline.reading.window import Window
from siltstone.pipeline.rules import extract as rules
from siltstone.pipeline.rules.extract import resembling
from siltstone.prompts import Prompt, prompt
from siltstone.store.errors import StoreError


def prompt_of(window: Window, related: Sequence[RelatedEntry], today: date) -> Prompt:
    """The prompt of a window, as it is sent. What stands in `window` and `related` is redacted before."""
    return prompt("extract", window=window, related=related, today=today)


@dataclass(frozen=True, slots=True)
class Rules:
    """`rules`: needs no key and no network, and sends nothing anywhere."""

    name: str = "rules"
    keywords: tuple[str, ...] = ()
    """Patterns of the user's own that ask to keep something (E19)."""

    def __call__(self, window: Window, shown: Sequence[RelatedEntry]) -> Extraction:
        found = rules.extract(window, shown, self.keywords)
        return Extraction((*found, *resembling(window, self.keywords)))


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


@dataclass(slots=True)
class PromptKeeper:
    """A model whose prompts are written to a folder as they are sent (`--keep-prompts DIR`)."""

    model: Model
    folder: Path
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    @property
    def name(self) -> str:
        return self.model.name

    def ask(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        """As the model's own. Raises StoreError when the prompt cannot be written: then nothing is sent."""
        parts = [f"# {turn.role}\n\n{turn.content}\n" for turn in turns]
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            while (path := self.folder / f"{next(self._numbers):04d}.md").exists():
                continue
            path.write_text("\n".join(parts), encoding="utf-8", errors="replace")
        except OSError as error:
            raise StoreError(
                f"{self.folder} cannot be written ({error.strerror}), so nothing was sent; name another."
            ) from error
        return self.model.ask(turns, schema, max_tokens)

    def count(self, turns: Sequence[Turn]) -> int:
        return self.model.count(turns)

    def price(self, prompt: int, completion: int) -> float | None:
        return self.model.price(prompt, completion)
