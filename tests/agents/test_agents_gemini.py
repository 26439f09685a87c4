"""Gemini CLI's transcripts as the agent left them, and what happens to them later (docs/transcripts.md)."""

import json
import os
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from agents_golden import append, found, golden, messages, opened, outline, reasons, texts, unseen
from support.table import table

from siltstone.agents.gemini.read import MAX_OLD, GeminiReader
from siltstone.pipeline.messages import Step
from siltstone.store.errors import SourceError

DATA = Path(__file__).parent.parent / "data" / "gemini"
TMP = DATA / "tmp"
SAMPLES = sorted(path.relative_to(TMP).as_posix() for path in TMP.rglob("*.jsonl"))


@pytest.fixture
def gemini() -> GeminiReader:
    return GeminiReader(DATA)


def test_every_sample_is_found(gemini: GeminiReader) -> None:
    keys = {source.key for source in gemini.discover() if source.path.suffix == ".jsonl"}
    assert keys == {name[:-6].replace("/chats", "") for name in SAMPLES}


@pytest.mark.parametrize("name", SAMPLES)
def test_sample(gemini: GeminiReader, name: str) -> None:
    """The golden files beside the samples were checked by eye against the raw records."""
    reading, steps = opened(gemini, TMP / name)
    assert outline(reading, steps) == golden(DATA / "golden" / f"{Path(name).stem}.json")
    assert reading.complaints == []


HEADER = {"sessionId": "s1", "projectHash": "h", "startTime": "2026-11-21T10:00:00.000Z", "kind": "main"}


def user(name: str, words: str, **more: Any) -> dict[str, Any]:
    at = "2026-11-21T10:00:00.000Z"
    return {"id": name, "timestamp": at, "type": "user", "content": [{"text": words}], **more}


def answer(name: str, words: str, *calls: dict[str, Any]) -> dict[str, Any]:
    record: dict[str, Any] = {"id": name, "timestamp": "2026-11-21T10:00:01.000Z", "type": "gemini"}
    return record | {"content": words} | ({"toolCalls": list(calls)} if calls else {})


def shell(name: str, output: str, status: str = "success") -> dict[str, Any]:
    result = [{"functionResponse": {"id": name, "response": {"output": output}}}]
    call = {"id": name, "name": "run_shell_command", "args": {"command": "make"}, "status": status}
    return call | ({"result": result} if status == "success" else {})


def transcript(root: Path, *records: object, name: str = "session-2026-11-21T10-00-s1.jsonl") -> Path:
    path = root / "tmp" / "demo" / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("", encoding="utf-8")
    append(path, *records)
    return path


def read(root: Path, path: Path, resume: str | None = None) -> list[Step]:
    return opened(GeminiReader(root), path, resume)[1]


def fresh(before: list[Step], after: list[Step]) -> list[str]:
    return [message.text or message.id for message in unseen(before, after)]


@table("gemini", "texts")
def test_texts_of_the_machine(tmp_path: Path, content: object, reason: str) -> None:
    steps = read(tmp_path, transcript(tmp_path, HEADER, user("u1", "") | {"content": content}))
    assert (messages(steps), reasons(steps)) == ([], [reason])


@table("gemini", "typed")
def test_typed_texts(tmp_path: Path, record: dict[str, Any], expected: str) -> None:
    assert texts(read(tmp_path, transcript(tmp_path, HEADER, record))) == [expected]


def test_results_given_back_to_the_model_are_nobodys_words(tmp_path: Path) -> None:
    result = user("u2", "") | {
        "content": [{"functionResponse": {"response": {"output": "x"}}}, {"text": "y"}]
    }
    steps = read(tmp_path, transcript(tmp_path, HEADER, user("u1", "Go"), result))
    assert (texts(steps), reasons(steps)) == (["Go"], [])


def test_the_last_record_of_an_id_wins_for_content_and_the_first_for_time(tmp_path: Path) -> None:
    again = answer("a1", "Looking closer.", shell("c1", "x")) | {"timestamp": "2026-11-21T11:00:00.000Z"}
    steps = read(tmp_path, transcript(tmp_path, HEADER, user("u1", "Go"), answer("a1", "Looking."), again))
    assert texts(steps) == ["Go", "Looking closer.", "x"]
    assert messages(steps)[1].at.isoformat() == "2026-11-21T10:00:01+00:00"


def test_an_answer_that_grows_after_it_was_read(tmp_path: Path) -> None:
    path = transcript(tmp_path, HEADER, user("u1", "Go"), answer("a1", "Looking."))
    steps = read(tmp_path, path)
    append(path, answer("a1", "Looking.", shell("c1", "x")), answer("a2", "Done."))
    assert fresh(steps, read(tmp_path, path, steps[-1].resume)) == ["c1", "Done."]


def test_an_id_appended_again_after_others_is_not_repeated(tmp_path: Path) -> None:
    records = [
        user("u1", "Go"),
        answer("a1", "Looking."),
        user("u2", "Well?"),
        answer("a1", "Looking."),
        user("u1", "Go"),
    ]
    assert texts(read(tmp_path, transcript(tmp_path, HEADER, *records))) == ["Go", "Looking.", "Well?"]


def test_a_running_call_is_waited_for(tmp_path: Path) -> None:
    running = answer("a1", "Looking.", shell("c1", "", "executing"))
    path = transcript(tmp_path, HEADER, user("u1", "Go"), running, user("u2", "Well?"))
    steps = read(tmp_path, path)
    assert texts(steps) == ["Go", "Looking.", "Well?"]
    append(path, answer("a1", "Looking.", shell("c1", "built")))
    assert fresh(steps, read(tmp_path, path, steps[-1].resume)) == ["c1"]


def test_a_call_given_up_by_its_agent_no_longer_holds_the_place(tmp_path: Path) -> None:
    running = answer("a1", "Looking.", shell("c1", "", "executing"))
    path = transcript(tmp_path, HEADER, running, *(user(f"u{number}", "Go on") for number in range(5)))
    steps = read(tmp_path, path)
    assert reasons(steps) == ["unfinished"]
    append(path, user("u9", "More"))
    assert texts(read(tmp_path, path, steps[-1].resume)) == ["More"]


@table("gemini", "exits")
def test_exit_status(tmp_path: Path, output: str, exit_status: int) -> None:
    path = transcript(tmp_path, HEADER, user("u1", "Go"), answer("a1", "", shell("c1", output)))
    tool = messages(read(tmp_path, path))[1].tool
    assert tool is not None
    assert (tool.command, tool.exit, tool.failed) == ("make", exit_status, False)
    assert not tool.output.startswith(("<untrusted_context>", "Output: "))
    assert "PGID" not in tool.output


def test_what_hooks_add_to_a_result_is_not_read_back(tmp_path: Path) -> None:
    call = shell("c1", "x\n\n<hook_context>we use npm</hook_context>")
    path = transcript(tmp_path, HEADER, user("u1", "Go"), answer("a1", "", call))
    assert texts(read(tmp_path, path)) == ["Go", "x"]


def test_restated_history_is_never_an_event(tmp_path: Path) -> None:
    """Resume restates all messages with the time of the resume, compression with new ids."""
    path = transcript(tmp_path, HEADER, user("u1", "Go"), answer("a1", "Done."))
    steps = read(tmp_path, path)
    restated = {"messages": [user("u1", "Go"), user("n1", "<state_snapshot>…"), user("n2", "Use npm")]}
    append(path, HEADER, {"$set": restated}, user("u2", "And now?"))
    assert texts(read(tmp_path, path)) == ["Go", "Done.", "And now?"]
    assert fresh(steps, read(tmp_path, path, steps[-1].resume)) == ["And now?"]


def test_a_rewind_takes_back_its_target_and_all_after_it(tmp_path: Path) -> None:
    rewind = {"$rewindTo": "u2"}
    path = transcript(
        tmp_path, HEADER, user("u1", "one"), answer("a1", "1"), user("u2", "two"), answer("a2", "2"), rewind,
        user("u3", "three"), {"$rewindTo": "nowhere"}, answer("a3", "3"),
    )  # fmt: skip
    steps = read(tmp_path, path)
    assert (texts(steps), reasons(steps)) == (["one", "1", "three", "3"], ["reverted", "reverted"])


def test_a_rewind_to_an_answer_that_was_appended_twice(tmp_path: Path) -> None:
    answers = [answer("a1", "Looking."), answer("a1", "Looking.", shell("c1", "x"))]
    path = transcript(tmp_path, HEADER, user("u1", "one"), *answers, user("u2", "two"), {"$rewindTo": "a1"})
    steps = read(tmp_path, path)
    assert (texts(steps), reasons(steps)) == (["one"], ["reverted"] * 3)


def test_a_rewind_to_what_was_read_before(tmp_path: Path) -> None:
    path = transcript(tmp_path, HEADER, user("u1", "one"), answer("a1", "1"))
    steps = read(tmp_path, path)
    append(path, user("u2", "two"), answer("a2", "2"), {"$rewindTo": "u1"}, user("u3", "three"))
    rest = read(tmp_path, path, steps[-1].resume)
    assert fresh(steps, rest) == ["three"]


def test_a_stub_in_place_of_the_transcript_yields_nothing_and_loses_nothing_read(tmp_path: Path) -> None:
    path = transcript(tmp_path, HEADER, user("u1", "Go"), answer("a1", "Done."))
    steps = read(tmp_path, path)
    stub = path.with_name("stub")
    shutil.copy(TMP / "repo" / "chats" / "session-resume_later_minute_stub.jsonl", stub)
    os.replace(stub, path)
    assert read(tmp_path, path, steps[-1].resume) == []
    append(path, user("u2", "Still there?"))
    assert fresh(steps, read(tmp_path, path, steps[-1].resume)) == ["Still there?"]


def test_message_ids_are_told_apart_by_session(tmp_path: Path) -> None:
    first = transcript(tmp_path, HEADER, user("u1", "Go"))
    second = transcript(tmp_path, HEADER | {"sessionId": "s2"}, user("u1", "Go"), name="session-2.jsonl")
    keys = [messages(read(tmp_path, path))[0].key for path in (first, second)]
    assert keys[0] != keys[1]


def test_a_summary_written_later_brings_nothing_new(tmp_path: Path) -> None:
    path = transcript(tmp_path, HEADER, user("u1", "Go"), answer("a1", "Done."))
    steps = read(tmp_path, path)
    append(path, {"$set": {"summary": "Went"}})
    assert fresh(steps, read(tmp_path, path, steps[-1].resume)) == []


OLDER = {
    "sessionId": "s1",
    "projectHash": "h",
    "messages": [
        {"id": "0", "timestamp": "2026-11-21T10:00:00.000Z", "type": "user", "content": "Use pnpm"},
        {"id": "1", "timestamp": "2026-11-21T10:00:01.000Z", "type": "info", "content": "Update available"},
        answer("2", "Noted.", shell("c1", "x")),
        answer("3", "Done."),
    ],
}


def older(root: Path, record: object) -> Path:
    path = transcript(root, name="session-2025-10-01T10-00-s1.json")
    path.write_text(json.dumps(record, indent=2))
    return path


def test_the_older_single_object_grows_by_rewriting(tmp_path: Path) -> None:
    path = older(tmp_path, OLDER)
    steps = read(tmp_path, path)
    assert texts(steps) == ["Use pnpm", "Noted.", "x", "Done."]
    assert reasons(steps) == ["notice"]
    messages_after = [*OLDER["messages"], user("4", "And yarn?")]
    path.write_text(json.dumps(OLDER | {"messages": messages_after}, indent=2))
    rest = read(tmp_path, path, steps[-1].resume)
    assert (fresh(steps, rest), reasons(rest)) == (["And yarn?"], [])


@pytest.mark.parametrize("record", [{}, [], "x", {"sessionId": 7}])
def test_another_json_file_is_no_session(tmp_path: Path, record: object) -> None:
    path = older(tmp_path, record)
    gemini = GeminiReader(tmp_path)
    assert gemini.read(found(gemini, path), None) is None


def test_a_single_object_too_large_is_a_source_error(tmp_path: Path) -> None:
    path = older(tmp_path, OLDER)
    os.truncate(path, MAX_OLD + 1)
    gemini = GeminiReader(tmp_path)
    with pytest.raises(SourceError, match="too many"):
        gemini.read(found(gemini, path), None)


def test_a_torn_single_object_holds_no_session_yet(tmp_path: Path) -> None:
    path = older(tmp_path, OLDER)
    path.write_text(path.read_text()[:-20])
    gemini = GeminiReader(tmp_path)
    assert gemini.read(found(gemini, path), None) is None


def test_the_project_is_named_beside_the_chats(tmp_path: Path) -> None:
    path = transcript(tmp_path, HEADER | {"directories": ["/third"]}, user("u1", "Go"))
    gemini = GeminiReader(tmp_path)
    assert opened(gemini, path)[0].session.cwd == "/third"
    registry = {"projects": {"/other": "other", "/second": "demo"}}
    (tmp_path / "projects.json").write_text(json.dumps(registry, indent=2))
    assert opened(gemini, path)[0].session.cwd == "/second"
    (path.parent.parent / ".project_root").write_text("/first\n")
    assert opened(gemini, path)[0].session.cwd == "/first"


def test_the_project_is_known_by_its_hash(tmp_path: Path) -> None:
    digest = sha256(b"/home/dev/repo").hexdigest()
    path = transcript(tmp_path, HEADER | {"projectHash": digest}, user("u1", "Go"))
    (tmp_path / "projects.json").write_text('{"projects":{"/home/dev/repo":"elsewhere"}}')
    assert opened(GeminiReader(tmp_path), path)[0].session.cwd == "/home/dev/repo"
