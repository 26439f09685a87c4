"""What `silt purge` takes along: nothing of the purged words is left in the bytes of the state folder."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from agents_home import program
from support.commands import call
from support.events import happens as taken

from siltstone.cli import context
from siltstone.recall.session.event import Event, Kind
from siltstone.store.session_archive import FILE as ARCHIVE
from siltstone.store.state import FILE as STATE
from siltstone.store.state import RunRow, State
from siltstone.store.state.purge import BLANK

FACT = "The pelican clock hides the cellar key behind it"
OTHER = "Fix the tests of the checkout page please"
NAME = "the-pelican-clock-hides-the-cellar"
GIT = shutil.which("git")
NOW = 1_795_165_198.0
DAY = datetime.fromtimestamp(NOW, UTC)


def hear(state: Path, session: str, text: str, *kinds: Kind) -> None:
    """A typed sentence, and bare events after it."""
    cwd = str(Path.cwd())
    taken(Event("message", "claude", session, at=NOW, cwd=cwd, role="user", text=text), state, NOW)
    for kind in kinds:
        taken(Event(kind, "claude", session, at=NOW), state, NOW)


def archived(home: Path, *typed: str) -> None:
    """A transcript in which these are typed, taken into the session archive."""
    path = home / "plain" / "talk.jsonl"
    path.parent.mkdir(exist_ok=True)
    rows = [{"role": "user", "content": text, "cwd": str(Path.cwd()), "session": "talk"} for text in typed]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert call("run", "--root", f"plain={path.parent}", "--idle", "0").code == 0


def tables(state: Path) -> dict[str, str]:
    """Each table of the state database that tells of the fact, with its rows."""
    with closing(sqlite3.connect(state / STATE)) as db:
        names = [name for (name,) in db.execute("select name from sqlite_master where type = 'table'")]
        rows = {name: str(db.execute(f"select * from {name}").fetchall()) for name in names}  # noqa: S608
    return {name: said for name, said in rows.items() if "pelican" in said.lower()}


def left(home: Path) -> list[str]:
    """Files of the state and the store that hold the word still."""
    files = [file for place in ("state", "store") for file in (home / place).rglob("*") if file.is_file()]
    return [file.name for file in files if b"pelican" in file.read_bytes().lower()]


@pytest.fixture
def told(home: Path) -> Path:
    """A fact that sessions, a summary, a report and a failed window speak of; the state folder."""
    state = home / "state"
    call("remember", FACT, "--type", "project")
    call("show", NAME)
    hear(state, "s1", f"Look behind it: {FACT.lower()}", "compaction", "end")
    hear(state, "s2", f"As said, {FACT}, so look there")
    hear(state, "s3", OTHER, "compaction")
    hear(state, "s4", OTHER, "end")
    call("inject", "--agent", "claude", "--session", "s2", "--cwd", str(Path.cwd()))
    archived(home, f"{'As said, ' * 11} {FACT}, so look there", OTHER)  # the title ends within the fact
    with State.open(state) as opened:
        report = {"notes": [f"kept {NAME}"], "complaints": [OTHER], "windows": 3}
        opened.ledger.put_run(RunRow("0009", DAY, DAY, report))
        opened.failures.record("claude/s2@1", f"no JSON: {FACT}", DAY)
    return state


@pytest.fixture
def watched(told: Path) -> Iterator[Path]:
    """Another process has the databases open, as a watch has."""
    with ExitStack() as others:
        for file in told.glob("*.sqlite3"):
            db = others.enter_context(closing(sqlite3.connect(file)))
            db.execute("select count(*) from sqlite_master").fetchall()
        yield told


def test_the_sessions_and_the_bytes_go_too(home: Path, watched: Path) -> None:
    assert {"session", "summary", "run", "failure", "shown", "used", "opened"} <= tables(watched).keys()
    assert call("sessions", "pelican", "--json").json
    assert call("purge", NAME, "--yes").err == ""
    assert tables(watched) == {}
    assert left(home) == []
    assert call("sessions", "pelican", "--json").json == []
    assert OTHER in call("sessions", "--show", "talk").out
    assert [line.split()[-1] for line in call("session").out.splitlines()] == ["claude/s3"]
    with State.open(watched) as state:
        (run,) = [run for run in state.ledger.runs() if run.id == "0009"]
        assert run.report == {"notes": [BLANK], "complaints": [OTHER], "windows": 3}
        assert [one.error for one in state.failures.all()] == [BLANK]
    with closing(sqlite3.connect(watched / STATE)) as db:
        assert db.execute("select session from summary").fetchall() == [("s4",)]


KILLED_AT = [("fast-import", ["remember", OTHER]), ("gc", ["purge", NAME, "--yes"]), ("fsck", ["rebuild"])]


@pytest.mark.parametrize(("command", "next"), KILLED_AT, ids=[command for command, _ in KILLED_AT])
def test_a_killed_purge_is_ended_by_what_writes_next(
    home: Path, told: Path, command: str, next: list[str]
) -> None:
    program(
        home / "bin" / "git",
        f'#!/bin/sh\ncase "$*" in *" {command} "*) kill -9 $PPID; exit; esac\nexec {GIT} "$@"',
    )
    path = {**os.environ, "PATH": f"{home / 'bin'}:{os.environ['PATH']}"}
    argv = [sys.executable, "-m", "siltstone", "purge", NAME, "--yes"]
    killed = subprocess.run(argv, env=path, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    (home / "store" / ".git" / "gc.pid").write_text("1 elsewhere")  # of a gc that was killed as well
    assert "MEMORY.md" in left(home)
    assert call(*next).code == 0
    assert left(home) == []


def test_purged_words_do_not_come_back_into_the_archive(
    home: Path, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SILT_ARCHIVE_ENABLED", "false")
    assert call("purge", NAME, "--yes").err == ""
    monkeypatch.delenv("SILT_ARCHIVE_ENABLED")
    assert left(home) == []
    with (home / "plain" / "talk.jsonl").open("a") as file:
        file.write(json.dumps({"role": "user", "content": "and now the herons", "session": "talk"}) + "\n")
    (home / "plain" / "talk.jsonl").rename(home / "plain" / "moved.jsonl")
    assert call("run", "--root", f"plain={home / 'plain'}", "--idle", "0").code == 0
    assert call("sessions", "herons", "--json").json
    assert ARCHIVE not in left(home)


def test_what_was_forgotten_has_a_history_and_can_be_purged(home: Path, told: Path) -> None:
    call("promote", NAME)
    call("forget", NAME)
    assert "forget" in call("history", NAME).out
    assert call("purge", NAME, "--yes").out.splitlines()[1:3] == [
        f"  projects/larkspur/project-{NAME}.md",
        f"  projects/larkspur/system/project-{NAME}.md",
    ]
    assert left(home) == []
    assert call("undo").out.startswith("run 0001 undone"), "the last run that still has a file"


def test_an_undo_of_what_was_purged_says_why_nothing_was_taken_back(home: Path, told: Path) -> None:
    call("remember", OTHER, "--type", "project")
    call("purge", NAME, "--yes")
    said = call("undo", "0001")
    assert (said.code, said.out) == (3, "run 0001: nothing was undone\n")
    assert "project.yaml was left alone: memories are still next to it" in said.err


def test_what_waited_in_the_inbox_once_is_one_memory_when_it_is_forgotten(home: Path) -> None:
    call("write", "hosting", "Hosting is Vercel for now", "--session", "claude/s1")
    call("inbox", "accept", "project-hosting")
    call("forget", "hosting")
    assert "accept hosting" in call("history", "Hosting").out
    said = call("purge", "hosting", "--yes").out
    assert said.splitlines()[-1] == "deleted from history: 2 files in 3 commits, 2 versions"
    assert call("purge", "hosting", "--yes").code == 2


def test_a_memory_of_another_project_is_purged_by_its_path_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = home / "person" / "src" / "juniper"
    other.mkdir()
    for folder in (Path.cwd(), other):
        monkeypatch.chdir(folder)
        call("remember", FACT, "--type", "project")
    path = f"projects/juniper/project-{NAME}.md"

    monkeypatch.chdir(other.parent / "larkspur")
    call("forget", NAME)
    said = call("purge", NAME, "--yes")
    assert said.out.splitlines()[1] == f"  projects/larkspur/project-{NAME}.md"
    assert (home / "store" / path).exists()
    said = call("purge", NAME, "--yes")
    assert said.code == 2
    assert f"fits 1 memory: {path}; give the path" in said.err
    monkeypatch.chdir(other.parent)
    assert call("purge", path, "--yes").code == 0
    assert left(home) == []


def test_with_a_project_go_all_sessions_in_its_folder(home: Path, told: Path) -> None:
    assert call("purge", "--project", "larkspur", "--yes").code == 0
    assert left(home) == []
    with closing(sqlite3.connect(told / STATE)) as db:
        assert db.execute("select count(*) from session").fetchall() == [(0,)]
        assert db.execute("select count(*) from summary").fetchall() == [(0,)]
    assert call("sessions", "--json").json == []


def test_what_keeps_some_of_it_is_told_and_mended_by_a_rebuild(
    home: Path, told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "WAIT_SECONDS", 0.0)
    aside = told / f"{STATE}.corrupt-1"
    aside.write_bytes(b"the pelican clock")
    with closing(sqlite3.connect(told / "search.sqlite3")) as reader:
        reader.execute("begin")
        reader.execute("select count(*) from doc").fetchall()
        said = call("purge", NAME, "--yes")
    assert said.code == 0
    assert f"{told / 'search.sqlite3'} is in use by another process" in said.err
    assert f"{aside} was set aside" in said.err
    aside.unlink()
    assert call("rebuild").err == ""
    assert left(home) == []
