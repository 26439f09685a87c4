"""What a person sees on a terminal, and what a pipe gets instead."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.commands import Said, call
from support.terminal import seen

from siltstone.cli.output import REASONS
from siltstone.cli.terminal import ago, progress
from siltstone.pipeline.proof.gate import RULES

NOW = datetime(2026, 11, 3, 12, tzinfo=UTC)
LONG = "The checkout works without JavaScript, because tablets in the shops run an ancient browser"


@pytest.mark.parametrize(
    ("passed", "told"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(seconds=-20), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=22), "3 weeks ago"),
        (timedelta(days=70), "2 months ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(minutes=-5), "in 5 minutes"),
    ],
)
def test_a_time_is_told_as_people_say_it(passed: timedelta, told: str) -> None:
    assert ago(NOW - passed, NOW) == told


def test_a_list_is_a_table_on_a_wide_terminal(kept: Said) -> None:
    call("remember", LONG, "--type", "decision")
    heads, scope, *rows = seen("list", columns=120).splitlines()
    assert heads.split() == ["type", "from", "age", "name"]
    assert scope.split() == ["larkspur"]
    assert re.match(r"The checkout .* decision  you   just now  checkout-works", rows[0].replace("the-", ""))
    words = set(LONG.split())
    assert words <= {word for row in rows for word in row.split()}, "a word is broken"


@pytest.mark.parametrize("columns", [30, 80, 120, 150])
def test_what_a_next_command_takes_can_be_copied_in_one_piece(demo: Path, columns: int) -> None:
    for command, key in {"list": "name", "sessions": "session", "show no-longer-use-jest": "path"}.items():
        told = call(*command.split(), "--json").json
        names = {one[key] for one in (told if isinstance(told, list) else [told])}
        assert max(map(len, names)) > columns / 4
        assert names <= set(seen(*command.split(), columns=columns).split())


def test_no_path_is_broken_above_a_bar(home: Path, kept: Said) -> None:
    assert str(home / "store") in seen("doctor", columns=40).split()


def test_a_list_is_stacked_on_a_narrow_terminal(kept: Said) -> None:
    _, text, about = seen("list", columns=60).splitlines()
    assert text == "Deploys go out on Tuesdays only"
    assert about == "  project · you · just now · deploys-go-out-on-tuesdays-only"


@pytest.mark.parametrize("words", ["list", "search Tuesdays", "log", "history deploys", "status", ""])
def test_a_pipe_gets_no_control_characters_and_always_the_same(kept: Said, words: str) -> None:
    said = call(*words.split())
    assert said.code == 0
    assert "\x1b" not in said.out
    assert call(*words.split()) == said
    assert " ago" not in said.out


def test_without_colour_there_is_none(kept: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    colour = re.compile(r"\x1b\[(?:\d+;)*[34][0-8]")
    assert colour.search(seen("doctor", styled=True))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colour.search(seen("doctor", styled=True))


def test_what_a_terminal_would_obey_is_shown_as_a_mark(home: Path) -> None:
    call("remember", "Deploys \x1b]0;gone\x07 go out on Tuesdays", "--type", "project")
    assert "\x1b]0" not in seen("list", styled=True)


def test_more_than_a_screen_goes_to_the_pager(home: Path, kept: Said) -> None:
    pager = home / "pager"
    pager.write_text("#!/bin/sh\necho paged\ncat\n")
    pager.chmod(0o700)
    command = f"PAGER={pager}"
    assert not seen("list", rows=60, setting=command).startswith("paged")
    assert seen("list", rows=2, setting=command).startswith("paged\n")
    assert "Tuesdays" in seen("list", rows=2, setting="PAGER=/nowhere/less")
    assert seen("tree", rows=1, setting=command).startswith("paged\n")


def test_a_long_conversation_goes_to_the_pager(home: Path, roots: list[str]) -> None:
    call("run", *roots)
    (one, *_) = call("sessions", "--json").json
    words = ["sessions", "--show", one["session"]]
    assert seen(*words, rows=10, setting="PAGER=head -n 3").count("\n") == 3
    assert seen(*words, rows=10_000, setting="PAGER=false").count("\n") > 10


def test_silt_alone_says_how_things_stand_and_what_to_do(home: Path) -> None:
    assert "next: silt install" in call().out
    call("remember", "Free shipping starts at 40 EUR", "--type", "project")
    assert call().out.startswith("Siltstone: 1 memory\n")


CARD = """Deploys go out on Tuesdays only

type      project, for larkspur
said      {day}: you typed it at `silt`
          "Deploys go out on Tuesdays only"
status    in force since {day}
file      projects/larkspur/project-deploys-go-out-on-tuesdays-only.md
"""


def test_a_memory_is_shown_as_a_card_and_its_file_with_raw(home: Path, kept: Said) -> None:
    (file,) = home.glob("store/projects/larkspur/project-*.md")
    assert call("show", "tuesdays", "--raw").out == file.read_text()
    day = re.search(r"created: (\S{10})", file.read_text())
    assert day is not None
    assert call("show", "tuesdays").out == CARD.format(day=day[1])
    assert "(just now): you typed it" in seen("show", "tuesdays")


def test_a_card_tells_what_a_memory_contradicts_and_what_it_replaced(demo: Path) -> None:
    told = call("show", "50-eur").out
    assert 'conflict  "Free shipping starts at 40 EUR." contradicts it' in told
    assert re.search(r"said +2026-11-09: you said it to opencode\n", told)
    assert "replaced  We use Jest for the unit tests" in call("show", "no-longer-use-jest").out
    assert "waiting for your review: silt inbox accept" in call("show", "uploads-first").out


def test_long_work_tells_a_pipe_now_and_then_how_long_it_still_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [0.0]
    monkeypatch.setattr("siltstone.cli.terminal.time.monotonic", lambda: clock[0])
    with progress() as tell:
        for done, clock[0] in enumerate([0.0, 5.0, 12.0, 13.0, 60.0, 120.0]):
            tell("reading sessions", done, 5, "larkspur")
        for done, clock[0] in enumerate([200.0, 215.0]):
            tell("asking what to compact", done, 3, "")
    assert capsys.readouterr().err.splitlines() == [
        "silt: reading sessions: 2 of 5, about 18 seconds left (larkspur)",
        "silt: reading sessions: 4 of 5, about 15 seconds left (larkspur)",
        "silt: asking what to compact: 0 of 3",
        "silt: asking what to compact: 1 of 3, about 30 seconds left",
    ]


def test_import_and_rebuild_tell_how_far_they_are_and_an_import_is_undone_as_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("siltstone.cli.terminal.TELL_EVERY", 0.0)
    monkeypatch.setattr("siltstone.cli.writing.PIECE", 3)
    monkeypatch.setattr("siltstone.cli.parts.PIECE", 3)
    for number, town in enumerate(["Porto", "Graz", "Cork", "Lyon", "Turku", "Ghent", "Riga"]):
        path = home / "notes" / f"project-{town}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"---\ndescription: The shop in {town} has {number + 4} tills\n---\n")
    said = call("import", str(home / "notes"))
    assert (said.out, said.err.count("importing memories: ")) == ("7 new memories\n", 3)
    assert "importing memories: 6 of 7" in said.err
    told = call("rebuild").err
    assert "reading memories: 6 of 7" in told
    assert "writing indexes: 2 of 3 " in told
    assert call("undo").code == 0
    assert call("list", "--json").json == []


def test_a_run_on_a_terminal_draws_a_bar_and_takes_it_away(home: Path, roots: list[str]) -> None:
    shown = seen("run", *roots, styled=True)
    assert re.search(r"reading sessions .* 0 of 2 ", shown), "before the first of them is read"
    assert re.search(r"\x1b\[1m\d+ new memor", shown)
    assert "reading sessions" not in shown[shown.rindex("new memor") :]


def test_a_person_reads_in_words_why_something_is_not_kept(demo: Path) -> None:
    shown = seen("log", "--rejected")
    assert re.search(r"panic: runtime error.* an error message +opencode", shown)
    assert "raw_error " in call("log", "--rejected").out
    assert set(RULES) - {"empty"} <= set(REASONS)
