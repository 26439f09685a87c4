"""`--reread`: what was read is read again, at once, and an estimate says what that would send."""

from pathlib import Path

import pytest
from support.commands import call


@pytest.fixture
def read(roots: list[str]) -> list[str]:
    """Roots that were read once by the rules."""
    assert call("run", *roots, "--json").json["windows"] > 0
    return roots


def test_a_run_reads_everything_again(read: list[str]) -> None:
    again = call("run", *read, "--reread", "--json").json
    assert "seen" not in again["filtered"]
    assert again["windows"] > 0
    assert again["outcome"]["promoted"] == 0, "what is known is heard again, not learned twice"
    assert call("run", *read, "--json").json["messages"] == 0


def test_an_undone_run_is_read_again(read: list[str]) -> None:
    before = {memory["path"] for memory in call("list", "--json").json}
    assert call("undo", "--reread").code == 0
    assert call("run", *read, "--json").json["windows"] > 0
    assert {memory["path"] for memory in call("list", "--json").json} == before


def test_an_estimate_counts_what_would_be_sent_again(read: list[str]) -> None:
    model = ["--model", "openai/gpt-5-mini"]
    told = call("run", *read, *model, "--reread", "--dry-run", "--json").json
    assert told["sessions"] == 2
    assert told["tokens"]["prompt"] > 2_000
    assert call("run", *read, *model, "--dry-run", "--json").json["sessions"] == 0
    refused = call("run", *read, *model, "--reread")
    assert (refused.code, "2 sessions" in refused.err) == (3, True)


def test_what_was_purged_leaves_no_words_behind(read: list[str], home: Path) -> None:
    """Not even in the ledger, though forgetting, undoing and reading again took it through all of it."""
    gone = "British English"
    (name,) = [one["name"] for one in call("list", "--json").json if gone in one["description"]]
    for words in (["forget", name], ["undo"], ["purge", name, "--yes"]):
        assert call(*words).code == 0
    assert call("run", *read, "--reread", "--json").json["rejected"]["tombstone"] == 1
    rows = call("log", "--rejected", "--json").json
    assert [(r["text"], r["evidence"]) for r in rows if r["reason"] == "tombstone"] == [("", "")]
    kept = {file.name: file.read_bytes() for file in (home / "state").rglob("*") if file.is_file()}
    assert [file for file, data in kept.items() if gone.encode() in data] == []
