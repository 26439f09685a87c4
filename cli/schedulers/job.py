"""What is scheduled, the machine it is scheduled on, and what every scheduler can do."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from siltstone.store.disk import Disk, Ran
from siltstone.store.errors import Misuse, ScheduleError

MINUTES = 15
MARK = "Written by `silt schedule`; `silt schedule remove` takes it away."
"""Stands in everything of ours: what lacks it is left alone."""


@dataclass(frozen=True, slots=True)
class Job:
    """One batch every `MINUTES`."""

    script: str
    """Absolute path of the installed `silt`."""
    variables: Mapping[str, str]
    """Where things are, for a scheduler that knows nothing of the user's shell."""
    log: Path
    """Where a scheduler that keeps no log of its own puts what goes wrong."""

    def __post_init__(self) -> None:
        for said in (self.script, *self.variables.values(), str(self.log)):
            if not said.isprintable():
                raise Misuse(f"{said!a} cannot stand in a scheduler's file: choose a plain name for it.")


@dataclass(frozen=True, slots=True)
class System:
    """The machine: its variables, its disk, and who asks."""

    environ: Mapping[str, str]
    user: int
    disk: Disk

    @property
    def home(self) -> Path:
        return Path(self.environ.get("HOME") or Path.home())

    def call(self, *argv: str, stdin: bytes = b"") -> Ran:
        """Call a program of the scheduler. Raises ScheduleError when it is not there or does not answer."""
        try:
            return self.disk.run(argv, {**self.environ, "LC_ALL": "C"}, stdin)
        except FileNotFoundError:
            raise ScheduleError(
                f"{argv[0]} was not found on PATH: choose another scheduler with --with, or use `silt watch`"
            ) from None
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ScheduleError(f"{argv[0]} cannot be called ({error}): mend that, then try again") from None

    def must(self, *argv: str, stdin: bytes = b"") -> bytes:
        """What a program prints; raises ScheduleError with its own words when it fails."""
        done = self.call(*argv, stdin=stdin)
        if done.code != 0:
            said = first_line(done.err or done.out)
            raise ScheduleError(f"{argv[0]} refused: {said}; mend that, or choose another with --with")
        return done.out


class Scheduler(Protocol):
    """A scheduler of one system."""

    name: ClassVar[str]
    program: ClassVar[str]
    """What it is told with."""

    def files(self, job: Job) -> Sequence[tuple[str, str]]:
        """Where something is written, and what: exactly as `install` does it."""
        ...

    def install(self, job: Job) -> bool:
        """Schedule it; whether anything had to be changed for that."""
        ...

    def there(self) -> bool:
        """Whether an entry of ours stands, up to date or not. Raises ScheduleError."""
        ...

    def remove(self, job: Job) -> bool:
        """Take it away; whether there was something."""
        ...


def first_line(data: bytes) -> str:
    """Of what a program said, for a sentence of ours."""
    lines = data.decode("utf-8", "replace").strip().splitlines()
    return lines[0].rstrip(".") if lines else "it says no reason"


def ours(path: Path) -> bool | None:
    """Whether a file was written by us; None when there is none."""
    try:
        return MARK in path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ScheduleError(f"{path} cannot be read ({error.strerror}): mend that, then try again") from None


def put(system: System, files: Sequence[tuple[str, str]]) -> list[Path]:
    """Write what is not there yet; the paths that changed. Raises ScheduleError before touching
    a file that is not ours."""
    for name, _ in files:
        if ours(Path(name)) is False:
            raise ScheduleError(f"{name} is there and was not written by `silt schedule`: move it away first")
    changed = [Path(name) for name, text in files if _text(Path(name)) != text]
    for path in changed:
        try:
            system.disk.write(path, dict(files)[str(path)].encode())
        except OSError as error:
            raise ScheduleError(
                f"{path} cannot be written ({error.strerror}): mend that, then try again"
            ) from None
    return changed


def drop(system: System, paths: Sequence[Path]) -> bool:
    """Remove those of the files that are ours; whether there were any."""
    mine = [path for path in paths if ours(path)]
    for path in mine:
        system.disk.unlink(path)
    return bool(mine)


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8", errors="replace") if os.path.exists(path) else None
