"""Disks that fail: at their k-th step, after it, half-way through it, from there on, or dying there."""

import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from siltstone.store.disk import Disk, Ran


class QuietDisk(Disk):
    """Real I/O that never waits; counts how often it would have."""

    def __init__(self) -> None:
        self.pauses = 0

    def pause(self, seconds: float) -> None:
        self.pauses += 1


class FaultyDisk(QuietDisk):
    """Breaks at its `k`-th step, 1 being the first.

    `how`: "before" a step or "die" there (all steps count), "after" one (git and renames count), "half"
    through one (the writing of a file), "full" from there on. Counts only from the git command `since`, if
    one is named.
    """

    def __init__(self, k: int, how: str, since: str = "") -> None:
        super().__init__()
        self.left = k
        self.how = how
        self.since = since

    @property
    def broke(self) -> bool:
        return self.left <= 0

    def step(self, what: object) -> None:
        """Count one step; break here if it is the one."""
        if self.since or self.how in ("after", "half"):
            return
        self.left -= 1
        if self.left == 0 and self.how == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.left == 0 or (self.left < 0 and self.how == "full"):
            self._break(what)

    def _after(self, what: object) -> None:
        if self.how == "after":
            self.left -= 1
            if self.left == 0:
                self._break(what)

    def _break(self, what: object) -> NoReturn:
        raise OSError(28, "No space left on device", str(what))

    def _create(self, path: Path, data: bytes) -> None:
        self.step(path)
        if self.how == "half":
            self.left -= 1
            if self.left == 0:
                path.write_bytes(data[: len(data) // 2])
                self._break(path)
        super()._create(path, data)

    def _sync(self, handle: int) -> None:
        self.step("fsync")
        super()._sync(handle)

    def _rename(self, old: Path, new: Path) -> None:
        self.step(new)
        super()._rename(old, new)
        self._after(new)

    def _mkdir(self, path: Path) -> None:
        self.step(path)
        super()._mkdir(path)

    def unlink(self, path: Path) -> None:
        self.step(path)
        super().unlink(path)

    def rmdir(self, path: Path) -> bool:
        self.step(path)
        return super().rmdir(path)

    def lock(self, path: Path) -> int | None:
        self.step(path)
        return super().lock(path)

    def run(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        stdin: bytes = b"",
        timeout: float = 60.0,
        keep: tuple[int, ...] = (),
    ) -> Ran:
        if self.since in argv:
            self.since = ""
        self.step("git")
        ran = super().run(argv, env, stdin, timeout, keep)
        self._after("git")
        return ran
