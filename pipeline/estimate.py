"""What a run would send and cost, without sending anything (invariants 14 and 15)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from siltstone.pipeline.compaction.compact import prompt_of as compaction_prompt
from siltstone.pipeline.compaction.groups import Group
from siltstone.pipeline.extraction.extract import prompt_of as extraction_prompt
from siltstone.pipeline.extraction.session_summary import LINE, LINES
from siltstone.pipeline.extraction.session_summary import prompt_of as summary_prompt
from siltstone.pipeline.messages import Message
from siltstone.pipeline.model.port import Model, Turn
from siltstone.pipeline.reading.backlog import Backlog, Unread
from siltstone.pipeline.reading.window import Turn as Talk
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


@dataclass(slots=True)
class Estimate:
    """What a run would read. Tokens are an upper estimate, and 0 without a model."""

    sessions: Counter[str] = field(default_factory=Counter)
    """By scope."""
    windows: int = 0
    prompt: int = 0
    completion: int = 0
    cost: float | None = None
    """USD; None when the model has no known price."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a compaction would send to a model. Tokens are an upper estimate."""

    groups: tuple[Group, ...]
    tokens: tuple[int, ...]
    """Of each group's prompt."""
    completion: int
    cost: float | None
    """USD; None when the model has no known price."""

    @property
    def memories(self) -> int:
        return sum(len(group.entries) for group in self.groups)

    @property
    def prompt(self) -> int:
        return sum(self.tokens)


@dataclass(frozen=True, slots=True)
class Sums:
    """What summaries of sessions would send to a model. Tokens are an upper estimate."""

    sessions: int
    prompt: int
    completion: int
    cost: float | None
    """USD; None when the model has no known price."""


def estimate(
    backlog: Backlog, lanes: dict[str, list[Unread]], model: Model | None, today: date, shown: bool
) -> Estimate:
    """Cut the backlog into windows and count them. `shown`: prompts will show stored memories."""
    found = Estimate()
    for scope, unread in lanes.items():
        found.sessions[scope] = len(unread)
        if model is not None:
            _count(scope, backlog.turns(unread), model, today, shown, found)
    found.cost = model.price(found.prompt, found.completion) if model is not None else 0.0
    return found


def estimate_compaction(groups: Sequence[Group], model: Model, today: date) -> Asking:
    """Count the prompts of these groups, except for the few words about open conflicts."""
    tokens = tuple(_tokens(compaction_prompt(group, (), today), model) for group in groups)
    completion = PLAN_TOKENS * len(groups)
    return Asking(tuple(groups), tokens, completion, model.price(sum(tokens), completion))


def estimate_summaries(sessions: Sequence[Sequence[Message]], model: Model, today: date) -> Sums:
    """Count the prompts for the summaries of these sessions, which are cut to what a prompt shows."""
    tokens = sum(_tokens(summary_prompt(messages, today), model) for messages in sessions)
    completion = SUMMARY_TOKENS * len(sessions)
    return Sums(len(sessions), tokens, completion, model.price(tokens, completion))


def _count(scope: str, talk: Iterable[Talk], model: Model, today: date, shown: bool, found: Estimate) -> None:
    for window in windows(scope, talk):
        if not window.typed:
            continue
        found.windows += 1
        found.prompt += _tokens(extraction_prompt(window, (), today), model)
        found.prompt += RELATED_TOKENS if shown else 0
        found.completion += REPLY_TOKENS


def _tokens(prompt: Prompt, model: Model) -> int:
    return model.count((Turn("system", prompt.system), Turn("user", prompt.user)))
