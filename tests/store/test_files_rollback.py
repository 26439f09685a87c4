"""Rollback of one scope by a new commit, and flush (D12, D13, invariants 9 and 10)."""

import pytest
from files_support import SECRET, SHOP, Desk
from store_support import by_hand, drop, put, save, subjects, tree
from support.git import git

from siltstone.store.errors import Misuse
from siltstone.store.files import delete, move, rollback
from siltstone.store.history import tombstones
from siltstone.store.undo import undo

HOSTING = f"{SHOP}/project-hosting.md"
OTHER = f"{SHOP}/project-other.md"
ELSEWHERE = "global/project-tea.md"


def head(desk: Desk) -> str:
    return git(desk.store.root, "rev-parse", "HEAD").strip()


def test_one_scope_goes_back_by_a_new_commit_and_the_others_stay(desk: Desk) -> None:
    text = desk.put("hosting", "Hosting is Vercel.").file
    gone = desk.learn(OTHER, "The other.")
    target = head(desk)
    desk.put("hosting", "Hosting is Hetzner.")
    desk.put("tea", "Tea is green.", scope="global")
    desk.put("new", "Something new.")
    save(desk.store, drop(desk.store, OTHER), op="compact")
    move(desk.hand, HOSTING, hot=True)
    commits = len(subjects(desk.store.root))

    back = rollback(desk.hand, SHOP, target[:7])

    assert (back.scope, back.target, back.left) == (SHOP, target, ())
    assert set(back.restored) == {
        HOSTING,
        OTHER,
        f"{SHOP}/project-new.md",
        f"{SHOP}/system/project-hosting.md",
    }
    assert desk.store.read(HOSTING).hash == text.hash
    assert (desk.store.root / OTHER).read_text() == gone
    assert not (desk.store.root / SHOP / "system").exists()
    assert (desk.store.root / ELSEWHERE).exists()
    assert len(subjects(desk.store.root)) == commits + 1
    assert subjects(desk.store.root)[0] == f"memory: rollback to {target[:7]} (larkspur)"
    assert back.commit == head(desk)
    assert tombstones(desk.store) == []


def test_the_users_own_later_edits_stay_and_are_listed(desk: Desk) -> None:
    for path in (HOSTING, OTHER, f"{SHOP}/project-third.md"):
        desk.learn(path, "As it was.")
    target = head(desk)
    desk.put("third", "By command.")
    by_hand(desk.store.root, HOSTING, "By hand, not committed yet.")
    (desk.store.root / OTHER).unlink()
    by_hand(desk.store.root, f"{SHOP}/project-mine.md", "New by hand.")
    back = rollback(desk.hand, SHOP, target)
    assert back.restored == (f"{SHOP}/project-third.md",)
    assert back.left == tuple(
        (path, "changed by hand since") for path in (HOSTING, f"{SHOP}/project-mine.md", OTHER)
    )
    assert (desk.store.root / HOSTING).read_text() == "By hand, not committed yet."
    assert not (desk.store.root / OTHER).exists()


def test_what_the_hand_wrote_stays_wherever_it_went_since(desk: Desk) -> None:
    text = desk.learn(HOSTING, "As it was.")
    target = head(desk)
    by_hand(desk.store.root, HOSTING, text.replace("As it was.", "By hand."))
    move(desk.hand, HOSTING, hot=True)
    back = rollback(desk.hand, SHOP, target)
    moved = f"{SHOP}/system/project-hosting.md"
    assert back.left == ((HOSTING, "changed by hand since"), (moved, "changed by hand since"))
    assert "By hand." in (desk.store.root / moved).read_text()
    assert back.commit is None


def test_an_agent_takes_nothing_away_that_the_user_put_there(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    desk.put("third", "The third.")
    desk.learn(OTHER, "As it was.", origin="tool-observed")
    target = head(desk)
    desk.put("hosting", "Hosting is Hetzner.")
    desk.put("new", "Something new.")
    desk.learn(OTHER, "Learned since.", origin="tool-observed")
    move(desk.hand, f"{SHOP}/project-third.md", hot=True)
    back = rollback(desk.agent, SHOP, target)
    assert back.left == (
        (HOSTING, "the user put it there"),
        (f"{SHOP}/project-new.md", "the user put it there"),
    )
    third = (f"{SHOP}/project-third.md", f"{SHOP}/system/project-third.md")
    assert sorted(back.restored) == sorted([OTHER, *third]), "what is only moved back is still there"
    assert "Hetzner" in (desk.store.root / HOSTING).read_text()
    assert rollback(desk.hand, SHOP, target).left == ()


def test_what_was_forgotten_since_does_not_come_back(desk: Desk) -> None:
    desk.learn(HOSTING, "Hosting is Vercel.")
    target = head(desk)
    delete(desk.hand, HOSTING)
    desk.put("new", "Something new.")
    back = rollback(desk.hand, SHOP, target)
    assert back.left == ((HOSTING, "forgotten since"),)
    assert [stone.path for stone in tombstones(desk.store)] == [HOSTING]


def test_readonly_files_and_old_secrets_stay_out(desk: Desk) -> None:
    desk.learn(HOSTING, "Hosting is Vercel.")
    save(desk.store, put(desk.store, OTHER, f"An old leak: {SECRET}\n"))
    target = head(desk)
    desk.learn(OTHER, "Without the leak.")
    desk.learn(HOSTING, "Hosting is Hetzner.", readonly=True)
    back = rollback(desk.hand, SHOP, target)
    assert back.left == ((HOSTING, "readonly"), (OTHER, "contained a secret then"))
    assert back.commit is None


def test_project_yaml_is_no_memory_and_stays(desk: Desk) -> None:
    desk.learn(HOSTING, "Hosting is Vercel.")
    target = head(desk)
    identities = 'identities:\n  - path: "/home/marit/src/larkspur"\n'
    save(desk.store, put(desk.store, f"{SHOP}/project.yaml", identities))
    assert rollback(desk.hand, SHOP, target).restored == ()
    assert (desk.store.root / SHOP / "project.yaml").read_text() == identities


def test_a_rollback_can_be_undone_and_repeated(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    target = head(desk)
    desk.put("hosting", "Hosting is Hetzner.")
    before = tree(desk.store.root)
    rollback(desk.hand, SHOP, target)
    assert rollback(desk.hand, SHOP, target).commit is None
    undo(desk.store, None, desk.clock)
    assert tree(desk.store.root) == before


@pytest.mark.parametrize(
    "commit",
    ["0000000", "HEAD", "-n1", "", "main", "a" * 1_000_000, "abc", "HEAD~1", "0" * 40, "\0\0\0\0\0\0\0"],
    ids=["none", "HEAD", "option", "empty", "branch", "megabyte", "short", "ref", "zeros", "NUL"],
)  # fmt: skip
def test_a_commit_that_is_none_is_not_found(desk: Desk, commit: str) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    with pytest.raises(Misuse, match="not found") as told:
        rollback(desk.hand, SHOP, commit)
    assert len(str(told.value)) < 200


def test_a_commit_beside_the_stores_history_is_not_found(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    beside = head(desk)
    git(desk.store.root, "reset", "-q", "--hard", "HEAD~1")
    desk.put("other", "The other.")
    with pytest.raises(Misuse, match="not found"):
        rollback(desk.hand, SHOP, beside)


@pytest.mark.parametrize("scope", ["projects/nowhere", "inbox", "../x", ""])
def test_a_scope_that_is_none_is_misuse(desk: Desk, scope: str) -> None:
    with pytest.raises(Misuse, match="there is no scope"):
        rollback(desk.hand, scope, head(desk))


def test_moves_there_and_back_leave_nothing_to_roll_back(desk: Desk) -> None:
    desk.put("hosting", "Hosting is Vercel.")
    target = head(desk)
    move(desk.hand, move(desk.hand, HOSTING, hot=True).new, hot=False)
    assert rollback(desk.hand, SHOP, target).restored == ()
