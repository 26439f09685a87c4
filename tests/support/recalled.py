"""Memories, views and blocks for the tests of recall."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from siltstone.recall.block import Block, build
from siltstone.recall.layouts import LAYOUTS, SessionTexts
from siltstone.recall.prepared import Hit, Prepared, View
from siltstone.recall.prepared_writer import Differ, Facts, PreparedWriter
from siltstone.recall.selection import CAPS, Budget
from siltstone.store.conflicts import Section, Side
from siltstone.store.entry import GLOBAL, Entry, Evidence, Importance, Source, Stored, Topic, Type
from support.snapshots import snapshot_of

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)
LARKSPUR = "projects/larkspur"
BOTH = (GLOBAL, LARKSPUR)


def memory(
    description: str,
    type: Type = "project",
    *,
    scope: str = LARKSPUR,
    name: str = "",
    days: float = 0,
    source: Source = "extraction",
    repeats: int = 0,
    body: str | None = None,
    hot: bool = False,
    topic: Topic | None = None,
    limit: int = 5000,
    importance: Importance | None = None,
    superseded_by: str | None = None,
) -> Stored:
    """A memory last told `days` before NOW, and as many times before as `repeats` says."""
    at = NOW - timedelta(days=days)
    name = name or "-".join(description.lower().split())[:40] or "empty"
    tellings = [at - timedelta(days=2 * n) for n in range(repeats + 1)]
    entry = Entry(
        scope=scope,
        name=name,
        type=type,
        description=description,
        body=description if body is None else body,
        source=source,
        origin="user-said",
        created=tellings[-1],
        updated=at,
        evidence=tuple(Evidence(when, "claude", f"s{n}", "m", "q") for n, when in enumerate(tellings)),
        topic=topic,
        limit=limit,
        importance=importance,
        superseded_by=superseded_by,
    )
    path = f"{scope}/{'system/' if hot else ''}{type}-{name}.md"
    digest = sha256(repr((path, entry)).encode("utf-8", "backslashreplace")).hexdigest()
    return Stored(path, "", digest, entry, pinned=hot)


NOTHING: tuple[Facts, Differ] = Facts(), lambda changed: ()


def prepare(
    folder: Path, stored: Iterable[Stored], facts: Facts = NOTHING[0], differ: Differ = NOTHING[1]
) -> None:
    """Sync what is prepared in `folder`."""
    with PreparedWriter(folder) as preparation:
        preparation.sync(snapshot_of(stored), facts, differ)


def conflict(*paths: str) -> Section:
    """An open question to the user about two memories."""
    one, other = (Side(path, date(2026, 9, 3), "q", "") for path in paths)
    return Section("a1cabb87", (one, other))


def view_of(folder: Path, scopes: Sequence[str] = BOTH) -> View:
    """What is prepared there."""
    with Prepared(str(folder)) as prepared:
        return prepared.view(scopes, CAPS)


def block(
    view: View,
    *,
    hits: Sequence[Hit] = (),
    session: SessionTexts | None = None,
    budget: Budget | None = None,
    layout: str = "default",
    now: datetime = NOW,
) -> Block:
    """The block of a view."""
    return build(view, hits, session or SessionTexts(), budget or Budget(), LAYOUTS[layout], now.timestamp())
