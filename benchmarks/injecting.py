"""Showing: what an agent's hook waits for at every turn."""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import cycle
from pathlib import Path

from benchmarks.clock import Rounds, interleaved, timed
from benchmarks.figure import Benchmark, Budget, Figure, at_most, scaled
from benchmarks.installed import bare, silt
from benchmarks.prose import Prose
from benchmarks.stores import entries
from siltstone.recall.prepared_writer import Facts, PreparedWriter
from siltstone.store.entry import GLOBAL, TYPES, Stored
from siltstone.store.frontmatter import render
from siltstone.store.identity import Identity
from siltstone.store.search import Search
from siltstone.store.seek import FILE

SIZES = (100, 10_000, 100_000)
JUDGED = 10_000
"""The size that the budget names."""
ROUNDS = 15
SCOPE = "projects/app"


def measure(folder: Path, scale: float) -> list[Figure]:
    project = work_tree(folder / "app")
    commands: dict[str, tuple[tuple[str, ...], Path]] = {"python": (bare(), folder)}
    prepared: dict[str, float] = {}
    judged: dict[str, bool] = {}
    for size in SIZES:
        state = folder / f"state-{size}"
        took = prepare(state, project, scaled(size, scale, 5))
        for told in happened(project):
            run(silt("event"), state, json.dumps(told))
        inject = silt("inject", f"--cwd={project}")
        for what, more in ways().items():
            name = f"inject{what}, {size:,} memories"
            commands[name] = ((*inject, *more), state)
            prepared[name] = took
            judged[name] = size == JUDGED
    rounds = interleaved(scaled(ROUNDS, scale), {name: partial(run, *how) for name, how in commands.items()})
    return [
        over_bare(
            rounds,
            name,
            "bare python",
            at_most(30) if judged[name] else None,
            f"; preparing it anew {prepared[name]:.2f} s",
            "the interpreter imports the standard library's SQLite, and some dozens of memories are read",
        )
        for name in prepared
    ]


def over_bare(rounds: Rounds, name: str, than: str, budget: Budget | None, more: str, why: str) -> Figure:
    """What a command takes beyond the task "python", which is called `than`; `more` is told behind it."""
    bare = rounds.seconds("python", "wall")
    return Figure(
        what=name,
        value=max(rounds.seconds(name, "wall") - bare, 0.0) * 1e3,
        unit=f" ms over {than}",
        budget=budget,
        detail=compared(rounds, name) + more,
        why=why,
    )


def compared(rounds: Rounds, name: str) -> str:
    """A command beside bare python, in words."""
    wall, bare = rounds.seconds(name, "wall"), rounds.seconds("python", "wall")
    cpu = rounds.seconds(name) - rounds.seconds("python")
    return (
        f"{wall * 1e3:.0f} ms against {bare * 1e3:.0f} ms, {rounds.ratio(name, 'python', 'wall'):.1f}×; "
        f"{cpu * 1e3:.1f} ms more processor time"
    )


def prepare(state: Path, project: Path, count: int) -> float:
    """Prepare so many memories of a project for showing and searching; seconds the first took."""
    facts = Facts(projects={SCOPE: [Identity("path", str(project))]})
    memories = list(stored(count))
    with PreparedWriter(state) as preparation, Search(state / FILE) as search:
        took = timed(partial(preparation.sync, memories, facts)).wall
        search.sync(memories)
    return took


def work_tree(folder: Path) -> Path:
    """A folder under git, as agents work in."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    remote = '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@forge.example:acme/app.git\n'
    (folder / ".git" / "config").write_text(remote, encoding="utf-8")
    return folder


def happened(project: Path) -> list[dict[str, object]]:
    """The beginning of a session, as events."""
    common: dict[str, object] = {"agent": "claude", "session": "s1", "cwd": str(project)}
    return [
        common | {"event": "message", "role": "user", "text": "Let the importer skip empty rows."},
        common | {"event": "tool", "name": "Edit", "input": {"file_path": str(project / "rows.py")}},
        common | {"event": "tool", "name": "Bash", "command": "pytest -q", "output": "1 failed", "exit": 1},
    ]


def ways() -> dict[str, tuple[str, ...]]:
    """What is asked for. A session is shown the same bytes again: its first call is not measured."""
    return {
        "": (),
        " --query": ("--query", f"Why does {Prose(3).sentence(6)} not listen on port 8042?"),
        " --query of 20 KB": ("--query", Prose(4).sentences(250)),
        " --session": ("--agent=claude", "--session=s1"),
        " --session --query": (
            "--agent=claude",
            "--session=s1",
            "--query",
            f"Why does {Prose(3).sentence(6)} not listen on port 8042?",
        ),
    }


def stored(count: int) -> Iterator[Stored]:
    """Memories of one project and, one in twenty, of everywhere; all types; as they stand in the store."""
    for entry, type in zip(entries(count), cycle(TYPES), strict=False):
        scope = GLOBAL if entry.scope == GLOBAL else SCOPE
        entry = replace(entry, scope=scope, type=type)
        text = render(entry)
        path = f"{scope}/{type}-{entry.name}.md"
        yield Stored(path, text, sha256(text.encode()).hexdigest(), entry)


def run(words: tuple[str, ...], state: Path, given: str = "") -> None:
    """One process, with what it is given on standard input."""
    # Installed code has its bytecode beside it; where writing it is turned off, every start would compile.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        words,
        env=env | {"SILT_STATE": str(state)},
        input=given.encode(),
        check=True,
        stdout=subprocess.DEVNULL,
    )


BENCHMARK = Benchmark(
    "inject",
    "Showing an agent its memories",
    "`silt inject` as a hook calls it, in a process of its own, against `python -c pass`; wall time. All "
    "memories are of two scopes that are both shown: the worst case for choosing.",
    measure,
)
"""Budget: 30 ms over bare python on a store of 10,000 memories."""
