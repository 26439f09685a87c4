"""Promote, demote, delete (D9, D10): bytes and history stay, nothing is written over, tombstones are left."""

import pytest
from files_support import SHOP, Desk
from store_support import by_hand, put, save, tree
from support.table import table

from siltstone.pipeline.conflicts import open_conflicts
from siltstone.store import conflicts
from siltstone.store.conflicts import Section, Side
from siltstone.store.errors import EntryError
from siltstone.store.files import delete, edit, move, read
from siltstone.store.history import history, tombstones
from siltstone.store.undo import undo

HOSTING = f"{SHOP}/project-hosting.md"
HOT = f"{SHOP}/system/project-hosting.md"
OTHER = f"{SHOP}/project-other.md"


def test_promote_moves_the_bytes_and_history_follows(desk: Desk) -> None:
    text = desk.learn(HOSTING, "Hosting is Vercel.")
    by_hand(desk.store.root, OTHER, "# A note without frontmatter\r\n")
    bare = move(desk.hand, OTHER, hot=True).new
    assert (desk.store.root / bare).read_bytes() == b"# A note without frontmatter\r\n"
    moved = move(desk.hand, HOSTING, hot=True)
    assert (moved.old, moved.new) == (HOSTING, HOT)
    assert (desk.store.root / HOT).read_text() == text
    assert desk.store.read(HOT).pinned
    assert not desk.store.read(HOT).user_written, "a move writes no text"
    assert [commit.op for commit in history(desk.store, HOT)] == ["promote", "extract"]
    move(desk.hand, HOT, hot=False)
    assert [commit.op for commit in history(desk.store, HOSTING)] == ["demote", "promote", "extract"]
    assert tombstones(desk.store) == []


def test_who_had_read_it_has_read_it_there(desk: Desk) -> None:
    desk.learn(HOT, "Hosting is Vercel.")
    read(desk.hand, HOT)
    move(desk.hand, HOT, hot=False)
    assert edit(desk.hand, HOSTING, "Vercel", "Hetzner").commit


@table("store", "what_is_in_the_wrong_place_is_refused")
def test_what_is_in_the_wrong_place_is_refused(desk: Desk, path: str, hot: bool, sentence: str) -> None:
    desk.learn(path, "It is so.")
    with pytest.raises(EntryError, match=sentence):
        move(desk.hand, path, hot)


@pytest.mark.parametrize("there", ["an entry", "not readable", "other case"])
def test_a_destination_that_exists_is_refused(desk: Desk, there: str) -> None:
    desk.learn(HOSTING, "Hosting is Vercel.")
    path = HOT.replace("hosting", "Hosting") if there == "other case" else HOT
    by_hand(desk.store.root, path, "---\n[" if there == "not readable" else "Mine.")
    with pytest.raises(EntryError, match="is there already"):
        move(desk.hand, HOSTING, hot=True)
    assert (desk.store.root / HOSTING).exists()


def test_readonly_is_neither_moved_nor_deleted(desk: Desk) -> None:
    text = desk.learn(HOSTING, "Hosting is Vercel.", readonly=True)
    with pytest.raises(EntryError, match="readonly"):
        move(desk.hand, HOSTING, hot=True)
    with pytest.raises(EntryError, match="readonly"):
        delete(desk.hand, HOSTING)
    assert (desk.store.root / HOSTING).read_text() == text


def test_an_open_conflict_and_agreements_name_the_new_path(desk: Desk) -> None:
    desk.learn(HOSTING, "Hosting is Vercel.")
    agreed = desk.learn(OTHER, "Hosting is Hetzner.").replace(
        "  evidence:", f'  agrees_with: ["{HOSTING}"]\n  evidence:'
    )
    day = desk.clock.now.date()
    sides = (Side(HOSTING, day, "Vercel", "claude/s1"), Side(OTHER, day, "Hetzner", "claude/s1"))
    section = Section(conflicts.conflict_id(HOSTING, OTHER), sides)
    save(
        desk.store,
        put(desk.store, OTHER, agreed),
        put(desk.store, conflicts.PATH, conflicts.render([section])),
    )
    before = tree(desk.store.root)
    move(desk.hand, HOSTING, hot=True)
    (moved,) = open_conflicts(desk.store)
    assert [side.path for side in moved.sides] == [HOT, OTHER]
    assert moved.id == conflicts.conflict_id(HOT, OTHER)
    assert desk.store.read(OTHER).entry.agrees_with == (HOT,)
    move(desk.hand, HOT, hot=False)
    assert tree(desk.store.root) == before


def test_a_deletion_leaves_a_tombstone_and_undo_takes_it_back(desk: Desk) -> None:
    desk.learn(HOSTING, "Hosting is Vercel.")
    read(desk.hand, HOSTING)
    assert delete(desk.hand, HOSTING) is None
    assert not (desk.store.root / HOSTING).exists()
    assert [stone.path for stone in tombstones(desk.store)] == [HOSTING]
    assert desk.state.usage.hash_of("silt/terminal", HOSTING) is None
    undo(desk.store, None, desk.clock)
    assert tombstones(desk.store) == []
    assert read(desk.hand, HOSTING).content == "Hosting is Vercel."


def test_what_is_not_there_cannot_be_deleted(desk: Desk) -> None:
    with pytest.raises(EntryError, match="not in the store"):
        delete(desk.hand, HOSTING)


def test_an_agent_only_asks_to_forget_what_the_user_wrote_or_said(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    desk.learn(OTHER, "The other is learned.")
    for path in (HOSTING, OTHER):
        asked = delete(desk.agent, path)
        assert asked is not None
        assert desk.store.read(asked).entry.description.startswith("Forget: ")
        assert desk.store.read(path).entry.body
