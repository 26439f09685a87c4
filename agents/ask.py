"""How an agent is asked headlessly (`agents/<agent>/ask.py`, `Asker`): what goes in, how its report is read,
and what a call without a reply means."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import orjson

from siltstone.agents.child import Ended, Stop
from siltstone.agents.values import Record
from siltstone.pipeline.model.port import MAX_TOKENS, Usage
from siltstone.pipeline.model.retry import Unanswered, error_text, is_passing
from siltstone.store.errors import ModelError, Overflow, SiltError, Unavailable

MOST = 8 * 1024 * 1024
"""Bytes of output: a reply of 8,000 tokens told in ten ways."""
MAX_USD = 1_000
"""No call costs more."""
MODEL = r"\w[\w.:@/\[\]-]{0,199}"
"""The names of models: `haiku`, `claude-opus-4-5[1m]`, `us.anthropic.claude:0`, an ARN."""

_TOO_LARGE = re.compile(
    r"prompt is too long|context (?:window|length|limit)|input token count|ContextOverflow", re.IGNORECASE
)
_TOO_OLD = re.compile(
    r"(?:unknown|unexpected|unrecogni[sz]ed) (?:option|argument|feature|flag)|^\s*(?:usage: )?\w+ run \[",
    re.IGNORECASE | re.MULTILINE,
)
_NO_ACCESS = re.compile(
    r"not logged in|log ?in (?:again|to)|/login|set an auth method|no credentials"
    r"|(?:invalid|missing|incorrect) (?:\w+[ -])?api[ _-]?key|authentication|unauthori[sz]ed",
    re.IGNORECASE,
)
_SPENT = re.compile(r"usage limit|limit reached|hit your limit|daily quota|insufficient_quota", re.IGNORECASE)
_PASSING = re.compile(
    r"overloaded|high demand|rate.?limit|timed? ?out|disconnect|connection|econn|network|temporar|try again",
    re.IGNORECASE,
)
_TROUBLE = re.compile(r"error|fatal|failed|cannot|denied|unknown|not (?:found|running)", re.IGNORECASE)
_STATUS = re.compile(r"\bstatus:? (\d{3})\b")


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
class Report:
    """What the agent reported. Without `text`, `trouble` says why, in its own words."""

    text: str | None = None
    usage: Usage = field(default_factory=Usage)
    cut: bool = False
    """The reply was ended by the token limit."""
    trouble: str = ""
    status: int | None = None
    """HTTP status that the service answered with."""


class Asker(Protocol):
    """What an agent's folder provides (`agents/<agent>/ask.py`, `ASKER`)."""

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

    def report(self, ended: Ended) -> Report | None:
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


def failure(name: str, asker: Asker, ended: Ended, told: Report | None) -> SiltError:
    """Our error for a call without a reply: Unanswered is asked again, the others are not.

    An account whose allowance is used up has it again in some hours, so that is Unavailable.
    """
    if ended.cut == "size":
        return Unavailable(f"{name} wrote over {MOST // 1024**2} MB and was ended; it will be asked again.")
    words = told.trouble if told and told.trouble else ended.err.strip() or ended.out.strip()
    telling = next((line for line in words.splitlines() if _TROUBLE.search(line)), words)
    heard = f" ({error_text(telling)})" if words.strip() else ""
    if ended.cut == "time" and not (told and told.trouble):  # else it hung when all had been told
        return Unanswered(f"{name} did not answer in time and was ended{heard}; try again later.")
    status = _status(told, words)
    if _TOO_LARGE.search(words) or status == 413:
        return Overflow(f"{name}: the window is too large for its model; less must be asked at a time.")
    if _SPENT.search(words):
        return Unavailable(f"{name} has used up what its account allows{heard}; try again later.")
    if status in (401, 403) or (status is None and _NO_ACCESS.search(words)):
        return ModelError(f"{name} gave no access{heard}; {asker.login}.")
    if _TOO_OLD.search(words):
        return ModelError(f"{name} does not know an option it is called with{heard}; update {asker.program}.")
    if is_passing(status) or (status is None and (ended.code < 0 or _PASSING.search(words))):
        died = f" and was ended by signal {-ended.code}" if ended.code < 0 else ""
        return Unanswered(f"{name} did not answer{died}{heard}; try again later.")
    if ended.code == 0:
        return ModelError(
            f"{name} ended without a reply that can be read{heard}; run {asker.program} yourself to see why, "
            "or update it."
        )
    return ModelError(
        f"{name} failed with status {ended.code}{heard}; run {asker.program} yourself to see why."
    )


def _status(told: Report | None, words: str) -> int | None:
    if told is not None and told.status is not None:
        return told.status
    found = _STATUS.search(words)
    return int(found[1]) if found else None
