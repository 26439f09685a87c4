"""What is scheduled, and what every scheduler can do."""

import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

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
    """For the errors, where a scheduler keeps no log of its own."""

    def __post_init__(self) -> None:
        for text in (self.script, *self.variables.values(), str(self.log)):
            if not text.isprintable():
                raise Misuse(f"{text!a} cannot stand in a scheduler's file: choose a plain name for it.")


class Scheduler(ABC):
    """A scheduler of one system. Raises ScheduleError when its program is missing or refuses, and for a file
    of the same name that is not ours; OSError for one that cannot be read or written."""

    name: ClassVar[str]
    program: ClassVar[str]

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ, self.disk = environ, Disk()
        self.home = Path(environ.get("HOME") or Path.home())

    @abstractmethod
    def files(self, job: Job) -> Sequence[tuple[str, str]]:
        """Where something is written, and what: exactly as `install` does it."""

    @abstractmethod
    def install(self, job: Job) -> bool:
        """Schedule it; whether anything had to be changed for that."""

    @abstractmethod
    def installed(self) -> bool:
        """Whether there is an entry of ours, up to date or not."""

    @abstractmethod
    def remove(self, job: Job) -> bool:
        """Take it away; whether there was something."""

    def call(self, *words: str, stdin: bytes = b"") -> Ran:
        """Call the scheduler's program."""
        try:
            return self.disk.run([self.program, *words], {**self.environ, "LC_ALL": "C"}, stdin)
        except FileNotFoundError:
            raise ScheduleError(
                f"{self.program} was not found on PATH: choose another with --with, or use `silt watch`"
            ) from None
        except subprocess.TimeoutExpired:
            raise ScheduleError(f"{self.program} does not answer: choose another with --with") from None

    def must(self, *words: str, stdin: bytes = b"") -> None:
        """Call the scheduler's program; an error of its own is a ScheduleError with its words."""
        done = self.call(*words, stdin=stdin)
        if done.code != 0:
            why = first_line(done.err or done.out)
            raise ScheduleError(f"{self.program} refused: {why}; fix that, or choose another with --with")

    def write(self, job: Job) -> list[Path]:
        """Write the job's files; the paths that changed."""
        texts = {Path(name): text for name, text in self.files(job)}
        before = {path: _read(path) for path in texts}
        for path, text in before.items():
            if text is not None and MARK not in text:
                raise ScheduleError(
                    f"{path} is there and was not written by `silt schedule`: move it away first"
                )
        changed = [path for path in texts if texts[path] != before[path]]
        for path in changed:
            self.disk.write(path, texts[path].encode())
        return changed

    def delete(self, paths: Sequence[Path]) -> bool:
        """Delete those of the files that are ours; whether there were any."""
        found = [path for path in paths if is_ours(path)]
        for path in found:
            self.disk.unlink(path)
        return bool(found)


def first_line(data: bytes) -> str:
    """Of what a program said, for a sentence of ours."""
    lines = data.decode("utf-8", "replace").strip().splitlines()
    return lines[0].rstrip(".") if lines else "it says no reason"


def is_ours(path: Path) -> bool:
    """Whether there is a file that we wrote."""
    return MARK in (_read(path) or "")


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
