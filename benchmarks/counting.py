"""A model that says what it is told and counts tokens as litellm's own encoding does."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from support.fake_model import Asked, FakeModel

from siltstone.pipeline.model.litellm_model import litellm
from siltstone.pipeline.model.port import TOKENS_A_TURN, Turn


@dataclass
class CountingModel(FakeModel):
    """A fake whose prompts cost what they would cost."""

    encoding: Any = field(default_factory=lambda: litellm().encoding)

    def count(self, turns: Sequence[Turn]) -> int:
        texts = (turn.content for turn in turns)
        return sum(len(self.encoding.encode(text, disallowed_special=())) + TOKENS_A_TURN for text in texts)

    @property
    def prompt_tokens(self) -> int:
        """Of all calls together."""
        return sum(self.count(asked.turns) for asked in self.asked)

    def tokens(self, text: str) -> int:
        return self.count([Turn("user", text)])


def silent() -> CountingModel:
    """A model that finds nothing worth doing."""
    return CountingModel(otherwise='{"memories":[],"ops":[]}')


__all__ = ["Asked", "CountingModel", "silent"]
