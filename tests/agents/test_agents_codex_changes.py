"""Codex: every way in which a rollout changes after it was read (docs/transcripts.md)."""

import json
import shutil
from pathlib import Path

import pytest
import zstandard
from agents_golden import keys
from agents_outline import outline
from codex_home import (
    DATA,
    MIGRATED,
    NAMES,
    OUTLINES,
    THREAD,
    Home,
    call,
    event,
    line,
    opened,
    output,
    ran,
    said,
    source,
    steps,
    typed,
)

from siltstone.agents.codex.read import cutoffs, is_over
from siltstone.agents.values import ABANDONED, Record
from siltstone.pipeline.messages import Source
from siltstone.store.errors import SourceError

SEGMENTS = [f"01a1fb88-0000-7000-8000-00000000000{n}" for n in (2, 3, 4)]
BEGIN, END = event("task_started"), event("task_complete", last_agent_message=None)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def packed(path: Path, *frames: bytes) -> Path:
    """The file as Codex packs it; several frames, as after a resume in between."""
    target = path.with_name(path.name + ".zst")
    target.write_bytes(b"".join(zstandard.compress(one) for one in frames or (path.read_bytes(),)))
    return target


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_read_or_counted_twice(recorded: Home, name: str) -> None:
    path = recorded.path(name)
    whole = steps(recorded, path)
    again = steps(recorded, path, whole[-1].resume) if whole else []
    assert outline(again) in ([], OUTLINES[name][4:5]), "an answer at the end of 0.57 is still open"
    assert name.startswith("20-legacy-0.57") or not again


@pytest.mark.parametrize("name", NAMES)
def test_a_rollout_that_grows_line_by_line_is_read_the_same(recorded: Home, name: str) -> None:
    path = recorded.path(name)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"")
    resume: str | None = None
    found = []
    for one in lines:
        with path.open("ab") as file:
            file.write(one)
        grown = steps(recorded, path, resume)
        found += grown
        resume = grown[-1].resume if grown else resume
    fresh = [step for n, step in enumerate(found) if keys([step]) and keys([step])[0] not in keys(found[:n])]
    wanted = [text for text in OUTLINES[name] if not text.startswith("(")]
    assert [text.replace("final:", "assistant:") for text in outline(fresh)] == [
        text.replace("final:", "assistant:") for text in wanted
    ]


def test_archiving_keeps_name_and_place(recorded: Home) -> None:
    path = recorded.path("01-multiturn")
    key, read = source(recorded, path).key, steps(recorded, path)
    moved = recorded.root / "archived_sessions" / path.name
    path.rename(moved)
    assert source(recorded, moved).key == key
    assert steps(recorded, moved, read[-1].resume) == []


@pytest.mark.parametrize("archived", [False, True])
def test_of_a_plain_and_a_packed_file_the_plain_one_counts(recorded: Home, archived: bool) -> None:
    path = recorded.path("01-multiturn")
    target = packed(path)
    moved = target if archived else path
    moved.rename(recorded.root / "archived_sessions" / moved.name)
    found = [one.path for one in recorded.reader().discover() if one.key == path.stem]
    assert [one.suffix for one in found] == [".jsonl"]


def test_every_frame_of_a_packed_file_is_read_under_the_name_it_had(recorded: Home) -> None:
    path = recorded.path("01-multiturn")
    key, text = source(recorded, path).key, path.read_bytes()
    target = packed(path, text[:5000], text[5000:5001], text[5001:])
    path.unlink()
    assert source(recorded, target).key == key
    whole = steps(recorded, target)
    assert outline(whole) == OUTLINES["01-multiturn"]
    for n, step in enumerate(whole):
        assert keys(steps(recorded, target, step.resume)) == keys(whole[n + 1 :])


def test_the_recorded_packed_file_has_the_keys_of_the_legacy_one(recorded: Home) -> None:
    path = recorded.path("20-legacy-0.57.0")
    read = steps(recorded, path)
    target = path.with_name(path.name + ".zst")
    shutil.copy(DATA / "migrated" / target.name, target)
    path.unlink()
    again = steps(recorded, target, read[-1].resume)
    assert outline(again) == OUTLINES["22-compressed"]
    assert keys(again) == keys(read)


def test_a_spoilt_packed_file_says_so(recorded: Home) -> None:
    path = recorded.path("06-compaction")
    target = packed(path)
    path.unlink()
    target.write_bytes(target.read_bytes() + b"no frame at all")
    with pytest.raises(SourceError, match="cannot be read on"):
        list(opened(recorded, target).steps)


@pytest.mark.parametrize("name", MIGRATED)
def test_migrated_in_place_it_is_read_as_its_records_say_under_the_same_keys(
    recorded: Home, name: str
) -> None:
    path = recorded.path(MIGRATED[name])
    read = steps(recorded, path)
    path.unlink()
    shutil.copy(DATA / "migrated" / path.name, path)
    again = steps(recorded, path, read[-1].resume)
    assert (outline(again), keys(again)) == (OUTLINES[name], keys(read))


def test_a_tail_cut_off_is_noticed(home: Home) -> None:
    path = home.write(typed("u1", "first"), typed("u2", "second"))
    read = steps(home, path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]) + line(9, typed("u3", "third")))
    again = steps(home, path, read[-1].resume)
    assert [key for key in keys(again) if key not in keys(read)] == keys(again)[1:]


def test_a_running_command_is_waited_for(home: Home) -> None:
    path = home.write(BEGIN, typed("u1", "go on"), call("c1", "make"), typed("u2", "typed meanwhile"))
    early = steps(home, path)
    assert outline(early) == ["user: go on", "user: typed meanwhile"]
    with path.open("a") as file:
        file.write(line(5, ran("c1", "make", 2, "no rule")) + line(6, output("c1", "…")))
    late = steps(home, path, early[-1].resume)
    assert outline(late) == ["exec_command exit 2: make → no rule"]
    assert steps(home, path, late[-1].resume) == []


def test_words_that_may_end_the_turn_are_waited_for(home: Home) -> None:
    path = home.write(BEGIN, typed("u1", "go on"), said("a1", "Done."))
    early = steps(home, path)
    assert outline(early) == ["user: go on"]
    with path.open("a") as file:
        file.write(line(4, END))
    assert outline(steps(home, path, early[-1].resume)) == ["final: Done."]


def test_what_a_kill_leaves_open_is_given_up_in_the_end(home: Home) -> None:
    path = home.write(BEGIN, typed("u1", "go on"), call("c1", "make"))
    early, stamp = steps(home, path), source(home, path).stamp
    assert outline(early) == ["user: go on"]
    home.later = ABANDONED
    assert source(home, path).stamp != stamp
    late = steps(home, path, early[-1].resume)
    assert outline(late) == ["exec_command failed: make → "]
    assert late[-1].resume == early[-1].resume, "it may yet be continued"


@pytest.mark.parametrize(
    ("told", "seen"),
    [([], "exec_command failed: make → "), ([ran("c1", "make")], "exec_command exit 0: make → ")],
    ids=["killed", "told by an item as well"],
)
def test_an_open_call_is_given_up_once_when_the_next_turn_begins(
    home: Home, told: list[Record], seen: str
) -> None:
    path = home.write(BEGIN, typed("u1", "go on"), call("c1", "make"), *told, BEGIN, typed("u2", "again"))
    assert outline(steps(home, path)) == ["user: go on", seen, "user: again"]


def test_a_line_that_completes_two_messages_is_not_left_between_them(home: Home) -> None:
    path = home.write(BEGIN, typed("u1", "go on"), said("a1", "Hm."), typed("u2", "wait"))
    whole = steps(home, path)
    assert outline(whole)[1:] == ["assistant: Hm.", "user: wait"]
    assert "user: wait" in outline(steps(home, path, whole[1].resume))


def test_a_fork_holds_only_what_is_new_and_undoes_nothing(recorded: Home) -> None:
    base, fork = recorded.path("01-multiturn"), recorded.path("07-fork-of-01")
    assert not set(keys(steps(recorded, base))) & set(keys(steps(recorded, fork)))
    assert not any("reverted" in text for text in outline(steps(recorded, base)))


@pytest.mark.parametrize(
    ("bases", "undone"),
    [
        pytest.param([(THREAD, 5)], {"first": 5}, id="one revert"),
        pytest.param(
            [(THREAD, 5), (SEGMENTS[0], 9)], {"first": 5, SEGMENTS[0]: 9}, id="a revert in the second file"
        ),
        pytest.param([(THREAD, 5), (THREAD, 3)], {"first": 3, SEGMENTS[0]: 0}, id="back past a whole file"),
        pytest.param([(THREAD, 5), (SEGMENTS[1], 3)], {"first": 0, SEGMENTS[0]: 0}, id="a file of itself"),
        pytest.param([("elsewhere", 5)], {"first": 0}, id="back before the fork"),
        pytest.param([(5, "x")], {"first": 0}, id="no base at all"),
    ],
)
def test_what_is_not_on_the_way_from_the_newest_file_is_undone(
    tmp_path: Path, bases: list[tuple[object, object]], undone: dict[str, int]
) -> None:
    family = [Source("codex", "first", str(tmp_path / "first"), "", 0, THREAD)]
    meta: dict[str, Record] = {"first": {}}
    for segment, (thread, end) in zip(SEGMENTS, bases, strict=False):
        family.append(Source("codex", f"first_{segment}", str(tmp_path / segment), "", 0, THREAD))
        meta[segment] = {"history_base": {"thread_id": thread, "end_ordinal_exclusive": end}}
    found = cutoffs(family, lambda path: meta[path.name])
    assert {key.rpartition("_")[2]: end for key, end in found.items()} == undone
    assert cutoffs(family[:1], lambda path: meta[path.name]) == {}


def test_each_segment_is_read_up_to_where_the_next_begins(home: Home) -> None:
    first = home.write(typed("u1", "kept"), typed("u2", "undone"))
    second = home.write(
        typed("u3", "kept too"),
        typed("u4", "undone too"),
        segment=SEGMENTS[0],
        history_base={"thread_id": THREAD, "end_ordinal_exclusive": 2},
    )
    third = home.write(
        typed("u5", "newest"),
        segment=SEGMENTS[1],
        history_base={"thread_id": SEGMENTS[0], "end_ordinal_exclusive": 4},
    )
    assert [outline(steps(home, path)) for path in (first, second, third)] == [
        ["user: kept", "(1 reverted)"],
        ["user: kept too", "(1 reverted)"],
        ["user: newest"],
    ]


@pytest.mark.parametrize(
    ("records", "shown"),
    [
        pytest.param([BEGIN, typed("u1", "go on")], False, id="a turn is open"),
        pytest.param([BEGIN, END], None, id="a turn has ended"),
        pytest.param([BEGIN, event("turn_aborted")], None, id="a turn was interrupted"),
        pytest.param([typed("u1", "go on")], None, id="turns are not marked"),
        pytest.param([END, typed("u1", json.dumps(line(1, BEGIN)))], None, id="a mark in somebody's words"),
    ],
)
def test_an_open_turn_is_seen_at_the_end_of_the_file(
    home: Home, records: list[Record], shown: bool | None
) -> None:
    path = home.write(*records)
    found = source(home, path)
    assert is_over(home.root, path, THREAD) is shown
    assert home.reader().idle(found, opened(home, path)) is shown
    home.later = ABANDONED
    assert home.reader().idle(found, opened(home, path)) is None


@pytest.mark.parametrize(("held", "shown"), [(True, False), (False, True)], ids=["held", "let go"])
def test_the_lock_of_a_writer_is_looked_up_and_not_touched(home: Home, held: bool, shown: bool) -> None:
    path = home.write(BEGIN)
    lock = home.root / "thread-writer-locks" / f"{THREAD}.lock"
    lock.parent.mkdir()
    lock.touch()
    stat = lock.stat()
    major, minor = stat.st_dev >> 8 & 0xFFF, (stat.st_dev & 0xFF) | (stat.st_dev >> 12 & 0xFFF00)
    inode = stat.st_ino if held else stat.st_ino + 1
    locks = home.root / "locks"
    locks.write_text(f"1: FLOCK  ADVISORY  WRITE 4711 {major:02x}:{minor:02x}:{inode} 0 EOF\n")
    assert is_over(home.root, path, THREAD, locks) is shown
    assert is_over(home.root, path, THREAD, home.root / "none") is False


# Legacy rollouts keep what a rollback took back, and say afterwards how many turns are gone.


def turn(word: str, *between: Record) -> list[Record]:
    """A typed text and its answer."""
    answer = event("agent_message", message=f"{word} done", phase="final_answer")
    return [BEGIN, event("user_message", message=word), *between, answer, END]


def back(turns: object) -> Record:
    return event("thread_rolled_back", num_turns=turns)


STOPPED = [BEGIN, event("user_message", message="b"), event("turn_aborted")]


@pytest.mark.parametrize(
    ("records", "kept"),
    [
        pytest.param([*turn("a"), *turn("b"), back(1), *turn("c")], ["a", "c"], id="the last turn"),
        pytest.param([*turn("a"), *turn("b"), *turn("c"), back(2)], ["a"], id="two turns"),
        pytest.param([*turn("a"), *turn("b"), back(1), *turn("c"), back(2)], [], id="one after another"),
        pytest.param([*turn("a"), back(9), *turn("b")], ["b"], id="more than there are"),
        pytest.param([back(1), *turn("a")], ["a"], id="before any turn"),
        pytest.param([*turn("a"), *STOPPED, back(1), *turn("c")], ["a", "c"], id="an interrupted turn"),
        pytest.param(
            [*turn("a"), event("user_message", message="<environment_context>x"), back(1), *turn("b")],
            ["b"],
            id="what was injected is no turn",
        ),
        pytest.param([*turn("a"), back("x"), back(-1), back(None), *turn("b")], ["a", "b"], id="no number"),
        pytest.param([*turn('say "thread_rolled_back"'), *turn("b")], None, id="only words"),
    ],
)
def test_turns_rolled_back_are_reverted(home: Home, records: list[Record], kept: list[str] | None) -> None:
    path = home.write(*records)
    found = outline(opened(home, path).steps)
    if kept is None:
        assert not any("reverted" in one for one in found)
    else:
        assert [one for one in found if one.startswith("user")] == [f"user: {word}" for word in kept]


def test_tool_calls_go_with_their_turn_and_are_counted(home: Home) -> None:
    path = home.write(*turn("a"), *turn("b", call("call_1", "make"), output("call_1", "ok")), back(1))
    assert "(3 reverted)" in outline(opened(home, path).steps)


def test_a_rollback_of_what_was_read_before_changes_nothing_now(home: Home) -> None:
    path = home.write(*turn("a"), *turn("b"))
    token = list(opened(home, path).steps)[-1].resume
    before = path.read_bytes()
    after = home.write(*turn("a"), *turn("b"), back(1), *turn("c")).read_bytes()
    path.write_bytes(after)
    assert after.startswith(before)
    found = outline(opened(home, path, token).steps)
    assert [one for one in found if one.startswith("user")] == ["user: c"]


def test_a_paginated_rollout_goes_back_by_segments_alone(home: Home) -> None:
    path = home.write(*turn("a"), back(1), history_mode="paginated")
    assert "user: a" in outline(opened(home, path).steps)
