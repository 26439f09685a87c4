"""What every reader keeps to, whatever its agent's format (`pipeline/messages.py`, `Reader`)."""

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from agents_golden import messages, reasons, unseen
from any_shape import OTHERS, paths, replaced
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table
from typed_sessions import lay

from siltstone.agents.jsonl import loads
from siltstone.agents.readers import AGENTS, readers
from siltstone.pipeline.messages import Reader, Source, Step
from siltstone.store.errors import Misuse, SourceError

each_agent = pytest.mark.parametrize("agent", AGENTS)


def steps(reader: Reader, source: Source, resume: str | None = None) -> list[Step]:
    reading = reader.read(source, resume)
    return list(reading.steps) if reading else []


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "opencode"])
def test_going_on_after_any_step_loses_and_counts_nothing_twice(agent: str, roots: dict[str, Path]) -> None:
    (reader,) = readers({agent: roots[agent]}, {})
    for source in list(reader.discover()):
        whole = steps(reader, source)
        for number, step in enumerate(whole, 1):
            before, rest = whole[:number], steps(reader, source, step.resume)
            assert [message.key for message in unseen(before, rest)] == [
                message.key for message in messages(whole[number:])
            ], source.key
            if agent in ("claude", "gemini"):
                assert sorted(reasons(before) + reasons(rest)) == sorted(reasons(whole)), source.key


def read_all(reader: Reader) -> None:
    """Read whatever is there: a SourceError is allowed, no other."""
    for source in reader.discover():
        with suppress(SourceError):
            for message in messages(steps(reader, source)):
                (message.id + message.key + message.text).encode()
                assert (message.tool is None) == (message.role != "tool")


def other_shape(record: Any, data: st.DataObject) -> str:
    place = data.draw(st.sampled_from([(), *paths(record)]))
    return json.dumps(replaced(record, place, data.draw(st.sampled_from(OTHERS))))


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_no_value_in_a_transcript_makes_a_reader_fall(
    agent: str, roots: dict[str, Path], tmp_path: Path
) -> None:
    names = [path.relative_to(roots[agent]) for path in sorted(roots[agent].rglob("*.jsonl"))]
    (reader,) = readers({agent: tmp_path / "changed"}, {})

    @given(st.sampled_from(names), st.data())
    @settings(max_examples=80, deadline=None)
    def any_shape(name: Path, data: st.DataObject) -> None:
        lines = (roots[agent] / name).read_text(encoding="utf-8", errors="replace").splitlines()
        number = data.draw(st.integers(0, len(lines) - 1))
        lines[number] = other_shape(loads(lines[number].encode()), data)
        path = tmp_path / "changed" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        read_all(reader)
        path.unlink()

    any_shape()


def test_no_value_in_opencodes_database_makes_its_reader_fall(roots: dict[str, Path]) -> None:
    (reader,) = readers({"opencode": roots["opencode"]}, {})
    with closing(sqlite3.connect(roots["opencode"] / "opencode.db", isolation_level=None)) as db:
        rows = [
            (table, *row)
            for table in ("message", "part")
            for row in db.execute(f"SELECT id, data FROM {table}")  # noqa: S608
        ]

        @given(st.sampled_from(rows), st.data())
        @settings(max_examples=40, deadline=None)
        def any_shape(row: tuple[str, str, str], data: st.DataObject) -> None:
            table, name, text = row
            update = f"UPDATE {table} SET data = ? WHERE id = ?"  # noqa: S608
            db.execute(update, (other_shape(json.loads(text), data), name))
            read_all(reader)
            db.execute(update, (text, name))

        any_shape()


@each_agent
def test_our_own_calls_are_recognised(agent: str, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for root, first in ((ours, "<!-- siltstone-internal --> Extract."), (theirs, "what is it?")):
        root.mkdir()
        lay(agent, root, first, "what does siltstone-internal mean?")
    machines = []
    for root in (ours, theirs):
        (reader,) = readers({agent: root}, {})
        (source,) = reader.discover()
        reading = reader.read(source, None)
        assert reading is not None
        machines.append(reading.session.machine)
    assert machines[0] in ("siltstone", "exec-by-siltstone")
    assert machines[1] is None


@each_agent
def test_a_missing_folder_holds_nothing(agent: str, tmp_path: Path) -> None:
    (reader,) = readers({agent: tmp_path / "none"}, {})
    assert list(reader.discover()) == []


def test_an_agent_there_is_no_folder_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="there is no agent 'emacs'"):
        readers({"emacs": tmp_path}, {})


@table("readers", "folders")
def test_where_an_agent_keeps_its_files(agent: str, variables: dict[str, str], root: str) -> None:
    found = {one.agent: one for one in readers({}, {"HOME": "/home/dev", **variables})}
    assert getattr(found[agent], "root", None) == Path(root)
