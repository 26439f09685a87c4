"""What a run would send and cost, without sending anything (invariants 14 and 15)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from siltstone.pipeline.compaction.compact import prompt_of as compaction_prompt
from siltstone.pipeline.compaction.groups import Group
from siltstone.pipeline.extraction.extract import prompt_of as extraction_prompt
from siltstone.pipeline.extraction.session_summary import LINE, LINES
from siltstone.pipeline.extraction.session_summary import prompt_of as summary_prompt
from siltstone.pipeline.messages import Message
from siltstone.pipeline.model.port import Model, Turn
from siltstone.pipeline.reading.backlog import Backlog, Unread
from siltstone.pipeline.reading.window import windows
from siltstone.prompts import Prompt

RELATED_TOKENS = 2_000
"""Tokens of the memories that a prompt shows, at most (6,000 + 2,000 characters)."""
REPLY_TOKENS = 400
"""Mean of a reply; most replies are empty."""
PLAN_TOKENS = 800
"""Mean of a compaction's reply, which rewrites some entries."""
SUMMARY_TOKENS = LINES * LINE // 4
"""A summary is cut to so many lines of so many characters."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a model would be sent for a reading, a compaction or summaries. Tokens are an upper estimate."""

    prompts: tuple[int, ...] = ()
    """Tokens of the prompt of each window, group or session."""
    completion: int = 0
    cost: float | None = 0.0
    """USD; None when the model has no known price."""
    sessions: Counter[str] = field(default_factory=Counter)
    """Of a reading, by scope; counted without a model too."""
    groups: tuple[Group, ...] = ()
    """Of a compaction."""

    @property
    def prompt(self) -> int:
        """Tokens of all prompts."""
        return sum(self.prompts)

    @property
    def tokens(self) -> int:
        """Of prompts and replies."""
        return self.prompt + self.completion


def estimate_reading(
    backlog: Backlog, lanes: dict[str, list[Unread]], model: Model | None, today: date, shown: bool
) -> Estimate:
    """Cut the backlog into windows and count them. `shown`: prompts will show stored memories."""
    sessions = Counter({scope: len(unread) for scope, unread in lanes.items()})
    if model is None:
        return Estimate(sessions=sessions)
    cut = (window for scope, unread in lanes.items() for window in windows(scope, backlog.turns(unread)))
    prompts = (extraction_prompt(window, (), today) for window in cut if window.typed)
    found = _estimate(prompts, model, REPLY_TOKENS, RELATED_TOKENS if shown else 0)
    return replace(found, sessions=sessions)


def estimate_compaction(groups: Sequence[Group], model: Model, today: date) -> Estimate:
    """Count the prompts of these groups, except for the few words about open conflicts."""
    prompts = (compaction_prompt(group, (), today) for group in groups)
    return replace(_estimate(prompts, model, PLAN_TOKENS), groups=tuple(groups))


def estimate_summaries(sessions: Sequence[Sequence[Message]], model: Model, today: date) -> Estimate:
    """Count the prompts for the summaries of these sessions, which are cut to what a prompt shows."""
    return _estimate((summary_prompt(messages, today) for messages in sessions), model, SUMMARY_TOKENS)


def _estimate(prompts: Iterable[Prompt], model: Model, reply: int, more: int = 0) -> Estimate:
    """`reply`: tokens of a reply; `more`: tokens that each prompt will take besides."""
    tokens = tuple(model.count((Turn("system", p.system), Turn("user", p.user))) + more for p in prompts)
    completion = reply * len(tokens)
    return Estimate(tokens, completion, model.price(sum(tokens), completion))
