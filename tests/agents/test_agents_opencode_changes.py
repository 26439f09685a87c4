"""OpenCode: every way in which its rows change after they were read (docs/transcripts.md)."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from agents_golden import keys
from agents_outline import outline
from opencode_home import SESSIONS, SOON, START, Home, opened, source, text, tool
from support.table import table

from siltstone.agents.values import ABANDONED
from siltstone.pipeline.messages import Message


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    with closing(made.db):
        yield made


def running(home: Home) -> None:
    """A tool is running."""
    home.session("ses_1")
    home.said("ses_1", "msg_1", 0, "run the tests")
    home.answered("ses_1", "msg_2", 1, tool("running"), time={}, finish=None)


def ends(home: Home) -> None:
    done = json.dumps({"role": "assistant", "time": {"created": START + 1, "completed": START + 9}})
    home.db.execute("UPDATE message SET data = ? WHERE id = 'msg_2'", (done,))
    home.db.execute("UPDATE part SET data = ? WHERE id = 'prt_msg_2_0'", (json.dumps(tool("completed")),))


def test_a_running_tool_is_waited_for_and_then_read_once(home: Home) -> None:
    running(home)
    home.said("ses_1", "msg_3", 2, "typed while it ran")
    early = list(opened(home.reader(), "ses_1").steps)
    assert outline(early) == ["user: run the tests"]
    assert home.reader().idle(source(home.reader(), "ses_1"), opened(home.reader(), "ses_1")) is False
    ends(home)
    late = list(opened(home.reader(), "ses_1", early[-1].resume).steps)
    assert outline(late) == ["bash: make test → ", "user: typed while it ran"]


def test_a_message_that_ends_while_the_session_is_read_is_read_as_it_ended(home: Home) -> None:
    running(home)
    reading = opened(home.reader(), "ses_1").steps
    first = next(reading)
    ends(home)
    assert outline([first, *reading]) == ["user: run the tests", "bash: make test → "]


def test_a_message_that_goes_while_the_session_is_read_is_passed_over(home: Home) -> None:
    home.session("ses_1")
    for n in range(150):
        home.said("ses_1", f"msg_{n}", n, f"word {n}")
    reading = opened(home.reader(), "ses_1").steps
    first = next(reading)
    home.db.execute("DELETE FROM message WHERE id = 'msg_149'")
    assert outline([first, *reading]) == [f"user: word {n}" for n in range(149)]


def test_a_tool_that_runs_for_ever_after_a_kill_is_read_in_the_end(home: Home) -> None:
    running(home)
    late = home.reader(SOON + ABANDONED)
    assert source(late, "ses_1").stamp != source(home.reader(), "ses_1").stamp
    assert late.idle(source(late, "ses_1"), opened(late, "ses_1")) is None
    steps = list(opened(late, "ses_1").steps)
    assert outline(steps) == ["user: run the tests", "bash failed: make test → "]
    assert steps[-1].resume == steps[0].resume, "it may yet be continued"


def test_a_killed_turn_is_closed_by_the_next_answer(home: Home) -> None:
    home.session("ses_1")
    home.answered("ses_1", "msg_1", 0, tool("running"), time={}, finish=None)
    home.said("ses_1", "msg_2", 1, "go on")
    home.answered("ses_1", "msg_3", 2, text("Going on."))
    assert outline(opened(home.reader(), "ses_1").steps) == [
        "bash failed: make test → ",
        "user: go on",
        "final: Going on.",
    ]


def test_a_prompt_whose_text_is_not_yet_there_is_waited_for(home: Home) -> None:
    home.session("ses_1")
    home.message("ses_1", "msg_1", 0, {"role": "user"})
    assert list(opened(home.reader(), "ses_1").steps) == []


def test_what_is_reverted_is_not_mined_unless_the_revert_is_taken_back(home: Home) -> None:
    home.session("ses_1", revert=json.dumps({"messageID": "msg_3"}))
    home.said("ses_1", "msg_1", 0, "keep this")
    home.answered("ses_1", "msg_2", 1, text("Kept."))
    home.said("ses_1", "msg_3", 2, "undo this")
    home.answered("ses_1", "msg_4", 3, text("Undone."))
    reverted = list(opened(home.reader(), "ses_1").steps)
    assert outline(reverted) == ["user: keep this", "final: Kept.", "(2 reverted)"]
    before = source(home.reader(), "ses_1").stamp
    home.db.execute("UPDATE session SET revert = NULL")
    assert source(home.reader(), "ses_1").stamp != before
    back = opened(home.reader(), "ses_1", reverted[-1].resume)
    assert outline(back.steps) == ["user: undo this", "final: Undone."]


def test_a_revert_to_a_part_keeps_what_stands_before_it(home: Home) -> None:
    home.session("ses_1", revert=json.dumps({"messageID": "msg_1", "partID": "prt_msg_1_1"}))
    home.answered("ses_1", "msg_1", 0, text("I run it."), tool("completed", "ok", exit=0))
    assert outline(opened(home.reader(), "ses_1").steps) == ["final: I run it.", "(1 reverted)"]


def test_after_the_prompt_that_deletes_reverted_rows_nothing_is_lost_or_new(home: Home) -> None:
    home.session("ses_1")
    home.said("ses_1", "msg_1", 0, "keep this")
    home.said("ses_1", "msg_2", 1, "undo this")
    first = list(opened(home.reader(), "ses_1").steps)
    home.db.execute("DELETE FROM message WHERE id = 'msg_2'")
    home.said("ses_1", "msg_3", 2, "instead of it")
    again = list(opened(home.reader(), "ses_1", first[-1].resume).steps)
    assert outline(again) == ["user: keep this", "user: instead of it"]
    assert [key for key in keys(again) if key not in keys(first)] == keys(again)[1:]


def test_a_fork_repeats_the_keys_of_what_it_copied(home: Home) -> None:
    for session, tag in (("ses_1", "a"), ("ses_2", "b")):
        home.session(session)
        home.said(session, f"msg_{tag}1", 0, "use pnpm")
        home.answered(
            session, f"msg_{tag}2", 1, tool("completed", "ok", exit=0), tool("completed", "ok", exit=0)
        )
    home.said("ses_2", "msg_b3", 2, "only in the fork")
    original = keys(list(opened(home.reader(), "ses_1").steps))
    fork = keys(list(opened(home.reader(), "ses_2").steps))
    assert len(set(original)) == 3, "two equal calls are two messages"
    assert fork[:3] == original
    assert len(fork) == 4


def test_an_import_from_files_to_the_database_keeps_place_and_keys(recorded: Home) -> None:
    session = SESSIONS["json-era-remember"]
    before = list(opened(recorded.reader(), session).steps)
    recorded.session(session)
    for step in before:
        assert isinstance(step.item, Message)
        data = json.loads(next(recorded.root.glob(f"storage/message/*/{step.item.id}.json")).read_text())
        parts = sorted(recorded.root.glob(f"storage/part/{step.item.id}/*.json"))
        at = data["time"]["created"] - START
        recorded.message(session, step.item.id, at, data, *(json.loads(one.read_text()) for one in parts))
    after = source(recorded.reader(), session)
    assert after.path.name == "opencode.db"
    assert [one.key for one in recorded.reader().discover()].count(session) == 1
    assert list(opened(recorded.reader(), session, before[-1].resume).steps) == []
    assert keys(list(opened(recorded.reader(), session).steps)) == keys(before)


def test_a_part_file_that_changes_in_place_changes_the_stamp(recorded: Home) -> None:
    session = SESSIONS["json-era-failing-command"]
    before = source(recorded.reader(), session).stamp
    parts = [path for path in recorded.root.glob("storage/part/*/*.json") if session in path.read_text()]
    parts[0].write_text(parts[0].read_text() + " ")
    assert source(recorded.reader(), session).stamp != before


@table("opencode_changes", "the_stamp_follows_the_event_number")
def test_the_stamp_follows_the_event_number(recorded: Home, change: str) -> None:
    session = SESSIONS["01-multiturn"]
    before = source(recorded.reader(), session).stamp
    assert source(recorded.reader(), session).stamp == before
    recorded.db.execute(change)
    assert source(recorded.reader(), session).stamp != before


def test_without_events_a_row_that_changes_in_place_changes_the_stamp(home: Home) -> None:
    home.session("ses_1")
    home.said("ses_1", "msg_1", 0, "hello there")
    before = source(home.reader(), "ses_1").stamp
    home.db.execute("UPDATE part SET time_updated = time_updated + 1")
    assert source(home.reader(), "ses_1").stamp != before


def test_a_deleted_session_is_no_session(home: Home) -> None:
    home.session("ses_1")
    gone = source(home.reader(), "ses_1")
    home.db.execute("DELETE FROM session")
    assert home.reader().read(gone, None) is None


@pytest.mark.parametrize("resume", ["", "x", "0:", "7:msg_1", "1:msg_2", "²:msg_1", "9" * 5000 + ":msg_1"])
def test_a_token_that_does_not_fit_reads_from_the_start(home: Home, resume: str) -> None:
    home.session("ses_1")
    home.said("ses_1", "msg_1", 0, "hello there")
    assert outline(opened(home.reader(), "ses_1", resume).steps) == ["user: hello there"]


@pytest.mark.parametrize(
    ("last", "idle"),
    [
        pytest.param(lambda home: home.said("ses_1", "msg_9", 9, "a question"), False, id="unanswered"),
        pytest.param(lambda home: home.answered("ses_1", "msg_9", 9, text("Done.")), None, id="finished"),
        pytest.param(
            lambda home: home.answered("ses_1", "msg_9", 9, tool("completed"), finish="tool-calls"),
            False,
            id="between two steps",
        ),
        pytest.param(
            lambda home: home.answered("ses_1", "msg_9", 9, time={}, finish=None, error={"name": "APIError"}),
            None,
            id="ended by an error",
        ),
    ],
)
def test_a_running_turn_is_not_idle(home: Home, last: Callable[[Home], None], idle: bool | None) -> None:
    home.session("ses_1")
    last(home)
    reader = home.reader()
    assert reader.idle(source(reader, "ses_1"), opened(reader, "ses_1")) is idle
    assert (
        home.reader(SOON + timedelta(days=1)).idle(source(reader, "ses_1"), opened(reader, "ses_1")) is None
    )
