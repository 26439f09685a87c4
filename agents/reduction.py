"""From the records of one transcript to steps: the frame that readers of logs share.

A reduction takes one record after another and holds only what is still open: an answer that may go on, calls
without a result. The place to go on from is never past these, so what was open is read again as a whole.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from siltstone.agents.jsonl import Line
from siltstone.agents.values import Record, items, obj, string
from siltstone.pipeline.messages import Filtered, Step

PATIENCE = 3
"""A call without a result is given up after so many further prompts: its agent was killed."""
HEAD = 16 * 1024 * 1024
"""Bytes to search for what a session says of itself: far more than is written before its first prompt."""


class Words(NamedTuple):
    """The text of a record that stands as the user's.

    `reason` says why it is not a person's; "" when it is. Of a compaction summary `text` is the candidate
    block (docs/seeds.md A8), of other texts with a reason it is empty.
    """

    text: str
    reason: str = ""


class Log(Protocol):
    """What is reduced (`Lines`)."""

    done: int

    def records(self) -> Iterator[tuple[Line, Record | None, str]]: ...
    def mark(self, line: Line, base: int | None = None, note: str = "") -> str: ...


class Reduction(ABC):
    """The state of one reading. An agent's own says what a record means."""

    def __init__(self, lines: Log) -> None:
        self.lines = lines
        self.line = self.before = Line(0, 0, b"")
        """The line at hand, and the one before it."""
        self.out: list[Step] = []
        """What the line at hand completed."""

    def steps(self) -> Iterator[Step]:
        for line, record, broken in self.lines.records():
            self.line = line
            if record is not None:
                self.feed(record)
            elif broken:
                self.broken(broken)
            if self.out:
                yield from self.ready()
            self.before = line
        self.close()
        yield from self.out

    def ready(self) -> list[Step]:
        """Take what the line at hand completed."""
        out, self.out = self.out, []
        return out

    def broken(self, reason: str) -> None:
        self.filtered(reason)

    def filtered(self, reason: str, line: Line | None = None) -> None:
        """Once only: what lies before the place we came from was counted then."""
        line = line or self.line
        if line.end > self.lines.done:
            self.out.append(Step(Filtered(reason), self.mark(line)))

    @abstractmethod
    def feed(self, record: Record) -> None:
        """Take the record of the line at hand."""

    @abstractmethod
    def close(self) -> None:
        """Hand over what stays open at the end of the log."""

    @abstractmethod
    def mark(self, line: Line) -> str:
        """The token to go on after a line, but not past what is open."""


# The questions that agents ask their users, and the answers: all four write them alike.


def asked(questions: object) -> str:
    """What the agent asked: each question, with its options below it."""
    lines: list[str] = []
    for question in map(obj, items(questions)):
        lines.append(string(question.get("question")))
        for option in map(obj, items(question.get("options"))):
            lines.append(f"- {string(option.get('label'))}: {string(option.get('description'))}")
    return "\n".join(lines)


def answered(answers: object) -> str:
    """What the user answered: a list or an object of texts, or of lists of texts. A text is an option's, or
    typed."""
    listed = list(answers.values()) if isinstance(answers, dict) else items(answers)
    texts = [one for answer in listed for one in (answer if isinstance(answer, list) else [answer])]
    return "\n".join(filter(None, map(string, texts)))
