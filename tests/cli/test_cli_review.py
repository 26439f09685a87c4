"""Conflicts and the inbox on a terminal: one after another, with keys, each of which can be taken back."""

from pathlib import Path

import pytest
from support.commands import call
from support.terminal import seen

FORTY, FIFTY = (
    "Free shipping starts at 40 EUR",
    "Free shipping starts at 50 EUR, and returns are free for 30 days",
)


def held() -> set[str]:
    return {one["description"] for one in call("list", "--json").json}


@pytest.mark.parametrize(
    ("keys", "open_after", "left"),
    [
        ("1q", 0, {FORTY}),
        ("2q", 0, {FIFTY}),
        ("bq", 0, {FORTY, FIFTY}),
        ("lq", 1, {FORTY, FIFTY}),
        ("xq", 1, {FORTY, FIFTY}),
        ("1uq", 1, {FORTY, FIFTY}),
        ("1u2q", 0, {FIFTY}),
        ("bu1q", 0, {FORTY}),
    ],
)
def test_a_conflict_is_settled_by_one_key(demo: Path, keys: str, open_after: int, left: set[str]) -> None:
    shown = seen("conflicts", keys=keys)
    assert "keep [1], keep [2], [b]oth are true, [e]dit, [l]ater, [q]uit: " in shown
    assert f'1  "{FORTY}."\n' in shown
    assert len(call("conflicts", "--json").json) == open_after
    assert held() & {FORTY, FIFTY} == left


UPLOADS, LOOKS = "It uploads first and signs afterwards", "otter looks for config.toml"


@pytest.mark.parametrize(
    ("keys", "waiting", "kept"),
    [
        ("arq", 0, [UPLOADS]),
        ("raq", 0, [LOOKS]),
        ("laq", 1, [LOOKS]),
        ("aruuq", 2, []),
        ("auaaq", 0, [LOOKS, UPLOADS]),
    ],
)
def test_the_inbox_is_gone_through_with_keys(demo: Path, keys: str, waiting: int, kept: list[str]) -> None:
    shown = seen("inbox", keys=keys)
    assert "1 of 2\n" in shown
    assert len(call("inbox", "--json").json) == waiting
    assert [one for one in (LOOKS, UPLOADS) if any(text.startswith(one) for text in held())] == kept


@pytest.mark.parametrize("command", ["conflicts", "inbox"])
def test_a_memory_can_be_edited_on_the_way_and_is_asked_about_again(demo: Path, command: str) -> None:
    editor = demo / "editor"
    editor.write_text("#!/bin/sh\nfor file; do echo 'Mended by hand.' >> $file; done\n")
    editor.chmod(0o700)
    shown = seen(command, keys="eq", setting=f"EDITOR={editor}")
    assert "saved " in shown
    assert shown.count("1 of ") == 2
    assert call("log", "--json").json[0]["author"] != "siltstone"
    assert "set EDITOR" in seen(command, keys="eq", setting="EDITOR=")


def test_what_was_settled_elsewhere_is_asked_no_more(demo: Path) -> None:
    assert "1 answer given" in seen("conflicts", keys="1q")
    assert seen("conflicts") == "no conflicts\n"
    assert call("inbox", "accept", "uploads-first").code == 0
    assert "1 of 1" in seen("inbox", keys="q")
