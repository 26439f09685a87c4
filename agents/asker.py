"""What an agent's folder provides so that it can be asked headlessly (`agents/<agent>/asking.py`, `Asker`),
and what all of them take a report apart by."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import orjson

from siltstone.agents.child import Ended
from siltstone.agents.records import Record
from siltstone.agents.stopping import Stop
from siltstone.pipeline.litellm_model import MAX_TOKENS
from siltstone.pipeline.model import Usage

MOST = 8 * 1024 * 1024
"""Bytes of output: a reply of 8,000 tokens told in ten ways."""
MAX_USD = 1_000
"""No call costs more."""
MODEL = r"\w[\w.:@/\[\]-]{0,199}"
"""The names of models: `haiku`, `claude-opus-4-5[1m]`, `us.anthropic.claude:0`, an ARN."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and where the call may put what it needs."""

    program: str
    """The path of the agent's program."""
    model: str
    """The model the agent is to ask, as the agent names it; "" for the one of its own settings."""
    system: str
    text: str
    max_tokens: int
    scratch: Path
    """The folder the agent is started in, the same for every call: agents note each they were used in."""
    files: Path
    """A folder of this call's own, gone after it."""
    environ: Mapping[str, str]
    stop: Stop = field(default_factory=Stop)


@dataclass(frozen=True, slots=True)
class Call:
    """A process to be run: the program's name and options, and what its environment has besides."""

    words: tuple[str, ...]
    text: str
    environ: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """What the agent reported. Without `text`, `trouble` says why, in its own words."""

    text: str | None = None
    usage: Usage = field(default_factory=Usage)
    cut: bool = False
    """The reply was ended by the token limit."""
    trouble: str = ""
    status: int | None = None
    """HTTP status that the service answered with."""


class Asker(Protocol):
    """What an agent's folder provides (`agents/<name>/asking.py`, `ASKER`)."""

    program: str
    login: str
    """What a person does who is not logged in: the end of a sentence."""
    models: str
    """Pattern of the names it has for models."""
    inherited: tuple[str, ...]
    """Variables by which the agent knows that it was started by itself; taken out."""

    def call(self, asked: Question) -> Call:
        """Raises OSError when a file cannot be written."""
        ...

    def told(self, ended: Ended) -> Told | None:
        """None when there is no report in what was written."""
        ...

    def tidy(self, asked: Question, call: Call) -> None:
        """Take away what the call left behind; it may have left nothing, or have ended in its middle."""
        ...


def model_option(asked: Question) -> tuple[str, ...]:
    """What all four take: the model to be asked, where one is named."""
    return (f"--model={asked.model}",) if asked.model else ()


def amount(value: object) -> int:
    """A count that an agent tells; 0 for what cannot be one, so that no ceiling is fooled by it."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_TOKENS else 0


def dollars(value: object) -> float | None:
    """A cost that an agent tells; None for what cannot be one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0 <= value <= MAX_USD else None


def records(text: str) -> list[Record]:
    """The JSON objects among the lines of a program's output."""
    found = []
    for line in text.splitlines():
        try:
            value = orjson.loads(line) if line.lstrip().startswith("{") else None
        except orjson.JSONDecodeError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def last_record(text: str) -> Record:
    """The JSON object that `text` ends with, written over any number of lines; {} when there is none."""
    starts = [match.start() for match in re.finditer(r"^\{", text, re.MULTILINE)]
    for start in reversed(starts[-20:]):
        try:
            value = orjson.loads(text[start:])
        except orjson.JSONDecodeError:
            continue
        if isinstance(value, dict):
            return value
    return {}
