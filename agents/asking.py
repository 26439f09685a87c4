"""The user's own agent as the model (`agent:claude`, `agent:claude/haiku`): asked headlessly, for no key of
ours.

Every call is one process of the agent's in a folder of our own, with its tools, hooks and MCP servers
off and its session kept nowhere, or taken away behind it. Should one be left all the same, its first words
tell the readers (invariant 7), and `SILT_OWN` in its environment tells our own hooks. How an agent is called
and what it answers is in `agents/<agent>/asking.py`.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Protocol

import orjson
from pydantic import BaseModel

from siltstone.agents.child import Ended, run
from siltstone.agents.hooks import OWN
from siltstone.agents.records import Record
from siltstone.pipeline.litellm_model import MAX_TOKENS, tokens
from siltstone.pipeline.model import Reply, Turn, Usage
from siltstone.pipeline.one_message import one_message
from siltstone.pipeline.retry import Policy, Unanswered, is_passing
from siltstone.pipeline.telling import said
from siltstone.store.errors import Misuse, ModelError, Overflow, SiltError, StoreError, Unavailable

PREFIX = "agent:"
ASKED = ("claude", "codex", "gemini", "opencode")
SECONDS = 300.0
"""One call may take: an agent starts up, and asks its service again by itself."""
MOST = 8 * 1024 * 1024
"""Bytes of output: a reply of 8,000 tokens told in ten ways."""
MAX_USD = 1_000
"""No call costs more."""
MODEL = r"\w[\w.:@/\[\]-]{0,199}"
"""The names of models: `haiku`, `claude-opus-4-5[1m]`, `us.anthropic.claude:0`, an ARN."""
EXTRA = 1_000
"""Tokens booked for what an agent adds to a prompt of ours: a guess, put right by what it reports."""


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


@dataclass(slots=True)
class AgentModel:
    """A `Model` (pipeline/model.py) that is the user's own agent."""

    name: str
    asker: Asker
    model: str
    folder: Path
    environ: Mapping[str, str]
    seconds: float = SECONDS
    policy: Policy = field(default_factory=Policy)
    _rate: float | None = field(default=None, init=False)
    """USD a token, by the reports so far."""

    def ask(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        """One reply, with transient errors retried. Raises Overflow, Unavailable, ModelError, StoreError."""
        return self.policy.run(partial(self._once, turns, max_tokens))

    def count(self, turns: Sequence[Turn]) -> int:
        """Tokens of a prompt and of what the agent adds to it."""
        return tokens(turns) + EXTRA

    def price(self, prompt: int, completion: int) -> float | None:
        """USD as the agent's reports let expect; None before the first, and for agents that tell none."""
        return None if self._rate is None else self._rate * (prompt + completion)

    def _once(self, turns: Sequence[Turn], max_tokens: int) -> Reply:
        ended = self._run(turns, max_tokens)
        told = self.asker.told(ended) if ended.cut != "size" else None
        if told is None or told.text is None:
            raise failure(self.name, self.asker, ended, told)
        # A whole reply is one, however the program went on: it is paid for.
        return Reply(told.text, self._usage(told, turns), told.cut)

    def _run(self, turns: Sequence[Turn], max_tokens: int) -> Ended:
        program = shutil.which(self.asker.program, path=self.environ.get("PATH", os.defpath))
        if program is None:
            raise ModelError(
                f"{self.name}: there is no program {self.asker.program!r} on the PATH; install it, or name "
                "another model."
            )
        asked = one_message(turns)
        scratch = self.folder / self.asker.program
        try:
            scratch.mkdir(0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="call-", dir=self.folder) as files:
                question = Question(
                    program,
                    self.model,
                    asked.system,
                    asked.text,
                    max_tokens,
                    scratch,
                    Path(files),
                    self._environ(),
                )
                call = self.asker.call(question)
                try:
                    words = (program, *call.words)
                    environ = {**question.environ, **call.environ}
                    return run(words, call.text, scratch, environ, self.seconds, MOST)
                finally:
                    self.asker.tidy(question, call)
        except OSError as error:
            raise StoreError(
                f"{self.name} could not be started ({said(str(error))}); see that {program} runs and that "
                f"{self.folder} can be written to."
            ) from error

    def _environ(self) -> dict[str, str]:
        kept = {name: value for name, value in self.environ.items() if name not in self.asker.inherited}
        return kept | {OWN: "1"}

    def _usage(self, told: Told, turns: Sequence[Turn]) -> Usage:
        """As reported; what was not is counted."""
        reported = told.usage
        prompt = reported.prompt or self.count(turns)
        completion = reported.completion or tokens([Turn("assistant", told.text or "")])
        if reported.cost is not None:
            self._rate = reported.cost / (prompt + completion)
        return Usage(prompt, completion, min(reported.cached, prompt), reported.cost)


def agent_model(name: str, folder: Path, environ: Mapping[str, str]) -> AgentModel:
    """The model of a name that begins with `agent:`; its calls are made in `folder`.

    Raises Misuse for an agent that cannot be asked, and for what cannot be the name of a model.
    """
    agent, named, model = name.removeprefix(PREFIX).partition("/")
    if agent not in ASKED:
        known = ", ".join(PREFIX + one for one in ASKED)
        raise Misuse(f"there is no agent to be asked as {name!r}; there are {known}.")
    asker: Asker = import_module(f"siltstone.agents.{agent}.asking").ASKER
    if named and not re.fullmatch(asker.models, model):
        raise Misuse(
            f"{name[:200]!r} names no model of {agent}: behind {PREFIX}{agent}/ stands its name as {agent} "
            f"takes it with --model; leave it out for the one of {agent}'s own settings."
        )
    return AgentModel(name, asker, model, folder, environ)


def model_option(asked: Question) -> tuple[str, ...]:
    """What all four take: the model to be asked, where one is named."""
    return (f"--model={asked.model}",) if asked.model else ()


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


def failure(name: str, asker: Asker, ended: Ended, told: Told | None) -> SiltError:
    """Our error for a call without a reply: Unanswered is asked again, the others are not.

    An account whose allowance is used up has it again in some hours, so that is Unavailable.
    """
    if ended.cut == "size":
        return Unavailable(f"{name} wrote over {MOST // 1024**2} MB and was ended; it will be asked again.")
    words = told.trouble if told and told.trouble else ended.err.strip() or ended.out.strip()
    telling = next((line for line in words.splitlines() if _TROUBLE.search(line)), words)
    heard = f" ({said(telling)})" if words.strip() else ""
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


def _status(told: Told | None, words: str) -> int | None:
    if told is not None and told.status is not None:
        return told.status
    found = _STATUS.search(words)
    return int(found[1]) if found else None


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
