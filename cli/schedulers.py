"""The system's own schedulers: what `silt schedule` writes for each, and how it is switched on and off.

To add one, add a `Scheduler` and name it in `ALL`.
"""

import os
import plistlib
import shlex
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from siltstone.store.disk import Disk, Ran
from siltstone.store.errors import Misuse, ScheduleError
from siltstone.store.places import home_folder
from siltstone.store.plain_file import content

MINUTES = 15
MARK = "Written by `silt schedule`; `silt schedule remove` takes it away."
"""It is in every file of ours. What lacks it is left alone."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """One batch every `MINUTES`."""

    script: str
    """Absolute path of the installed `silt`."""
    variables: Mapping[str, str]
    """Where things are, for a scheduler that does not see the user's shell."""
    log: Path
    """For errors, if the scheduler keeps no log itself."""

    def __post_init__(self) -> None:
        for text in (self.script, *self.variables.values(), str(self.log)):
            if not text.isprintable():
                raise Misuse(f"{text!a} cannot be written in a scheduler's file: choose a plainer name.")


class Scheduler(ABC):
    """A scheduler of one system. Raises ScheduleError when its program is missing or refuses, and for a file
    of the same name that is not ours; OSError for one that cannot be read or written."""

    name: ClassVar[str]
    program: ClassVar[str]
    paths: Sequence[Path] = ()
    """The files that are ours."""
    is_on: Words = ()
    """Arguments that make the program fail if it does not run what is written; () if it always runs it."""
    on: Sequence[Words] = ()
    """Arguments that make it run what was written."""
    off: Sequence[Words] = ()
    """Arguments that make it stop running that, if it does."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ, self.disk = environ, Disk()
        self.home = Path(home_folder(environ))

    @abstractmethod
    def files(self, job: Job) -> Mapping[str, str]:
        """Where something is written, and what: exactly as `install` writes it."""

    def install(self, job: Job) -> bool:
        """Schedule it. Returns whether anything changed."""
        on, before = not self.is_on or self.call(*self.is_on).code == 0, self.installed()
        changed = self.write(job)
        if changed or not on:
            self.disk.mkdir(job.log.parent)
            try:
                for words in self.off:
                    self.call(*words)
                for words in self.on:
                    self.call(*words, must=True)
            except ScheduleError:
                if not before:  # else it runs once the scheduler is there again
                    self.delete()
                raise
        return changed or not on

    def installed(self) -> bool:
        """Whether there is an entry of ours, up to date or not."""
        return any(MARK in _read(path) for path in self.paths)

    def remove(self, log: Path) -> bool:
        """Remove it and its log. Returns whether there was anything."""
        if not self.installed():
            return False
        for words in self.off:
            self.call(*words)
        self.delete()
        self.disk.unlink(log)
        return True

    def write(self, job: Job) -> bool:
        """Write the job's files. Returns whether one changed."""
        texts = {Path(name): text for name, text in self.files(job).items()}
        before = {path: _read(path) for path in texts}
        for path, text in before.items():
            if text and MARK not in text:
                raise ScheduleError(
                    f"{path} exists and was not written by `silt schedule`: move it away first"
                )
        for path in texts:
            if texts[path] != before[path]:
                self.disk.write(path, texts[path].encode())
        return texts != before

    def delete(self) -> None:
        """Delete those of the files that are ours."""
        for path in self.paths:
            if MARK in _read(path):
                self.disk.unlink(path)

    def call(self, *words: str, stdin: bytes = b"", must: bool = False) -> Ran:
        """Call the scheduler's program. If it fails although it `must` succeed: ScheduleError with its
        words."""
        try:
            done = self.disk.run([self.program, *words], {**self.environ, "LC_ALL": "C"}, stdin)
        except (FileNotFoundError, subprocess.TimeoutExpired) as error:
            how = "was not found on PATH" if isinstance(error, FileNotFoundError) else "does not answer"
            raise ScheduleError(
                f"{self.program} {how}: choose another with --with, or use `silt watch`"
            ) from None
        if must and done.code != 0:
            why = _first_line(done.err or done.out)
            raise ScheduleError(f"{self.program} refused: {why}; fix that, or choose another with --with")
        return done


def _first_line(data: bytes) -> str:
    """From what a program printed, for a sentence of ours."""
    lines = data.decode("utf-8", "replace").strip().splitlines()
    return lines[0].rstrip(".") if lines else "no reason given"


def _read(path: Path) -> str:
    """The text of a file; "" where there is none."""
    return content(path).decode("utf-8", "replace") if path.exists() else ""


SERVICE, TIMER = "siltstone.service", "siltstone.timer"
UNITS = Path(__file__).parent / "units"
"""Their texts. A stop lets the batch finish its window, and status 3, "try again later", is no failure. The
timer goes by the clock, which leaves no stamp behind; the next batch works off what was missed."""


class Systemd(Scheduler):
    """A timer and a service of the user's own systemd, in ~/.config/systemd/user."""

    name, program = "systemd", "systemctl"
    is_on = ("--user", "is-active", "--quiet", TIMER)
    on = (("--user", "daemon-reload"), ("--user", "enable", "--now", TIMER))
    off = (("--user", "disable", "--now", TIMER),)

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__(environ)
        config = environ.get("XDG_CONFIG_HOME", "")
        folder = (Path(config) if config.startswith("/") else self.home / ".config") / "systemd" / "user"
        self.paths = (folder / SERVICE, folder / TIMER)

    def files(self, job: Job) -> Mapping[str, str]:
        def quoted(text: str) -> str:
            escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
            return f'"{escaped}"'

        variables = "".join(f"Environment={quoted(f'{k}={v}')}\n" for k, v in job.variables.items())
        values = {"mark": MARK, "minutes": MINUTES, "variables": variables, "script": quoted(job.script)}
        return {str(path): (UNITS / path.name).read_text("utf-8").format(**values) for path in self.paths}

    def remove(self, log: Path) -> bool:
        if not super().remove(log):
            return False
        folder = self.paths[0].parent
        link = folder / "timers.target.wants" / TIMER
        if link.is_symlink():  # where no manager was there to take it away
            self.disk.unlink(link)
        self.call("--user", "daemon-reload")
        for made in (link.parent, folder, folder.parent):
            self.disk.rmdir(made)
        return True


LABEL = "siltstone.run"


class Launchd(Scheduler):
    """A job of the user's own session on macOS: a property list in ~/Library/LaunchAgents."""

    name, program = "launchd", "launchctl"

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__(environ)
        self.paths = (self.home / "Library" / "LaunchAgents" / f"{LABEL}.plist",)
        domain = f"gui/{os.getuid()}"
        self.is_on, self.off = ("print", f"{domain}/{LABEL}"), (("bootout", f"{domain}/{LABEL}"),)
        self.on = (("bootstrap", domain, str(self.paths[0])),)

    def files(self, job: Job) -> Mapping[str, str]:
        values = {
            "Label": LABEL,
            "ProgramArguments": [job.script, "run", "--pooled"],
            "StartInterval": MINUTES * 60,
            "EnvironmentVariables": dict(job.variables),
            "ProcessType": "Background",
            "StandardOutPath": "/dev/null",
            "StandardErrorPath": str(job.log),
        }
        head, _, rest = plistlib.dumps(values, sort_keys=False).decode().partition("<plist ")
        return {str(self.paths[0]): f"{head}<!-- {MARK} -->\n<plist {rest}"}


NO_CRONTAB = (b"no crontab", b"No such file")
"""What crons print for a user without a crontab; the second is busybox's."""
LONGEST = 990
"""Longest command in characters that every cron accepts."""


class Cron(Scheduler):
    """One line of ours in the user's crontab; all others stay byte for byte."""

    name, program = "cron", "crontab"

    def files(self, job: Job) -> Mapping[str, str]:
        return {"crontab": line(job)}

    def write(self, job: Job) -> bool:
        before, ours = self._crontab(), line(job).encode()
        if ours in before.splitlines(keepends=True):
            return False
        others = without_line(before)
        self._put(others + (b"\n" if others and not others.endswith(b"\n") else b"") + ours)
        return True

    def installed(self) -> bool:
        return f"# {MARK}".encode() in self._crontab()

    def delete(self) -> None:
        self._put(without_line(self._crontab()))

    def _put(self, crontab: bytes) -> None:
        # An empty crontab and none are the same to cron, but not to who looks for traces.
        self.call("-" if crontab else "-r", stdin=crontab, must=True)

    def _crontab(self) -> bytes:
        done = self.call("-l")
        if done.code == 0:
            return done.out
        if any(words in done.err for words in NO_CRONTAB):
            return b""
        raise ScheduleError(f"crontab -l refused: {_first_line(done.err)}; nothing was changed")


def line(job: Job) -> str:
    """Our line of a crontab. Raises ScheduleError when cron could not take it."""
    words = [f"{name}={shlex.quote(value)}" for name, value in job.variables.items()]
    words += [shlex.quote(job.script), "run", "--pooled", ">/dev/null", f"2>>{shlex.quote(str(job.log))}"]
    words += ["#", MARK]  # a shell takes this for a comment
    command = " ".join(words).replace("%", r"\%")  # cron takes a bare one for the end of the line
    if len(command) > LONGEST:
        raise ScheduleError(
            f"the command has {len(command)} characters and cron accepts {LONGEST}: choose another "
            f"scheduler with --with, or shorter paths"
        )
    return f"*/{MINUTES} * * * * {command}\n"


def without_line(crontab: bytes) -> bytes:
    """The crontab without ours."""
    ours = f"# {MARK}".encode()
    return b"".join(one for one in crontab.splitlines(keepends=True) if not one.rstrip().endswith(ours))


ALL: dict[str, type[Scheduler]] = {kind.name: kind for kind in (Systemd, Launchd, Cron)}


def present(environ: Mapping[str, str]) -> list[Scheduler]:
    """The schedulers whose program is on PATH."""
    path = environ.get("PATH")
    return [kind(environ) for kind in ALL.values() if shutil.which(kind.program, path=path)]
