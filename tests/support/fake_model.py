"""A model that says what it was given to say, and keeps what it was asked."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

from pydantic import BaseModel

from siltstone.pipeline.extraction.second_look import WireBodies
from siltstone.pipeline.model.port import Reply, Turn, Usage
from siltstone.store.errors import SiltError


@dataclass(frozen=True, slots=True)
class Asked:
    """One call, as it came in."""

    turns: tuple[Turn, ...]
    schema: type[BaseModel]
    max_tokens: int

    @property
    def text(self) -> str:
        """All of it in one, for looking things up."""
        return "\n\n".join(turn.content for turn in self.turns)


Answering = str | Mapping[str, object] | Reply | SiltError
Queued = Answering | Callable[[Asked], Answering]


@dataclass
class FakeModel:
    """Replies in the order queued: text, an object (sent as JSON), a Reply, an error to raise, or a
    function of what was asked. Safe to ask from several threads. Asking too often is an error."""

    queue: Iterable[Queued] = ()
    name: str = "fake/one"
    usd_per_token: float | None = 0.0
    otherwise: Queued | None = None
    """The answer once the queue is empty; None: there is none."""
    reconsidered: Queued = '{"bodies":[]}'
    """The answer when memories are looked at once more: all may stay as they are."""
    asked: list[Asked] = field(default_factory=list)
    """Without those second looks."""
    looked: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._queue = deque(self.queue)
        self._lock = Lock()

    @property
    def left(self) -> int:
        """Queued replies that nobody asked for."""
        return len(self._queue)

    def ask(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        call = Asked(tuple(turns), schema, max_tokens)
        with self._lock:
            if schema is WireBodies:
                self.looked.append(call)
                queued: Queued | None = self.reconsidered
            else:
                self.asked.append(call)
                queued = self._queue.popleft() if self._queue else self.otherwise
        assert queued is not None, (
            f"call {len(self.asked)} to {self.name}, but no reply is queued:\n{call.text}"
        )
        answer = queued(call) if callable(queued) else queued
        if isinstance(answer, SiltError):
            raise answer
        if isinstance(answer, Reply):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        prompt, completion = self.count(turns), len(text) // 4
        return Reply(text, Usage(prompt, completion, 0, self.price(prompt, completion)))

    def count(self, turns: Sequence[Turn]) -> int:
        """A token for every four characters."""
        return sum(len(turn.content) for turn in turns) // 4

    def price(self, prompt: int, completion: int) -> float | None:
        return None if self.usd_per_token is None else (prompt + completion) * self.usd_per_token
