"""State, git and store as they should not be: one sentence and the right status, and nothing is lost."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from person import SAVE, Person, is_one_sentence, line, told
from support.commands import call

BOTH = ["all copy in this shop is British English", "deploys go out on Tuesdays only"]


# The state database


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def newer(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()


def torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:4096] + b"\xee" * (path.stat().st_size - 4096))


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        pytest.param(lambda path: shutil.rmtree(path.parent), None, id="lost"),
        pytest.param(lambda path: path.write_bytes(b""), None, id="empty"),
        pytest.param(lambda path: path.write_bytes(b"no database " * 999), "was damaged", id="garbage"),
        pytest.param(torn, "was damaged", id="torn"),
        pytest.param(half, "was damaged", id="half"),
        pytest.param(
            lambda path: path.with_name(f"{path.name}-wal").write_bytes(b"\xee" * 9000), None, id="bad-log"
        ),
    ],
)
def test_a_lost_state_costs_nothing_and_is_said(
    person: Person, spoil: Callable[[Path], object], says: str | None
) -> None:
    person.learnt()
    spoil(person.state)
    report = told(person.run())
    assert [says in sentence for sentence in report["complaints"] if says] == [True] * (says is not None)
    assert report["candidates"] == 1, "what the trailers tell is not read again"
    assert person.kept() == BOTH


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        pytest.param(newer, "install the newer siltstone", id="newer"),
        pytest.param(as_folder, "cannot be used", id="folder"),
    ],
)
def test_a_state_that_cannot_be_used_is_left_alone(
    person: Person, spoil: Callable[[Path], object], says: str
) -> None:
    person.learnt()
    spoil(person.state)
    said = person.run()
    assert is_one_sentence(said, 1)
    assert says in said.err
    assert person.kept() == BOTH[:1]
    shutil.rmtree(person.state.parent)
    told(person.run())
    assert person.kept() == BOTH


@pytest.mark.parametrize("spoil", [newer, torn, lambda path: path.write_bytes(b"none " * 2000)])
def test_the_search_database_is_made_anew(person: Person, spoil: Callable[[Path], object]) -> None:
    person.learnt()
    spoil(person.state.with_name("search.sqlite3"))
    told(person.run())
    assert "British" in call("search", "British").out


# git and the store


def merging(person: Person) -> None:
    (person.store / ".git" / "MERGE_HEAD").write_text("0" * 40)


def detached(person: Person) -> None:
    person.git("checkout", "-q", "--detach")


def without(name: str) -> Callable[[Person], object]:
    def remove(person: Person) -> None:
        path = person.store / ".git" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return remove


def garbled(name: str) -> Callable[[Person], object]:
    return lambda person: (person.store / ".git" / name).write_bytes(b"\xff[[[ garbage")


@pytest.mark.parametrize(
    ("spoil", "status", "says"),
    [
        pytest.param(merging, 3, "in the middle of a merge", id="merge"),
        pytest.param(detached, 3, "detached HEAD", id="detached"),
        pytest.param(without("HEAD"), 1, "is no longer a repository", id="no-head"),
        pytest.param(without("objects"), 1, "is no longer a repository", id="no-objects"),
        pytest.param(garbled("config"), 1, "bad config", id="bad-config"),
        pytest.param(garbled("index"), 1, "index file", id="bad-index"),
    ],
)
def test_a_repository_in_trouble_ends_the_run_before_anything_is_lost(
    person: Person, spoil: Callable[[Person], object], status: int, says: str
) -> None:
    person.learnt()
    aside = person.home / "aside"
    shutil.copytree(person.store, aside)
    spoil(person)
    said = person.run()
    assert is_one_sentence(said, status)
    assert says in said.err
    shutil.rmtree(person.store)
    aside.rename(person.store)
    told(person.run())
    assert person.kept() == BOTH


@pytest.mark.parametrize(
    ("make", "says"),
    [
        pytest.param(
            lambda person: subprocess.run(["git", "init", "-q", str(person.home)], check=True),
            "is inside the repository",
            id="inside-another",
        ),
        pytest.param(lambda person: person.store.write_text("x"), "is not a folder", id="a-file"),
        pytest.param(
            lambda person: (person.store.mkdir(), (person.store / "x").write_text("x")),
            "is not a store",
            id="other-files",
        ),
        pytest.param(lambda person: person.store.symlink_to(person.store), "Too many levels", id="loop"),
    ],
)
def test_a_place_that_is_no_store_is_not_touched(
    person: Person, make: Callable[[Person], object], says: str
) -> None:
    person.says(line(SAVE))
    make(person)
    before = sorted(str(path) for path in person.home.rglob("*") if "state" not in path.parts)
    said = person.run()
    assert is_one_sentence(said, 1)
    assert says in said.err
    assert sorted(str(path) for path in person.home.rglob("*") if "state" not in path.parts) == before


@pytest.mark.parametrize(
    ("name", "value", "status"),
    [
        ("SILT_HOME", "/" + "x" * 300, 1),
        ("SILT_STATE", "/" + "x" * 300, 1),
        ("SILT_HOME", "~nobody-of-that-name/store", 2),
        ("SILT_IDLE_MS", "9" * 30, 2),
        ("SILT_COMPACT_CHURN", "many", 2),
    ],
    ids=lambda value: str(value)[:12],
)
def test_a_setting_that_cannot_be_is_one_sentence(
    person: Person, monkeypatch: pytest.MonkeyPatch, name: str, value: str, status: int
) -> None:
    person.says(line(SAVE))
    monkeypatch.setenv(name, value)
    assert is_one_sentence(person.run(), status)


def test_the_folder_one_stands_in_may_be_gone(person: Person) -> None:
    person.says(line(SAVE))
    gone = person.home / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    told(person.run())
