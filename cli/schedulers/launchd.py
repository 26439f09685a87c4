"""launchd: a job of the user's own session on macOS."""

import os
import plistlib
from collections.abc import Mapping, Sequence

from siltstone.cli.schedulers.scheduler import MARK, MINUTES, Job, Scheduler, is_ours
from siltstone.store.errors import ScheduleError

LABEL = "siltstone.run"


class Launchd(Scheduler):
    """A property list in ~/Library/LaunchAgents."""

    name, program = "launchd", "launchctl"

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__(environ)
        self._path = self.home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
        self._domain = f"gui/{os.getuid()}"

    def files(self, job: Job) -> Sequence[tuple[str, str]]:
        return [(str(self._path), property_list(job))]

    def install(self, job: Job) -> bool:
        loaded = self._loaded()
        if not self.write(job) and loaded:
            return False
        self.disk.mkdir(job.log.parent)
        try:
            if loaded:
                self.must("bootout", f"{self._domain}/{LABEL}")
            self.must("bootstrap", self._domain, str(self._path))
        except ScheduleError:
            self.delete([self._path])
            raise
        return True

    def installed(self) -> bool:
        return is_ours(self._path)

    def remove(self, job: Job) -> bool:
        loaded = self._loaded()
        if loaded:
            self.must("bootout", f"{self._domain}/{LABEL}")
        found = self.delete([self._path]) or loaded
        if found:
            self.disk.unlink(job.log)
        return found

    def _loaded(self) -> bool:
        return self.call("print", f"{self._domain}/{LABEL}").code == 0


def property_list(job: Job) -> str:
    """One batch, with its errors in our log."""
    values = {
        "Label": LABEL,
        "ProgramArguments": [job.script, "run"],
        "StartInterval": MINUTES * 60,
        "EnvironmentVariables": dict(job.variables),
        "ProcessType": "Background",
        "StandardOutPath": "/dev/null",
        "StandardErrorPath": str(job.log),
    }
    head, _, rest = plistlib.dumps(values, sort_keys=False).decode().partition("<plist ")
    return f"{head}<!-- {MARK} -->\n<plist {rest}"
