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


@pytest.mark.parametrize(
    ("command", "found"),
    [
        pytest.param("cat src/app.py", [Touch("src/app.py", "read")], id="cat"),
        pytest.param("sed -n '1,80p' src/app.py | head -5", [Touch("src/app.py", "read")], id="sed"),
        pytest.param("rg -n total src/cart.ts", [Touch("src/cart.ts", "grep")], id="grep"),
        pytest.param("cd x && cat 'a b.md'", [], id="a blank in the name"),
        pytest.param("sed 's/foo/bar/g' a.py", [Touch("a.py", "read")], id="what sed does is no file"),
        pytest.param("sed -i 's/foo/bar/g' src/a.py", [Touch("src/a.py", "edit")], id="sed in place"),
        pytest.param("sed -i '' 's/a/b/g' a.py", [Touch("a.py", "edit")], id="sed in place on a Mac"),
        pytest.param("grep -rn src/app src/a.py", [Touch("src/a.py", "grep")], id="what is sought is none"),
        pytest.param("grep -e app src/a.py", [Touch("src/a.py", "grep")], id="a pattern by option"),
        pytest.param("cat > src/new.py <<'E'\nx = 1\nE", [Touch("src/new.py", "write")], id="a new file"),
        pytest.param("cat a.py >> b.py", [Touch("a.py", "read"), Touch("b.py", "write")], id="appended"),
        pytest.param("cat a.py 2>/dev/null", [Touch("a.py", "read")], id="nowhere"),
        pytest.param("npm test > out.txt", [], id="a log of a program"),
        pytest.param("npm test", [], id="no reader"),
        pytest.param("cat", [], id="nothing"),
    ],
)
def test_a_command_that_reads_files(command: str, found: list[Touch]) -> None:
    assert touches("Bash", "{}", command) == found


@pytest.mark.parametrize(
    ("path", "told"),
    [
        pytest.param(f"{CWD}/src/short.ts", "src/short.ts", id="inside"),
        pytest.param(f"{CWD}-two/a.ts", f"{CWD}-two/a.ts", id="beside"),
        pytest.param("./a.ts", "a.ts", id="dot"),
        pytest.param(CWD + "/", "", id="the folder itself"),
        pytest.param("a\nb", "", id="two lines"),
        pytest.param("a\x00b", "", id="nul"),
        pytest.param("x" * 5_000, "", id="too long"),
    ],
)
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
