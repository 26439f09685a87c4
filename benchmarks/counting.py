"""A model that says what it is told and counts tokens as litellm's own encoding does."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from support.fake_model import Asked, FakeModel

from siltstone.pipeline.litellm_model import LitellmModel
from siltstone.pipeline.model import Turn


@dataclass
class CountingModel(FakeModel):
    """A fake whose prompts cost what they would cost."""

    counter: LitellmModel = field(default_factory=lambda: LitellmModel("openai/gpt-5-mini"))

    def count(self, turns: Sequence[Turn]) -> int:
        return self.counter.count(turns)

    @property
    def prompt_tokens(self) -> int:
        """Of all calls together."""
        return sum(self.count(asked.turns) for asked in self.asked)

    def tokens(self, text: str) -> int:
        return self.counter.count([Turn("user", text)])


def silent() -> CountingModel:
    """A model that finds nothing worth doing."""
    return CountingModel(otherwise='{"memories":[],"ops":[]}')


__all__ = ["Asked", "CountingModel", "silent"]
