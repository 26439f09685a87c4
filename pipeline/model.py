"""The port to a model. litellm stands behind it in `litellm_model.py`, and nowhere else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class Turn:
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


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's words, unread."""

    text: str
    usage: Usage
    cut: bool = False
    """The reply was ended by the token limit."""


class Model(Protocol):
    """One call in, one reply out. Retries of transient errors happen behind the port."""

    @property
    def name(self) -> str:
        """As the user named it; said in messages and kept in the ledger."""
        ...

    def ask(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        """Raises Overflow, Unavailable, ModelError (store/errors.py); never a foreign exception."""
        ...

    def count(self, turns: Sequence[Turn]) -> int:
        """Tokens of a prompt, estimated offline."""
        ...

    def price(self, prompt: int, completion: int) -> float | None:
        """USD for so many tokens; None when unknown."""
        ...
