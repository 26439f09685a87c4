"""systemd: a timer and a service of the user's own manager."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from siltstone.cli.schedulers.scheduler import MARK, MINUTES, Job, Scheduler, is_ours
from siltstone.store.errors import ScheduleError

TIMER = "siltstone.timer"


class Systemd(Scheduler):
    """User units in ~/.config/systemd/user."""

    name, program = "systemd", "systemctl"

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__(environ)
        config = environ.get("XDG_CONFIG_HOME", "")
        base = Path(config) if config.startswith("/") else self.home / ".config"
        self._folder = base / "systemd" / "user"

    def files(self, job: Job) -> Sequence[tuple[str, str]]:
        return [(str(self._folder / "siltstone.service"), service(job)), (str(self._folder / TIMER), timer())]

    def install(self, job: Job) -> bool:
        self.must("--user", "show-environment")  # before anything is written: there may be no user manager
        active = self.call("--user", "is-active", "--quiet", TIMER).code == 0
        changed = self.write(job)
        if changed or not active:
            try:
                self.must("--user", "daemon-reload")
                self.must("--user", "enable", "--now", TIMER)
            except ScheduleError:
                self.delete(changed)
                raise
        return bool(changed) or not active

    def installed(self) -> bool:
        return is_ours(self._folder / TIMER)

    def remove(self, job: Job) -> bool:
        units = [Path(name) for name, _ in self.files(job)]
        if not any(is_ours(path) for path in units):
            return False
        self.call("--user", "disable", "--now", TIMER)
        self.delete(units)
        link = self._folder / "timers.target.wants" / TIMER
        if link.is_symlink():  # where no manager was there to take it away
            self.disk.unlink(link)
        self.call("--user", "daemon-reload")
        for folder in (link.parent, self._folder, self._folder.parent):
            self.disk.rmdir(folder)
        return True


def service(job: Job) -> str:
    """One batch. A stop lets it finish its window; status 3, "try again later", is no failure."""
    variables = "".join(f"Environment={_quoted(f'{k}={v}')}\n" for k, v in job.variables.items())
    return f"""\
# {MARK}
[Unit]
Description=Siltstone: one batch of memories

[Service]
Type=oneshot
{variables}ExecStart={_quoted(job.script)} run
StandardOutput=null
SuccessExitStatus=3
KillSignal=SIGINT
Nice=10
"""


def timer() -> str:
    """By the clock, which leaves no stamp behind; what was missed is worked off by the next batch."""
    return f"""\
# {MARK}
[Unit]
Description=Siltstone: a batch every {MINUTES} minutes

[Timer]
OnCalendar=*:0/{MINUTES}

[Install]
WantedBy=timers.target
"""


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'
