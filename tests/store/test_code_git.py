"""The git of a project: only read, whatever the project holds."""

import os
import time
from datetime import datetime
from pathlib import Path

import pytest
from support.code import Project

from siltstone.store.code.project_git import ProjectGit
from siltstone.store.errors import GitError
from siltstone.store.repository import checkout

FILES = {"a.py": "def a():\n    return 1\n", "b.txt": "b\n"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "larkspur", FILES)


def opened(project: Project, folder: Path, seconds: float = 30.0) -> ProjectGit:
    found = checkout(str(project.top), {"/"})
    assert found is not None
    return ProjectGit(found, folder, dict(os.environ), seconds)


def everything(git: ProjectGit, since: str) -> None:
    """All that is ever asked of a project's git."""
    files = git.tree(git.tip)
    git.files(since, ["a.py"])
    git.texts(files.values())
    git.lines_with("return", git.tip)
    git.changed(since, git.tip)
    git.not_merged({since[:12]})
    git.moved("gone.py", since, "")
    git.checked_out_at(datetime.fromisoformat("2001-01-01T00:00:00Z"))
    git.at_hand("a.py")


def test_a_hostile_repository_runs_nothing(project: Project, tmp_path: Path) -> None:
    first = project.git("rev-parse", "HEAD")
    proof = tmp_path / "ran"
    evil = tmp_path / "evil.sh"
    evil.write_text(f"#!/bin/sh\ntouch {proof}\ncat\n", encoding="utf-8")
    evil.chmod(0o755)
    project.change({".gitattributes": "* filter=evil diff=evil\n", "gone.py": "x = 1\n"})
    project.change({"gone.py": ""})
    settings = {
        "core.fsmonitor": str(evil),
        "core.hooksPath": str(tmp_path),
        "core.pager": str(evil),
        "core.alternateRefsCommand": str(evil),
        "core.sshCommand": str(evil),
        "filter.evil.clean": str(evil),
        "filter.evil.smudge": str(evil),
        "diff.external": str(evil),
        "diff.evil.command": str(evil),
        "diff.evil.textconv": str(evil),
        "log.showSignature": "true",
        "gpg.program": str(evil),
        "alias.grep": f"!{evil}",
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": str(project.top),
        "remote.origin.uploadpack": str(evil),
        "protocol.ext.allow": "always",
    }
    for key, value in settings.items():
        project.git("config", key, value)
    blob = project.git("rev-parse", "HEAD:b.txt")
    (project.top / ".git" / "objects" / blob[:2] / blob[2:]).unlink()  # as if it were still to be fetched
    (project.top / ".git" / "config.worktree").write_text(f"[core]\n\tfsmonitor = {evil}\n", encoding="utf-8")
    for hook in ("post-checkout", "post-index-change", "reference-transaction"):
        (tmp_path / hook).symlink_to(evil)
    before = sorted(str(path) for path in (project.top / ".git").rglob("*"))
    proof.unlink(missing_ok=True)
    everything(opened(project, tmp_path / "state"), first)
    assert not proof.exists()
    assert sorted(str(path) for path in (project.top / ".git").rglob("*")) == before


def test_no_link_leads_out_of_the_work_tree(project: Project, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s\n", encoding="utf-8")
    (project.top / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(project.top / "pipe")
    git = opened(project, tmp_path)
    assert [git.at_hand(path) for path in ("link", "../secret", "pipe", "none", "a\0b")] == [None] * 5
    assert git.at_hand("a.py") == FILES["a.py"].encode()


def test_when_time_is_over_git_is_not_asked(project: Project, tmp_path: Path) -> None:
    git = opened(project, tmp_path, seconds=0)
    started = time.monotonic()
    with pytest.raises(GitError, match="in time"):
        git.tree(git.tip)
    assert time.monotonic() - started < 5


def test_what_was_checked_out_at_a_time(project: Project, tmp_path: Path) -> None:
    first = project.git("rev-parse", "HEAD")
    old, new = "2031-03-01T12:00:00Z", "2031-04-01T12:00:00Z"
    project.git("checkout", "-qb", "fast", at="2031-02-01T12:00:00Z")
    second = project.change({"a.py": "a = 2\n"}, at=old)
    project.git("checkout", "-q", "main", at="2031-03-15T12:00:00Z")
    project.change({"a.py": "a = 3\n"}, at=new)

    def at(day: str) -> tuple[str, str] | None:
        return opened(project, tmp_path).checked_out_at(datetime.fromisoformat(f"{day}T00:00:00Z"))

    assert at("2031-03-02") == (second, "fast")
    assert at("2031-03-20") == (first, "main")
    assert at("2031-02-15") == (first, "fast")
    assert at("2001-01-01") is None
    (project.top / ".git" / "logs" / "HEAD").unlink()
    assert at("2031-03-20") == (first, "main")
    assert at("2001-01-01") is None


def test_a_repository_of_sha256_and_one_without_a_commit(tmp_path: Path) -> None:
    top = tmp_path / "new"
    top.mkdir()
    empty = Project.__new__(Project)
    empty.top = top
    empty.git("init", "-q", "--object-format=sha256", "-b", "main")
    assert checkout(str(top), {"/"}) is None
    empty.change(FILES)
    git = opened(empty, tmp_path / "state")
    assert list(git.tree(git.tip)) == ["a.py", "b.txt"]
