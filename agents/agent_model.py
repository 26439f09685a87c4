"""The user's own agent as the model (`agent:claude`, `agent:claude/haiku`): asked headlessly, for no key of
ours.

Every call is one process of the agent's in a folder of our own, with its tools, hooks and MCP servers
off and its session kept nowhere, or taken away behind it. Should one be left all the same, its first words
tell the readers (invariant 7), and `SILT_OWN` in its environment tells our own hooks. How an agent is called
and what it answers is in `agents/<agent>/ask.py` (`agents/ask.py`).
"""

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path

from pydantic import BaseModel

from siltstone.agents import MODEL_PREFIX
from siltstone.agents.ask import MOST, Asker, Question, Report, failure
from siltstone.agents.child import Ended, Stop, run
from siltstone.agents.hooks import OWN
from siltstone.pipeline.model.asking import one_message
from siltstone.pipeline.model.port import Reply, Turn, Usage, count_tokens
from siltstone.pipeline.model.retry import Policy, error_text
from siltstone.store.errors import Misuse, ModelError, StoreError

ASKED = ("claude", "codex", "gemini", "opencode")
SECONDS = 300.0
"""One call may take: an agent starts up, and asks its service again by itself."""
_CALL = "call-"
EXTRA = 1_000
"""Tokens booked for what an agent adds to a prompt of ours: a guess, put right by what it reports."""


@dataclass(slots=True)
class AgentModel:
    """A `Model` (pipeline/model/port.py) that is the user's own agent."""

    name: str
    asker: Asker
    model: str
    folder: Path
    environ: Mapping[str, str]
    seconds: float = SECONDS
    policy: Policy = field(default_factory=Policy)
    stop: Stop = field(default_factory=Stop)
    """Asked for, it ends the call that is being made, and no other is begun."""
    _rate: float | None = field(default=None, init=False)
    """USD a token, by the reports so far."""

    def ask(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        """One reply, with transient errors retried. Raises Overflow, Unavailable, ModelError, StoreError.

        `schema` is not handed on: the prompt tells what is wanted.
        """
        return self.policy.run(partial(self._once, turns, max_tokens))

    def count(self, turns: Sequence[Turn]) -> int:
        """Tokens of a prompt and of what the agent adds to it."""
        return count_tokens(turns) + EXTRA

    def price(self, prompt: int, completion: int) -> float | None:
        """USD as the agent's reports let expect; None before the first, and for agents that tell none."""
        return None if self._rate is None else self._rate * (prompt + completion)

    def program(self) -> str:
        """Where its program is. Raises ModelError where it is not there."""
        found = shutil.which(self.asker.program, path=self.environ.get("PATH", os.defpath))
        if found is None:
            raise ModelError(
                f"{self.name}: there is no program {self.asker.program!r} on the PATH; install it, or name "
                "another model."
            )
        return found

    def _once(self, turns: Sequence[Turn], max_tokens: int) -> Reply:
        ended = self._run(turns, max_tokens)
        if ended.cut == "stop":
            raise ModelError(f"{self.name} was ended with the command that asked it; run that again.")
        told = self.asker.report(ended) if ended.cut != "size" else None
        if told is None or told.text is None:
            raise failure(self.name, self.asker, ended, told)
        # A whole reply is one, however the program went on: it is paid for.
        return Reply(told.text, self._usage(told, turns), told.cut)

    def _run(self, turns: Sequence[Turn], max_tokens: int) -> Ended:
        program = self.program()
        asked = one_message(turns)
        scratch = self.folder / self.asker.program
        try:
            scratch.mkdir(0o700, parents=True, exist_ok=True)
            with _folder_of_a_call(self.folder) as files:
                question = Question(
                    program,
                    self.model,
                    asked.system,
                    asked.text,
                    max_tokens,
                    scratch,
                    files,
                    self._environ(),
                    self.stop,
                )
                call = self.asker.call(question)
                try:
                    words = (program, *call.words)
                    environ = {**question.environ, **call.environ}
                    return run(words, call.text, scratch, environ, self.seconds, MOST, self.stop)
                finally:
                    self.asker.tidy(question, call)
        except OSError as error:
            raise StoreError(
                f"{self.name} could not be started ({error_text(str(error))}); see that {program} runs "
                f"and that {self.folder} can be written to."
            ) from error

    def _environ(self) -> dict[str, str]:
        kept = {name: value for name, value in self.environ.items() if name not in self.asker.inherited}
        return kept | {OWN: "1"}

    def _usage(self, told: Report, turns: Sequence[Turn]) -> Usage:
        """As reported; what was not is counted."""
        reported = told.usage
        prompt = reported.prompt or self.count(turns)
        completion = reported.completion or count_tokens([Turn("assistant", told.text or "")])
        if reported.cost is not None:
            self._rate = reported.cost / (prompt + completion)
        return Usage(prompt, completion, min(reported.cached, prompt), reported.cost)


@contextmanager
def _folder_of_a_call(folder: Path) -> Iterator[Path]:
    """A folder for one call, removed afterwards. Those that killed calls left behind are removed first.

    Every call holds a shared lock on `folder`; one that gets it exclusively knows that no other is running.
    On a disk without locks nothing is removed.
    """
    lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for left in folder.glob(f"{_CALL}*"):
                shutil.rmtree(left, ignore_errors=True)
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_SH)
        with tempfile.TemporaryDirectory(prefix=_CALL, dir=folder) as files:
            yield Path(files)
    finally:
        os.close(lock)


def agent_model(name: str, folder: Path, environ: Mapping[str, str], stop: Stop | None = None) -> AgentModel:
    """The model of a name that begins with `agent:`; its calls are made in `folder`, and ended by `stop`.

    Raises Misuse for an agent that cannot be asked, and for what cannot be the name of a model.
    """
    agent, named, model = name.removeprefix(MODEL_PREFIX).partition("/")
    if agent not in ASKED or not name.startswith(MODEL_PREFIX):
        known = ", ".join(MODEL_PREFIX + one for one in ASKED)
        raise Misuse(f"there is no agent to be asked as {name!r}; there are {known}.")
    asker: Asker = import_module(f"siltstone.agents.{agent}.ask").ASKER
    if named and not re.fullmatch(asker.models, model):
        raise Misuse(
            f"{name[:200]!r} names no model of {agent}: behind {MODEL_PREFIX}{agent}/ stands its name as "
            f"{agent} takes it with --model; leave it out for the one of {agent}'s own settings."
        )
    stop = stop or Stop()
    return AgentModel(name, asker, model, folder, environ, policy=Policy(sleep=stop.pause), stop=stop)
