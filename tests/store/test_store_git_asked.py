"""What git is asked, and what is known without it: reads say as git does, edits during a read are seen."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from store_support import SECRET, by_hand, open_store, put, save, text_of
from support.faulty_disk import QuietDisk
from support.git import git

from siltstone.store.disk import Ran
from siltstone.store.git import Git
from siltstone.store.store import Store

FACT = "global/project-fact.md"
OTHER = "global/project-other.md"


class AskedDisk(QuietDisk):
    """Tells what git was asked, and does something when it has told what stands in the store."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.given_the_lock: set[str] = set()
        self.then: Callable[[], None] = lambda: None

    def run(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        stdin: bytes = b"",
        timeout: float = 60.0,
        keep: tuple[int, ...] = (),
    ) -> Ran:
        ran = super().run(argv, env, stdin, timeout, keep)
        self.asked.append(" ".join(argv[3:]))
        self.given_the_lock |= {argv[3]} if keep else set()
        if argv[3] in ("status", "ls-tree"):
            self.then()
        return ran


@pytest.fixture
def disk() -> AskedDisk:
    return AskedDisk()


@pytest.fixture
def asked(tmp_path: Path, disk: AskedDisk) -> Store:
    store = open_store(tmp_path / "store", disk)
    save(store, put(store, FACT, text_of("ours")), put(store, OTHER, text_of("ours too")))
    disk.asked.clear()
    return store


def test_an_edit_after_git_has_answered_is_the_users(asked: Store, disk: AskedDisk) -> None:
    disk.then = lambda: by_hand(asked.root, FACT, text_of("theirs"))
    assert [one.user_written for one in asked.entries()] == [True, False]


def test_a_secret_that_comes_after_git_has_answered_is_not_shown(asked: Store, disk: AskedDisk) -> None:
    disk.then = lambda: by_hand(asked.root, FACT, text_of(SECRET))
    assert [one.path for one in asked.entries()] == [OTHER]
    assert "contains a secret" in asked.unreadable[FACT]


def test_what_was_read_is_read_again_without_git(asked: Store, disk: AskedDisk) -> None:
    first = asked.entries()
    disk.asked.clear()
    assert asked.entries() == first
    assert asked.read(FACT) == first[0]
    assert disk.asked == []


def test_what_another_process_commits_is_read(asked: Store) -> None:
    asked.entries()
    other = open_store(asked.root)
    save(other, put(other, FACT, text_of("learned elsewhere")))
    fact, _ = asked.entries()
    assert (fact.entry.body, fact.user_written) == ("learned elsewhere", False)


def test_a_write_asks_git_nothing_twice(asked: Store, disk: AskedDisk) -> None:
    with asked.locked():
        asked.settle()
        asked.entries()
        asked.apply([put(asked, FACT, text_of("new"))], "memory: learn", [("Silt-Op", "extract")])
        asked.entries()
    assert len(set(disk.asked)) == len(disk.asked)
    assert not [words for words in disk.asked if words.startswith("rev-parse")]


def test_a_git_that_writes_is_given_the_lock(asked: Store, disk: AskedDisk) -> None:
    disk.given_the_lock.clear()
    save(asked, put(asked, FACT, text_of("new")))
    assert disk.given_the_lock == {"update-index", "write-tree", "commit-tree", "update-ref"}
    assert asked.git.held is None


def add_include(root: Path) -> None:
    (root / "more").write_text('[remote "hub"]\n\turl = https://hub.example/a\n')
    git(root, "config", "include.path", str(root / "more"))


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        (lambda root: None, False),
        (lambda root: git(root, "remote", "add", "hub", "https://hub.example/a"), True),
        (add_include, True),
    ],
    ids=["none", "one", "in another file"],
)
def test_remotes_are_what_git_says(asked: Store, added: Callable[[Path], object], expected: bool) -> None:
    added(asked.root)
    assert asked.git.has_remote() is expected is bool(git(asked.root, "remote"))


def test_a_head_that_names_another_ref_is_asked_of_git(asked: Store, disk: AskedDisk) -> None:
    git(asked.root, "symbolic-ref", "refs/heads/named", "refs/heads/main")
    git(asked.root, "symbolic-ref", "HEAD", "refs/heads/named")
    assert asked.git.head() == git(asked.root, "rev-parse", "HEAD").strip()
    assert len(disk.asked) == 1


def test_the_head_of_another_work_tree_is_its_own(asked: Store, tmp_path: Path, disk: AskedDisk) -> None:
    before = git(asked.root, "rev-parse", "HEAD").strip()
    git(asked.root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    save(asked, put(asked, FACT, text_of("on main alone")))
    assert Git(tmp_path / "side", disk).head() == before
