"""Writing: where a note goes, what is refused, what it is proven by (D7, D14, C32, invariants 6, 8, 9)."""

import pytest
from files_support import CLAUDE, SECRET, SHOP, Desk
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from store_support import NOON, by_hand, status, subjects
from support.git import git
from support.table import table

from siltstone.store.entry import GLOBAL, Type
from siltstone.store.entry_form import plain_body
from siltstone.store.errors import EntryError, Misuse, SiltError, StoreError
from siltstone.store.files import Note, delete, read, write
from siltstone.store.history import tombstones
from siltstone.store.redaction import findings

HOSTING = f"{SHOP}/project-hosting.md"


@table("store", "a_name_becomes_a_file_by_code")
def test_a_name_becomes_a_file_by_code(
    desk: Desk, scope: str, name: str, type: Type | None, hot: bool, path: str
) -> None:
    desk.put("first", "Makes the scope.")
    written = write(desk.hand, Note(scope, name, "It is so.", type, hot=hot))
    assert written.file.path.startswith(path)
    assert (written.created, written.file.content, written.file.hot) == (
        True,
        "It is so.",
        "/system/" in path,
    )


@table(
    "store",
    "a_name_that_leads_elsewhere_is_refused_and_nothing_is_written",
    ("x" * 1_000_000,),
    ("/" * 100_000,),
)
def test_a_name_that_leads_elsewhere_is_refused_and_nothing_is_written(desk: Desk, name: str) -> None:
    before = git(desk.store.root, "rev-parse", "HEAD")
    with pytest.raises((EntryError, Misuse, StoreError)) as told:
        write(desk.hand, Note(GLOBAL, name, "It is so."))
    assert len(str(told.value)) < 600
    assert "\n" not in str(told.value)
    assert (git(desk.store.root, "rev-parse", "HEAD"), status(desk.store.root)) == (before, [])


def test_a_folder_that_is_a_link_is_not_written_through(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    away = desk.store.root.parent / "away"
    away.mkdir()
    (desk.store.root / SHOP / "system").symlink_to(away)
    with pytest.raises(StoreError, match="symbolic link"):
        desk.put("persona", "Be brief.", hot=True)
    assert list(away.iterdir()) == []


def test_frontmatter_is_made_by_code_and_the_writer_is_the_evidence(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    stored = desk.store.read(HOSTING)
    (said,) = stored.entry.evidence
    assert (stored.entry.source, stored.entry.origin, stored.entry.description) == (
        "manual",
        "user-said",
        "Hosting is Vercel.",
    )
    assert (said.agent, said.session, said.quote) == ("silt", "terminal", "Hosting is Vercel.")
    assert NOON < stored.entry.created == stored.entry.updated == said.at
    assert stored.user_written, "what the user wrote by command is theirs as what they edit by hand"
    assert subjects(desk.store.root)[0] == "memory: write hosting"
    assert "Silt-Op: write\nSilt-By: user" in git(desk.store.root, "log", "-1", "--format=%B")
    assert desk.followed == 1


def test_a_new_body_takes_the_place_of_the_old_and_the_rest_stays(desk: Desk) -> None:
    text = desk.learn(HOSTING, "Hosting is Vercel.")
    by_hand(desk.store.root, HOSTING, text.replace("limit: 5000", "limit: 60  # short\nmine: yes"))
    written = write(desk.hand, Note(SHOP, "hosting", "Hosting is Hetzner."))
    stored = desk.store.read(HOSTING)
    assert (written.created, stored.entry.description) == (False, "About hosting")
    assert "limit: 60  # short\nmine: yes\n" in stored.text
    assert [said.session for said in stored.entry.evidence] == ["s1", "terminal"]
    assert (stored.entry.created, stored.entry.source) == (NOON, "manual")
    described = write(desk.hand, Note(SHOP, "hosting", "Hosting is Hetzner.", description="Where we host"))
    assert described.file.description == "Where we host"


def test_writing_the_same_again_makes_no_commit(desk: Desk) -> None:
    first = desk.put("hosting", "Hosting is Vercel.")
    again = desk.put("hosting", "Hosting is Vercel.\n")
    assert (again.commit, again.file) == (None, first.file)
    assert desk.followed == 1


def test_one_session_is_one_piece_of_evidence_however_often_it_writes(desk: Desk) -> None:
    for n in range(5):
        desk.put("hosting", f"Hosting is host number {n}.")
    (said,) = desk.store.read(HOSTING).entry.evidence
    assert said.quote == "Hosting is host number 4."


@pytest.mark.parametrize(
    ("body", "description", "sentence"),
    [
        pytest.param("x" * 5001, None, "exceeds its limit of 5000", id="over the limit"),
        pytest.param(" \n\t\0", None, "that text is empty", id="empty"),
        pytest.param("It is so.", "d" * 201, "at most 200 characters", id="long description"),
        pytest.param("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", None, "line 2", id="conflict markers"),
    ],
)
def test_a_text_that_will_not_do_is_refused(
    desk: Desk, body: str, description: str | None, sentence: str
) -> None:
    with pytest.raises(SiltError, match=sentence):
        write(desk.hand, Note(SHOP, "hosting", body, description=description))
    assert desk.store.entries() == []


@pytest.mark.parametrize("name", [".hidden", ".hidden.md", "reference/.hidden", " .x", ".."])
def test_a_name_that_hides_is_refused(desk: Desk, name: str) -> None:
    """Its dot would be dropped, and the memory not be found by the name it was given."""
    with pytest.raises(Misuse, match="leave out the dot"):
        write(desk.hand, Note(SHOP, name, "Hosting is Vercel.", type="reference"))
    assert desk.store.entries() == []


def test_a_file_that_cannot_be_shown_is_not_written_over(desk: Desk) -> None:
    by_hand(desk.store.root, HOSTING, f"The token: {SECRET}\n")
    with pytest.raises(EntryError, match="contains a secret"):
        desk.put("hosting", "Hosting is Hetzner.")


def test_a_name_of_several_memories_is_refused_with_their_paths(desk: Desk) -> None:
    desk.learn(HOSTING, "Hosting is Vercel.")
    desk.learn(f"{SHOP}/system/project-hosting.md", "Hosting is Vercel, hot.")
    with pytest.raises(Misuse, match=f"{HOSTING}, {SHOP}/system/project-hosting.md"):
        desk.put("hosting", "Hosting is Hetzner.")
    assert desk.put(HOSTING, "Hosting is Hetzner.").file.path == HOSTING


def test_a_cold_memory_becomes_hot_by_promotion_alone(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    with pytest.raises(Misuse, match="silt promote"):
        desk.put("hosting", "Hosting is Hetzner.", hot=True)


def test_the_start_of_a_name_is_not_the_name(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    assert desk.put("host", "The host is Ines.").created


def test_another_scopes_memory_of_that_name_stays(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    assert desk.put("hosting", "Hosting is AWS.", scope=GLOBAL).file.path == "global/project-hosting.md"
    assert read(desk.hand, HOSTING).content == "Hosting is Vercel."


def test_a_secret_is_left_out_everywhere(desk: Desk) -> None:
    written = write(desk.hand, Note(SHOP, "deploys", f"Ask Ines. {SECRET}", description=f"Token {SECRET}"))
    assert written.redacted
    assert written.file.content == "Ask Ines. [REDACTED]"
    key = "AKIA" + "IOSFODNN7" + "EXAMPLQ"
    for name in (SECRET, f"key-{key}", f"the.key_{key}-old", f"{key}-x", "sk-" + "proj-" + SECRET[4:]):
        with pytest.raises(Misuse, match="that name contains a secret"):
            write(desk.hand, Note(SHOP, name, "It is so."))
    assert SECRET not in git(desk.store.root, "log", "-p")


def test_an_agents_own_words_wait_in_the_inbox(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    new = write(desk.agent, Note(SHOP, "cache", "The cache is in .cache/turbo."))
    other = write(desk.agent, Note(SHOP, "hosting", "Hosting is Hetzner."))
    assert [w.file.path for w in (new, other)] == ["inbox/project-cache.md", "inbox/project-hosting.md"]
    assert new.waiting
    entry = desk.store.read("inbox/project-hosting.md").entry
    assert (entry.scope, entry.origin, entry.source) == (SHOP, "assistant-inferred", "manual")
    assert [f"{said.agent}/{said.session}" for said in entry.evidence] == [str(CLAUDE)]
    assert read(desk.hand, HOSTING).content == "Hosting is Vercel."
    again = write(desk.agent, Note(SHOP, "hosting", "Hosting is Hetzner, in Falkenstein."))
    assert (again.file.path, again.created) == ("inbox/project-hosting.md", False)
    assert "Silt-By" not in git(desk.store.root, "log", "-1", "--format=%B")


def test_what_was_forgotten_comes_back_when_the_user_writes_it(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    delete(desk.hand, HOSTING)
    assert [stone.path for stone in tombstones(desk.store)] == [HOSTING]
    desk.put("hosting", "Hosting is Vercel.")
    assert tombstones(desk.store) == []


def test_a_hand_edit_is_committed_as_the_users_before_it_is_written_over(desk: Desk) -> None:
    desk.learn(HOSTING, "Hosting is Vercel.")
    by_hand(desk.store.root, HOSTING, "Hosting is by hand.")
    desk.put("hosting", "Hosting is Hetzner.")
    assert subjects(desk.store.root)[:2] == ["memory: write hosting", f"memory: update {HOSTING}"]
    assert "by hand" in git(desk.store.root, "show", f"HEAD~1:{HOSTING}")


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200))
@example("---\nname: x\n---\nbody")
@example("a\r\nb\rc\x00\x1b[0m")
@example("<<<<<<<\n=======\n>>>>>>>")
@example("key: [1, 2]\n# a heading\n\n\n    code")
def test_what_is_written_is_read(desk: Desk, body: str) -> None:
    assume(any(map(str.isalnum, plain_body(body))) and not findings(body))
    written = desk.put("hosting", body)
    assert read(desk.hand, written.file.path).content == written.file.content == plain_body(body)
    assert desk.store.complaints == []
    assert desk.put("hosting", written.file.content).commit is None
