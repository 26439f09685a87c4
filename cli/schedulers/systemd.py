"""systemd: a timer and a service of the user's own manager."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from siltstone.cli.schedulers.job import MARK, MINUTES, Job, System, drop, ours, put
from siltstone.store.errors import ScheduleError

SERVICE, TIMER = "siltstone.service", "siltstone.timer"


class Systemd:
    """User units in ~/.config/systemd/user."""

    name: ClassVar[str] = "systemd"
    program: ClassVar[str] = "systemctl"

    def __init__(self, system: System) -> None:
        self._system = system
        config = system.environ.get("XDG_CONFIG_HOME", "")
        base = Path(config) if config.startswith("/") else system.home / ".config"
        self._folder = base / "systemd" / "user"

    def files(self, job: Job) -> Sequence[tuple[str, str]]:
        return ((str(self._folder / SERVICE), service(job)), (str(self._folder / TIMER), timer()))

    def install(self, job: Job) -> bool:
        self._user("show-environment")  # before anything is written: without a user manager there is no timer
        active = self._system.call(self.program, "--user", "is-active", "--quiet", TIMER).code == 0
        changed = put(self._system, self.files(job))
        if changed or not active:
            try:
                self._user("daemon-reload")
                self._user("enable", "--now", TIMER)
            except ScheduleError:
                drop(self._system, changed)
                raise
        return bool(changed) or not active

    def there(self) -> bool:
        return bool(ours(self._folder / TIMER))

    def remove(self, job: Job) -> bool:
        units = [Path(name) for name, _ in self.files(job)]
        if not any(ours(path) for path in units):
            return False
        self._system.call(self.program, "--user", "disable", "--now", TIMER)
        drop(self._system, units)
        link = self._folder / "timers.target.wants" / TIMER
        if link.is_symlink():  # where no manager was there to take it away
            self._system.disk.unlink(link)
        self._system.call(self.program, "--user", "daemon-reload")
        for folder in (link.parent, self._folder, self._folder.parent):
            self._system.disk.rmdir(folder)
        return True

    def _user(self, *words: str) -> None:
        self._system.must(self.program, "--user", *words)


def service(job: Job) -> str:
    """One batch. A stop lets it finish its window, and "nothing could be done for now" is no failure."""
    variables = "".join(f"Environment={_quoted(f'{k}={v}')}\n" for k, v in job.variables.items())
    return (
        f"# {MARK}\n"
        "[Unit]\n"
        "Description=Siltstone: one batch of memories\n"
        "\n"
        "[Service]\n"
        "Type=oneshot\n"
        f"{variables}"
        f"ExecStart={_quoted(job.script)} run\n"
        "StandardOutput=null\n"
        "SuccessExitStatus=3\n"
        "KillSignal=SIGINT\n"
        "Nice=10\n"
    )


def timer() -> str:
    """By the clock, which leaves no stamp behind; what was missed is worked off by the next batch."""
    return (
        f"# {MARK}\n"
        "[Unit]\n"
        f"Description=Siltstone: a batch every {MINUTES} minutes\n"
        "\n"
        "[Timer]\n"
        f"OnCalendar=*:0/{MINUTES}\n"
        "\n"
        "[Install]\n"
        "WantedBy=timers.target\n"
    )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'
