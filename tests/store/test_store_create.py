"""Making a store, and refusing what must not become one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from store_support import by_hand, open_store, put, save, status, subjects, text_of
from support.faulty_disk import QuietDisk
from support.git import git

from siltstone.store.errors import GitError, StoreError
from siltstone.store.git import Git
from siltstone.store.git_env import hermetic

FACT = "global/project-fact.md"


BEFORE: dict[str, dict[str, str] | None] = {
    "missing": None,
    "empty": {},
    "git init": {},
    "cut short": {
        ".git/objects/x": "",
        ".gitignore": "# Siltstone: derived files, written anew from the memories\n",
    },
    "killed while git made HEAD": {".git/HEAD.lock": "", ".git/refs/x": ""},
    "killed while git made its config": {".git/HEAD": "ref: refs/heads/main\n", ".git/config.lock": ""},
    "a full disk": {".git/HEAD": "", ".git/config": "[core]\n\trepository"},
}


@pytest.mark.parametrize("before", BEFORE)
def test_a_store_is_made(tmp_path: Path, before: str) -> None:
    root = tmp_path / "deep" / "store"
    if (files := BEFORE[before]) is not None:
        root.mkdir(parents=True)
        for path, text in files.items():
            by_hand(root, path, text)
    if before == "git init":
        git(root, "init", "-q")
    store = open_store(root)
    assert subjects(root) == ["memory: begin"]
    assert status(root) == []
    assert git(
        root, "check-ignore", "MEMORY.md", "projects/a/MEMORY.md", "projects.md", "PROTOCOL.md"
    ).split()
    assert store.entries() == []
    assert subjects(open_store(root).root) == ["memory: begin"]


def test_inside_another_repository_only_with_its_own_git(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    with pytest.raises(StoreError, match=f"is inside the repository {tmp_path}"):
        open_store(tmp_path / "a" / "store")
    assert not (tmp_path / "a").exists()
    (tmp_path / "own").mkdir()
    git(tmp_path / "own", "init", "-q")
    store = open_store(tmp_path / "own")
    save(store, put(store, FACT, text_of("x")))
    assert subjects(tmp_path / "own") == ["memory: learn", "memory: begin"]


def test_a_broken_repository_inside_another_never_reaches_the_outer_one(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    by_hand(tmp_path, "outer.txt", "x")
    (tmp_path / "own").mkdir()
    git(tmp_path / "own", "init", "-q")
    store = open_store(tmp_path / "own").root
    (store / ".git/HEAD").unlink()
    with pytest.raises(GitError):
        Git(store, QuietDisk()).dirty()


@pytest.mark.parametrize("kind", ["files", "a file", "repository", "repository without commits"])
def test_other_peoples_folders_are_refused(tmp_path: Path, kind: str) -> None:
    root = tmp_path / "code"
    by_hand(tmp_path, "code" if kind == "a file" else "code/main.py", "print()")
    if kind.startswith("repository"):
        git(root, "init", "-q")
    if kind == "repository":
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "mine")
    with pytest.raises(StoreError, match="choose an empty folder"):
        open_store(root)
    if kind != "a file":
        assert (root / "main.py").read_text() == "print()"


def test_git_missing_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git was not found on PATH: install git"):
        open_store(tmp_path / "new")


def test_an_old_git_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_hand(tmp_path, "bin/git", "#!/bin/sh\necho git version 2.30.9\n")
    (tmp_path / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin:/usr/bin")
    with pytest.raises(GitError, match=r"git 2\.30 is too old: install git 2\.32 or newer"):
        open_store(tmp_path / "new")


HOSTILE = (Path(__file__).resolve().parents[1] / "data/store/hostile.gitconfig").read_text("utf-8")


def test_nothing_of_the_users_git_reaches_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = tmp_path / "hooks"
    before = ("pre-commit", "prepare-commit-msg", "commit-msg")
    for hook in (*before, "post-commit", "post-checkout", "reference-transaction"):
        by_hand(hooks, hook, f"#!/bin/sh\ntouch {hooks}/ran\nexit 1\n")
        (hooks / hook).chmod(0o755)
    by_hand(hooks, "ignore", "*.md\n")
    by_hand(hooks, "attributes", "* filter=evil text eol=crlf\n")
    by_hand(hooks, "template/hooks/pre-commit", f"#!/bin/sh\ntouch {hooks}/ran\nexit 1\n")
    by_hand(tmp_path, ".gitconfig", HOSTILE.format(hooks=hooks))
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for key, value in {
        "GIT_DIR": str(outer / ".git"),
        "GIT_WORK_TREE": str(outer),
        "GIT_INDEX_FILE": str(outer / "index"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": str(hooks),
        "GIT_AUTHOR_DATE": "1999-01-01T00:00:00Z",
        "GIT_LITERAL_PATHSPECS": "0",
        "LC_ALL": "de_DE.UTF-8",
    }.items():
        monkeypatch.setenv(key, value)

    store = open_store(tmp_path / "store")
    by_hand(store.root, ".gitattributes", "* filter=evil text eol=crlf working-tree-encoding=UTF-16\n")
    by_hand(store.root, ".git/hooks/pre-commit", f"#!/bin/sh\ntouch {hooks}/ran\nexit 1\n")
    (store.root / ".git/hooks/pre-commit").chmod(0o755)
    by_hand(store.root, ".git/config", (store.root / ".git/config").read_text() + HOSTILE.format(hooks=hooks))
    save(store, put(store, FACT, text_of("line\r\nend")))
    save(store, put(store, "global/project-b.md", text_of("ö # no comment\n# nor this")), subject="# kept")

    assert not (hooks / "ran").exists()
    assert store.git.run("show", f"HEAD:{FACT}") == text_of("line\r\nend").encode()
    assert store.git.run("log", "-1", "--format=%s %an %ad", "--date=short") == (
        b"memory: # kept siltstone 2026-11-20\n"
    )
    assert store.git.dirty() == {}
    assert store.complaints == []
    assert [s.path for s in store.entries()] == ["global/project-b.md", FACT]
    assert not (outer / "index").exists()


def test_the_environment_is_stripped_of_git(tmp_path: Path) -> None:
    env = hermetic({"GIT_DIR": "x", "GIT_TRACE": "1", "PATH": "p"}, tmp_path / ".git", tmp_path)
    assert "GIT_TRACE" not in env
    assert env["GIT_DIR"] == str(tmp_path / ".git")
    assert env["PATH"] == "p"


def test_eight_processes_make_one_store(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2]); import store_support as s\n"
        "s.open_store(Path(sys.argv[1]), s.Disk())"
    )
    argv = [sys.executable, "-c", code, str(tmp_path / "store"), str(Path(__file__).parent)]
    env = dict(os.environ) | {"PYTHONPATH": f"{os.getcwd()}:{Path(__file__).parents[1]}"}
    running = [subprocess.Popen(argv, env=env, stderr=subprocess.PIPE, text=True) for _ in range(8)]
    said = [process.communicate()[1] for process in running]
    assert said == [""] * 8
    assert subjects(tmp_path / "store") == ["memory: begin"]
    assert status(tmp_path / "store") == []
