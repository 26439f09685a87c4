"""launchd: a job of the user's own session on macOS."""

import plistlib
from collections.abc import Sequence
from typing import ClassVar

from siltstone.cli.schedulers.job import MARK, MINUTES, Job, System, drop, ours, put
from siltstone.store.errors import ScheduleError

LABEL = "siltstone.run"


class Launchd:
    """A property list in ~/Library/LaunchAgents."""

    name: ClassVar[str] = "launchd"
    program: ClassVar[str] = "launchctl"

    def __init__(self, system: System) -> None:
        self._system = system
        self._path = system.home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
        self._domain = f"gui/{system.user}"

    def files(self, job: Job) -> Sequence[tuple[str, str]]:
        return ((str(self._path), property_list(job)),)

    def install(self, job: Job) -> bool:
        loaded = self._loaded()
        changed = put(self._system, self.files(job))
        if not changed and loaded:
            return False
        self._system.disk.mkdir(job.log.parent)
        try:
            if loaded:
                self._system.must(self.program, "bootout", f"{self._domain}/{LABEL}")
            self._system.must(self.program, "bootstrap", self._domain, str(self._path))
        except ScheduleError:
            drop(self._system, [self._path])
            raise
        return True

    def there(self) -> bool:
        return bool(ours(self._path))

    def remove(self, job: Job) -> bool:
        loaded = self._loaded()
        if loaded:
            self._system.must(self.program, "bootout", f"{self._domain}/{LABEL}")
        there = drop(self._system, [self._path]) or loaded
        if there:
            self._system.disk.unlink(job.log)
        return there

    def _loaded(self) -> bool:
        return self._system.call(self.program, "print", f"{self._domain}/{LABEL}").code == 0


def property_list(job: Job) -> str:
    """One batch, with what goes wrong in our log."""
    said = {
        "Label": LABEL,
        "ProgramArguments": [job.script, "run"],
        "StartInterval": MINUTES * 60,
        "EnvironmentVariables": dict(job.variables),
        "ProcessType": "Background",
        "StandardOutPath": "/dev/null",
        "StandardErrorPath": str(job.log),
    }
    head, _, rest = plistlib.dumps(said, sort_keys=False).decode().partition("<plist ")
    return f"{head}<!-- {MARK} -->\n<plist {rest}"
