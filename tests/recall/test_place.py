"""The scope of a folder in a hot command: as when the session is read, without git or a write."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.git import git
from support.table import table

from siltstone.recall.prepared import scope_of_folder
from siltstone.store.entry import GLOBAL
from siltstone.store.identity import MAX_FOLDER
from siltstone.store.projects import Projects


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A person's folders: a repository with a remote, one without, a work tree, plain ones."""
    for name in ("larkspur", "local", "plain", "plain/below", "larkspur/src", "unknown", "new\nline"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("larkspur", "local", "new\nline"):
        git(tmp_path / name, "init", "-q")
        git(tmp_path / name, "commit", "-qm", "x", "--allow-empty")
    git(tmp_path / "larkspur", "remote", "add", "origin", "https://me:pw@Git.example/Acme/Larkspur.git")
    git(tmp_path / "local", "worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "clone").mkdir()
    git(tmp_path / "clone", "init", "-q")
    git(tmp_path / "clone", "remote", "add", "origin", "git@git.example:acme/larkspur.git")
    (tmp_path / "link").symlink_to(tmp_path / "larkspur" / "src")
    return tmp_path


@pytest.fixture
def projects(home: Path) -> Projects:
    """Everything known but `unknown`, and a folder that is gone by now."""
    known = Projects(home / "store", home)
    for name in ("larkspur", "local", "plain", "new\nline"):
        known.resolve(str(home / name))
    (home / "gone" / "deep").mkdir(parents=True)
    known.resolve(str(home / "gone"))
    (home / "gone" / "deep").rmdir()
    (home / "gone").rmdir()
    known.resolve(str(home / "was\there"))
    return known


def owner(projects: Projects) -> Callable[[str, str], str | None]:
    marks = {f"{one.kind} {one.value}": scope for scope, own in projects.known().items() for one in own}
    return lambda kind, value: marks.get(f"{kind} {value}")


@table("place", "scopes")
def test_a_folder_has_the_scope_its_sessions_get(
    home: Path, projects: Projects, folder: str, scope: str
) -> None:
    at = str(home / folder)
    assert scope_of_folder(at, owner(projects), str(home)) == scope
    resolved = projects.resolve(at)
    assert scope == (GLOBAL if resolved.new else resolved.scope)


@pytest.mark.parametrize("odd", ["", "relative", "/", "/a\0b", "/x" * MAX_FOLDER, "/\udcff", "~"])
def test_an_odd_folder_is_global(odd: str) -> None:
    assert scope_of_folder(odd, lambda kind, value: None, "/home/me") == GLOBAL
