"""The user's own agent as the model (`agent:claude`, `agent:claude/haiku`): asked headlessly, for no key of
ours.

Every call is one process of the agent's in a folder of our own, with its tools, hooks and MCP servers
off and its session kept nowhere, or removed afterwards. Should one be left all the same, the readers know it
by its first words (invariant 7), and our own hooks by `SILT_OWN` in its environment. How an agent is called
and what it answers is in `agents/<agent>/ask.py` (`HeadlessAgent`).
"""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, cast

from pydantic import BaseModel

from siltstone.agents import MODEL_PREFIX
from siltstone.agents.child import Ended, Stop, run
from siltstone.agents.hooks import AGENTS, OWN
from siltstone.agents.jsonl import loads
from siltstone.agents.values import Record
from siltstone.pipeline.model.asking import one_message
from siltstone.pipeline.model.port import MAX_TOKENS, TIMEOUT, Reply, Turn, Usage, count_tokens
from siltstone.pipeline.model.retry import Policy, Unanswered, error_text, is_passing
from siltstone.store.data import data
from siltstone.store.errors import Misuse, ModelError, Overflow, SiltError, StoreError, Unavailable

EXTRA = 1_000
"""Tokens booked for what an agent adds to a prompt of ours: a guess, corrected by what it reports."""
MAX_OUTPUT = 8 * 1024 * 1024
"""Bytes of output: far more than a reply of 8,000 tokens takes in any form."""
MAX_USD = 1_000
MODEL_NAME = r"\w[\w.:@/\[\]-]{0,199}"
"""The names of models: `haiku`, `claude-opus-4-5[1m]`, `us.anthropic.claude:0`, an ARN."""
_CALL = "call-"

_COMPLAINTS = data(__file__, "complaints.toml")
_SAYS = {what: re.compile("|".join(words), re.I | re.M) for what, words in _COMPLAINTS.items()}
_STATUS = re.compile(r"\bstatus:? (\d{3})\b")


class Question(NamedTuple):
    """What is asked, and where the call may put what it needs."""

    program: str
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
    stop: Stop

    @property
    def model_option(self) -> tuple[str, ...]:
        """The option that names a model, which all four have alike."""
        return (f"--model={self.model}",) if self.model else ()


@dataclass(frozen=True, slots=True)
class Call:
    """A process to be run: the program's options, and what its environment has besides."""

    words: tuple[str, ...]
    environ: Mapping[str, str] = field(default_factory=dict)
    clean_up: Callable[[], None] = lambda: None
    """Removes what the call left behind. It may have left nothing, or have ended in its middle."""


class Report(NamedTuple):
    """What the agent reported. Without `text`, `error` says why, in its own words."""

    text: str | None = None
    usage: Usage = Usage()
    cut: bool = False
    """The reply was ended by the token limit."""
    error: str = ""
    status: int | None = None


class HeadlessAgent(NamedTuple):
    """How an agent is asked: `HEADLESS` of a module `agents/<agent>/ask.py`."""

    program: str
    login: str
    """What a person does who is not logged in: the end of a sentence."""
    inherited: tuple[str, ...]
    """Variables by which the agent knows that it was started by itself; removed."""
    call: Callable[[Question], Call]
    """Raises OSError when a file cannot be written."""
    report: Callable[[Ended], Report | None]
    """None when there is no report in what was written."""
    models: str = MODEL_NAME
    """Pattern of the names it has for models."""


@dataclass(slots=True)
class AgentModel:
    """A `Model` (pipeline/model/port.py) that is the user's own agent."""

    name: str
    agent: HeadlessAgent
    model: str
    folder: Path
    environ: Mapping[str, str]
    seconds: float = TIMEOUT
    policy: Policy = field(default_factory=Policy)
    stop: Stop = field(default_factory=Stop)
    """Asked for, it ends the call that is being made, and no other is begun."""
    _rate: float | None = field(default=None, init=False)
    """USD a token, by the reports so far."""

    def ask(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        """One reply, with transient errors retried. Raises Overflow, Unavailable, ModelError, StoreError.

        `schema` is not handed on: the prompt says what is wanted.
        """
        return self.policy.run(partial(self._once, turns, max_tokens))

    def count(self, turns: Sequence[Turn]) -> int:
        """Tokens of a prompt and of what the agent adds to it."""
        return count_tokens(turns) + EXTRA

    def price(self, prompt: int, completion: int) -> float | None:
        """USD by the rate of the agent's reports; None before the first, and for agents that report none."""
        return None if self._rate is None else self._rate * (prompt + completion)

    def program(self) -> str:
        """Where its program is. Raises ModelError where it is not there."""
        found = shutil.which(self.agent.program, path=self.environ.get("PATH", os.defpath))
        if found is None:
            raise ModelError(
                f"{self.name}: there is no program {self.agent.program!r} on PATH; install it, or name "
                f"another model."
            )
        return found

    def _once(self, turns: Sequence[Turn], max_tokens: int) -> Reply:
        ended = self._run(turns, max_tokens)
        if ended.cut == "stop":
            raise ModelError(
                f"{self.name} was stopped together with the command that called it; run that again."
            )
        report = self.agent.report(ended) if ended.cut != "size" else None
        if report is None or report.text is None:
            raise failure(self.name, self.agent, ended, report)
        # A whole reply is one, however the program went on: it is paid for. What was not reported is counted.
        reported = report.usage
        prompt = reported.prompt or self.count(turns)
        completion = reported.completion or count_tokens([Turn("assistant", report.text)])
        if reported.cost is not None:
            self._rate = reported.cost / (prompt + completion)
        usage = Usage(prompt, completion, min(reported.cached, prompt), reported.cost)
        return Reply(report.text, usage, report.cut)

    def _run(self, turns: Sequence[Turn], max_tokens: int) -> Ended:
        program, (system, text) = self.program(), one_message(turns)
        scratch = self.folder / self.agent.program
        environ = {name: value for name, value in self.environ.items() if name not in self.agent.inherited}
        environ[OWN] = "1"
        asked = (program, self.model, system, text, max_tokens, scratch)
        try:
            scratch.mkdir(0o700, parents=True, exist_ok=True)
            self._clear_up()
            with tempfile.TemporaryDirectory(prefix=_CALL, dir=self.folder) as files:
                call = self.agent.call(Question(*asked, Path(files), environ, self.stop))
                words, whole = (program, *call.words), {**environ, **call.environ}
                try:
                    return run(words, text, scratch, whole, self.seconds, MAX_OUTPUT, self.stop)
                finally:
                    call.clean_up()
        except OSError as error:
            raise StoreError(
                f"{self.name} could not be started ({error_text(str(error))}); check that {program} runs "
                f"and that {self.folder} is writable."
            ) from error

    def _clear_up(self) -> None:
        """Remove the folders of killed calls: no call takes as long as they are old."""
        for left in self.folder.glob(f"{_CALL}*"):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > 2 * max(self.seconds, TIMEOUT):
                    shutil.rmtree(left)


def agent_model(name: str, folder: Path, environ: Mapping[str, str], stop: Stop | None = None) -> AgentModel:
    """The model of a name that begins with `agent:`; its calls are made in `folder`, and ended by `stop`.

    Raises Misuse for an agent that cannot be asked, and for what cannot be the name of a model.
    """
    agent, named, model = name.removeprefix(MODEL_PREFIX).partition("/")
    if agent not in AGENTS or not name.startswith(MODEL_PREFIX):
        known = ", ".join(MODEL_PREFIX + agent for agent in AGENTS)
        raise Misuse(f"there is no agent {name!r}; there are {known}.")
    one = cast(HeadlessAgent, import_module(f"siltstone.agents.{agent}.ask").HEADLESS)
    if named and not re.fullmatch(one.models, model):
        raise Misuse(
            f"{name[:200]!r} is not a model of {agent}: after {MODEL_PREFIX}{agent}/ write the name that "
            f"{agent} takes with --model, or leave it out for the one of {agent}'s own settings."
        )
    stop = stop or Stop()
    return AgentModel(name, one, model, folder, environ, policy=Policy(sleep=stop.pause), stop=stop)


def amount(value: object) -> int:
    """A count that an agent reports; 0 for what cannot be one, so that no ceiling is fooled by it."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_TOKENS else 0


def dollars(value: object) -> float | None:
    """A cost that an agent reports; None for what cannot be one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0 <= value <= MAX_USD else None


def records(text: str) -> list[Record]:
    """The JSON objects among the lines of a program's output."""
    return list(filter(None, map(loads, text.encode("utf-8", "replace").splitlines())))


def last_record(text: str) -> Record:
    """The JSON object that `text` ends with, written over any number of lines; {} when there is none."""
    starts = [match.start() for match in re.finditer(r"^\{", text, re.MULTILINE)]
    ends = (text[start:].encode("utf-8", "replace") for start in reversed(starts[-20:]))
    return next(filter(None, map(loads, ends)), {})


def failure(name: str, agent: HeadlessAgent, ended: Ended, report: Report | None) -> SiltError:
    """Our error for a call without a reply: Unanswered is asked again, the others are not.

    An account whose allowance is used up has it again in some hours, so that is Unavailable.
    """
    if ended.cut == "size":
        return Unavailable(
            f"{name} wrote over {MAX_OUTPUT // 1024**2} MB and was stopped; the call will be retried."
        )
    words = report.error if report and report.error else ended.err.strip() or ended.out.strip()
    said = next((line for line in words.splitlines() if _SAYS["trouble"].search(line)), words)
    quoted = f" ({error_text(said)})" if words.strip() else ""
    if ended.cut == "time" and not (report and report.error):  # else it hung when all had been report
        return Unavailable(
            f"{name} did not answer in time and was stopped{quoted}; raise model_timeout, or try again later."
        )
    status = report.status if report else None
    if status is None and (found := _STATUS.search(words)):
        status = int(found[1])
    if _SAYS["too_large"].search(words) or status == 413:
        return Overflow(f"{name}: the window is too large for its model; less must be sent at a time.")
    if _SAYS["spent"].search(words):
        return Unavailable(f"{name} has used up its account's quota{quoted}; try again later.")
    if status in (401, 403) or (status is None and _SAYS["no_access"].search(words)):
        return ModelError(f"{name} denied access{quoted}; {agent.login}.")
    if _SAYS["too_old"].search(words):
        return ModelError(
            f"{name} does not know an option that it was called with{quoted}; update {agent.program}."
        )
    if is_passing(status) or (status is None and (ended.code < 0 or _SAYS["passing"].search(words))):
        died = f" and was ended by signal {-ended.code}" if ended.code < 0 else ""
        return Unanswered(f"{name} did not answer{died}{quoted}; try again later.")
    if ended.code == 0:
        what, todo = "ended without a reply that can be read", " to see why, or update it."
    else:
        what, todo = f"failed with status {ended.code}", " to see why."
    return ModelError(f"{name} {what}{quoted}; run {agent.program} yourself{todo}")
