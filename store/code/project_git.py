"""The git of a project, only ever read, deaf to everything that stands in it but its objects.

Git runs in an empty repository of our own, which borrows the project's object folder. So the project's
configuration, hooks, filters, attributes and refs are never read by git, and it can fetch nothing. HEAD and
its log are plain files, which we read ourselves.
"""

import os
import re
import time
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from siltstone.store.disk import FOLDER_MODE, Disk
from siltstone.store.errors import GitError
from siltstone.store.git import TIMEOUT, Git
from siltstone.store.repository import Checkout

MAX_BLOB = 1_000_000
"""Bytes of a file that is looked into."""
MAX_LOG = 4_000_000
"""Bytes at the end of HEAD's log that are read."""
MANY = 100
"""Paths that git is asked for one by one."""
RENAMES = 8
"""Renames of one file that are followed."""
_SHA1_DIGITS = 40
_SHA256 = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n"
_MOVED = re.compile(r"checkout: moving from (\S+) to (\S+)")


class ProjectGit(Git):
    """What is checked out in a project's work tree. Every call may raise GitError, also when time is over."""

    def __init__(self, checkout: Checkout, folder: Path, environ: Mapping[str, str], seconds: float) -> None:
        """`folder`: the state folder, where our own empty repository stands. `seconds`: for all calls."""
        root = folder / ("code" if len(checkout.commit) == _SHA1_DIGITS else "code-sha256")
        git = root / ".git"
        for name in ("objects", "refs"):
            (git / name).mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        if not (git / "HEAD").exists():
            (git / "config").write_text("" if root.name == "code" else _SHA256)
            (git / "HEAD").write_text("ref: refs/heads/none\n")
        super().__init__(root, Disk(), environ)
        self.checkout = checkout
        self.tip = checkout.commit
        self._until = time.monotonic() + seconds
        self._env = {
            "GIT_OBJECT_DIRECTORY": os.path.join(checkout.common, "objects"),
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "none",
        }
        shallow = os.path.join(checkout.common, "shallow")
        if os.path.isfile(shallow):
            self._env["GIT_SHALLOW_FILE"] = shallow
        self._trees: dict[str, dict[str, str]] = {}

    def run(
        self, *args: str, env: Mapping[str, str] | None = None, timeout: float = TIMEOUT, **how: Any
    ) -> bytes:
        left = min(timeout, self._until - time.monotonic())
        if left <= 0:
            raise GitError(f"the git of {self.checkout.top} could not be read in time")
        return super().run(*args, env=self._env | dict(env or {}), timeout=left, **how)

    def tree(self, commit: str) -> Mapping[str, str]:
        """Path → object id of every file of a commit."""
        if commit not in self._trees:
            self._trees[commit] = self.files_of(commit)
        return self._trees[commit]

    def files(self, commit: str, paths: Collection[str]) -> Mapping[str, str]:
        """The same of some paths, and of what is in those that are folders."""
        if len(paths) > MANY or commit in self._trees:
            return self.tree(commit)
        return self.files_of(commit, *paths) if paths else {}

    def texts(self, ids: Iterable[str]) -> dict[str, str]:
        """Contents of files by object id; what is gone, too large, or no text is left out."""
        wanted = sorted(set(ids))
        if not wanted:
            return {}
        said = self.run("cat-file", "--batch-check", stdin="\n".join([*wanted, ""]).encode()).split(b"\n")
        sizes = zip(wanted, (line.split() for line in said), strict=False)
        small = [id for id, words in sizes if len(words) > 2 and int(words[2]) <= MAX_BLOB]
        return {id: text for id, data in self.blobs(small).items() if (text := text_of(data)) is not None}

    def at_hand(self, path: str) -> bytes | None:
        """What a file of the work tree holds; None for none, no plain one, or one that is too large."""
        place = os.path.join(self.checkout.top, path)
        with suppress(OSError, ValueError):
            inside = os.path.realpath(place).startswith(os.path.realpath(self.checkout.top) + os.sep)
            if inside and os.path.isfile(place) and os.path.getsize(place) <= MAX_BLOB:
                return Path(place).read_bytes()
        return None

    def checked_out_at(self, when: datetime) -> tuple[str, str] | None:
        """Commit and branch that were checked out at a time; None when nothing tells.

        HEAD's log knows it; where that begins later, the newest older commit on HEAD's own line.
        """
        at = when.timestamp()
        commit, branch = "", ""
        for line in _tail(os.path.join(self.checkout.git, "logs", "HEAD")):
            about, _, what = line.partition("\t")
            words = about.split()
            moved = _MOVED.match(what)
            if len(words) < 4 or not words[-2].isdigit():
                continue
            if int(words[-2]) > at:
                branch = branch or (moved[1] if moved else "")
                if moved:
                    break
            else:
                commit, branch = words[1], moved[2] if moved else branch
        if not commit:
            said = self.run("rev-list", "-1", "--first-parent", f"--min-age={at:.0f}", self.tip)
            return (said.decode().strip(), self.checkout.branch) if said.strip() else None
        return commit, branch or self.checkout.branch

    def moved(self, path: str, since: str, blob: str) -> tuple[str, str]:
        """Where a file of an earlier commit stands now, and its object id, as git detects renames; ("", "")
        when it is gone. Where the commit is gone, the file is known by the first digits of its object id."""
        if not self.commit_id(since):
            same = (one for one in self.tree(self.tip).items() if blob and one[1].startswith(blob))
            return next(same, ("", ""))
        for _ in range(RENAMES):
            how = ("--no-renames", "--diff-filter=D", "--format=%H", f"{since}..{self.tip}")
            since = self.run("log", "-1", *how, "--", path).decode().strip()
            if not since:
                break
            renames = ("--no-commit-id", "-r", "-z", "-M", "--diff-filter=R", "--name-status")
            said = self.run("diff-tree", *renames, f"{since}^", since).decode("utf-8", "surrogateescape")
            words = said.split("\0")
            path = dict(zip(words[1::3], words[2::3], strict=False)).get(path, "")
            if not path:
                break
            if found := self.files_of(self.tip, path):
                return path, found.get(path, "")
        return "", ""

    def not_merged(self, commits: Collection[str]) -> set[str]:
        """Those of the commits (their first digits) that HEAD does not come from."""
        if not commits:
            return set()
        asked = "\n".join([*commits, f"^{self.tip}", ""]).encode()
        said = self.run("rev-list", "--ignore-missing", "--stdin", stdin=asked).decode().split()
        return {one for one in commits if any(id.startswith(one) for id in said)}

    def lines_with(self, word: str, commit: str) -> list[tuple[str, str]]:
        """Path and text of each line of a commit's files that holds a word."""
        how = ("grep", "-z", "-I", "-w", "-F", "--no-line-number", "--full-name", "-e", word, commit)
        said = self.run(*how, ok=(0, 1)).decode("utf-8", "surrogateescape")
        found = (line.removeprefix(f"{commit}:").partition("\0") for line in said.split("\n") if line)
        return [(path, text) for path, _, text in found]


def text_of(data: bytes) -> str | None:
    """What a file holds; None for what is no text."""
    return None if b"\0" in data[:8_000] else data.decode("utf-8", "replace")


def _tail(path: str) -> list[str]:
    """The last lines of a plain file; none of what is no file."""
    if not os.path.isfile(path):
        return []
    with suppress(OSError), open(path, "rb") as file:
        file.seek(max(os.path.getsize(path) - MAX_LOG, 0))
        return file.read(MAX_LOG).decode("utf-8", "replace").splitlines()
    return []
