"""Reading files, the tree and the profile (D6, D11, D18, E18)."""

from dataclasses import replace

import pytest
from files_support import CLAUDE, SHOP, Desk
from store_support import by_hand

from siltstone.store.entry import GLOBAL
from siltstone.store.errors import EntryError, Locked, Misuse, SiltError, StoreError
from siltstone.store.files import Note, Session, profile, read, tree, write
from siltstone.store.state import Usage

HOSTING = f"{SHOP}/project-hosting.md"


def test_a_reading_is_never_stale_and_counts_for_its_session_alone(desk: Desk) -> None:
    desk.learn(HOSTING, "Hosting is Vercel.")
    read(desk.agent, HOSTING)
    by_hand(desk.store.root, HOSTING, "Hosting is Hetzner.")
    assert read(desk.agent, HOSTING).content == "Hosting is Hetzner."
    assert desk.state.usage.hash_of(str(CLAUDE), HOSTING) == desk.store.read(HOSTING).hash
    assert desk.state.usage.hash_of("codex/other", HOSTING) is None


def test_what_cannot_be_noted_is_read_all_the_same(desk: Desk) -> None:
    desk.learn(HOSTING, "Hosting is Vercel.")

    def held() -> Usage:
        raise Locked("the state database is in use by another process; try again")

    file = read(replace(desk.hand, usage=held), HOSTING)
    assert file.content == "Hosting is Vercel."
    assert "in use" in file.remark


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        pytest.param("global/../../etc/passwd", StoreError, id="climbs"),
        pytest.param("/etc/passwd", StoreError, id="absolute"),
        pytest.param("global/project-a.md\0", StoreError, id="NUL"),
        pytest.param("global/project-\ud800.md", StoreError, id="half a character"),
        pytest.param("global/" + "x" * 3_000_000 + ".md", StoreError, id="megabytes"),
        pytest.param(".git/config", StoreError, id="git's own"),
        pytest.param("global/MEMORY.md", StoreError, id="derived"),
        pytest.param("global/project-none.md", EntryError, id="missing"),
        pytest.param("global/project-link.md", StoreError, id="link"),
        pytest.param("", StoreError, id="empty"),
    ],
)
def test_a_path_that_is_none_of_the_stores_is_refused(desk: Desk, path: str, kind: type[SiltError]) -> None:
    (desk.store.root / "global").mkdir(exist_ok=True)
    (desk.store.root / "global" / "project-link.md").symlink_to("/etc/passwd")
    with pytest.raises(kind) as told:
        read(desk.hand, path)
    assert len(str(told.value)) < 1000


def test_an_empty_tree_says_so(desk: Desk) -> None:
    assert tree(desk.store.entries()).lines() == ["no memory files found"]


def test_a_profile_is_the_users_own_facts_hot_ones_first_then_the_latest(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    for n in range(6):
        write(desk.hand, Note(GLOBAL, f"taste-{n}", f"Likes tea number {n}", "user", hot=n == 1))
    assert [stored.entry.name for stored in profile(desk.store.entries())] == [
        "taste-1", "taste-5", "taste-4", "taste-3", "taste-2",
    ]  # fmt: skip
    assert len(profile(desk.store.entries(), 2)) == 2


@pytest.mark.parametrize("text", ["claude", "/x", "claude/", "claude/\n", "claude/" + "x" * 300, "a/\0"])
def test_a_session_is_an_agent_and_an_id(text: str) -> None:
    with pytest.raises(Misuse, match="AGENT/ID"):
        Session.of(text)
    assert str(Session.of("claude/5bcef82b")) == "claude/5bcef82b"
