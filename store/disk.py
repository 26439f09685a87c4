"""The one object that writes: files, folders, locks, and git as a subprocess.

Everything in `store/` that changes the disk goes through a `Disk`, so that a test can hand in one
that fails at its k-th step, or dies there, and prove that nothing is lost (invariants 2 and 3).
"""

import contextlib
import fcntl
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

TEMP_PREFIX = ".silt-"
TEMP_SUFFIX = ".tmp"
FILE_MODE = 0o600
FOLDER_MODE = 0o700
UMASK = 0o077
"""For git: what it checks out is as private as what we write."""


class Ran(NamedTuple):
    """What a finished subprocess left."""

    code: int
    out: bytes
    err: bytes


def is_temp(name: str) -> bool:
    """Whether a file name is one of ours, left by a write that did not end."""
    return name.startswith(TEMP_PREFIX) and name.endswith(TEMP_SUFFIX)


class Disk:
    """Real I/O. Methods raise OSError as the system gives it; callers say what it means."""

    def write(self, path: Path, data: bytes, mode: int = FILE_MODE) -> None:
        """Put `data` at `path`, whole or not at all.

        Temporary file beside it, fsync, rename, fsync of the folder: after a power cut the file is
        the old one or the new one. Missing folders are made. Without another `mode` the file is its
        owner's alone.
        """
        self.mkdir(path.parent)
        temp = path.parent / f"{TEMP_PREFIX}{os.getpid()}-{time.monotonic_ns()}{TEMP_SUFFIX}"
        try:
            self._create(temp, data)
            if mode != FILE_MODE:
                os.chmod(temp, mode)
            self._rename(temp, path)
        except BaseException as error:
            with contextlib.suppress(OSError):
                os.unlink(temp)
            if isinstance(error, OSError):
                error.filename = os.fspath(path.parent)  # nobody knows the temporary file
            raise
        self._sync_folder(path.parent)

    def mkdir(self, path: Path) -> None:
        """Make a folder and those above it, for their owner alone; one that is there is left as it is."""
        if path.is_dir():
            return
        self.mkdir(path.parent)
        self._mkdir(path)

    def unlink(self, path: Path) -> None:
        """Remove a file; one that is gone already is no error."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)

    def rmdir(self, path: Path) -> bool:
        """Remove a folder if it is empty; whether it went."""
        try:
            os.rmdir(path)
        except OSError:
            return False
        return True

    def lock(self, path: Path) -> int | None:
        """Take the kernel lock on `path`, a file (made when missing) or a folder.

        Returns its file descriptor, or None while somebody else has it.

        The lock lives as long as any process holds the descriptor open, and no longer: a killed
        holder frees it. Give it back with `unlock`.
        """
        how = os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT
        handle = os.open(path, how | os.O_CLOEXEC, FILE_MODE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        except OSError:
            os.close(handle)
            raise
        return handle

    def unlock(self, handle: int) -> None:
        """Give back a lock taken with `lock`."""
        os.close(handle)

    def run(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        stdin: bytes = b"",
        timeout: float = 60.0,
        keep: tuple[int, ...] = (),
    ) -> Ran:
        """Run a program to its end; `timeout` in seconds.

        The descriptors in `keep` stay open in the child: a child that outlives us goes on holding
        our lock until it has finished what it was doing to the repository.
        """
        done = subprocess.run(
            list(argv),
            input=stdin,
            capture_output=True,
            env=dict(env),
            timeout=timeout,
            pass_fds=keep,
            umask=UMASK,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def pause(self, seconds: float) -> None:
        """Wait before another try."""
        time.sleep(seconds)

    def _create(self, path: Path, data: bytes) -> None:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE), "wb") as file:
            file.write(data)
            file.flush()
            self._sync(file.fileno())

    def _sync(self, handle: int) -> None:
        os.fsync(handle)

    def _sync_folder(self, path: Path) -> None:
        handle = os.open(path, os.O_RDONLY)
        try:
            self._sync(handle)
        finally:
            os.close(handle)

    def _rename(self, old: Path, new: Path) -> None:
        os.replace(old, new)

    def _mkdir(self, path: Path) -> None:
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, FOLDER_MODE)
