"""cron: a block of our own in the user's crontab; every other line stays byte for byte."""

import re
import shlex
from collections.abc import Sequence
from typing import ClassVar

from siltstone.cli.schedulers.job import MARK, MINUTES, Job, System, first_line
from siltstone.store.errors import ScheduleError

BEGIN, END = "# >>> siltstone", "# <<< siltstone"
NONE = (b"no crontab", b"No such file")
"""What crons say of a user without a crontab; the second is busybox's."""
LONGEST = 990
"""Characters of a command that every cron takes."""

_BLOCK = re.compile(rf"^{BEGIN}$.*?^{END}$\n?".encode(), re.M | re.S)


class Cron:
    """The user's crontab."""

    name: ClassVar[str] = "cron"
    program: ClassVar[str] = "crontab"

    def __init__(self, system: System) -> None:
        self._system = system

    def files(self, job: Job) -> Sequence[tuple[str, str]]:
        return (("crontab", block(job)),)

    def install(self, job: Job) -> bool:
        before = self._read()
        after = with_block(before, block(job).encode())
        if after != before:
            self._system.disk.mkdir(job.log.parent)
            self._system.must(self.program, "-", stdin=after)
        return after != before

    def there(self) -> bool:
        return _BLOCK.search(self._read()) is not None

    def remove(self, job: Job) -> bool:
        before = self._read()
        after = without_block(before)
        if after != before:
            # An empty crontab and none are the same to cron, but not to who looks for traces.
            self._system.must(self.program, *(["-"] if after else ["-r"]), stdin=after)
            self._system.disk.unlink(job.log)
        return after != before

    def _read(self) -> bytes:
        done = self._system.call(self.program, "-l")
        if done.code == 0:
            return done.out
        if any(words in done.err for words in NONE):
            return b""
        raise ScheduleError(f"crontab -l refused: {first_line(done.err)}; nothing was changed")


def block(job: Job) -> str:
    """Our lines. Raises ScheduleError when cron could not take them."""
    words = [f"{name}={shlex.quote(value)}" for name, value in job.variables.items()]
    words += [shlex.quote(job.script), "run", ">/dev/null", f"2>>{shlex.quote(str(job.log))}"]
    command = " ".join(words).replace("%", r"\%")  # cron takes a bare one for the end of the line
    if len(command) > LONGEST:
        raise ScheduleError(
            f"the command has {len(command)} characters and cron takes {LONGEST}: choose another scheduler "
            "with --with, or shorter paths"
        )
    return f"{BEGIN}\n# {MARK}\n*/{MINUTES} * * * * {command}\n{END}\n"


def with_block(crontab: bytes, ours: bytes) -> bytes:
    """The crontab with our block in it once: in its place, else at the end."""
    _check(crontab)
    found = _BLOCK.search(crontab)
    if found is not None:
        rest = _BLOCK.sub(b"", crontab[found.end() :])
        return crontab[: found.start()] + ours + rest
    ended = crontab == b"" or crontab.endswith(b"\n")
    return crontab + (b"" if ended else b"\n") + ours


def without_block(crontab: bytes) -> bytes:
    """The crontab without any block of ours."""
    _check(crontab)
    return _BLOCK.sub(b"", crontab)


def _check(crontab: bytes) -> None:
    """Raise ScheduleError when it cannot be told where a block of ours ends."""
    left = _BLOCK.sub(b"", crontab).splitlines()
    if BEGIN.encode() in left or END.encode() in left:
        raise ScheduleError(
            f"the crontab has a line {BEGIN!r} or {END!r} without the other: mend that with `crontab -e`"
        )
