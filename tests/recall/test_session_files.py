"""Which files a session works with (docs/seeds.md A31, A32)."""

import json

import pytest
from session_support import CWD, after, an_event, ran, used
from support.table import table

from siltstone.recall.session.files import KEPT, Touch, rank, ranked, shown, touches
from siltstone.recall.session.state import File

PATCH = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: docs/new.md\n+z\n*** End Patch"


@pytest.mark.parametrize(("action", "weight"), [("edit", 50), ("write", 45), ("grep", 30), ("read", 20)])
def test_rank_is_weight_and_three_for_each_time(action: str, weight: int) -> None:
    assert rank(File("a", action, 4)) == weight + 12


@table("session_files", "tools")
def test_a_tool_of_any_agent_does_one_of_four_things(tool: str, action: str) -> None:
    assert touches(tool, '{"file_path": "a.ts"}', "") == [Touch("a.ts", action)]


@table("session_files", "paths", ("[" * 100000, []))
def test_where_the_path_stands(given: str, found: list[str]) -> None:
    assert [touch.path for touch in touches("edit", given, "")] == found


def test_a_patch_names_its_files() -> None:
    both = [Touch("src/a.ts", "edit"), Touch("docs/new.md", "write")]
    assert touches("apply_patch", json.dumps(PATCH).strip('"').replace("\\n", "\n"), "") == both
    assert touches("patch", json.dumps({"patchText": PATCH}), "") == both
    assert touches("apply_patch", json.dumps({"input": PATCH}), "") == both
    assert touches("shell", "", f"apply_patch <<'EOF'\n{PATCH}\nEOF") == both


@table("session_files", "commands")
def test_a_command_that_reads_files(command: str, found: list[list[str]]) -> None:
    assert touches("Bash", "{}", command) == [Touch(*one) for one in found]


@table("session_files", "shown", ("a\x00b", ""), ("x" * 5000, ""))
def test_a_path_is_told_from_the_sessions_folder(path: str, told: str) -> None:
    assert shown(path, CWD) == told


def test_the_weightiest_action_stays_and_every_time_counts() -> None:
    state = after([used("Read", "a.ts"), used("Edit", "a.ts"), used("Read", "a.ts"), used("Read", "b.ts")])
    assert state.files == (File("a.ts", "edit", 3, 3), File("b.ts", "read", 1, 4))


def test_of_many_files_the_lowest_rank_goes() -> None:
    state = after([used("Edit", "kept.ts"), *(used("Read", f"f{n}.ts") for n in range(KEPT + 5))])
    assert len(state.files) == KEPT
    assert state.files[0].path == "kept.ts"
    assert [file.path for file in ranked(state.files)][1] == f"f{KEPT + 4}.ts"


def test_a_failed_tool_touches_nothing() -> None:
    assert after([used("Edit", "a.ts", failed=True)]).files == ()


def test_a_path_with_a_secret_in_it_is_freed_of_it() -> None:
    secret = "gh" + "p_" + "Zq81LmX0vTt4bYw7RkS2nDf6HcJ9uE3aPo5i"
    state = after([used("Read", f"logs/{secret}.txt"), an_event("idle"), ran(f"cat logs/{secret}.txt", 0)])
    assert secret not in str(state)
