"""The system's own schedulers, each with the same three words: print, install, remove.

To add one, add a module with a `Scheduler` and name it in `ALL`.
"""

from siltstone.cli.schedulers.cron import Cron
from siltstone.cli.schedulers.job import Job, Scheduler, System
from siltstone.cli.schedulers.launchd import Launchd
from siltstone.cli.schedulers.systemd import Systemd

ALL = {made.name: made for made in (Systemd, Launchd, Cron)}

__all__ = ["ALL", "Job", "Scheduler", "System"]
