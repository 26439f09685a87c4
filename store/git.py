"""git as a subprocess: what the store asks of its repository, and no more.

The environment it runs in is `git_env.hermetic`. The user's staged files stay staged.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from subprocess import TimeoutExpired

from siltstone.store.disk import Disk
from siltstone.store.errors import Deferred, GitError, Locked
from siltstone.store.git_env import OLDEST, hermetic
from siltstone.store.repository import commit_of

TIMEOUT = 60.0
LONG_TIMEOUT = 1800.0
"""Seconds for what reads or rewrites all of history (log, gc, fast-export)."""
BACKOFF = (0.05, 0.1, 0.2, 0.4, 0.8, 1.5)
"""Seconds between tries while another git holds the index: about three in all."""

_MIDDLE_OF = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "BISECT_LOG": "bisect",
}


class Git:
    """One repository, whose work tree is `root` and whose `.git` stands there (a folder or a file)."""

    def __init__(self, root: Path, disk: Disk, environ: Mapping[str, str] | None = None) -> None:
        self.root = root
        self.disk = disk
        self.environ = dict(os.environ if environ is None else environ)
        self.dir = root / ".git"
        if self.dir.is_file():  # of a work tree: "gitdir: …"
            said = self.dir.read_text(encoding="utf-8", errors="replace").strip()
            self.dir = (root / said.removeprefix("gitdir:").strip()).resolve()
        self.held: int | None = None
        """Descriptor of the store's lock while we hold it: a git that outlives us keeps it (`Disk.run`)."""

    def run(
        self,
        *args: str,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        ok: tuple[int, ...] = (0,),
        timeout: float = TIMEOUT,
        writes: bool = False,
    ) -> bytes:
        """Standard output of `git args`, literal bytes.

        Raises GitError with git's own first line when it refuses, Locked when another git still holds
        the index or a ref after the backoff. Its lock file stays; those of a git of ours that took too long
        and was killed are removed.
        """
        full = hermetic(self.environ, self.dir, self.root) | dict(env or {})
        held = self.held if writes else None
        keep = () if held is None else (held,)
        for wait in (*BACKOFF, None):
            if held is not None:
                os.pwrite(held, b"1", 0)  # stands there while this git may make a lock, and is older than it
            try:
                ran = self.disk.run(["git", "-C", str(self.root), *args], full, stdin, timeout, keep)
            except FileNotFoundError as error:
                raise GitError("git was not found on PATH: install git, then run this again") from error
            except TimeoutExpired as error:
                if held is not None:
                    self.drop_locks(os.fstat(held).st_mtime_ns)
                raise GitError(
                    f"git {args[0]} took over {timeout:.0f} s in {self.root}: run it by hand"
                ) from error
            except OSError as error:
                raise GitError(
                    f"git {args[0]} could not be run in {self.root}: {error.strerror or error}"
                ) from error
            finally:
                if held is not None:
                    os.ftruncate(held, 0)
            if ran.code in ok:
                return ran.out
            said = ran.err.decode("utf-8", "replace").strip()
            first = said.splitlines()[0][:300] if said else "it gave no reason"
            if not (".lock" in said and "File exists" in said):
                raise GitError(f"git {args[0]} failed in {self.root}: {first}")
            if wait is not None:
                self.disk.pause(wait)
        raise self._busy(first)

    def _busy(self, lock: object) -> Locked:
        return Locked(
            f"another git process holds {self.root}: wait for it; if none is running, remove its lock "
            f"({lock})"
        )

    def wait_until_free(self) -> None:
        """Raise Locked when another git still holds the index or the branch after the backoff."""
        branch = (
            (self.dir / "HEAD").read_text(encoding="utf-8", errors="replace").removeprefix("ref:").strip()
        )
        for wait in (*BACKOFF, None):
            held = [name for name in ("index", "HEAD", branch) if (self.dir / f"{name}.lock").exists()]
            if not held:
                return
            if wait is None:
                raise self._busy(self.dir / f"{held[0]}.lock")
            self.disk.pause(wait)

    def locks(self) -> list[Path]:
        """The lock files that some git holds, or left when it was killed; of other work trees none. A new
        file of packed refs is one too: no other git writes it while it is there."""
        found = (path for path in self.dir.rglob("*.lock") if self.dir / "worktrees" not in path.parents)
        return sorted([*found, *self.dir.glob("packed-refs.new")])

    def drop_locks(self, since: int = 0) -> None:
        """Remove the lock files changed since, in epoch nanoseconds: a git of ours that is dead left them.

        The caller holds the store's lock, which every writing git of ours keeps until it ends. What a git of
        the user's made since then goes too: nothing tells whose a lock is.
        """
        for path in self.locks():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime_ns >= since:
                    self.disk.unlink(path)

    def version(self) -> tuple[int, int]:
        """Major and minor version of git; raises GitError when it is too old to be kept hermetic."""
        words = self.run("version").decode("ascii", "replace").split()
        numbers = (words[2] if len(words) > 2 else "0.0").split(".")
        found = (int(numbers[0]), int(numbers[1])) if all(n.isdigit() for n in numbers[:2]) else (0, 0)
        if found < OLDEST:
            raise GitError(
                f"git {found[0]}.{found[1]} is too old: install git {OLDEST[0]}.{OLDEST[1]} or newer"
            )
        return found

    def init(self) -> None:
        """Make the repository; safe to repeat after one that was cut short."""
        self.run("init", "-q", "--template=", "--initial-branch=main", writes=True)

    def head(self) -> str | None:
        """Id of the commit that HEAD names; None before the first one.

        Read from git's files: git itself is asked where they do not say.
        """
        if found := commit_of(os.fspath(self.dir)):
            return found
        return self.run("rev-parse", "-q", "--verify", "HEAD^{commit}", ok=(0, 1)).decode().strip() or None

    def commit_id(self, name: str) -> str:
        """The full id of a commit; "" when there is none of that name."""
        return self.run("rev-parse", "-q", "--verify", f"{name}^{{commit}}", ok=(0, 1, 128)).decode().strip()

    def has_remote(self) -> bool:
        """Whether other copies of this repository may be pulled from, or pushed to."""
        try:
            config = (self.dir / "config").read_bytes().lower()
        except OSError:
            config = b"remote"
        # Git need not be asked for a config that has no such section and includes no other file.
        may_have = any(word in config for word in (b"remote", b"include", b"worktreeconfig"))
        return may_have and bool(self.run("remote").strip())

    def check_calm(self) -> None:
        """Raise Deferred while a merge, rebase or the like is open, or HEAD names no branch."""
        for name, what in _MIDDLE_OF.items():
            if (self.dir / name).exists():
                raise Deferred(f"the store {self.root} is in the middle of a {what}: finish or abort that")
        try:
            head = (self.dir / "HEAD").read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise GitError(f"{self.dir / 'HEAD'} cannot be read: {error.strerror}") from error
        if not head.startswith("ref:"):
            raise Deferred(f"the store {self.root} has a detached HEAD: check out a branch there")

    def dirty(self, *paths: str) -> dict[str, str]:
        """Paths, all or some, that differ from HEAD in the index or the work tree, with git's two letters.

        A folder that is a repository of its own ends with "/".
        """
        how = ("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--")
        out = self.run(*how, *paths)
        return {item[3:]: item[:2] for item in out.decode("utf-8", "surrogateescape").split("\0") if item}

    def files_of(self, commit: str, *folders: str) -> dict[str, str]:
        """Path → object id of every file in a commit, or in folders of it."""
        out = self.run("ls-tree", "-r", "-z", commit, "--", *folders)
        lines = (line.partition("\t") for line in out.decode("utf-8", "surrogateescape").split("\0") if line)
        return {path: about.rpartition(" ")[2] for about, _, path in lines}

    def changed(self, old: str, new: str) -> set[str]:
        """Paths that differ between two commits or trees."""
        out = self.run("diff-tree", "-r", "-z", "--name-only", "--no-renames", old, new)
        return {name for name in out.decode("utf-8", "surrogateescape").split("\0") if name}

    def commit(
        self, paths: Sequence[str], message: str, when: datetime, author: tuple[str, str] | None = None
    ) -> str:
        """Commit exactly `paths` as they stand in the work tree; what else is staged stays staged.

        Returns the new commit's id. With nothing changed the commit is empty, so that trailers are
        never lost. `when` is aware.
        """
        env = {"GIT_AUTHOR_DATE": f"@{when.timestamp():.0f} +0000"}
        env["GIT_COMMITTER_DATE"] = env["GIT_AUTHOR_DATE"]
        if author is not None:
            env["GIT_AUTHOR_NAME"], env["GIT_AUTHOR_EMAIL"] = author
        head = self.head()
        if names := _nul(paths):
            how = ("--add", "--remove", "--replace", "-z", "--stdin")
            self.run("update-index", *how, stdin=names, writes=True)
        if head is None:
            return self._commit_only(paths, message, env)
        written = self.run("write-tree", writes=True) if paths else self.run("rev-parse", "HEAD^{tree}")
        tree = written.decode().strip()
        if not self.changed(head, tree) <= set(paths):
            return self._commit_only(paths, message, env)
        made = self.run("commit-tree", "-p", head, tree, stdin=message.encode(), env=env, writes=True)
        commit = made.decode().strip()
        self.run("update-ref", "-m", "siltstone", "HEAD", commit, head, writes=True)
        return commit

    def _commit_only(self, paths: Sequence[str], message: str, env: Mapping[str, str]) -> str:
        # Twice as slow as the way above, which would take along what else is staged.
        # A file with a folder in its place goes by itself, when what is in the folder comes.
        staged = self.run("ls-files", "-z").decode("utf-8", "surrogateescape").split("\0")
        known = {*staged, *self.in_head(paths)}
        places = [(path, self.root / path) for path in paths if path in known]
        files = [path for path, at in places if at.is_symlink() or not at.is_dir()]
        self.run(
            *("commit", "-q", "--only", "--no-verify", "--allow-empty", "--cleanup=verbatim", "-m", message),
            *("--pathspec-from-file=-", "--pathspec-file-nul"),
            stdin=_nul(files),
            env=env,
            writes=True,
        )
        return self.head() or ""

    def in_head(self, paths: Sequence[str]) -> set[str]:
        """Those of `paths` that HEAD holds as files."""
        head = self.head() if paths else None
        return set() if head is None else self.files_of(head).keys() & set(paths)

    def back_to_head(self, paths: Sequence[str]) -> None:
        """Undo index and work tree of `paths` that HEAD holds."""
        if paths:
            self.run(
                *("restore", "--source=HEAD", "--staged", "--worktree"),
                *("--pathspec-from-file=-", "--pathspec-file-nul"),
                stdin=_nul(paths),
                writes=True,
            )

    def forget(self, paths: Sequence[str]) -> None:
        """Drop `paths` from the index; the work tree is left alone."""
        if paths:
            self.run("update-index", "--force-remove", "-z", "--stdin", stdin=_nul(paths), writes=True)

    def blobs(self, ids: Sequence[str]) -> dict[str, bytes]:
        """Contents by object id, in one subprocess; ids that are gone are left out."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}
        out = self.run("cat-file", "--batch", stdin="\n".join([*wanted, ""]).encode(), timeout=LONG_TIMEOUT)
        found: dict[str, bytes] = {}
        at = 0
        for wanted_id in wanted:
            end = out.index(b"\n", at)
            words = out[at:end].split()
            at = end + 1
            if len(words) < 3:
                continue
            size = int(words[2])
            if words[1] == b"blob":
                found[wanted_id] = out[at : at + size]
            at += size + 1
        return found

    def identity(self) -> tuple[str, str]:
        """Name and email the user commits with, out of their own configuration; a plain "user" if none.

        The only call that looks at it: `git config` runs nothing.
        """
        env = {key: value for key, value in self.environ.items() if not key.startswith("GIT_")}
        argv = ["git", f"--git-dir={self.dir}", "config", "-z", "--get-regexp", r"^user\.(name|email)$"]
        try:
            ran = self.disk.run(argv, env, b"", TIMEOUT)
        except (OSError, TimeoutExpired) as error:
            raise GitError(f"git config could not be run in {self.root}: {error}") from error
        items = ran.out.decode("utf-8", "replace").split("\0") if ran.code == 0 else []
        said = {key: value for key, _, value in (item.partition("\n") for item in items)}
        clean = {
            key: "".join(c for c in value if c.isprintable() and c not in "<>").strip()
            for key, value in said.items()
        }
        return clean.get("user.name") or "user", clean.get("user.email") or "user@localhost"


def _nul(paths: Iterable[str]) -> bytes:
    return "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
