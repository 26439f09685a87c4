"""What a run would send and cost, without sending anything (invariants 14 and 15)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from siltstone.pipeline.backlog import Backlog, Unread
from siltstone.pipeline.extract import asked
from siltstone.pipeline.model import Model, Turn
from siltstone.pipeline.window import Turn as Talk
from siltstone.pipeline.window import windows

RELATED_TOKENS = 2_000
"""What the shown memories take at most (6,000 + 2,000 characters)."""
REPLY_TOKENS = 400
"""A reply is empty most of the time; this is a generous mean."""


@dataclass(slots=True)
class Estimate:
    """Counts of what lies before a run. Tokens are an upper estimate."""

    sessions: Counter[str] = field(default_factory=Counter)
    """By scope."""
    windows: int = 0
    prompt: int = 0
    completion: int = 0
    cost: float | None = None
    """USD; None when the model has no known price."""


def estimate(
    backlog: Backlog, lanes: dict[str, list[Unread]], model: Model, today: date, shown: bool
) -> Estimate:
    """Cut the backlog into windows and count. `shown`: there are memories that prompts will show."""
    found = Estimate()
    for scope, unread in lanes.items():
        found.sessions[scope] = len(unread)
        _count(scope, backlog.turns(unread), model, today, shown, found)
    found.cost = model.price(found.prompt, found.completion)
    return found


def _count(scope: str, talk: Iterable[Talk], model: Model, today: date, shown: bool, found: Estimate) -> None:
    for window in windows(scope, talk):
        if not window.typed:
            continue
        prompt = asked(window, (), today)
        found.windows += 1
        found.prompt += model.count((Turn("system", prompt.system), Turn("user", prompt.user)))
        found.prompt += RELATED_TOKENS if shown else 0
        found.completion += REPLY_TOKENS
