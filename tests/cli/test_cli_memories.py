"""Reading, correcting, undoing and deleting by command, as a person would."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.commands import Said, call
from support.git import git
from support.table import table
from support.terminal import seen

from siltstone.cli.context import Context
from siltstone.cli.parts import parts
from siltstone.pipeline.manual import remember

NAME = "deploys-go-out-on-tuesdays-only"
PATH = f"projects/larkspur/project-{NAME}.md"


def test_what_is_remembered_is_shown_listed_found_and_indexed(home: Path, kept: Said) -> None:
    assert kept.code == 0, kept.err
    assert PATH in kept.out
    assert "Deploys go out on Tuesdays only" in call("show", NAME).out
    assert PATH.rpartition("/")[2] in call("list").out
    assert PATH in call("search", "when do deploys go out").out
    assert call("list", "--json").json[0]["origin"] == "user-said"
    assert "quote" in call("show", PATH, "--raw").out
    index = (home / "store" / "projects" / "larkspur" / "MEMORY.md").read_text(encoding="utf-8")
    assert f"](project-{NAME}.md) — Deploys go out on Tuesdays only" in index
    assert "larkspur" in (home / "store" / "projects.md").read_text(encoding="utf-8")
    assert (home / "store" / "PROTOCOL.md").exists()


@table("commands", "remembered")
def test_type_and_scope_come_from_the_words_unless_they_are_given(home: Path, text: str, path: str) -> None:
    assert f"kept: {path}" in call("remember", text).out
    assert "/project-" in call("remember", f"{text}, so far", "--type", "project").out


def test_what_contradicts_is_told_with_both_names(kept: Said) -> None:
    call("remember", "The API listens on port 7100", "--scope", "larkspur")
    said = call("remember", "The API listens on port 8200", "--scope", "larkspur")
    assert "kept: projects/larkspur/feedback-the-api-listens-on-port-8200.md" in said.out
    assert "feedback-the-api-listens-on-port-7100.md; settle it with `silt conflicts`" in said.err


def test_a_secret_does_not_get_in(home: Path) -> None:
    secret = "ghp_" + "a8Kd92LmQzX0vB7nT4yR6sWcE1hJ3uFg5pIo"
    said = call("remember", f"the deploy token is {secret}, ask Ines for a new one", "--scope", "global")
    assert said.code == 0
    assert "looked like a secret" in said.err
    assert secret not in said.out + call("list", "--json").out
    assert secret not in git(home / "store", "log", "-p")


def test_the_same_said_again_in_another_writing_changes_no_text(kept: Said) -> None:
    before = call("show", NAME).out
    said = call("remember", '"DEPLOYS" go out on tuesdays only!', "--type", "project", "--scope", "larkspur")
    assert (said.code, said.out, said.err) == (0, f"already known: {PATH}\n", "")
    assert call("show", NAME).out == before


def test_the_same_said_better_takes_its_place_and_that_is_told(kept: Said) -> None:
    said = call(
        *("remember", "Deploys go out on Tuesdays only\nbecause the customers asked us for one day a week"),
        *("--type", "project", "--scope", "larkspur"),
    )
    assert (said.code, said.out) == (0, f"already known: {PATH}\n")
    assert "a memory said this in other words; it now has your words" in said.err
    assert "one day a week" in call("show", NAME).out
    assert call("undo").code == 0
    assert "one day a week" not in call("show", NAME).out


def test_forgetting_leaves_a_tombstone_and_undo_brings_it_back(kept: Said) -> None:
    assert call("forget", NAME).code == 0
    assert call("show", NAME).code == 2
    undone = call("undo").out
    assert "undone: 1 file as before it" in undone
    assert call("show", NAME).code == 0
    subjects = [commit["subject"] for commit in call("history", NAME, "--json").json]
    assert len(subjects) == 3
    call(*undone.splitlines()[-1].removeprefix("to take this back: silt ").split())
    assert call("show", NAME).code == 2


@pytest.fixture
def twins(home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Two projects' memories of one name; the person stands in the folder of the first."""
    here = Path.cwd()
    there = here.parent / "greenhouse"
    there.mkdir()
    for folder in (there, here):
        monkeypatch.chdir(folder)
        assert call("write", "hosting", "Hosting is Vercel.").code == 0
    return "projects/larkspur/project-hosting.md", "projects/greenhouse/project-hosting.md"


@table("memories", "in_a_project_a_name_means_its_own_memory")
def test_in_a_project_a_name_means_its_own_memory(
    twins: tuple[str, str], words: tuple[str, ...], told: str
) -> None:
    assert told.format(*twins) in call(*words).out.splitlines()


def test_outside_of_the_projects_a_name_of_both_is_refused_with_both_paths(
    home: Path, twins: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home / "person")
    for words in (("forget", "hosting"), ("show", "hosting"), ("purge", "hosting", "--yes")):
        said = call(*words)
        assert said.code == 2
        assert f"fits 2 memories: {twins[1]}, {twins[0]}; give the path of one" in said.err
    assert len(call("list", "--json").json) == 2


def test_two_sentences_of_one_second_are_two(home: Path) -> None:
    """Else what was forgotten would take the other along, as said with it."""
    at = datetime(2026, 9, 3, 12, tzinfo=UTC)
    with Context(makes=True) as context:
        scope = context.scope_or_here(None)
        made = parts(context)._replace(clock=lambda: at)
        assert remember("Deploys go out on Tuesdays only", "project", scope, made).outcome.kind == "promoted"
        assert call("forget", NAME).code == 0
        kept = remember("Releases are cut on Mondays", "project", scope, made)
        again = remember("Deploys go out on Tuesdays only", "project", scope, made)
    assert (kept.outcome.kind, again.outcome.reason) == ("promoted", "tombstone")


def test_memories_of_another_system_are_taken_over(home: Path) -> None:
    file = home / "workspace-memory.json"
    entry = {"id": "m1", "type": "decision", "text": "Use npm cache for plugin loading, not npm link"}
    file.write_text(json.dumps({"version": 1, "entries": [entry | {"source": "explicit"}]}), encoding="utf-8")
    assert call("import", str(file)).out == "1 new memory\n"
    assert call("import", str(file)).out == "1 already known\n"


@table(
    "commands",
    "misuse",
    (["session", "update", "claude/s1", "goal", "x" * 1001], "has room for 1,000 characters"),
)
def test_misuse_is_one_sentence_and_exit_2(home: Path, kept: Said, words: list[str], told: str) -> None:
    Path("something").touch()  # a project may be installed for
    call("event", given='{"event": "idle", "agent": "claude", "session": "s1"}')
    said = call(*words)
    assert (said.code, said.out, told in said.err) == (2, "", True), said.err
    assert len(said.err.strip().splitlines()) == 1


@pytest.mark.parametrize("name", [NAME[:9], f"project-{NAME[:9]}", "on-tuesdays", "TUESDAYS"])
def test_a_part_of_a_name_shows_a_memory_and_deletes_none(kept: Said, name: str) -> None:
    assert PATH in call("show", name).out
    assert call("history", name).code == 0
    for words in (["forget"], ["purge", "--yes"]):
        said = call(*words, name)
        assert (said.code, f"write the full name, for example {NAME}" in said.err) == (2, True)
    assert call("show", NAME).code == 0


REFUSED = {
    "unparsable": ("---\nname: [\n---\n", ", line 3: the frontmatter cannot be read"),
    "no UTF-8": ("---\nname: x\n---\n\udcff\udcfe\n", ", line 4: is not UTF-8"),
    "secret": (
        "---\nname: x\n---\n\nthe key is " + "ghp_" + "a8Kd92LmQzX0vB7nT4yR6sWcE1hJ3uFg5pIo",
        ", line 5: contains a secret (token)",
    ),
    "conflict": (
        "---\nname: x\n---\n<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n",
        ", line 4: has git conflict markers",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_that_is_left_out_says_why_and_the_rest_is_read(home: Path, kept: Said, what: str) -> None:
    text, why = REFUSED[what]
    call("remember", "Ines reviews every migration", "--type", "project")
    (home / "store" / PATH).write_text(text, encoding="utf-8", errors="surrogateescape")
    for words in (["show", NAME], ["show", PATH], ["show", NAME[:9]], ["history", NAME], ["forget", NAME]):
        said = call(*words)
        assert (said.code, said.out) == (1, ""), words
        assert PATH + why in said.err
        assert len(said.err.splitlines()) == 1
    for words in (
        ["list"],
        ["list", "--json"],
        ["search", "deploys"],
        ["search", "deploys", "--json"],
        ["stale"],
    ):
        said = call(*words)
        assert (said.code, PATH + why in said.err) == (0, True), said.err
        assert "Tuesdays" not in said.out
    assert "Ines" in call("list").out


def test_a_link_in_place_of_a_memory_is_told_once(home: Path, kept: Said) -> None:
    (home / "store" / PATH).rename(home / "away.md")
    (home / "store" / PATH).symlink_to(home / "away.md")
    told = f"silt: {PATH} is a symbolic link, which Siltstone does not follow: put the file itself there\n"
    for words in (["run"], ["list"], ["show", NAME]):
        assert call(*words).err == told, words


def test_a_file_written_by_hand_has_no_date_that_nobody_gave_it(home: Path, kept: Said) -> None:
    (home / "store" / "global").mkdir()
    (home / "store" / "global" / "user-tea.md").write_text("Tea is at four")
    assert "status    in force since an unknown date" in call("show", "tea").out
    assert "user · you · tea" in seen("list", columns=60)


def test_a_memory_that_was_over_says_since_when(home: Path, kept: Said) -> None:
    (home / "store" / "global" / "archive").mkdir(parents=True)
    text = "---\nmetadata:\n  superseded_at: 2026-09-02T08:00:00Z\n---\nTea is at four"
    (home / "store" / "global" / "archive" / "user-tea.md").write_text(text)
    assert "status    archived, over since 2026-09-02" in call("show", "tea").out


def test_a_hand_edit_is_committed_as_the_users_before_the_next_change(home: Path, kept: Said) -> None:
    path = home / "store" / PATH
    path.write_text(
        path.read_text(encoding="utf-8").replace("Tuesdays only\n", "Tuesdays and Fridays\n"),
        encoding="utf-8",
    )
    call("remember", "Ines reviews every migration", "--type", "project")
    log = call("log", "--json").json
    assert log[1]["trailers"] == [], "a commit of the user's carries no trailer of ours"
    assert "Tuesdays and Fridays" in call("show", NAME).out


def test_the_log_shows_the_number_that_undo_takes(kept: Said) -> None:
    (line,) = [line for line in call("log").out.splitlines() if "(run " in line]
    run = line.partition("(run ")[2][:4]
    assert call("undo", run).code == 0


def test_writes_by_hand_count_towards_a_compaction(home: Path) -> None:
    racks = [f"Rack {number} has its own power switch number {number}{number}" for number in range(8)]
    call("remember", "-", "--type", "project", given="\n".join(racks))
    assert call("status", "--json").json["churn"]["projects/larkspur"] == 8
    assert "projects/larkspur" in call("run", "--root", f"plain={home}", "--json").json["compaction"]


def test_purging_a_project_takes_what_waits_for_it_too(home: Path) -> None:
    block = "Memory candidates:\\n- [project] The build cache lives in .cache/turbo and is safe to delete"
    cwd = f'"cwd": "{home}/person/src/larkspur"'
    lines = [
        f'{{"role": "user", "content": "remember: we deploy only on Tuesdays", {cwd}}}',
        f'{{"role": "assistant", "content": "{block}", {cwd}}}',
    ]
    (home / "said.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    call("run", "--root", f"plain={home}/said.jsonl", "--idle", "0")
    assert len(call("inbox", "--json").json) == 1
    assert call("purge", "--project", "larkspur", "--yes").code == 0
    assert call("inbox", "--json").json == []
    assert "turbo" not in git(home / "store", "log", "-p")


def test_undo_says_when_there_is_nothing_to_undo(home: Path) -> None:
    assert call("run").code == 0
    assert call("undo").out.startswith("nothing to undo")
    call("remember", "Deploys go out on Tuesdays only", "--type", "project")
    run = dict(call("log", "--json").json[0]["trailers"])["Silt-Run"]
    assert "undone: 2 files as before it" in call("undo", run).out
    said = call("undo", run)
    assert (said.code, said.err) == (0, "")
    assert said.out == f"run {run}: nothing to undo: its files are already as they were before it\n"


def test_undo_of_what_was_changed_since_is_named_and_nothing_could_be_done(home: Path, kept: Said) -> None:
    for path in (PATH, "projects/larkspur/project.yaml"):
        file = home / "store" / path
        file.write_text(file.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    said = call("undo")
    assert said.code == 3
    assert f"{PATH} was left alone: it has changed since" in said.err


def test_a_file_that_cannot_be_read_gets_no_twin(home: Path, kept: Said) -> None:
    file = home / "store" / PATH
    whole = file.read_text(encoding="utf-8")
    broken = whole.replace("---\nname", "---\n<<<<<<< ours\nname", 1) + ">>>>>>> theirs\n"
    file.write_text(broken, encoding="utf-8")
    again = call("remember", "Deploys go out on Tuesdays only", "--type", "project")
    assert again.out == f"waiting for your review: inbox/{file.name}\n"
    longer = "Deploys go out on Tuesdays only.\nWhy: the rota in docs/ops.md"
    more = call("remember", longer, "--type", "project")
    assert f"inbox/{file.name} is waiting in the inbox: {PATH} cannot be read" in more.err
    assert [one.name for one in file.parent.glob("project-*.md")] == [file.name]

    file.write_text(whole, encoding="utf-8")
    call("remember", "Ines reviews every migration", "--type", "project")
    assert call("inbox", "--json").json == []
    assert "docs/ops.md" in "".join(one["body"] for one in call("list", "--json").json)


def test_a_folder_of_anything_else_is_no_import(home: Path) -> None:
    folder = home / "etc"
    folder.mkdir()
    (folder / "alternatives").symlink_to("/nowhere")
    (folder / "hosts").write_text("127.0.0.1 localhost")
    said = call("import", str(folder))
    assert (said.code, "notes" in said.err) == (2, True)


def test_a_conflict_shows_what_a_side_says_today_where_it_is_not_what_was_said(home: Path) -> None:
    for amount in ("£40", "£50"):
        call("remember", f"Free shipping starts at {amount}", "--type", "project")
    paths = sorted((home / "store" / "projects").rglob("project-*.md"))
    call("compact")
    paths[0].write_text(paths[0].read_text().replace("£40", "£45").replace("£50", "£45"))
    said = call("conflicts").out
    assert (said.count("now: "), "now: Free shipping starts at £45" in said) == (1, True)


def test_a_byte_that_is_no_text_in_the_conflicts_stops_nothing(home: Path) -> None:
    for amount in ("£40", "£50"):
        call("remember", f"Free shipping starts at {amount}", "--type", "project")
    call("compact")
    with (home / "store" / "_CONFLICTS.md").open("ab") as file:
        file.write(b"\ncaf\xe9\n")
    (one,) = call("conflicts", "--json").json
    assert call("promote", one["sides"][0]["path"]).code == 0
    (one,) = call("conflicts", "--json").json
    assert call("conflicts", "resolve", one["id"], "--keep", "2").code == 0
    assert call("conflicts", "--json").json == []


@table("commands", "a_name_that_is_not_quite_right_is_answered_with_the_nearest")
def test_a_name_that_is_not_quite_right_is_answered_with_the_nearest(
    kept: Said, words: str, told: str
) -> None:
    said = call(*words.split())
    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_what_was_found_in_a_text_is_told_and_how_to_have_it_otherwise(home: Path) -> None:
    said = call("remember", "We chose Postgres over MySQL because of JSONB").out
    assert "saved as type decision, for larkspur; to change that, `silt undo`, then give --type" in said
    assert "saved as type user, for all your projects" in call("remember", "I live in Porto").out
    assert "saved as" not in call("remember", "x is y", "--type", "project", "--scope", "global").out


def test_a_list_is_remembered_without_its_bullets_and_headings(home: Path) -> None:
    said = call(
        "remember", "-", given="# Rules\n- we use pnpm\n2. never squash merges\n* [x] tabs, not spaces\n"
    )
    assert said.out == "3 kept, 0 already known\n"
    kept = {one["description"] for one in call("list", "--json").json}
    assert kept == {"we use pnpm", "never squash merges", "tabs, not spaces"}


def test_an_import_of_nothing_makes_no_store(home: Path) -> None:
    (home / "empty").mkdir()
    assert call("import", str(home / "empty")).code == 2
    assert not (home / "store").exists()


def test_outside_of_a_project_a_name_is_the_memory_that_has_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("write", "colour", "The brand colour is red.")
    monkeypatch.chdir(home / "person")
    assert "changed: projects/larkspur/project-colour.md" in call("write", "colour", "It is blue.").out
    assert len(call("list", "--json").json) == 1


def test_a_part_of_a_name_is_enough_to_correct_a_memory(kept: Said) -> None:
    assert call("edit", "tuesdays", "--old", "Tuesdays", "--new", "Mondays").code == 0
    assert "is now projects/larkspur/system/" in call("promote", "deploys-go").out
    assert call("forget", "tuesdays").code == 2
