"""What a git folder says, compared with git itself."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.git import git
from support.table import table

from siltstone.store.repository import Repository, find_repository, head, remotes


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """A repository "larkspur" with one commit and an origin."""
    top = tmp_path / "larkspur"
    (top / "src" / "deep").mkdir(parents=True)
    git(top, "init", "-q")
    git(top, "commit", "-q", "--allow-empty", "-m", "one")
    git(top, "remote", "add", "fork", "https://example.com/me/larkspur")
    git(top, "remote", "add", "origin", "git@example.com:acme/larkspur.git")
    return top


def test_a_folder_inside_a_work_tree(main: Path) -> None:
    assert find_repository(str(main / "src" / "deep"), {"/"}) == Repository(
        str(main), str(main / ".git"), "larkspur", "git@example.com:acme/larkspur.git"
    )


def test_a_linked_work_tree_shares_the_git_folder_and_the_name(main: Path, tmp_path: Path) -> None:
    git(main, "worktree", "add", "-q", tmp_path / "fix-42")
    found = find_repository(str(tmp_path / "fix-42"), {"/"})
    assert found == Repository(
        str(tmp_path / "fix-42"), str(main / ".git"), "larkspur", "git@example.com:acme/larkspur.git"
    )


def test_a_work_tree_of_a_bare_repository(main: Path, tmp_path: Path) -> None:
    bare = tmp_path / "store" / "larkspur.git"
    git(tmp_path, "clone", "-q", "--bare", main, bare)
    git(bare, "worktree", "add", "-q", tmp_path / "w")
    found = find_repository(str(tmp_path / "w"), {"/"})
    assert found == Repository(str(tmp_path / "w"), str(bare), "larkspur", str(main))


def test_a_submodule_is_a_repository_of_its_own(main: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    git(tmp_path, "init", "-q", outer)
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", main, "vendored")
    found = find_repository(str(outer / "vendored"), {"/"})
    assert found is not None
    assert (found.top, found.name) == (str(outer / "vendored"), "vendored")
    assert found.common == str(outer / ".git" / "modules" / "vendored")


def test_a_home_under_git_is_no_project(main: Path) -> None:
    assert find_repository(str(main / "src"), {str(main), "/"}) is None


@pytest.mark.parametrize("content", [None, b"", b"gitdir: /nowhere", b"gitdir: \x00", b"\xff\xfe"])
def test_a_broken_git_file_is_no_repository(tmp_path: Path, content: bytes | None) -> None:
    if content is None:
        (tmp_path / ".git").mkdir()
    else:
        (tmp_path / ".git").write_bytes(content)
    assert find_repository(str(tmp_path), {"/"}) is None


NO_FILES = {
    "a pipe": os.mkfifo,
    "a device": lambda path: os.symlink("/dev/zero", path),
    "a terminal": lambda path: os.symlink("/dev/tty", path),
    "a link to itself": lambda path: os.symlink(path, path),
}


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
@pytest.mark.parametrize("name", [".git", ".git/config", ".git/HEAD", "pointer"])
def test_what_is_no_file_is_not_opened(tmp_path: Path, make: Callable[[str], None], name: str) -> None:
    """A pipe that nobody writes to would be waited for without end."""
    top = tmp_path / "odd"
    top.mkdir()
    if name == "pointer":
        (top / ".git").write_text("gitdir: behind\n", encoding="utf-8")
        name = "behind/commondir"
    if "/" in name:
        (top / name).parent.mkdir()
        (top / name).with_name("HEAD").touch()
        (top / name).unlink(missing_ok=True)
    make(str(top / name))
    found = find_repository(str(top), {"/", str(tmp_path)})
    assert found is None or found.remote is None


def test_a_config_that_is_gone_tells_no_remote(main: Path) -> None:
    (main / ".git" / "config").unlink()
    found = find_repository(str(main), {"/"})
    assert found is not None
    assert found.remote is None


@table("store", "a_config_is_read_as_git_reads_it")
def test_a_config_is_read_as_git_reads_it(tmp_path: Path, config: str) -> None:
    (tmp_path / "config").write_text(config)
    said = git(tmp_path, "config", "-z", "--file", tmp_path / "config", "--get-regexp", r"^remote\..*\.url$")
    expected: dict[str, str] = {}
    for item in filter(None, said.split("\0")):
        key, _, value = item.partition("\n")
        expected.setdefault(key.removeprefix("remote.").removesuffix(".url"), value)
    assert remotes(config) == expected


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A repository without a commit."""
    git(tmp_path, "init", "-q", "-b", "main")
    return tmp_path


@pytest.mark.parametrize(
    "after",
    [(), ("pack-refs", "--all"), ("checkout", "-q", "--detach"), ("checkout", "-q", "-b", "topic/one")],
    ids=["loose", "packed", "detached", "another branch"],
)
def test_it_is_what_git_says(empty: Path, after: tuple[str, ...]) -> None:
    git(empty, "commit", "-q", "--allow-empty", "-m", "one")
    if after:
        git(empty, *after)
    first = git(empty, "rev-parse", "HEAD").strip()
    assert head(str(empty)) == first
    git(empty, "commit", "-q", "--allow-empty", "-m", "two")
    assert head(str(empty)) == git(empty, "rev-parse", "HEAD").strip() != first


@pytest.mark.parametrize(
    "said", [b"", b"ref: ", b"ref: ../../x", b"ref: a\0b", b"\xff", b"ref: refs/heads/no"]
)
def test_a_damaged_head_breaks_nothing(empty: Path, said: bytes) -> None:
    (empty / ".git" / "HEAD").write_bytes(said)
    assert head(str(empty)) in ("", said.decode("utf-8", "replace").strip())


def test_no_git_is_nowhere(tmp_path: Path) -> None:
    assert head(str(tmp_path / "gone")) == ""


@settings(max_examples=100)
@given(config=st.text(st.characters()) | st.text('[remote "x"]\nurl=\\ #;'))
def test_any_config_is_read(config: str) -> None:
    remotes('[remote "x"]\n' + config)
