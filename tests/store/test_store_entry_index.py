"""The index of entry files: unchanged files are not read again, and nothing else can be told from it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from store_support import BROKEN, NOON, SECRET, by_hand, open_store, put, save, text_of
from support.faulty_disk import QuietDisk
from support.git import git
from support.table import table

from siltstone.store import entry_index, entry_reader
from siltstone.store.entry import Entry, Evidence, Stored
from siltstone.store.entry_index import decoded, encoded
from siltstone.store.frontmatter import parse, render
from siltstone.store.search import Search
from siltstone.store.store import Store

FACT, OTHER = "global/project-fact.md", "projects/p/project-other.md"


@pytest.fixture(autouse=True)
def settled_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files count as old at once, so that they need not be read again."""
    monkeypatch.setattr(entry_index, "FRESH_NS", 0)


@contextmanager
def indexed(root: Path, database: Path) -> Iterator[tuple[Store, list[str]]]:
    """A store with an index, and the paths of the files it parses from now on."""
    parsed: list[str] = []

    def counting(path: str, text: str) -> Entry:
        parsed.append(path)
        return parse(path, text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry_reader, "parse", counting)
        with closing(Store.open(root, QuietDisk(), lambda: NOON, index=database)) as opened:
            yield opened, parsed


def seen(store: Store) -> list[Stored]:
    return [*store.entries(archived=True), *store.inbox()]


@pytest.fixture
def database(store: Store, tmp_path: Path) -> Path:
    """The index of a store of two memories."""
    save(store, put(store, FACT, text_of("pnpm")), put(store, OTHER, text_of("yarn", "other")))
    path = tmp_path / "search.sqlite3"
    with indexed(store.root, path) as (opened, parsed):
        assert len(seen(opened)) == len(parsed) == 2
    return path


def test_only_files_that_changed_are_read(store: Store, database: Path) -> None:
    before = seen(store)
    with indexed(store.root, database) as (opened, parsed):
        assert seen(opened) == before
        assert parsed == []
        by_hand(store.root, FACT, text_of("bun"))
        assert [one.entry.body for one in seen(opened)] == ["bun", "yarn"]
        assert opened.read(FACT).user_written
        assert parsed == [FACT]
        (store.root / OTHER).unlink()
        assert [one.path for one in seen(opened)] == [FACT]


def test_a_commit_of_the_users_is_noticed_without_reading(store: Store, database: Path) -> None:
    by_hand(store.root, FACT, text_of("bun"))
    with indexed(store.root, database) as (opened, _):
        assert opened.read(FACT).user_written
        assert not opened.read(OTHER).user_written
    git(store.root, "commit", "-qam", "mine")
    now = seen(open_store(store.root))
    with indexed(store.root, database) as (opened, parsed):
        assert seen(opened) == now
        assert opened.read(FACT).user_written
        assert parsed == []


def test_a_file_is_checked_for_secrets_once_it_is_by_hand(store: Store, database: Path) -> None:
    """Ours were redacted when they were written; the same bytes in a commit of the user's were not."""
    save(store, put(store, FACT, text_of(f"the password is {SECRET}")))
    with indexed(store.root, database) as (opened, _):
        assert len(seen(opened)) == 2
    git(store.root, "reset", "-q", "--soft", "HEAD~1")
    git(store.root, "commit", "-qm", "mine")
    with indexed(store.root, database) as (opened, _):
        assert [one.path for one in seen(opened)] == [OTHER]
        assert "contains a secret" in opened.complaints[0]
    with indexed(store.root, database) as (opened, parsed):
        assert [one.path for one in seen(opened)] == [OTHER]
        assert "contains a secret" in opened.complaints[0]
        assert parsed == []


def test_a_text_that_may_not_be_shown_is_not_stored(store: Store, database: Path) -> None:
    by_hand(store.root, FACT, text_of(f"the password is {SECRET}"))
    with indexed(store.root, database) as (opened, _):
        assert [one.path for one in seen(opened)] == [OTHER]
    with Search(database) as search:
        assert search.scrub() == ""
    assert SECRET.encode() not in database.read_bytes()


@table("store", "whatever_the_index_lacks_is_read")
def test_whatever_the_index_lacks_is_read(store: Store, database: Path, spoil: str) -> None:
    with closing(sqlite3.connect(database)) as db, db:
        db.execute(spoil)
    before = seen(store)
    with indexed(store.root, database) as (opened, parsed):
        assert seen(opened) == before
        assert parsed == ([] if "stat" in spoil else [FACT, OTHER]), "the same bytes are parsed once"


def test_counts_and_names_are_told_without_reading(store: Store, database: Path) -> None:
    waiting = store.read(OTHER).entry
    save(store, put(store, "inbox/project-other-2.md", render(waiting._replace(name="other-2"), inbox=True)))
    by_hand(store.root, FACT, BROKEN)
    with indexed(store.root, database) as (opened, _):
        assert opened.counts() == {"global": 0, "projects/p": 1}
        assert [one.path for one in opened.resembling(" Other ")] == [OTHER, "inbox/project-other-2.md"]
    with indexed(store.root, database) as (opened, parsed):
        assert [one.path for one in opened.resembling("projects/p/")] == [OTHER]
        assert opened.resembling("fact") == []
        assert [FACT in one for one in opened.complaints] == [True]
        assert parsed == []


def test_a_damaged_database_is_thrown_away(store: Store, database: Path) -> None:
    database.write_bytes(b"no database at all " * 500)
    before = seen(store)
    with indexed(store.root, database) as (opened, _):
        assert seen(opened) == before
    with indexed(store.root, database) as (opened, parsed):
        assert seen(opened) == before
        assert parsed == []


def test_a_database_damaged_behind_its_start_is_thrown_away(store: Store, database: Path) -> None:
    before = seen(store)
    with closing(sqlite3.connect(database)) as db:
        (page,) = db.execute("select rootpage from sqlite_master where name = 'file'").fetchone()
        (size,) = db.execute("pragma page_size").fetchone()
        db.execute("pragma wal_checkpoint(truncate)")
    data = bytearray(database.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    database.write_bytes(data)
    with indexed(store.root, database) as (opened, _):
        assert seen(opened) == before
    with indexed(store.root, database) as (opened, parsed):
        assert seen(opened) == before
        assert parsed == []


def test_an_entry_comes_back_from_the_index_as_it_was() -> None:
    said = Evidence(NOON, "claude", "s", "m", "quote \ud83d \u2028")
    entry = Entry(
        *("projects/p", "fact", "decision", "A fact", "body\n", "explicit", "user-said", NOON, NOON),
        evidence=(said,),
        topic="architecture",
        importance="high",
        readonly=True,
        enforce=True,
        agrees_with=("global/a.md", "global/b.md"),
        superseded_by="global/c.md",
        superseded_at=NOON,
        replaces="abc",
    )
    assert decoded(encoded(entry)) == entry
