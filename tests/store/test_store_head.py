"""Where a store stands, read from its files: what git says."""

import subprocess
from pathlib import Path

import pytest

from siltstone.store.repository import head


def git(root: Path, *words: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@b.example")
    done = subprocess.run(["git", "-C", str(root), *who, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    return tmp_path


def test_before_the_first_commit_it_stands_nowhere(root: Path) -> None:
    assert head(str(root)) == ""


@pytest.mark.parametrize(
    "after",
    [(), ("pack-refs", "--all"), ("checkout", "-q", "--detach"), ("checkout", "-q", "-b", "topic/one")],
    ids=["loose", "packed", "detached", "another branch"],
)
def test_it_is_what_git_says(root: Path, after: tuple[str, ...]) -> None:
    git(root, "commit", "-q", "--allow-empty", "-m", "one")
    if after:
        git(root, *after)
    first = git(root, "rev-parse", "HEAD")
    assert head(str(root)) == first
    git(root, "commit", "-q", "--allow-empty", "-m", "two")
    assert head(str(root)) == git(root, "rev-parse", "HEAD") != first


@pytest.mark.parametrize(
    "said", [b"", b"ref: ", b"ref: ../../x", b"ref: a\0b", b"\xff", b"ref: refs/heads/no"]
)
def test_a_damaged_head_breaks_nothing(root: Path, said: bytes) -> None:
    (root / ".git" / "HEAD").write_bytes(said)
    assert head(str(root)) in ("", said.decode("utf-8", "replace").strip())


def test_no_git_is_nowhere(tmp_path: Path) -> None:
    assert head(str(tmp_path / "gone")) == ""
