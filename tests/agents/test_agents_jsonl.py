"""Lines of somebody else's file: complete, resumable, and unbreakable."""

import json
import tracemalloc
from pathlib import Path

import orjson
import pytest
import zstandard
from agents_golden import rewritten
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.agents.jsonl import Lines, loads
from siltstone.store.errors import SourceError

THREE = b'{"n":1}\n{"n":2}\n{"n":3}\n'


def written(folder: Path, data: bytes) -> Path:
    path = folder / "log.jsonl"
    path.write_bytes(data)
    return path


def numbers(lines: Lines) -> list[int]:
    return [orjson.loads(line.raw)["n"] for line in lines]


def mark_after(path: Path, count: int, base: int | None = None) -> str:
    lines = Lines(path)
    taken = [line for line, _ in zip(lines, range(count), strict=False)]
    return lines.mark(taken[-1], base)


def test_an_unterminated_tail_is_waited_for(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"n":1}\n{"n":2')
    assert numbers(Lines(path)) == [1]
    resume = mark_after(path, 1)
    with path.open("ab") as file:
        file.write(b'2}\n{"n":3}\n')
    assert numbers(Lines(path, resume)) == [22, 3]


def test_what_is_appended_while_reading_waits_for_the_next_run(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"n":1}\n{"n":2}\n')
    lines = Lines(path)
    with path.open("ab") as file:
        file.write(b'{"n":3}\n')
    assert numbers(lines) == [1, 2]


@pytest.mark.parametrize("before", [0, 5, 262_138, 262_144, 600_000])
def test_a_word_is_found_wherever_it_stands(tmp_path: Path, before: int) -> None:
    path = written(tmp_path, b"x" * before + b'"needle"' + b"x" * 50)
    assert Lines(path).holds(b'"needle"')
    assert not Lines(path).holds(b'"needles')


def test_a_token_may_go_back_to_what_is_still_open(tmp_path: Path) -> None:
    path = written(tmp_path, THREE)
    lines = Lines(path, mark_after(path, 2, base=0))
    assert numbers(lines) == [1, 2, 3]
    assert [line.end <= lines.done for line in lines] == [True, True, False]


def test_the_readers_note_comes_back(tmp_path: Path) -> None:
    path = written(tmp_path, THREE)
    lines = Lines(path)
    note = 'ordinal=7:{"a":"b"}'
    assert Lines(path, lines.mark(next(iter(lines)), note=note)).note == note


def overwritten(path: Path, data: bytes) -> None:
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()


@pytest.mark.parametrize(
    ("how", "data"),
    [
        pytest.param(rewritten, THREE, id="new inode, same bytes"),
        pytest.param(rewritten, b'{"n":2}\n{"n":3}\n{"n":4}\n{"n":5}\n', id="new inode, smaller start"),
        pytest.param(overwritten, b'{"n":1}\n{"n":2}\n', id="tail truncated, last line still there"),
        pytest.param(overwritten, b'{"n":1}\n', id="tail truncated"),
        pytest.param(overwritten, b"", id="emptied"),
        pytest.param(overwritten, b'{"n":9}\n{"n":2}\n{"n":3}\n', id="another first line"),
        pytest.param(overwritten, b'{"n":1}\n{"n":7}\n{"n":3}\n{"n":4}\n', id="another last line"),
        pytest.param(overwritten, b'{"n":1}\n{"n":2} {"n":3}\n{"n":4}\n', id="newline gone"),
    ],
)
def test_a_token_that_no_longer_fits_is_ignored(tmp_path: Path, how: object, data: bytes) -> None:
    path = written(tmp_path, THREE)
    resume = mark_after(path, 2)
    assert callable(how)
    how(path, data)
    lines = Lines(path, resume)
    assert (lines.offset, lines.done) == (0, 0)
    assert [line.raw for line in lines] == data.splitlines()


@pytest.mark.parametrize(
    "resume",
    ["", "x", "j1:", "j1:a:b:c:d:e:f:g:h", "j2:1:2:3:4:5:6:7:", "j1:1:1:x:-5:-9:-1:0:", ":" * 20],
)
def test_a_foreign_token_is_ignored(tmp_path: Path, resume: str) -> None:
    assert numbers(Lines(written(tmp_path, THREE), resume)) == [1, 2, 3]


def test_a_file_replaced_between_opening_and_reading_is_left_to_the_next_run(tmp_path: Path) -> None:
    path = written(tmp_path, THREE)
    lines = Lines(path)
    rewritten(path, b'{"n":8}\n')
    assert list(lines) == []
    assert "was replaced" in lines.complaints[0]


def test_a_file_gone_between_opening_and_reading_is_a_source_error(tmp_path: Path) -> None:
    path = written(tmp_path, THREE)
    lines = Lines(path)
    path.unlink()
    with pytest.raises(SourceError, match="cannot be read"):
        list(lines)


def test_a_monstrous_line_is_skipped_and_reported_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with path.open("wb") as file:
        file.write(b'{"n":1}\n{"n":"')
        for _ in range(40):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n{"n":3}\n')
    tracemalloc.start()
    try:
        lines = Lines(path, cap=100_000)
        read = list(lines)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [(line.too_long, line.raw) for line in read] == [
        (False, b'{"n":1}'),
        (True, b""),
        (False, b'{"n":3}'),
    ]
    assert peak < 5_000_000
    assert "40000009 bytes" in lines.complaints[0]
    assert numbers(Lines(path, lines.mark(read[1]), cap=100_000)) == [3]


def test_a_monstrous_unterminated_tail_is_waited_for(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"n":1}\n' + b"x" * 5000)
    lines = Lines(path, cap=1000)
    assert numbers(lines) == [1]
    assert lines.complaints == []


def test_a_packed_file_is_read_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(zstandard.compress(THREE))
    lines = Lines(path)
    assert numbers(Lines(path, lines.mark(next(iter(lines))))) == [2, 3]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(b'{"a":1}', {"a": 1}, id="plain"),
        pytest.param(b'{"a":1}\r', {"a": 1}, id="windows line end"),
        pytest.param(b'\xef\xbb\xbf{"a":1}', {"a": 1}, id="byte order mark"),
        pytest.param(b'\0\0\0{"a":1}', {"a": 1}, id="hole of NULs before"),
        pytest.param(b'{"a":"\\ud83d"}', {"a": "\ufffd"}, id="lone surrogate"),
        pytest.param(b'{"\\udc00":"\\ud83d\\ude00"}', {"\ufffd": "\U0001f600"}, id="pair kept, key scrubbed"),
        pytest.param(b'{"a":["x\\u0000y"]}', {"a": ["x\ufffdy"]}, id="escaped NUL"),
        pytest.param(b'{"a":"\xff\xfe"}', {"a": "\ufffd\ufffd"}, id="invalid UTF-8"),
        pytest.param(b'{"a":NaN,"b":-Infinity}', {"a": None, "b": None}, id="not a number"),
        pytest.param(b'{"a":"x\ty"}', {"a": "x\ty"}, id="raw control character"),
        pytest.param(b'{"parentUuid":"x","type":"us', None, id="torn"),
        pytest.param(b"", None, id="empty"),
        pytest.param(b"\0\0\0\0", None, id="only NULs"),
        pytest.param(b"[1]", None, id="array"),
        pytest.param(b'"text"', None, id="string"),
        pytest.param(b"{" * 100_000, None, id="torn and deep"),
        pytest.param(b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}", None, id="too deep"),
        pytest.param(b'{"a":' + b"9" * 10_000 + b",}", None, id="endless number, torn"),
    ],
)
def test_loads(raw: bytes, expected: object) -> None:
    assert loads(raw) == expected


@settings(max_examples=100)
@given(st.binary(max_size=200))
def test_loads_never_fails(raw: bytes) -> None:
    value = loads(raw)
    assert value is None or isinstance(value, dict)


@settings(max_examples=60)
@given(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=4))
def test_loads_reads_what_json_writes(value: dict[str, str]) -> None:
    clean = {k.replace("\0", "\ufffd"): v.replace("\0", "\ufffd") for k, v in value.items()}
    assert loads(json.dumps(value).encode()) == clean
    assert loads(json.dumps(value, ensure_ascii=False).encode()) == clean


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"")), max_size=8), st.integers(0, 8))
def test_reading_in_two_runs_equals_reading_in_one(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], at: int
) -> None:
    path = written(tmp_path_factory.mktemp("runs"), b"".join(part + b"\n" for part in parts))
    whole = list(Lines(path))
    lines = Lines(path)
    first = [line for line, _ in zip(lines, range(at), strict=False)]
    rest = list(Lines(path, lines.mark(first[-1]) if first else None))
    assert first + rest == whole
