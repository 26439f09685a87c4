"""The two ways to get candidates out of a window: the embedded rules, and a model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path

from pydantic import BaseModel

from siltstone.pipeline import rules
from siltstone.pipeline.candidate import RelatedEntry
from siltstone.pipeline.extract import Extraction, extract
from siltstone.pipeline.model import Model, Reply, Turn
from siltstone.pipeline.saves import resembling
from siltstone.pipeline.window import Window
from siltstone.store.errors import StoreError


@dataclass(frozen=True, slots=True)
class Rules:
    """`rules`: needs no key and no network, and sends nothing anywhere."""

    name: str = "rules"

    def __call__(self, window: Window, shown: Sequence[RelatedEntry]) -> Extraction:
        return Extraction((*rules.extract(window, shown), *resembling(window)))


@dataclass(frozen=True, slots=True)
class Asked:
    """A model, asked once a window."""

    model: Model
    clock: Callable[[], datetime]

    @property
    def name(self) -> str:
        return self.model.name

    def __call__(self, window: Window, shown: Sequence[RelatedEntry]) -> Extraction:
        return extract(window, shown, self.model, self.clock().date())


@dataclass(slots=True)
class Kept:
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
