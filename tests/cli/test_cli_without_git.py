"""Commands on a machine without git: reading works, the index is rebuilt, nothing else is done (C26)."""

import shutil
from pathlib import Path

import pytest
from support.commands import Said, call
from support.folder import everything

NAME = "deploys-go-out-on-tuesdays-only"
PATH = f"projects/larkspur/project-{NAME}.md"
DERIVED = {"MEMORY.md", "projects/larkspur/MEMORY.md", "projects.md", "PROTOCOL.md"}
SENTENCE = "git was not found on PATH: memories can be read, but nothing is written; install git"


@pytest.fixture
def gitless(home: Path, kept: Said, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of a person whose PATH holds no git; its index is gone too."""
    monkeypatch.setenv("PATH", str(home / "person"))
    (home / "store" / "MEMORY.md").unlink()
    return home / "store"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["show", NAME], "Tuesdays"),
        (["list"], NAME),
        (["search", "tuesdays"], NAME),
        (["status"], "memories       1  larkspur"),
        (["inbox"], "the inbox is empty"),
        (["conflicts"], "no conflicts"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_reading_works_and_says_why_nothing_is_written(gitless: Path, words: list[str], shown: str) -> None:
    before = everything(gitless)
    said = call(*words)
    assert said.code == 0, said.err
    assert shown in said.out
    assert SENTENCE in said.err
    assert everything(gitless) == before


@pytest.mark.parametrize(
    "words",
    [
        ["run", "--root", "plain=."],
        ["compact"],
        ["remember", "Ines reviews every migration"],
        ["forget", NAME],
        ["undo"],
        ["log"],
        ["purge", NAME, "--yes"],
        ["import", "notes.json"],
    ],
    ids=lambda words: words[0],
)
def test_what_would_write_ends_in_one_sentence(gitless: Path, words: list[str]) -> None:
    entry = '{"type": "project", "text": "Ines reviews every migration"}'
    Path("notes.json").write_text(f'{{"entries": [{entry}]}}', encoding="utf-8")
    before = everything(gitless)
    said = call(*words)
    assert said.code == 1
    assert len(said.err.strip().splitlines()) == 1, said.err
    assert "git was not found on PATH" in said.err
    after = everything(gitless)
    assert {path for path in after.keys() | before.keys() if after.get(path) != before.get(path)} <= DERIVED
    assert ("MEMORY.md" in after) == (words[0] in ("run", "compact")), "a batch rebuilds the index"


def test_the_index_is_rebuilt(gitless: Path) -> None:
    (gitless / "projects" / "larkspur" / "MEMORY.md").unlink()
    said = call("rebuild")
    assert said.code == 0, said.err
    assert "2 files written" in said.out
    assert call("doctor").code == 1
    assert NAME in (gitless / "projects" / "larkspur" / "MEMORY.md").read_text(encoding="utf-8")
    assert SENTENCE in said.err


def test_a_store_whose_history_is_lost_can_be_read_and_begun_anew(home: Path, kept: Said) -> None:
    shutil.rmtree(home / "store" / ".git")
    assert "Tuesdays" in call("show", NAME).out
    said = call("remember", "Ines reviews every migration")
    assert (said.code, said.out) == (1, "")
    assert "is no longer a repository" in said.err
    assert not (home / "store" / ".git").exists()
    assert any("is no longer a repository" in one["told"] for one in call("doctor", "--json").json)
