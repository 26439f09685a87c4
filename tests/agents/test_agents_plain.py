"""The plain door: one JSON object a line, from anything that can write a file."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from agents_golden import append, messages, reasons, texts, unseen
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.agents.plain.read import PlainReader
from siltstone.pipeline.messages import Reading, Step

MTIME = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
NOON = "2026-11-21T12:00:00Z"


def say(role: str, content: object, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def written(path: Path, *records: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    os.utime(path, (MTIME.timestamp(), MTIME.timestamp()))
    return path


def read(root: Path, key: str = "log", resume: str | None = None) -> tuple[Reading, list[Step]]:
    plain = PlainReader(root)
    source = next(source for source in plain.discover() if source.key == key)
    reading = plain.read(source, resume)
    assert reading is not None
    return reading, list(reading.steps)


def test_a_file_is_a_session_named_after_it(tmp_path: Path) -> None:
    written(
        tmp_path / "log.jsonl",
        say("system", "You are helpful."),
        say("user", "Use pnpm", timestamp=NOON, cwd="/home/dev/repo"),
        say("assistant", "Looking."),
        say("tool", "pnpm 9", name="bash"),
        say("assistant", [{"type": "text", "text": "Noted,"}, {"type": "image"}, "pnpm."]),
        say("narrator", "Meanwhile"),
        say("user", "  "),
    )
    reading, steps = read(tmp_path)
    assert (reading.session.id, reading.session.cwd, reading.session.machine) == (
        "log",
        "/home/dev/repo",
        None,
    )
    assert [(message.role, message.final) for message in messages(steps)] == [
        ("user", False), ("assistant", False), ("tool", False), ("assistant", True),
    ]  # fmt: skip
    assert texts(steps) == ["Use pnpm", "Looking.", "pnpm 9", "Noted,\npnpm."]
    assert reasons(steps) == ["instructions", "unknown-role", "empty"]


def test_an_answer_is_final_when_its_turn_ends(tmp_path: Path) -> None:
    answers = [
        say("assistant", "one"),
        say("assistant", "two"),
        say("user", "Next"),
        say("assistant", "three"),
    ]
    written(tmp_path / "log.jsonl", say("user", "Go"), *answers)
    final = [message.text for message in messages(read(tmp_path)[1]) if message.final]
    assert final == ["two", "three"]


def test_a_missing_time_is_that_of_the_message_before_or_the_files(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    written(
        path,
        say("user", "a"),
        say("user", "b", timestamp=NOON),
        say("user", "c"),
        say("user", "d", timestamp="?"),
    )
    noon = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    assert [message.at for message in messages(read(tmp_path)[1])] == [MTIME, noon, noon, noon]


def test_one_file_holds_several_sessions(tmp_path: Path) -> None:
    written(
        tmp_path / "log.jsonl",
        say("user", "from a", session="a", cwd="/a"),
        say("user", "from b", session="b", cwd="/b"),
        say("user", "from nobody"),
        say("assistant", "to a", session="a"),
        say("user", "from 7", session=7),
    )
    keys = [source.key for source in PlainReader(tmp_path).discover()]
    assert keys == ["log#a", "log#b", "log", "log#7"]
    assert [texts(read(tmp_path, key)[1]) for key in keys] == [
        ["from a", "to a"], ["from b"], ["from nobody"], ["from 7"],
    ]  # fmt: skip
    assert [read(tmp_path, key)[0].session.cwd for key in keys] == ["/a", "/b", "", ""]


def test_broken_lines_are_counted_by_the_first_session_alone(tmp_path: Path) -> None:
    path = written(
        tmp_path / "log.jsonl", say("user", "from a", session="a"), say("user", "from b", session="b")
    )
    with path.open("ab") as file:
        file.write(b'{"role":"us\n\n')
    assert [reasons(read(tmp_path, key)[1]) for key in ("log#a", "log#b")] == [["torn-line"], []]


def test_a_folder_is_searched_at_any_depth(tmp_path: Path) -> None:
    for name in ("a.jsonl", "deep/er/b.jsonl", "notes.txt"):
        written(tmp_path / name, say("user", "x"))
    assert [source.key for source in PlainReader(tmp_path).discover()] == ["a", "deep/er/b"]


def test_a_single_file_may_be_the_root(tmp_path: Path) -> None:
    path = written(tmp_path / "log.txt", say("user", "x"))
    assert texts(read(path)[1]) == ["x"]


def test_a_file_without_messages_is_no_session(tmp_path: Path) -> None:
    assert list(PlainReader(None).discover()) == []
    written(tmp_path / "log.jsonl", {"level": "info"}, [1], "x")
    assert list(PlainReader(tmp_path).discover()) == []


def test_sessions_are_listed_anew_when_the_file_changes(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", say("user", "x", session="a"))
    plain = PlainReader(tmp_path)
    assert [source.key for source in plain.discover()] == ["log#a"]
    append(path, say("user", "x", session="b"))
    assert [source.key for source in plain.discover()] == ["log#a", "log#b"]


def test_a_session_gone_since_discovery_is_none(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", say("user", "x", session="a"))
    plain = PlainReader(tmp_path)
    source = next(plain.discover())
    written(path, say("user", "x", session="b"))
    assert plain.read(source, None) is None


def test_the_same_words_twice_are_two_messages(tmp_path: Path) -> None:
    written(tmp_path / "log.jsonl", *[say("user", "yes"), say("assistant", "Done.")] * 3)
    keys = [message.key for message in messages(read(tmp_path)[1])]
    assert len(set(keys)) == len(keys) == 6


def test_ids_outlive_a_rewrite_and_what_is_appended(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", say("user", "a"), say("assistant", "b"))
    _, steps = read(tmp_path)
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data)
    append(path, say("user", "c"))
    _, rest = read(tmp_path, resume=steps[-1].resume)
    assert [message.text for message in unseen(steps, rest)] == ["c"]


RECORDS = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant", "tool", "system"]),
        "content": st.sampled_from(["yes", "no", ""]),
    },
    optional={"session": st.sampled_from(["a", "log"]), "timestamp": st.just(NOON)},
)


@settings(max_examples=60, deadline=None)
@given(st.lists(RECORDS, min_size=1, max_size=8), st.data())
def test_going_on_after_any_step_loses_and_counts_nothing_twice(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, str]], data: st.DataObject
) -> None:
    root = tmp_path_factory.mktemp("plain")
    written(root / "log.jsonl", *records)
    for source in PlainReader(root).discover():
        _, whole = read(root, source.key)
        if not whole:
            continue
        number = data.draw(st.integers(0, len(whole) - 1))
        _, rest = read(root, source.key, whole[number].resume)
        before = whole[: number + 1]
        keys = [message.key for message in messages(before) + unseen(before, rest)]
        assert keys == [message.key for message in messages(whole)]
        assert sorted(reasons(before) + reasons(rest)) == sorted(reasons(whole))


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [[[]]], [None, 7]], ids=repr)
@pytest.mark.parametrize("field", ["role", "content", "timestamp", "session", "cwd", "name"])
def test_wrong_types_never_crash(tmp_path: Path, field: str, value: object) -> None:
    written(tmp_path / "log.jsonl", say("tool", "x") | {field: value}, say("user", "Go"))
    assert texts(read(tmp_path)[1])[-1] == "Go"
