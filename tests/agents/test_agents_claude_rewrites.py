"""What happens to a Claude Code transcript after it was read (docs/transcripts.md)."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agents_claude_records import call, record, result, text, transcript
from agents_golden import append, messages, opened, reasons, rewritten, texts, unseen
from support.table import table

from siltstone.agents.claude.read import ClaudeReader, session_idle
from siltstone.pipeline.messages import Step
from siltstone.store.state import Holder


def read(root: Path, path: Path, resume: str | None = None) -> list[Step]:
    return opened(ClaudeReader(root), path, resume)[1]


def turn(name: str, parent: str | None) -> list[dict[str, Any]]:
    """A prompt, its answer, and the note that the turn is over."""
    over = record("system", f"{name}-s", f"{name}-a", None, subtype="turn_duration")
    return [record("user", name, parent, f"ask {name}"), text(f"{name}-a", name, f"answer {name}"), over]


def test_a_call_without_a_result_waits_for_it(tmp_path: Path) -> None:
    path = transcript(
        tmp_path, record("user", "u1", None, "Go"), text("a1", "u1", "Looking.", "tool_use", api="m"),
        call("c1", "a1", "make", api="m"),
    )  # fmt: skip
    steps = read(tmp_path, path)
    assert texts(steps) == ["Go", "Looking."]
    append(path, result("r1", "c1", "built"), text("a2", "r1", "Done."))
    fresh = unseen(steps, read(tmp_path, path, steps[-1].resume))
    assert [message.id for message in fresh] == ["r1", "a2"]
    assert fresh[0].tool is not None
    assert fresh[0].tool.command == "make"


def test_a_call_given_up_by_its_agent_no_longer_holds_the_place(tmp_path: Path) -> None:
    records = [record("user", "u0", None, "Go"), call("c1", "u0", "make")]
    for number in range(1, 6):
        records += [
            record("user", f"u{number}", f"a{number - 1}", "Go on"),
            text(f"a{number}", f"u{number}", "OK."),
        ]
    path = transcript(tmp_path, *records)
    steps = read(tmp_path, path)
    assert reasons(steps) == ["unfinished"]
    append(path, *turn("u9", "a5"))
    assert texts(read(tmp_path, path, steps[-1].resume)) == ["ask u9", "answer u9"]


def test_an_answer_cut_by_a_hook_note_is_read_again_whole(tmp_path: Path) -> None:
    note = record("attachment", "h1", "a1", None)
    note["attachment"] = {"type": "hook_additional_context", "content": ["x"]}
    path = transcript(
        tmp_path,
        record("user", "u1", None, "Go"),
        text("a1", "u1", "First.", api="m"),
        note,
        text("a2", "a1", "Second.", api="m"),
    )
    steps = read(tmp_path, path)
    hook = next(step for step in steps if reasons([step]) == ["hook"])
    rest = read(tmp_path, path, hook.resume)
    assert texts(rest) == ["First.\n\nSecond."]
    assert reasons(rest) == []


def test_records_without_an_id_are_told_apart(tmp_path: Path) -> None:
    prompts = [record("user", "", None, "Use pnpm"), record("user", "", None, "Never npm")]
    found = messages(read(tmp_path, transcript(tmp_path, record("user", "u1", None, "Go"), *prompts)))
    assert len({message.key for message in found}) == 3


PARALLEL = [call("c1", "u1", "a", api="m"), call("c2", "c1", "b", api="m")]
BOTH = [result("r1", "c1", "of a"), result("r2", "c2", "of b")]
SLOW = [record("user", "u2", "u1-s", "ask u2"), call("c1", "u2", "make")]
LATE = [result("r1", "c1", "built"), text("a2", "r1", "answer u2")]
MANY = " ".join(f"v{n}<u1" for n in range(3000))


@pytest.mark.parametrize(
    ("told", "left", "reverted"),
    [
        pytest.param("u1 u2<u1 u3<u1", "u1 u3", 2, id="its branch"),
        pytest.param("u1 u2<u1 u3<u2 u4<u2 u5<u1", "u1 u5", 6, id="further back"),
        pytest.param("u1 u2<u1 border<u2 u3<border u4<u1", "u1 u4", 4, id="across a compaction"),
        pytest.param("u1@1 u2@1", "u2", 2, id="to the first prompt"),
        pytest.param("u1 u2", "u1 u2", 0, id="a prompt that lost its parent abandons nothing"),
        pytest.param(f"u1 {MANY}", "u1 v2999", 2 * 2999, id="many to one place take no longer"),
    ],
)
def test_a_rewind_abandons(tmp_path: Path, told: str, left: str, reverted: int) -> None:
    steps = read(tmp_path, transcript(tmp_path, *turns(told)))
    assert texts(steps) == [f"{what} {name}" for name in left.split() for what in ("ask", "answer")]
    assert reasons(steps) == ["reverted"] * reverted


def turns(told: str) -> Iterator[object]:
    """Turns as `name<the turn before` or `name@position of the prompt`, and the border of a compaction."""
    for one in told.split():
        one, _, position = one.partition("@")
        name, _, before = one.partition("<")
        if name == "border":
            after = {"logicalParentUuid": f"{before}-s"}
            yield record("system", "border-s", None, None, subtype="compact_boundary", **after)
            continue
        prompt, *rest = turn(name, f"{before}-s" if before else None)
        at = {"turnPosition": {"promptIndex": int(position), "turnIndex": 1}} if position else {}
        yield from (prompt | at, *rest)


WHOLE: dict[str, tuple[list[object], list[str]]] = {
    # both grow from one record, and the older branch goes on after the newer began
    "two writers": (
        [*turn("u1", None), *SLOW, *turn("u3", "u1-s"), *LATE],
        ["ask u1", "answer u1", "ask u2", "ask u3", "answer u3", "built", "answer u2"],
    ),
    "parallel calls": (
        [record("user", "u1", None, "Go"), *PARALLEL, *BOTH, *turn("u2", "r2")],
        ["Go", "of a", "of b", "ask u2", "answer u2"],
    ),
}


@pytest.mark.parametrize(("records", "left"), WHOLE.values(), ids=WHOLE)
def test_what_only_looks_like_a_rewind_abandons_nothing(
    tmp_path: Path, records: list[object], left: list[str]
) -> None:
    steps = read(tmp_path, transcript(tmp_path, *records))
    assert (texts(steps), reasons(steps)) == (left, [])


def test_records_that_hang_from_each_other_never_hang_the_reader(tmp_path: Path) -> None:
    hanging = [record("user", "u1", "u2", "one"), record("user", "u2", "u1", "two")]
    assert "answer u3" in texts(read(tmp_path, transcript(tmp_path, *hanging, *turn("u3", "u3"))))


def test_a_rewind_is_seen_when_only_its_end_is_new(tmp_path: Path) -> None:
    path = transcript(tmp_path, *turn("u1", None), *turn("u2", "u1-s"))
    steps = read(tmp_path, path)
    append(path, *turn("u3", "u2-s"), *turn("u4", "u1-s"))
    rest = read(tmp_path, path, steps[-1].resume)
    assert texts(rest) == ["ask u4", "answer u4"]
    assert reasons(rest) == ["reverted", "reverted"]


def test_local_gc_leaves_nothing_new(tmp_path: Path) -> None:
    """The file is rewritten smaller under a new inode: what is left in it was read before."""
    path = transcript(tmp_path, *turn("u1", None), *turn("u2", "u1-s"))
    steps = read(tmp_path, path)
    rows = path.read_bytes().splitlines(keepends=True)
    rewritten(path, b"".join(rows[1:2] + rows[3:]))
    append(path, *turn("u3", "u2-s"))
    rest = unseen(steps, read(tmp_path, path, steps[-1].resume))
    assert [message.text for message in rest] == ["ask u3", "answer u3"]


def test_a_torn_tail_is_waited_for_then_counted_once_it_is_sealed(tmp_path: Path) -> None:
    path = transcript(tmp_path, *turn("u1", None))
    with path.open("ab") as file:
        file.write(b'{"parentUuid":"x","type":"user","message":{"role":"us')
    steps = read(tmp_path, path)
    assert reasons(steps) == []
    with path.open("ab") as file:
        file.write(b"\n")
    append(path, *turn("u2", "u1-s"))
    rest = read(tmp_path, path, steps[-1].resume)
    assert (texts(rest), reasons(rest)) == (["ask u2", "answer u2"], ["torn-line"])


def test_clear_starts_a_new_file(tmp_path: Path) -> None:
    transcript(tmp_path, *turn("u1", None))
    cleared = record("user", "u2", None, "<command-name>/clear</command-name>")
    path = transcript(tmp_path, cleared, *turn("u3", "u2"), name="s2")
    steps = read(tmp_path, path)
    assert (texts(steps), reasons(steps)) == (["ask u3", "answer u3"], ["command"])


def pid_file(config: Path, name: str, **fields: object) -> None:
    folder = config / "sessions"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(fields))


@pytest.fixture
def gone() -> int:
    """The pid of a process that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


@table("claude_rewrites", "idle_by_the_process")
def test_idle_by_the_process(
    tmp_path: Path, gone: int, status: str, session: str, process: str, expected: bool | None
) -> None:
    pid, started = Holder.current()
    pid, started = (gone if process == "gone" else pid), ("9" if process == "another" else started)
    pid_file(tmp_path, "4879", pid=pid, sessionId=session, procStart=started, status=status)
    assert session_idle(tmp_path, "s1") is expected


def test_a_session_held_by_two_processes_is_busy_while_one_is(tmp_path: Path, gone: int) -> None:
    pid, started = Holder.current()
    pid_file(tmp_path, "7", pid=pid, sessionId="s1", procStart=started, status="busy")
    pid_file(tmp_path, "8", pid=gone, sessionId="s1", procStart="2", status="session_idle")
    assert session_idle(tmp_path, "s1") is False


def test_without_a_process_only_the_clock_can_tell(tmp_path: Path) -> None:
    path = transcript(tmp_path, *turn("u1", None))
    claude = ClaudeReader(tmp_path)
    reading, _ = opened(claude, path)
    assert claude.idle(next(claude.discover()), reading) is None


@pytest.mark.parametrize("content", ["", "[]", '{"sessionId":"s1"}', '{"sessionId":"s1","pid":"x"}'])
def test_a_broken_pid_file_never_crashes(tmp_path: Path, content: str) -> None:
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / "1.json").write_text(content)
    assert session_idle(tmp_path, "s1") in (None, True)
