"""The commands agents call at every turn: light to start, and never in the agent's way."""

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.commands import Said, call

from siltstone.cli import hot
from siltstone.store.errors import Misuse
from siltstone.store.state.light import Light
from siltstone.store.state.summaries import Ended, Summaries

ROOT = Path(__file__).resolve().parents[2]
DEAR = frozenset(
    [
        "argparse",
        "collections",
        "collections.abc",
        "contextlib",
        "dataclasses",
        "datetime",
        "enum",
        "functools",
        "importlib",
        "inspect",
        "json",
        "operator",
        "pathlib",
        "re",
        "re._compiler",
        "signal",
        "subprocess",
        "tomllib",
        "typing",
        "unicodedata",
        "urllib",
    ]
)
"""Of the standard library: each would take a good part of the budget."""
TO_THE_END = "os._exit = sys.exit\n"
"""For what is asked behind a command: it ends its process itself."""
MODULES = "import sys; print('modules:', *sys.modules)"


def python(code: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """An interpreter of its own, in the person's folder, that compiles what it loads.

    So that what compiling loads is seen as well: a character told by its name loads `unicodedata`. And one
    that begins with nothing (-S): what an editable installation begins with hides half of what is looked for.
    """
    env = dict(os.environ) | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"PYTHONPYCACHEPREFIX": "no-such-folder"}
    words = [sys.executable, "-S", "-c", code]
    return subprocess.run(words, env=env, input=given, capture_output=True, text=True, check=False)


def silt(*words: str, before: str = "", after: str = "", given: str = "") -> subprocess.CompletedProcess[str]:
    """`silt` in a process of its own; `before` runs first, `after` when it is done."""
    return python(
        f"import os, sys\n{before}\n{TO_THE_END if after else ''}sys.argv = ['silt', *{list(words)!r}]\n"
        "from siltstone.__main__ import main\n"
        f"try:\n    main()\nexcept SystemExit as end:\n    status = end.code\n{after}",
        given,
    )


def modules_of(told: str) -> set[str]:
    return set(told.rpartition("modules:")[2].split())


@pytest.mark.parametrize(
    "words", [("inject", "--receipt"), ("inject", "--query", "When do deploys go out?")], ids=" ".join
)
def test_a_hot_command_imports_nothing_foreign_and_nothing_dear(kept: Said, words: tuple[str, ...]) -> None:
    silt(*words)  # which keeps the patterns that it compiles
    done = silt(*words, after=MODULES)
    assert "Tuesdays" in done.stdout
    new = modules_of(done.stdout) - modules_of(python(MODULES).stdout)
    assert f"siltstone.cli.{words[0]}" in new
    assert {name.partition(".")[0] for name in new} <= sys.stdlib_module_names | {"siltstone"}
    assert new & DEAR == set()


@pytest.mark.parametrize(
    ("agent", "event"), [("claude", "UserPromptSubmit"), ("codex", "SessionStart"), ("gemini", "BeforeAgent")]
)
def test_a_hook_imports_nothing_foreign_and_nothing_dear(kept: Said, agent: str, event: str) -> None:
    told = {"cwd": str(Path.cwd()), "hook_event_name": event, "source": "startup"}
    told |= {"prompt": "When do deploys go out?"}
    silt("hook", agent, given=json.dumps(told | {"session_id": "s1"}))  # keeps what it compiles
    done = silt("hook", agent, after=MODULES, given=json.dumps(told | {"session_id": "s2"}))
    assert "Tuesdays" in done.stdout
    new = modules_of(done.stdout) - modules_of(python(MODULES).stdout)
    assert {name.partition(".")[0] for name in new} <= sys.stdlib_module_names | {"siltstone"}
    assert new & DEAR == set()


def test_a_brief_and_a_last_session_cost_nothing_dear(home: Path, kept: Said) -> None:
    (Path.cwd() / "README.md").write_text("Larkspur sells garden tools to gardeners.\n")
    call("rebuild")
    with contextlib.closing(Light(str(home / "state"))) as light:
        Summaries(light).put(Ended("claude", "s1", time.time(), str(Path.cwd()), "rules", "Goal: a cart"))
    silt("inject")  # keeps what it compiles
    done = silt("inject", after=MODULES)
    assert "garden tools" in done.stdout
    assert "Goal: a cart" in done.stdout
    assert (modules_of(done.stdout) - modules_of(python(MODULES).stdout)) & DEAR == set()


def test_where_no_pattern_can_be_kept_a_command_goes_on(home: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = silt(
        "prune", "--tool=bash", before=f"os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); "
        "os.environ['SILT_STATE'] = 'state'", given="1\n2\n",
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("1\n2\n", "")


@pytest.mark.parametrize("words", [(), ("list",), ("inject", "--help"), ("inject", "-h"), ("-h", "inject")])
def test_everything_else_is_for_the_command_line_library(words: tuple[str, ...]) -> None:
    assert not hot.is_hot(words)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param((), {}, id="none"),
        pytest.param(("--cwd", "/a"), {"cwd": "/a"}, id="apart"),
        pytest.param(("--cwd=/a=b",), {"cwd": "/a=b"}, id="joined"),
        pytest.param(("--cwd", "--json"), {"cwd": "--json"}, id="a value may look like an option"),
        pytest.param(("--json", "--cwd", "x", "--cwd", "y"), {"json": "", "cwd": "y"}, id="the last counts"),
    ],
)
def test_options(words: tuple[str, ...], found: dict[str, str]) -> None:
    assert hot.options(words, ["cwd"], ["json"]) == found


@pytest.mark.parametrize("words", [("--no",), ("x",), ("--cwd",), ("--json=1",), ("-c", "x"), ("cwd=x",)])
def test_wrong_options_are_misuse(words: tuple[str, ...]) -> None:
    with pytest.raises(Misuse):
        hot.options(words, ["cwd"], ["json"])


@pytest.mark.parametrize("said", ["", "-1", "1.5", "x", "²", "99999999999", "51"])
def test_a_wrong_number_is_misuse(said: str) -> None:
    with pytest.raises(Misuse, match="from 0 to 50"):
        hot.whole_number("budget", said, 0, 50)


def test_misuse_by_a_person_is_status_2(home: Path) -> None:
    done = silt("inject", "--budget", "lots")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--budget wants a number" in done.stderr


def state_is_missing(state: Path) -> None:
    for file in state.iterdir():
        file.unlink()


def file_is_damaged(state: Path) -> None:
    (state / "recall.sqlite3").write_bytes(b"SQLite format 3\0" + b"rubbish" * 500)


def file_is_no_database(state: Path) -> None:
    (state / "recall.sqlite3").write_bytes(b"hello" * 500)


def file_is_empty(state: Path) -> None:
    (state / "recall.sqlite3").write_bytes(b"")


def file_is_a_folder(state: Path) -> None:
    (state / "recall.sqlite3").unlink()
    (state / "recall.sqlite3").mkdir()


@pytest.mark.parametrize(
    "break_it",
    [state_is_missing, file_is_damaged, file_is_no_database, file_is_empty, file_is_a_folder],
    ids=lambda done: str(done.__name__),
)
def test_whatever_is_broken_the_agent_goes_on(home: Path, kept: Said, break_it: object) -> None:
    assert callable(break_it)
    break_it(home / "state")
    done = silt("inject")
    assert (done.returncode, done.stdout) == (0, "")
    assert len(done.stderr.splitlines()) == 1
    assert "silt rebuild" in done.stderr
    if not (home / "state" / "recall.sqlite3").is_dir():
        assert call("rebuild").code == 0
        assert "Tuesdays" in silt("inject").stdout


def test_a_fault_nobody_thought_of_does_not_break_the_agent(home: Path, kept: Said) -> None:
    with sqlite3.connect(home / "state" / "recall.sqlite3") as db:
        db.execute("update fragment set type = 'gossip', hot = 1, clock = 'yesterday'")
    db.close()
    done = silt("inject")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("silt: inject failed (TypeError")
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_went_away_is_no_failure(home: Path, kept: Said) -> None:
    code = "from siltstone.__main__ import main; import sys; sys.argv = ['silt', 'inject']; main()"
    env = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    ends = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], env=env, **ends) as process:  # type: ignore[call-overload]
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.parametrize(
    "prompt",
    [
        "Please remember that the exporter writes dates as ISO 8601.",
        "Remember: our repo is tested with pytest.",
        "Ab sofort verwenden wir nur noch pnpm statt npm.",
        "请记住：测试前先运行 make build。",
    ],
)
def test_the_first_request_after_an_installation_finds_what_it_needs(
    person: Path, monkeypatch: pytest.MonkeyPatch, prompt: str
) -> None:
    monkeypatch.setenv("SILT_EXTRACT_ENABLED", "0")  # nothing is kept, and no batch begins
    words = [sys.executable, "-m", "siltstone", "install", "claude"]
    subprocess.run(words, env=dict(os.environ) | {"PYTHONPATH": str(ROOT)}, check=True, capture_output=True)
    told = {"session_id": "s1", "cwd": str(Path.cwd()), "hook_event_name": "UserPromptSubmit"}
    done = silt("hook", "claude", after=MODULES, given=json.dumps(told | {"prompt": prompt}))
    new = modules_of(done.stdout) - modules_of(python(MODULES).stdout)
    assert "siltstone.cli.hook_child" in new
    assert new & DEAR == set()
