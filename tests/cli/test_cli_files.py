"""The store as files by command: each form of `store/files/`, and what follows a change."""

from pathlib import Path

import pytest
from support.commands import Said, call

HOSTING = "projects/larkspur/project-hosting.md"


@pytest.fixture
def hosting(home: Path) -> Said:
    return call("write", "hosting", "Hosting is Vercel.", "--description", "Where the shop runs")


def test_what_is_written_is_shown_indexed_found_and_prepared(home: Path, hosting: Said) -> None:
    assert (hosting.code, hosting.err) == (0, "")
    assert hosting.out == f"created: {HOSTING} (18/5000)\n"
    index = (home / "store" / "projects" / "larkspur" / "MEMORY.md").read_text(encoding="utf-8")
    assert "](project-hosting.md) — Where the shop runs" in index
    assert HOSTING in call("search", "where does the shop run").out
    assert HOSTING in call("search", "shop", "runs").out
    for folder in (str(Path.cwd()), ".", "../larkspur"):
        assert "Where the shop runs" in call("inject", "--cwd", folder).out
    told = call("show", "hosting", "--json").json
    expected = {"chars": 18, "limit": 5000, "readonly": False, "body": "Hosting is Vercel."}
    assert expected.items() <= told.items()
    assert len(told["hash"]) == 64
    assert (home / "store" / "projects" / "larkspur" / "project.yaml").exists()


def test_a_text_may_come_from_standard_input(home: Path) -> None:
    assert call("write", "hosting", given="\ufeffHosting is Vercel — for now.\r\nWhy: previews.\n").code == 0
    assert call("edit", "hosting", "--old", "Vercel", "--new", "-", given="Hetzner").code == 0
    assert call("show", "hosting", "--json").json["body"] == "Hosting is Hetzner — for now.\nWhy: previews."


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"a\n\xff\xfe", "not UTF-8 in line 2"),
        (b"x" * 5_000_001, "more than 5,000,000 bytes"),
        (b"", "that text is empty"),
    ],
    ids=["latin", "megabytes", "empty"],
)
def test_standard_input_that_is_no_text_is_one_sentence(home: Path, data: bytes, sentence: str) -> None:
    said = call("write", "hosting", given=data)
    assert (said.code, sentence in said.err, len(said.err.splitlines())) == (2, True, 1)


@pytest.mark.parametrize(
    "words", ["remember", "write hosting", "edit deploys-go-out-on-tuesdays-only --old only --new"]
)
def test_typed_bytes_that_are_no_text_are_not_saved(home: Path, kept: Said, words: str) -> None:
    before = call("tree").out
    said = call(*words.split(), "Gr\udcf6\udcdfe z\udce4hlt")
    assert (said.code, "the text is not UTF-8" in said.err, call("tree").out) == (2, True, before)


def test_a_person_edits_and_writes(home: Path, kept: Said) -> None:
    name = "deploys-go-out-on-tuesdays-only"
    assert call("edit", name, "--old", "Tuesdays", "--new", "Fridays").out.startswith("changed: ")
    assert call("edit", name, "--old", "Fridays", "--new", "Mondays").code == 0
    assert "Mondays only" in call("show", name).out
    assert call("tree").out.endswith("— Deploys go out on Mondays only\n")
    call("write", name, "Deploys go out daily.\nWhy: they are small.")
    assert call("tree").out.endswith("— Deploys go out daily.\n")
    call("write", name, "Deploys go out daily.", "--description", "Deploys go out daily, in the morning")
    call("edit", name, "--old", "daily", "--new", "twice a day")
    assert call("tree").out.endswith("— Deploys go out twice a day.\n")
    call("write", name, "Never on Fridays.", "--description", "When to deploy")
    call("write", name, "Never on Sundays.")
    assert call("tree").out.endswith("— When to deploy\n")


def test_the_history_of_a_memory_has_none_of_another_that_is_like_it(home: Path) -> None:
    for number in ("one", "two", "three"):
        call("remember", f"Rule number {number} concerns the module {number} of the house")
    told = call("history", "rule-number-two-concerns-the-module").out
    assert "number two" in told
    assert "number one" not in told


def test_promote_shows_it_whole_and_demote_its_line(home: Path, hosting: Said) -> None:
    index = home / "store" / "projects" / "larkspur" / "MEMORY.md"
    assert call("promote", "hosting").out == f"{HOSTING} is now projects/larkspur/system/project-hosting.md\n"
    assert "Hosting is Vercel." in index.read_text(encoding="utf-8")
    assert len(call("history", "hosting", "--json").json) == 2
    assert len(call("history", "hosting", "-n", "1", "--json").json) == 1
    assert call("demote", "hosting").code == 0
    assert "Hosting is Vercel." not in index.read_text(encoding="utf-8")
    assert call("demote", "hosting").code == 1


def test_a_tree_and_a_profile(home: Path, hosting: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    call("write", "tea", "Likes green tea.", "--scope", "global", "--hot")
    assert call("tree").out.splitlines() == [
        "global/system/user-tea.md (16/5000) — Likes green tea.",
        f"{HOSTING} (18/5000) — Where the shop runs",
    ]
    assert [file["path"] for file in call("tree", "--scope", "larkspur", "--json").json["files"]] == [HOSTING]
    monkeypatch.setenv("SILT_MAX_TREE_DEPTH", "1")
    assert "global/system/ — 1 file below" in call("tree").out
    assert call("tree", "--json").json["folded"] == {"global/system": 1}
    monkeypatch.setenv("SILT_MAX_TREE_DEPTH", "5")
    assert "global/system/user-tea.md" in call("tree").out
    assert call("profile").out == "global/system/user-tea.md — Likes green tea.\n"
    assert [one["name"] for one in call("profile", "--json").json] == ["tea"]


def test_the_default_limit_is_that_of_new_memories(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SILT_DEFAULT_LIMIT", "10")
    assert "limit of 10" in call("write", "hosting", "Hosting is Vercel.").err
    assert call("write", "hosting", "It is so.").out.endswith("(9/10)\n")


def test_the_user_alone_sets_a_limit_and_makes_a_memory_readonly(home: Path) -> None:
    assert call("write", "hosting", "It is so.", "--limit", "10").out.endswith("(9/10)\n")
    assert call("write", "hosting", "It is so.", "--limit", "12").out.endswith("(9/12)\n")
    assert "limit of 12" in call("write", "hosting", "It is always so.").err
    for option in (("--limit", "9000"), ("--readonly",)):
        assert (
            "leave out --session" in call("write", "hosting", "It is.", "--session", "claude/s1", *option).err
        )
    assert call("write", "hosting", "It is so.", "--readonly").code == 0
    assert call("show", "hosting", "--json").json["readonly"]
    assert "readonly" in call("write", "hosting", "It is not so.").err


def by_hand(home: Path) -> Path:
    """A memory that the person wrote with an editor."""
    mine = home / "store" / "projects" / "larkspur" / "project-mine.md"
    mine.write_text("By hand.", encoding="utf-8")
    return mine


def test_a_rollback_says_what_it_did_and_what_it_left(home: Path, hosting: Said) -> None:
    first = call("log", "--json").json[0]["id"]
    call("write", "hosting", "Hosting is Hetzner.")
    assert call("status", "--json").json["churn"]["projects/larkspur"] == 2
    by_hand(home)
    said = call("rollback", first[:8], "--scope", "larkspur")
    assert said.code == 0, said.err
    assert said.out == f"projects/larkspur: 1 file as at {first[:8]}\n  {HOSTING}\n"
    assert "project-mine.md was left alone: changed by hand since" in said.err
    assert call("show", "hosting", "--json").json["body"] == "Hosting is Vercel."
    assert call("rollback", "0000000", "--scope", "larkspur").code == 2


def test_flush_commits_what_the_hand_changed(home: Path, hosting: Said) -> None:
    mine = by_hand(home)
    assert call("flush").out == "committed projects/larkspur/project-mine.md\n"
    assert call("log", "--json").json[0]["trailers"] == []
    assert "project-mine.md" in (mine.parent / "MEMORY.md").read_text(encoding="utf-8")
    assert call("flush").out == "nothing to commit\n"


def test_an_agents_session_reads_and_proposes(home: Path, hosting: Said) -> None:
    words = ("--old", "Vercel", "--new", "Hetzner", "--session", "claude/5bcef82b")
    refused = call("edit", "hosting", *words).err
    assert "must read it before you edit it (`silt show hosting --session claude/5bcef82b`)" in refused
    assert call("show", "hosting", "--session", "claude/5bcef82b").code == 0
    said = call("edit", "hosting", *words)
    assert said.out == "created: inbox/project-hosting.md (19/5000, waiting for `silt inbox accept`)\n"
    assert [one["origin"] for one in call("inbox", "--json").json] == ["assistant-inferred"]
    assert call("show", HOSTING, "--json").json["body"] == "Hosting is Vercel."
    assert call("show", "hosting", "--session", "claude").code == 2


@pytest.mark.parametrize("how", ["edit", "write"])
def test_an_accepted_proposal_takes_the_place_of_what_was_learned(home: Path, kept: Said, how: str) -> None:
    name, path = "deploys-go-out-on-tuesdays-only", kept.out.split()[1]
    call("show", name, "--session", "claude/s1")
    new = "Deploys go out on Tuesdays only, before noon"
    words = ("--old", "only", "--new", "only, before noon") if how == "edit" else (new,)
    call(how, name, *words, "--session", "claude/s1")
    assert "a new text for a memory" in call("inbox").out
    assert call("inbox", "accept", name).out.startswith(f"{path} now says this")
    assert (call("show", name, "--json").json["body"], call("inbox").out) == (new, "the inbox is empty\n")
    assert len([line for line in call("tree").out.splitlines() if "deploys" in line]) == 1
    assert call("undo").code == 0
    assert call("show", path, "--json").json["body"] == "Deploys go out on Tuesdays only"


def test_an_accepted_proposal_stands_beside_what_the_user_wrote(home: Path, hosting: Said) -> None:
    call("write", "hosting", "Hosting is Vercel, in Frankfurt.", "--session", "claude/s1")
    said = call("inbox", "accept", "hosting")
    assert said.out.startswith("kept as projects/larkspur/project-hosting-2.md; ")
    assert f"{HOSTING} stays as well, because you wrote that one by hand" in said.out
    assert call("show", HOSTING, "--json").json["body"] == "Hosting is Vercel."
