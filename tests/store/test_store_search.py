"""Search: what is found, in which order, and that a rebuilt database answers the same."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.snapshots import snapshot_of
from support.table import table

from siltstone.store.derived_database import sqlite_errors
from siltstone.store.entry import Entry, Stored
from siltstone.store.errors import Locked, StateError
from siltstone.store.ranking import counts
from siltstone.store.search import Search

AT = datetime(2026, 1, 2, tzinfo=UTC)


def note(name: str, description: str, body: str = "", scope: str = "global") -> Stored:
    entry = Entry(
        scope=scope,
        name=name,
        type="project",
        description=description,
        body=body or description,
        source="manual",
        origin="user-said",
        created=AT,
        updated=AT,
    )
    text = f"{name}|{description}|{body}"
    return Stored(f"{scope}/project-{name}.md", text, hashlib.sha256(text.encode()).hexdigest(), entry)


NOTES = [
    note("theme", "用户喜欢使用深色主题和四个空格缩进"),
    note("migrations", "データベースのマイグレーションは手動で実行する"),
    note("docs", "한국어 문서는 조사 때문에 어렵다"),
    note("profile", "getUserProfile in auth_service.py throws TimeoutError"),
    note("deploy", "naïve café déploiement"),
    note("flags", "use --no-verify flag; C++ and node.js v18.2", scope="projects/larkspur"),
    note("node", "node is managed with a version file", scope="projects/larkspur"),
]


@pytest.fixture
def search(tmp_path: Path) -> Iterator[Search]:
    with Search(tmp_path / "search.db") as search:
        search.sync(snapshot_of(NOTES))
        yield search


@table("store", "query_finds")
def test_query_finds(search: Search, text: str, first: str) -> None:
    hits = search.query(text)
    assert hits[0].path.endswith(f"-{first}.md")


@pytest.mark.parametrize("text", ["", "   ", "quarkus", '"', "深层", "\ud800", "x" * 100_000])
def test_query_finds_nothing(search: Search, text: str) -> None:
    assert search.query(text) == []


def test_entries_with_all_words_come_first(search: Search) -> None:
    loud = note("node-node-node", "node node node")
    quiet = note("quiet", "plain", "a long body " * 9 + "that says node once, and version once too")
    search.sync(snapshot_of([loud, quiet]))
    assert [hit.path for hit in search.query("version node")] == [quiet.path, loud.path]


def test_of_many_words_too_the_entry_with_all_of_them_comes_first(search: Search) -> None:
    asked = [f"word{n}" for n in range(20)]
    rare = [note(f"rare{n}", " ".join(asked[:4] * 2)) for n in range(3)]
    common = [note(f"common{n}", " ".join(asked[4:])) for n in range(6)]
    whole = note("whole", "a long one", " ".join([*asked, *("padding" for _ in range(3_000))]))
    search.sync(snapshot_of([*rare, *common, whole]))
    assert search.query(" ".join(asked))[0].path == whole.path


def test_an_entry_that_lost_its_words_is_a_damage_that_is_told(search: Search, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "search.db", isolation_level=None)) as db:
        db.execute("delete from word")
    with pytest.raises(StateError, match="damaged and starts empty"):
        search.sync(snapshot_of([note("theme", "dark theme")]))
    assert search.sync(snapshot_of(NOTES)) == len(NOTES)


def test_only_the_scopes_asked_for_are_searched(search: Search) -> None:
    assert len(search.query("node", ["global"])) == 0
    assert len(search.query("node", ["global", "projects/larkspur"])) == 2
    assert search.query("node", []) == []
    assert len(search.query("node", limit=1)) == 1


def test_sync_writes_only_what_changed(search: Search) -> None:
    assert search.sync(snapshot_of(NOTES)) == 0
    assert search.sync(snapshot_of([*NOTES[1:], note("theme", "dark theme")])) == 1
    assert search.query("深色") == []
    assert search.sync(snapshot_of(NOTES[1:])) == 1
    assert search.query("dark") == []


bodies = st.lists(st.sampled_from(["pnpm", "npm", "cache", "缓存", "CI", "deploy"]), min_size=1, max_size=6)
stores = st.dictionaries(st.sampled_from("abcdef"), bodies.map(" ".join), max_size=6)


@settings(max_examples=30)
@given(steps=st.lists(stores, min_size=2, max_size=4), text=bodies.map(" ".join))
def test_a_rebuilt_database_answers_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, str]], text: str
) -> None:
    folder = tmp_path_factory.mktemp("search")
    with Search(folder / "grown.db") as grown, Search(folder / "new.db") as new:
        for step in steps:
            grown.sync(snapshot_of(note(name, body) for name, body in step.items()))
        new.sync(snapshot_of(note(name, body) for name, body in reversed(steps[-1].items())))
        assert grown.query(text) == new.query(text)
    assert spread(folder / "grown.db") == spread(folder / "new.db")


def spread(path: Path) -> list[tuple[str, int]]:
    """All that the database says of words, in how many entries each stands."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute("select word, entries from spread order by word").fetchall()


def test_words_are_counted_by_entries_and_those_of_none_are_gone(search: Search, tmp_path: Path) -> None:
    kept = [note("one", "pnpm, pnpm and 主题"), note("two", "PNPM installs 主机")]
    search.sync(snapshot_of([*kept, note("three", "gone")]))
    search.sync(snapshot_of(kept))
    with closing(sqlite3.connect(tmp_path / "search.db")) as db:
        assert counts(db, ["pnpm", "install", "gone", "主题", "主*", "x" * 9]) == {
            "pnpm": 2,
            "install": 1,
            "gone": 0,
            "主题": 1,
            "主*": 2,
            "x" * 9: 0,
        }
    assert "gone" not in dict(spread(tmp_path / "search.db"))


def test_a_sync_that_fails_changes_nothing(search: Search) -> None:
    def broken() -> Iterator[Stored]:
        yield note("theme", "dark theme")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        search.sync(snapshot_of(broken()))
    assert search.query("dark") == []
    assert len(search.query("深色")) == 1


def test_readers_do_not_wait_for_a_writer(search: Search, tmp_path: Path) -> None:
    writer = sqlite3.connect(tmp_path / "search.db", isolation_level=None)
    writer.execute("begin immediate")
    writer.execute("delete from doc")
    assert len(search.query("深色")) == 1
    with Search(tmp_path / "search.db", wait=0) as other, pytest.raises(Locked, match="held by another"):
        other.sync(snapshot_of([]))
    writer.close()


def test_a_file_damaged_behind_its_start_is_replaced_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "search.db"
    with Search(path) as search:
        search.sync(snapshot_of(note(f"n{n}", f"node{n} " * 50) for n in range(200)))
    data = bytearray(path.read_bytes())
    page = data.find(b"node150 node150") // 4096 * 4096
    data[page : page + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    with Search(path) as search:
        with pytest.raises(StateError, match="damaged and starts empty"):
            search.sync(snapshot_of(NOTES))
        assert search.query("node199") == []
        assert search.sync(snapshot_of(NOTES)) == len(NOTES)


def test_a_place_where_no_file_can_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StateError, match="cannot be used"):
        Search(tmp_path / "file" / "search.db")


def test_a_sqlite_without_fts5_says_what_to_do() -> None:
    with pytest.raises(StateError, match="use a Python whose SQLite has FTS5"), sqlite_errors("search"):
        sqlite3.connect(":memory:").execute("create virtual table word using fts0(body)")


def test_the_file_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    with Search(tmp_path / "search.sqlite3") as search:
        search.sync(snapshot_of(NOTES))
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}, modes
