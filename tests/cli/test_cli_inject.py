"""`silt inject` as an agent's hook or a person calls it."""

import os
import re
from pathlib import Path

import pytest
from support.commands import Said, call

from siltstone.store.places import state_folder


def test_a_folder_sees_its_own_project_and_everywhere(home: Path, kept: Said) -> None:
    call("remember", "Answer in English", "--type", "user", "--scope", "global")
    elsewhere = home / "person" / "src" / "heron"
    elsewhere.mkdir()
    here, there = call("inject"), call("inject", "--cwd", str(elsewhere))
    assert "Tuesdays" in here.out
    assert "Answer in English" in here.out
    assert "Tuesdays" not in there.out
    assert "Answer in English" in there.out


def test_what_was_just_remembered_or_changed_is_shown(kept: Said) -> None:
    said = call("inject")
    assert said.code == 0
    assert said.out.startswith("<siltstone-memory>\n")
    assert "project:\n- Deploys go out on Tuesdays only\n(1 of 1 shown" in said.out
    assert call("inject", "--budget", "0").out == ""
    assert 0 < len(call("inject", "--budget", "700").out) <= 700
    assert call("forget", "deploys-go-out-on-tuesdays-only").code == 0
    assert call("inject").out == ""
    call("undo")
    assert "Tuesdays" in call("inject").out


def test_a_project_fact_hides_the_global_one_it_contradicts(home: Path) -> None:
    call("remember", "Lines are at most 80 characters long", "--scope", "global")
    call("remember", "Lines are at most 110 characters long")
    said = call("inject", "--receipt")
    assert "110" in said.out
    assert "80 characters" not in said.out
    assert "not shown (overridden): global/feedback-lines-are-at-most-80" in said.err
    assert "80 characters" in call("inject", "--cwd", str(home)).out


def test_importance_is_read_from_the_users_own_file(home: Path, kept: Said) -> None:
    call("remember", "Releases are cut on Mondays", "--type", "project")
    file = next((home / "store" / "projects" / "larkspur").glob("project-deploys*.md"))
    file.write_text(file.read_text().replace("limit:", "importance: high\nlimit:"))
    assert call("rebuild").code == 0
    assert "importance: high" in file.read_text()
    out = call("inject").out
    assert out.index("Tuesdays") < out.index("Mondays")


def test_a_hand_edited_file_with_a_secret_is_named_and_not_shown(home: Path, kept: Said) -> None:
    file = next((home / "store" / "projects" / "larkspur").glob("project-deploys*.md"))
    file.write_text(file.read_text() + "\nkey: " + "ghp_" + "x1Y2" * 9 + "\n")
    call("remember", "Answer in British English")
    call("rebuild")
    said = call("inject", "--receipt")
    assert ", 1 unreadable: see silt status)" in said.out
    assert "Tuesdays" not in said.out
    assert "unreadable: " in said.err
    assert "contains a secret" in said.err


@pytest.mark.parametrize("layout", ["default", "memfs", "sections"])
def test_what_fits_the_question_comes_with_its_figure(kept: Said, layout: str) -> None:
    said = call("inject", "--query", "On which day do we deploy?", "--layout", layout, "--receipt")
    assert "] Deploys go out on Tuesdays only" in said.out
    assert re.search(r"^- \[\d\d%, \d{4}-\d\d-\d\d\] Deploys", said.out, re.M)
    assert re.search(r"shown \(hit\): .*\(\d\d%\)", said.err)
    assert "%" not in call("inject", "--query", "write me a haiku", "--layout", layout).out


def test_a_search_database_that_is_gone_leaves_the_memories(home: Path, kept: Said) -> None:
    (home / "state" / "search.sqlite3").unlink()
    said = call("inject", "--query", "deploys")
    assert (said.code, said.err.count("\n")) == (0, 1)
    assert "- Deploys go out" in said.out


@pytest.mark.parametrize("layout", ["default", "memfs", "sections"])
def test_json_tells_text_and_receipt(kept: Said, layout: str) -> None:
    told = call("inject", "--json", "--layout", layout).json
    assert "Tuesdays" in told["text"]
    assert told["receipt"]["total"] == 1
    assert [one["path"] for one in told["receipt"]["shown"]] == [
        "projects/larkspur/project-deploys-go-out-on-tuesdays-only.md"
    ]


def test_looking_changes_nothing(home: Path, kept: Said) -> None:
    def files() -> dict[str, bytes]:
        found = (
            path for path in home.rglob("*") if path.is_file() and not path.name.endswith(("-shm", "-wal"))
        )
        return {str(path): path.read_bytes() for path in found}

    before = files()
    call("inject", "--receipt")
    assert files() == before


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"SILT_STATE": "/s", "HOME": "/h"}, "linux", "/s"),
        ({"SILT_STATE": "s", "HOME": "/h"}, "linux", f"{os.getcwd()}/s"),
        ({"XDG_STATE_HOME": "/x", "HOME": "/h"}, "linux", "/x/siltstone"),
        ({"XDG_STATE_HOME": "x", "HOME": "/h"}, "linux", "/h/.local/state/siltstone"),
        ({"SILT_STATE": "", "HOME": "/h"}, "linux", "/h/.local/state/siltstone"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/siltstone"),
    ],
)
def test_where_the_state_is(environ: dict[str, str], platform: str, folder: str) -> None:
    assert state_folder(environ, platform) == folder
