"""Stores of any size, made of made-up memories."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import cycle
from pathlib import Path

from support.snapshots import snapshot_of

from benchmarks.prose import Prose
from siltstone.recall.prepared_writer import Facts, PreparedWriter
from siltstone.store.entry import GLOBAL, TYPES, Entry, Evidence, Stored, Write
from siltstone.store.frontmatter import render
from siltstone.store.identity import Identity
from siltstone.store.search import FILE, Search
from siltstone.store.store import Store

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
SCOPES = 20


def entries(count: int, seed: int = 1) -> Iterator[Entry]:
    """Memories of a sentence or two with a reason, over a few projects and the global scope."""
    prose = Prose(seed)
    for number in range(count):
        at = START + timedelta(minutes=number)
        scope = "global" if number % SCOPES == 0 else f"projects/app-{number % SCOPES}"
        quote = f"{prose.sentence(9)} Port {8000 + number}."
        yield Entry(
            scope=scope,
            name=f"{prose.sentence(3)[:-1].lower().replace(' ', '-')}-{number}",
            type="project",
            description=quote,
            body=f"{quote} {prose.sentence(14)}\nWhy: {prose.sentence(10)}",
            source="extraction",
            origin="user-said",
            created=at,
            updated=at,
            evidence=(Evidence(at, "claude", f"session-{number // 10}", f"message-{number}", quote),),
        )


def written(entry: Entry) -> Write:
    """The file of a new memory."""
    return Write(f"{entry.scope}/{entry.type}-{entry.name}.md", render(entry), None)


def filled(root: Path, count: int) -> Store:
    """A store of `count` memories, as our own commits leave one."""
    store = Store.open(root, clock=lambda: START)
    with store.locked():
        store.apply(list(map(written, entries(count))), "memory: learn", [("Silt-Op", "extract")])
        store.git.run("gc", "-q", timeout=600)
    return store


def prepare(state: Path, project: Path, count: int) -> None:
    """Prepare so many memories of a project for showing and searching."""
    facts = Facts(projects={"projects/app": [Identity("path", str(project))]})
    memories = snapshot_of(stored(count))
    with PreparedWriter(state) as preparation, Search(state / FILE) as search:
        preparation.sync(memories, facts, lambda changed: ())
        search.sync(memories)


def stored(count: int) -> Iterator[Stored]:
    """Memories of one project and, one in twenty, of everywhere; all types; as they stand in the store."""
    for entry, type in zip(entries(count), cycle(TYPES), strict=False):
        scope = GLOBAL if entry.scope == GLOBAL else "projects/app"
        entry = entry._replace(scope=scope, type=type)
        text = render(entry)
        path = f"{scope}/{type}-{entry.name}.md"
        yield Stored(path, text, sha256(text.encode()).hexdigest(), entry)


def work_tree(folder: Path) -> Path:
    """A folder under git, as agents work in."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    remote = '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@forge.example:acme/app.git\n'
    (folder / ".git" / "config").write_text(remote, encoding="utf-8")
    return folder
