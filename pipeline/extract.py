"""Window in, candidates out: the model's half of extraction (`rules` is the other).

One call a window, one more when its reply has to be repaired, none when nobody typed anything in it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from siltstone.pipeline.asking import ask
from siltstone.pipeline.candidate import Candidate, RelatedEntry
from siltstone.pipeline.model import Model, Usage
from siltstone.pipeline.window import Window
from siltstone.pipeline.wire import Scrap, WireReply, parse
from siltstone.prompts import Prompt, prompt


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was proposed and what it took. Every item of the reply is a candidate or a scrap."""

    candidates: tuple[Candidate, ...]
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    scraps: tuple[Scrap, ...] = ()

    @property
    def refused(self) -> Counter[str]:
        """Items that were no candidates, by reason."""
        return Counter(scrap.reason for scrap in self.scraps)


def asked(window: Window, related: Sequence[RelatedEntry], today: date) -> Prompt:
    """The prompt of a window, as it is sent. What stands in `window` and `related` is redacted before."""
    return prompt("extract", window=window, related=related, today=today)


def extract(window: Window, related: Sequence[RelatedEntry], model: Model, today: date) -> Extraction:
    """Ask the model about a window.

    Raises asking.Unread (a ReplyError) and asking.ReplyCut (an Overflow), both with their usage, and
    what the model raises: Overflow, Unavailable, ModelError, LimitReached.
    """
    if not window.typed:
        return Extraction(())
    numbers = {shown.n for shown in window.shown}
    answer = ask(model, asked(window, related, today), WireReply, lambda text: parse(text, numbers, related))
    return Extraction(answer.value.candidates, answer.usage, answer.calls, answer.value.scraps)
