"""The state database is damaged while a run works: one sentence, exit 1, nothing lost, nothing doubled."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from support.commands import Said, call

TABLES = ("source", "seen", "lease", "failure", "run", "window", "pending", "value")
FIRST, SECOND = "we deploy only on Tuesdays.", "the API listens on port 8480."


def say(home: Path, name: str, *texts: str) -> None:
    cwd = f'"cwd": "{home}/person/src/larkspur"'
    lines = [f'{{"role": "user", "content": "Please remember: {text}", {cwd}}}' for text in texts]
    (home / "said").mkdir(exist_ok=True)
    (home / "said" / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(home: Path) -> Said:
    return call("run", "--root", f"plain={home}/said", "--idle", "0")


def remembered() -> list[str]:
    return sorted(one["body"] for one in call("list", "--json").json)


def damage(state: Path, table: str) -> None:
    """Overwrite the root page of a table, so that opening finds nothing wrong."""
    with sqlite3.connect(state) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    database.close()
    with state.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def drop(state: Path, table: str) -> None:
    with sqlite3.connect(state) as database:
        database.execute(f"DROP TABLE {table}")
    database.close()


@pytest.mark.parametrize(("harm", "table"), [*((damage, table) for table in TABLES), (drop, "source")])
def test_damage_met_in_a_run(home: Path, harm: Callable[[Path, str], None], table: str) -> None:
    say(home, "one", FIRST)
    assert run(home).code == 0
    say(home, "two", SECOND)
    state = home / "state" / "state.sqlite3"
    harm(state, table)

    said = run(home)
    assert said.code == 1
    assert len(said.err.strip().splitlines()) == 1, said.err
    assert f"the state database {state} was damaged and is now state.sqlite3.corrupt-1" in said.err
    assert "run this again" in said.err

    assert run(home).code == 0
    assert remembered() == sorted([FIRST, SECOND])


def test_the_state_of_a_store_that_is_gone_has_all_read_again(home: Path) -> None:
    say(home, "one", FIRST)
    run(home)
    shutil.rmtree(home / "store")
    call("remember", "The office is closed in August")
    assert "were read into another store: they are read again" in run(home).err
    assert FIRST in remembered()
    assert run(home).err == ""


def test_a_projects_folder_that_is_a_link_stops_no_other_project(home: Path) -> None:
    say(home, "one", FIRST)
    run(home)
    folder = home / "store" / "projects" / "larkspur"
    folder.rename(home / "away")
    folder.symlink_to(home / "away")
    before = [(path.name, path.read_bytes()) for path in (home / "away").iterdir()]
    (home / "person" / "src" / "quern").mkdir()
    line = (home / "said" / "one.jsonl").read_text(encoding="utf-8")
    (home / "said" / "two.jsonl").write_text(line.replace("larkspur", "quern").replace(FIRST, SECOND))
    said = call("run", "--root", f"plain={home}/said", "--idle", "0", "--reread")
    assert said.code == 0
    assert f"{folder} is a symbolic link: replace it with a real file or folder" in said.err
    assert remembered() == [SECOND]
    assert [(path.name, path.read_bytes()) for path in (home / "away").iterdir()] == before


def test_a_rebuild_tells_what_it_made_anew(home: Path, kept: Said) -> None:
    for name in ("search", "recall"):
        (home / "state" / f"{name}.sqlite3").write_bytes(b"no database" * 1_000)
    assert "1 search entry and 1 memory for `silt inject` changed" in call("rebuild").out
    assert "0 search entries and 0 memories" in call("rebuild").out
