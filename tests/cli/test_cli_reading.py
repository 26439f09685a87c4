"""Commands that read change nothing, a run touches nothing of the agents', and both say what happened."""

import hashlib
from pathlib import Path

import pytest
from support.commands import call
from support.git import git

from siltstone.cli.output import why_not
from siltstone.pipeline.extraction.extract import FORM
from siltstone.pipeline.extraction.second_look import OF_NO_USE
from siltstone.pipeline.proof.gate import RULES, TOO_SHORT
from siltstone.pipeline.proof.verdict import BEYOND_QUOTE

READING = "show list search history log status cost doctor conflicts inbox config tree profile session"


def files(folder: Path) -> dict[str, str]:
    """Every file below a folder by the hash of its content; git's own left out."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def head(store: Path) -> str:
    return git(store, "rev-parse", "HEAD")


def test_reading_commands_change_nothing(home: Path, roots: list[str]) -> None:
    call("run", *roots)
    store = home / "store"
    name = call("list", "--json").json[0]["path"]
    before = (files(store), head(store))
    for command in READING.split():
        words = {"show": [name], "history": [name], "search": ["shipping"]}.get(command, [])
        said = call(command, *words, *(["--json"] if command != "config" else []))
        assert said.code == 0, f"{command}: {said.err}"
    assert (files(store), head(store)) == before


def test_a_run_touches_nothing_of_the_agents_and_tells_what_it_did_not_believe(
    home: Path, roots: list[str]
) -> None:
    before = files(home / "agents")
    told = call("run", *roots, "--json").json
    assert files(home / "agents") == before
    assert files(home / "person") == {}
    rows = call("log", "--rejected", "--json").json
    assert sorted(row["reason"] for row in rows) == sorted(
        reason for reason, count in told["rejected"].items() for _ in range(count)
    )
    assert rows
    assert all(row["text"] for row in rows if row["reason"] != "negated_request")
    assert all(row["said"].startswith(("claude/", "codex/", "gemini/", "opencode/")) for row in rows)


def test_a_run_writes_files_index_watermark_and_churn(
    home: Path, roots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SILT_COMPACT_ENABLED", "false")
    told = call("run", *roots, "--json").json
    status = call("status", "--json").json
    assert sum(status["churn"].values()) >= told["outcome"]["promoted"] > 0
    assert status["sessions_read"] == 2
    written = files(home / "store")
    for path in (memory["path"] for memory in call("list", "--json").json):
        folder, _, file = path.rpartition("/")
        index = "MEMORY.md" if folder == "global" else f"{folder}/MEMORY.md"
        assert path in written
        assert f"{file})" in (home / "store" / index).read_text(encoding="utf-8")


@pytest.mark.parametrize("reason", sorted({*RULES, TOO_SHORT, *FORM, OF_NO_USE, BEYOND_QUOTE}))
def test_a_reason_is_told_in_words(reason: str) -> None:
    assert why_not(reason) != reason
