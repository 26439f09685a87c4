"""A project's own repository, with real git."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

NAMED = ("-c", "user.name=Marit", "-c", "user.email=marit@example.com", "-c", "commit.gpgSign=false")


class Project:
    """A work tree at `top`, made a repository with one commit of `files`."""

    def __init__(self, top: Path, files: Mapping[str, str]) -> None:
        self.top = top
        top.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.change(files)

    def git(self, *words: str, at: str = "") -> str:
        """What git prints; `at`: the date of a commit."""
        env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        env |= {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at} if at else {}
        done = subprocess.run(
            ["git", *NAMED, *words], cwd=self.top, env=env, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

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
