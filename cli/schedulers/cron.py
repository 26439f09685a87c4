"""cron: a block of our own in the user's crontab; every other line stays byte for byte."""

import re
import shlex
from collections.abc import Sequence

from siltstone.cli.schedulers.scheduler import MARK, MINUTES, Job, Scheduler, first_line
from siltstone.store.errors import ScheduleError

BEGIN, END = "# >>> siltstone", "# <<< siltstone"
NO_CRONTAB = (b"no crontab", b"No such file")
"""What crons say of a user without a crontab; the second is busybox's."""
LONGEST = 990
"""Characters of a command that every cron takes."""

_BLOCK = re.compile(rf"^{BEGIN}$.*?^{END}$\n?".encode(), re.M | re.S)


class Cron(Scheduler):
    """The user's crontab."""

    name, program = "cron", "crontab"

    def files(self, job: Job) -> Sequence[tuple[str, str]]:
        return [("crontab", block(job))]

    def install(self, job: Job) -> bool:
        before = self._crontab()
        after = with_block(before, block(job).encode())
        if after != before:
            self.disk.mkdir(job.log.parent)
            self.must("-", stdin=after)
        return after != before

    def installed(self) -> bool:
        return _BLOCK.search(self._crontab()) is not None

    def remove(self, job: Job) -> bool:
        before = self._crontab()
        after = without_block(before)
        if after != before:
            # An empty crontab and none are the same to cron, but not to who looks for traces.
            self.must("-" if after else "-r", stdin=after)
            self.disk.unlink(job.log)
        return after != before

    def _crontab(self) -> bytes:
        done = self.call("-l")
        if done.code == 0:
            return done.out
        if any(words in done.err for words in NO_CRONTAB):
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
    rest = without_block(crontab)
    found = _BLOCK.search(crontab)
    if found is not None:
        return crontab[: found.start()] + ours + rest[found.start() :]
    return crontab + (b"\n" if crontab and not crontab.endswith(b"\n") else b"") + ours


def without_block(crontab: bytes) -> bytes:
    """The crontab without any block of ours. Raises ScheduleError when it cannot be told where one ends."""
    left = _BLOCK.sub(b"", crontab)
    if {BEGIN.encode(), END.encode()} & set(left.splitlines()):
        raise ScheduleError(
            f"the crontab has a line {BEGIN!r} or {END!r} without the other: fix that with `crontab -e`"
        )
    return left
