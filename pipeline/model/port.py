"""The port to a model. litellm stands behind it in `litellm_model.py`, and nowhere else."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from pydantic import BaseModel

MAX_TOKENS = 1_000_000_000
"""More than any call takes: a larger count that a service or agent reports is no count."""
TIMEOUT = 600.0
"""Seconds that one call may take, unless the user says otherwise: a model on one's own processor is slow."""
TOKENS_A_TURN = 4
"""What a turn's role and bounds take beside its text."""
_PIECE = re.compile(
    r"(?P<latin>[A-Za-z]+)|(?P<digits>\d{1,3})|(?P<asian>[\u2e80-\u9fff\uac00-\ud7af]+)|(?P<other>[^\W\d_A-Za-z]+)"
    r"|\n+|(?P<signs>[^\w\s]+)|_+"
)


class Turn(NamedTuple):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call took. `cost` is in USD; None when the model has no known price."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Usage(
            self.prompt + other.prompt, self.completion + other.completion, self.cached + other.cached, cost
        )


class Reply(NamedTuple):
    """The model's words, unread."""

    text: str
    usage: Usage
    cut: bool = False
    """The reply was ended by the token limit."""


class Model(Protocol):
    """One call in, one reply out. Retries of transient errors happen behind the port."""

    @property
    def name(self) -> str:
        """As the user named it; stands in messages and in the ledger."""

    def ask(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        """Raises Overflow, Unavailable, ModelError (store/errors.py); never a foreign exception."""

    def count(self, turns: Sequence[Turn]) -> int:
        """Tokens of a prompt, estimated offline."""

    def price(self, prompt: int, completion: int) -> float | None:
        """USD for so many tokens; None when unknown."""


def count_tokens(turns: Sequence[Turn]) -> int:
    """About how many tokens a prompt takes, from its words and signs.

    Measured against OpenAI's cl100k encoding: 0 to 30% more in English, code, JSON, Chinese, Japanese,
    Korean and Russian. Which encoding a model has is not known here; its service reports the true count.
    """
    total = 0
    for turn in turns:
        count = 0.0
        for piece in _PIECE.finditer(turn.content):
            length = len(piece.group())
            match piece.lastgroup:
                case "latin":
                    count += 1 if length <= 7 else math.ceil(length / 5)
                case "asian":
                    count += 1.2 * length
                case "other":
                    count += 0.6 * length
                case "signs":
                    count += math.ceil(length / 2)
                case _:  # up to three digits, line ends, underscores
                    count += 1
        total += math.ceil(count) + TOKENS_A_TURN
    return total
