"""Stores of any size, made of made-up memories."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.prose import Prose
from siltstone.store.entry import Entry, Evidence, Write
from siltstone.store.frontmatter import render
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


def laid_out(root: Path, count: int) -> None:
    """A store whose memories stand on disk and in no commit, for what reads files alone: to commit a
    hundred thousand takes minutes."""
    Store.open(root, clock=lambda: START)
    for write in map(written, entries(count)):
        path = root / write.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write.text or "", encoding="utf-8")


def filled(root: Path, count: int) -> Store:
    """A store of `count` memories, as our own commits leave one."""
    store = Store.open(root, clock=lambda: START)
    with store.locked():
        store.apply(list(map(written, entries(count))), "memory: learn", [("Silt-Op", "extract")])
        store.git.run("gc", "-q", timeout=600)
    return store
