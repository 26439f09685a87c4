"""Somebody's machine: agents in one home, Siltstone in them, a project, and a model of their own."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from real_homes import VERSIONS, furnished
from real_model import Asked, ScriptedModel, scripted_model
from real_npm import program
from real_silt import failures, installed_silt
from real_wait import LONGEST, end, eventually, living

Noted = TypeVar("Noted")
AGENTS = tuple(VERSIONS)
HEADLESSLY: Mapping[str, Sequence[str]] = {
    "claude": ("-p",),
    # Without that option hooks run only where somebody said so in its own screen.
    "codex": ("exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"),
    "gemini": ("--skip-trust", "--approval-mode=yolo", "-p"),
    "opencode": ("run", "--format", "json", "--"),
}
FACTS = {
    "claude": "invoices are rounded to whole cents",
    "codex": "the staging database is called larch",
    "gemini": "migrations run before midnight",
    "opencode": "Marta approves every release",
}
DECISIONS = {
    "claude": "we decided that the API listens on port 7100, because the proxy forwards to it",
    "codex": "we decided to keep logs for ninety days, because the auditors read them",
    "gemini": "we decided to use singular names for tables, because the ORM expects them",
    "opencode": "we decided to hash passwords with argon2, because it resists GPUs",
}
"""What each agent is told. Nothing of one resembles what another is told: alike they might be one."""
_NAMED = ("-c", "user.name=t", "-c", "user.email=t@example.org")


@dataclass(frozen=True, slots=True)
class Ran:
    """What a headless call of an agent came to."""

    code: int
    out: str
    err: str


class Desk:
    """Made by `desk`."""

    def __init__(self, root: Path, model: ScriptedModel, agents: Sequence[str]) -> None:
        self.home, self.project = root / "home", root / "larkspur"
        self.model, self.agents = model, tuple(agents)
        self.programs = {agent: program(*VERSIONS[agent], agent) for agent in agents}
        self.env: dict[str, str] = {}
        for agent in agents:
            self.env |= furnished(agent, self.home, self.programs[agent], model.url).env
        folders = [str(path.parent) for path in self.programs.values()]
        self.env["PATH"] = os.pathsep.join([*folders, os.environ["PATH"]])
        self._script = installed_silt(self.home / "bin")
        self.state = self.home / ".local" / "state" / "siltstone"
        self.store = self.home / ".local" / "share" / "siltstone"
        self.project.mkdir()
        (self.project / "sum.py").write_text("print(1 + 1)\n")
        for words in (["init", "-q"], ["add", "."], [*_NAMED, "commit", "-qm", "First"]):
            subprocess.run(["git", *words], cwd=self.project, env=self.env, check=True)

    # What a person types.

    def silt(self, *words: str, code: int = 0) -> str:
        """A command in the project; what it prints."""
        done = subprocess.run(
            [str(self._script), *words],
            cwd=self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, (words, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def start(
        self,
        agent: str,
        prompt: str,
        words: Sequence[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> "subprocess.Popen[str]":
        """An agent that is asked something headlessly, in a new session."""
        said = HEADLESSLY[agent] if words is None else words
        return subprocess.Popen(
            [str(self.programs[agent]), *said, prompt],
            cwd=self.project,
            env={**self.env, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def ask(
        self,
        agent: str,
        prompt: str,
        words: Sequence[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Ran:
        with self.start(agent, prompt, words, env) as process:
            try:
                out, err = process.communicate(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                kill(process)
                raise
        return Ran(process.returncode, out, err)

    def ask_all(self, prompts: Mapping[str, str], env: Mapping[str, str] | None = None) -> dict[str, Ran]:
        """Each agent is asked its own prompt, all at once."""
        with ThreadPoolExecutor(len(prompts)) as pool:
            going = {
                agent: pool.submit(self.ask, agent, prompt, None, env) for agent, prompt in prompts.items()
            }
            return {agent: ran.result() for agent, ran in going.items()}

    # What came of it.

    def turn(self, prompt: str) -> Asked:
        """The first request that holds a prompt: what the agent's model saw beside it."""
        found = [one for one in self.model.turns if prompt in one.everything]
        assert found, f"{prompt!r} never came to the model"
        return found[0]

    def memories(self) -> list[dict[str, Any]]:
        told = self.silt("list", "--json")
        return list(json.loads(told)) if told.startswith("[") else []

    def memory(self, words: str) -> dict[str, Any]:
        """The one memory that says so."""
        (found,) = [one for one in self.memories() if words in one["body"]]
        return found

    def knows(self, *words: str) -> bool:
        """Whether memories say all of this; looked up in the files, for it is asked often."""
        known = [path.read_text() for path in self.store.glob("projects/*/*.md")]
        return all(any(one in text for text in known) for one in words)

    def learns(self, *words: str) -> None:
        """Wait until the process that agents leave behind has read them, and shows them."""
        eventually(lambda: self.knows(*words), lambda: (words, self.log))
        eventually(lambda: self.shows(*words), lambda: (words, self.log))

    def shows(self, *words: str) -> bool:
        shown = self.silt("inject")
        return all(one in shown for one in words)

    def settles(self) -> None:
        """Wait until nothing is at work any more: no agent, no server, nobody who reads sessions."""
        eventually(lambda: not living(self.home), lambda: self.log)

    @property
    def log(self) -> str:
        log = self.state / "hooks.log"
        return log.read_text() if log.is_file() else ""

    @property
    def failures(self) -> list[str]:
        return failures(self.state)

    @property
    def commits(self) -> str:
        """What was done to the store."""
        words = ["git", "log", "--format=%s%n%b"]
        done = subprocess.run(words, cwd=self.store, env=self.env, capture_output=True, text=True, check=True)
        return done.stdout

    def check_store(self) -> None:
        """The store is whole: git says so, and nothing lies about that was not committed."""
        for words in (["fsck", "--strict", "--no-dangling"], ["status", "--porcelain"]):
            done = subprocess.run(
                ["git", *words], cwd=self.store, env=self.env, capture_output=True, text=True, check=True
            )
            assert done.stdout == ""
        assert not (self.store / ".git" / "silt-intent").exists()

    def settings(self) -> dict[str, bytes]:
        """The files in which agents are told what to do, as they are."""
        places = (".claude", ".claude.json", ".codex", ".gemini", ".config")
        found = {}
        for path in (one for place in places for one in _files(self.home / place)):
            name = path.relative_to(self.home).as_posix()
            if not _THEIRS.search(name):
                found[name] = path.read_bytes()
        return found


_THEIRS = re.compile(
    r"^\.claude/(?!settings|commands)|^\.codex/(?!hooks|config|skills/silt|AGENTS)"
    r"|^\.gemini/(?!settings|commands)|^.config/opencode/(?!opencode|plugin/)"
)
"""What agents write themselves: sessions, caches, what they noted of their own."""


def _files(place: Path) -> Iterator[Path]:
    yield from (one for one in [place, *place.rglob("*")] if one.is_file())


@contextmanager
def desk(root: Path, *agents: str) -> Iterator[Desk]:
    """A machine with these agents (all, when none is named), while the block runs."""
    with scripted_model() as model:
        try:
            yield Desk(root, model, agents or AGENTS)
        finally:
            end(root)


@contextmanager
def at_once(
    agents: Sequence[str], root: Callable[[str], Path], do: Callable[[str, Desk], Noted]
) -> "Iterator[dict[str, Future[Noted]]]":
    """Each agent on a machine of its own, all at once, for most of it is waiting; what comes of each."""

    def one(agent: str, place: Path) -> Noted:
        with desk(place, agent) as here:
            return do(agent, here)

    with ThreadPoolExecutor(len(agents)) as pool:
        yield {agent: pool.submit(one, agent, root(agent)) for agent in agents}


def kill(process: "subprocess.Popen[str]") -> None:
    """The way no program can resist, with what it started; what Siltstone detached from it lives on."""
    os.killpg(process.pid, signal.SIGKILL)
