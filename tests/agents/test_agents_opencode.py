"""OpenCode: what the recorded sessions say, and what no row may do to the reader."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from agents_outline import outline
from opencode_home import DATA, OUTLINES, SESSIONS, Home, opened, source, text, tool
from support.table import table

from siltstone.agents.opencode.hooks import unquote
from siltstone.agents.values import Record
from siltstone.pipeline.messages import Message
from siltstone.store.errors import SourceError


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    with closing(made.db):
        yield made


@pytest.mark.parametrize("name", SESSIONS)
def test_a_recorded_session_is_read_as_its_raw_records_say(recorded: Home, name: str) -> None:
    assert outline(opened(recorded.reader(), SESSIONS[name]).steps) == OUTLINES[name]


def test_every_session_of_both_storages_is_found_once(recorded: Home) -> None:
    found = list(recorded.reader().discover())
    assert sorted(one.key for one in found) == sorted(SESSIONS.values())
    assert {one.agent for one in found} == {"opencode"}
    first = source(recorded.reader(), SESSIONS["01-multiturn"])
    assert first.changed == datetime.fromtimestamp(1795221450.794, UTC)


def test_a_session_says_where_it_ran_and_who_started_it(recorded: Home) -> None:
    reader = recorded.reader()
    assert opened(reader, SESSIONS["01-multiturn"]).session.cwd == "/home/dev/app"
    assert opened(reader, SESSIONS["01-multiturn"]).session.machine is None
    assert opened(reader, SESSIONS["08-subagent-child"]).session.machine == "subagent"


def test_evidence_names_the_message_and_its_time(recorded: Home) -> None:
    steps = list(opened(recorded.reader(), SESSIONS["03-remember"]).steps)
    typed = steps[0].item
    assert isinstance(typed, Message)
    assert typed.id == "msg_1fb8991fa001L10UG4cc2obNLG"
    assert typed.at == datetime.fromtimestamp(1795221459.450, UTC)


def test_rows_that_stand_in_the_write_ahead_log_alone_are_read(home: Home) -> None:
    home.db.execute("PRAGMA wal_autocheckpoint=0")
    home.session("ses_1")
    home.said("ses_1", "msg_1", 0, "ship on Fridays")
    with closing(sqlite3.connect(f"file:{home.root}/opencode.db?mode=ro&immutable=1", uri=True)) as alone:
        assert alone.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    assert outline(opened(home.reader(), "ses_1").steps) == ["user: ship on Fridays"]


@table("opencode", "quotes")
def test_the_quotes_that_run_stores_are_taken_off(stored: str, typed: str) -> None:
    assert unquote(stored) == typed


def test_two_blocks_of_one_answer_are_one_message(home: Home) -> None:
    home.session("ses_1")
    home.answered("ses_1", "msg_1", 0, text("First."), tool("completed", "ok", exit=0), text("Second."))
    assert outline(opened(home.reader(), "ses_1").steps) == [
        "final: First.⏎⏎Second.",
        "bash exit 0: make test → ok",
    ]


@pytest.mark.parametrize("mark", [{"summary": True}, {"mode": "compaction"}])
def test_the_summary_of_a_compaction_is_no_answer(home: Home, mark: Record) -> None:
    home.session("ses_1")
    home.message("ses_1", "msg_1", 0, {"role": "user"}, {"type": "compaction", "auto": True})
    home.answered("ses_1", "msg_2", 1, text("## Goal: use npm"), **mark)
    assert outline(opened(home.reader(), "ses_1").steps) == ["(2 compaction)"]


def test_messages_come_by_time_although_ids_wrap(home: Home) -> None:
    home.session("ses_1")
    home.said("ses_1", "msg_fff", 0, "before the counter wrapped")
    home.said("ses_1", "msg_000", 1, "after it")
    assert outline(opened(home.reader(), "ses_1").steps) == [
        "user: before the counter wrapped",
        "user: after it",
    ]


def test_a_database_without_event_tables_is_read(home: Home) -> None:
    home.session("ses_1")
    home.said("ses_1", "msg_1", 0, "hello there")
    home.db.executescript("DROP TABLE event; DROP TABLE event_sequence")
    assert outline(opened(home.reader(), "ses_1").steps) == ["user: hello there"]


@table("opencode", "no_row_can_make_the_reader_fall")
def test_no_row_can_make_the_reader_fall(home: Home, data: str, part: str) -> None:
    home.session("ses_1", directory="/a\ud7ff")
    home.db.execute("INSERT INTO message VALUES ('msg_1', 'ses_1', 0, 0, ?)", (data,))
    home.db.execute("INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 0, 0, ?)", (part,))
    for step in list(opened(home.reader(), "ses_1").steps):
        if isinstance(step.item, Message):
            (step.item.text + step.item.key).encode()


def test_invalid_utf8_in_a_row_is_replaced(home: Home) -> None:
    home.session("ses_1")
    home.said("ses_1", "msg_1", 0, "caf? au lait")
    home.db.execute("UPDATE part SET data = CAST(replace(data, '?', x'e9') AS TEXT)")
    assert outline(opened(home.reader(), "ses_1").steps) == ["user: caf\ufffd au lait"]


def test_a_broken_database_is_one_source_that_says_so(home: Home) -> None:
    home.db.close()
    for leftover in home.root.iterdir():
        leftover.unlink()
    (home.root / "opencode.db").write_bytes(b"no database at all" * 100)
    shutil.copytree(DATA / "storage", home.root / "storage")
    found = list(home.reader().discover())
    assert found[0].key == "opencode.db"
    assert len(found) == 3
    with pytest.raises(SourceError, match=r"opencode\.db cannot be read as OpenCode's database"):
        home.reader().read(found[0], None)
