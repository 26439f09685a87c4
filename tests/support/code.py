"""A project's own repository, with real git."""

from collections.abc import Mapping
from pathlib import Path

from support.git import git


class Project:
    """A work tree at `top`, made a repository with one commit of `files`."""

    def __init__(self, top: Path, files: Mapping[str, str]) -> None:
        self.top = top
        top.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.change(files)

    def git(self, *words: str, at: str = "") -> str:
        """What git prints; `at`: the date of a commit."""
        dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at} if at else {}
        return git(self.top, *words, **dates).strip()

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            (self.top / path).parent.mkdir(parents=True, exist_ok=True)
            (self.top / path).write_text(text, encoding="utf-8")

    def change(self, files: Mapping[str, str], at: str = "") -> str:
        """Commit files; those without a text go. The commit's id."""
        self.write({path: text for path, text in files.items() if text})
        for path in (path for path, text in files.items() if not text):
            (self.top / path).unlink()
        self.git("add", "-A")
        self.git("commit", "-qm", "Change", "--allow-empty", at=at)
        return self.git("rev-parse", "HEAD")
