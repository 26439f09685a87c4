"""A store, a state and a search database in a folder, and runs over planted sessions on top of them."""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from siltstone.agents.readers import readers
from siltstone.pipeline.extraction.extract import ModelExtractor, Rules
from siltstone.pipeline.model.port import Model
from siltstone.pipeline.parts import Extractor, Parts
from siltstone.pipeline.reading.backlog import Unread, Wanted
from siltstone.pipeline.report import Report
from siltstone.pipeline.run import Batch, read
from siltstone.store.entry import Write
from siltstone.store.projects import Project, Projects
from siltstone.store.search import Search
from siltstone.store.state import State
from siltstone.store.store import Store
from support.fake_model import Asked

DATA = Path(__file__).resolve().parents[1] / "data"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def planted(home: Path, *sessions: str) -> dict[str, Path]:
    """Roots of Claude Code and Codex with the named planted sessions ("02"), each in its agent's form."""
    return played(home, *(DATA / "planted" / "sessions" / f"{name}.json" for name in sessions))


def played(home: Path, *sessions: Path) -> dict[str, Path]:
    """The same of any sessions in the planted sessions' form."""
    for source in sessions:
        for agent in ("claude", "codex"):
            list(script(DATA / "planted" / f"to_{agent}.py").write(source, home / agent))
    return {"claude": home / "claude", "codex": home / "codex"}


def script(path: Path) -> ModuleType:
    """A program of tests/data as a module: a process of its own takes longer than its work."""
    with patch.object(sys, "path", [str(path.parent), *sys.path]):
        return import_module(path.stem)


@dataclass
class Bench:
    """One store and one state. Every run makes its own objects, as a process would."""

    folder: Path
    roots: dict[str, Path]
    now: datetime = NOON
    runs: int = 0
    idle: timedelta = timedelta(minutes=1)
    exclude: tuple[str, ...] = ()
    found: dict[str, Project] = field(default_factory=dict)

    def clock(self) -> datetime:
        return self.now

    def store(self) -> Store:
        return Store.open(self.folder / "store", clock=self.clock)

    def state(self) -> State:
        return State.open(self.folder / "state")

    def parts(self, extractor: Extractor) -> Parts:
        store = self.store()
        state = self.state()
        self.runs += 1
        search = Search(self.folder / "search.sqlite3")
        search.sync(store.snapshot())
        projects = Projects(store.root, self.folder / "home")
        self.found.clear()

        def register(scope: str) -> Sequence[Write]:
            change = projects.change(self.found[scope]) if scope in self.found else None
            return [change] if change else []

        self._projects = projects
        return Parts(store, state, search, extractor, self.clock, register, f"{self.runs:04d}")

    def project_of(self, cwd: str, remotes: Sequence[str]) -> Project:
        return self._projects.resolve(cwd, remotes)

    def scope_of(self, unread: Unread) -> str:
        project = self.project_of(unread.session.cwd, unread.session.remotes)
        self.found[project.scope] = project
        return project.scope

    def run(
        self,
        model: Model | None = None,
        pool: timedelta | None = None,
        then: Callable[[Parts], None] = lambda parts: None,
    ) -> Report:
        """One batch of reading, and what follows if it came to its end."""
        parts = self.parts(Rules() if model is None else ModelExtractor(model, self.clock))
        report = Report()
        wanted = Wanted(self.now, self.idle, self.exclude)
        batch = Batch(readers(self.roots, {}), wanted, self.scope_of, pool)
        try:
            read(batch, parts, report)
            if report.stopped is None:
                then(parts)
        finally:
            parts.state.close()
            parts.search.close()
        return report

    def tree(self) -> str:
        """Git's hash of everything in the store: equal trees are equal stores (invariant 2)."""
        return self.store().git.run("rev-parse", "HEAD^{tree}").decode().strip()


def number(asked: Asked, words: str) -> int:
    """The number under which a prompt shows the message that holds these words."""
    shown = asked.text[asked.text.rindex("<transcript") :]
    head = shown[: shown.index(words)]
    return int(re.findall(r"^\[(\d+)\] ", head, re.M)[-1])


def memory(asked: Asked, quote: str, **fields: object) -> dict[str, object]:
    """An item of a reply with one quote, found in the prompt it answers."""
    item: dict[str, object] = {
        "action": "create",
        "target": None,
        "type": "project",
        "topic": None,
        "scope": "project",
        "name": "a-fact",
        "description": quote,
        "body": quote,
        "evidence": [{"n": number(asked, quote), "quote": quote}],
    }
    return item | fields


Answer = Callable[[Asked], dict[str, object]]


def answers(*items: Callable[[Asked], dict[str, object]]) -> Answer:
    """A reply with these items."""
    return lambda asked: {"memories": [item(asked) for item in items]}
