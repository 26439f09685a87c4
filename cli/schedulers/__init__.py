"""The system's own schedulers. To add one, add a module with a `Scheduler` and name it in `ALL`."""

import shutil
from collections.abc import Mapping

from siltstone.cli.schedulers.cron import Cron
from siltstone.cli.schedulers.launchd import Launchd
from siltstone.cli.schedulers.scheduler import MINUTES, Job, Scheduler
from siltstone.cli.schedulers.systemd import Systemd

ALL: dict[str, type[Scheduler]] = {kind.name: kind for kind in (Systemd, Launchd, Cron)}


def present(environ: Mapping[str, str]) -> list[Scheduler]:
    """The schedulers whose program is on PATH."""
    path = environ.get("PATH")
    return [kind(environ) for kind in ALL.values() if shutil.which(kind.program, path=path)]


__all__ = ["ALL", "MINUTES", "Job", "Scheduler", "present"]
