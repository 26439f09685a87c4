"""Editing: exact, unique, read before and unchanged since (D8); refused, it leaves every byte alone."""

from dataclasses import replace

import pytest
from files_support import CLAUDE, SECRET, SHOP, Desk
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from store_support import by_hand, put, save, status
from support.git import git
from support.table import table

from siltstone.store.errors import EntryError, Misuse, SiltError, Stale
from siltstone.store.files import Actor, Session, edit, read

HOSTING = f"{SHOP}/project-hosting.md"
HOT = f"{SHOP}/system/project-persona.md"
BODY = "Hosting is Vercel.\nWhy: previews.\nThe price is £20.\nWhy: the plan."


@pytest.fixture
def hosted(desk: Desk) -> Desk:
    desk.learn(HOSTING, BODY)
    read(desk.hand, HOSTING)
    return desk


@table("store", "a_unique_piece_is_replaced_as_it_stands")
def test_a_unique_piece_is_replaced_as_it_stands(hosted: Desk, old: str, new: str, body: str) -> None:
    written = edit(hosted.hand, HOSTING, old, new)
    assert read(hosted.hand, HOSTING).content == written.file.content == body
    assert "Silt-Op: edit\nSilt-By: user" in git(hosted.store.root, "log", "-1", "--format=%B")
    entry = hosted.store.read(HOSTING).entry
    assert [said.session for said in entry.evidence] == ["s1", "terminal"]
    assert entry.source == "manual"


@table("store", "a_refused_edit_leaves_every_byte", ("Vercel", "x" * 5000, "exceeds its limit of 5000"))
def test_a_refused_edit_leaves_every_byte(hosted: Desk, old: str, new: str, sentence: str) -> None:
    before = (hosted.store.root / HOSTING).read_bytes(), git(hosted.store.root, "rev-parse", "HEAD")
    with pytest.raises(SiltError, match=sentence):
        edit(hosted.hand, HOSTING, old, new)
    assert ((hosted.store.root / HOSTING).read_bytes(), git(hosted.store.root, "rev-parse", "HEAD")) == before
    assert status(hosted.store.root) == []


def test_many_matches_are_named_up_to_a_few(desk: Desk) -> None:
    desk.put("list", "same\n" * 900)
    with pytest.raises(EntryError, match="line 1, 2, 3, 4, 5, 6, 7, 8, … of its body"):
        edit(desk.hand, f"{SHOP}/project-list.md", "same", "other")


def as_codex(desk: Desk) -> Actor:
    return replace(desk.hand, session=Session("codex", "other"), by="agent")


def test_what_changed_since_it_was_read_is_read_again_first(hosted: Desk) -> None:
    read(as_codex(hosted), HOSTING)
    edit(hosted.hand, HOSTING, "Vercel", "Hetzner")
    with pytest.raises(Stale, match="read it again"):
        edit(as_codex(hosted), HOSTING, "Hetzner", "AWS")


def test_who_wrote_it_knows_it_and_a_hot_file_is_known_to_all(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    assert edit(desk.hand, HOSTING, "Vercel", "Hetzner").commit
    assert edit(desk.hand, HOSTING, "Hetzner", "AWS").commit
    desk.learn(HOT, "Be brief.")
    assert edit(as_codex(desk), HOT, "brief", "very brief").file.content == "Be very brief."


@pytest.mark.parametrize("path", [HOSTING, f"{SHOP}/archive/project-old.md"], ids=["readonly", "archived"])
def test_readonly_and_archived_are_not_edited(desk: Desk, path: str) -> None:
    text = desk.learn(path, "It is so.", readonly="archive" not in path)
    read(desk.hand, path)
    with pytest.raises(EntryError, match=r"readonly|archived"):
        edit(desk.hand, path, "so", "not so")
    assert (desk.store.root / path).read_text() == text


def test_a_secret_is_left_out_of_text_and_evidence(hosted: Desk) -> None:
    written = edit(hosted.hand, HOSTING, "previews.", f"previews, with {SECRET}")
    assert written.redacted
    assert "previews, with [REDACTED]" in written.file.content
    assert SECRET not in git(hosted.store.root, "log", "-p")


def test_an_explicit_save_stays_one_when_it_is_corrected(desk: Desk) -> None:
    text = desk.learn(HOSTING, BODY).replace("source: extraction", "source: explicit")
    save(desk.store, put(desk.store, HOSTING, text))
    read(desk.hand, HOSTING)
    edit(desk.hand, HOSTING, "Vercel", "Hetzner")
    assert desk.store.read(HOSTING).entry.source == "explicit"


def test_comments_and_unknown_keys_survive_an_edit(hosted: Desk) -> None:
    text = (hosted.store.root / HOSTING).read_text()
    by_hand(
        hosted.store.root, HOSTING, text.replace("readonly: false", "readonly: false  # mine\nmood: good")
    )
    read(hosted.hand, HOSTING)
    edit(hosted.hand, HOSTING, "Vercel", "Hetzner")
    assert "readonly: false  # mine\nmood: good\n" in (hosted.store.root / HOSTING).read_text()


def test_an_agents_edit_becomes_an_inbox_item_that_it_may_go_on_with(desk: Desk) -> None:
    desk.learn(HOSTING, BODY)
    read(desk.agent, HOSTING)
    proposed = edit(desk.agent, HOSTING, "Vercel", "Hetzner")
    assert (proposed.file.path, proposed.waiting, proposed.created) == (
        "inbox/project-hosting.md",
        True,
        True,
    )
    assert read(desk.hand, HOSTING).content == BODY
    again = edit(desk.agent, proposed.file.path, "£20", "£25")
    assert (again.file.path, again.created) == (proposed.file.path, False)
    entry = desk.store.read(proposed.file.path).entry
    assert (entry.origin, entry.scope, len(entry.evidence)) == ("assistant-inferred", SHOP, 1)
    assert str(CLAUDE) == f"{entry.evidence[0].agent}/{entry.evidence[0].session}"
    with pytest.raises(Misuse):
        edit(desk.agent, HOSTING, "", "x")


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example("hahaha", "haha", "ho")
@given(
    st.text("ab\n ", max_size=12).map(lambda text: f"x{text}y"),
    st.text("ab\n ", min_size=1, max_size=3),
    st.text("abc", max_size=3),
)
def test_an_edit_replaces_the_one_place_or_changes_nothing(desk: Desk, body: str, old: str, new: str) -> None:
    path = desk.put("hosting", body).file.path
    before = (desk.store.root / path).read_bytes()
    places = sum(body.startswith(old, at) for at in range(len(body)))
    try:
        written = edit(desk.hand, path, old, new)
    except SiltError:
        assert places != 1 or old == new
        assert (desk.store.root / path).read_bytes() == before
    else:
        assert places == 1
        assert written.file.content == body.replace(old, new)
