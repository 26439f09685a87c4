"""Windows Task Scheduler: one task, described in the XML that `schtasks` takes."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar
from xml.sax.saxutils import escape

from siltstone.cli.schedulers.job import MARK, MINUTES, Job, System
from siltstone.store.errors import ScheduleError

TASK = "siltstone"


class Windows:
    """A task of the user's own."""

    name: ClassVar[str] = "windows"
    program: ClassVar[str] = "schtasks"

    def __init__(self, system: System) -> None:
        self._system = system

    def files(self, job: Job) -> Sequence[tuple[str, str]]:
        return ((f"{TASK}.xml", task(job)),)

    def install(self, job: Job) -> bool:
        there = self._task()
        if there is not None and _command(job) in there:
            return False
        with tempfile.TemporaryDirectory(prefix="silt-") as folder:
            path = Path(folder) / f"{TASK}.xml"
            path.write_text(task(job), encoding="utf-16")
            self._system.must(self.program, "/Create", "/TN", TASK, "/XML", str(path), "/F")
        return True

    def there(self) -> bool:
        return self._task() is not None

    def remove(self, job: Job) -> bool:
        if self._task() is None:
            return False
        self._system.must(self.program, "/Delete", "/TN", TASK, "/F")
        return True

    def _task(self) -> str | None:
        """The task as it is; None when there is none. Raises ScheduleError for somebody else's."""
        done = self._system.call(self.program, "/Query", "/TN", TASK, "/XML")
        if done.code != 0:
            return None
        said = done.out.decode("utf-16" if done.out[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
        if MARK not in said:
            raise ScheduleError(f"the task {TASK!r} was not made by `silt schedule`: rename it first")
        return said


def _command(job: Job) -> str:
    return f"<Command>{escape(job.script)}</Command>"


def task(job: Job) -> str:
    """One batch, also on battery, never two at a time. The variables are those of the user's account."""
    return f"""\
<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>{MARK}</Description>
  </RegistrationInfo>
  <Triggers>
    <TimeTrigger>
      <Repetition>
        <Interval>PT{MINUTES}M</Interval>
      </Repetition>
      <StartBoundary>2026-01-01T00:00:00</StartBoundary>
    </TimeTrigger>
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <Hidden>true</Hidden>
  </Settings>
  <Actions>
    <Exec>
      {_command(job)}
      <Arguments>run</Arguments>
    </Exec>
  </Actions>
</Task>
"""
