"""Who works on which session (invariant 13): a lease marks it, and falls to others when its holder dies."""

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from siltstone.store.state.database import Database, stamp


@dataclass(frozen=True, slots=True)
class Holder:
    """A process: its number, and when it started, since numbers are used again."""

    pid: int
    started: str

    @classmethod
    def current(cls) -> "Holder":
        pid = os.getpid()
        return cls(pid, started(pid) or "")


class Leases:
    """Leases by name, "<agent>/<session>" or "scope/<scope>"."""

    def __init__(self, database: Database, started_of: Callable[[int], str | None] | None = None) -> None:
        self._db = database
        self._started_of = started_of or started

    def take(self, name: str, holder: Holder, now: datetime, lasts: timedelta) -> bool:
        """Take or prolong a lease until `now + lasts`. False: a living process holds it."""
        with self._db.transaction():
            rows = self._db.rows("SELECT pid, started, until FROM lease WHERE name = ?", (name,))
            if rows:
                other = Holder(int(rows[0][0] or 0), str(rows[0][1]))
                if other != holder and str(rows[0][2]) > stamp(now) and self._alive(other):
                    return False
            self._db.write(
                "INSERT OR REPLACE INTO lease (name, pid, started, until) VALUES (?,?,?,?)",
                (name, holder.pid, holder.started, stamp(now + lasts)),
            )
            return True

    def release(self, name: str, holder: Holder) -> None:
        """Give a lease back; one that fell to somebody else stays theirs."""
        self._db.write(
            "DELETE FROM lease WHERE name = ? AND pid = ? AND started = ?", (name, holder.pid, holder.started)
        )

    def held(self, now: datetime) -> dict[str, Holder]:
        """Leases of living processes, by name."""
        rows = self._db.rows(
            "SELECT name, pid, started FROM lease WHERE until > ? ORDER BY name", (stamp(now),)
        )
        holders = {str(name): Holder(int(pid or 0), str(started_at)) for name, pid, started_at in rows}
        return {name: holder for name, holder in holders.items() if self._alive(holder)}

    def _alive(self, holder: Holder) -> bool:
        return self._started_of(holder.pid) == holder.started


def started(pid: int) -> str | None:
    """When a process started, in whatever words the system has for it; None when there is none."""
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        try:
            # The name in parentheses may hold anything; field 22 is counted from behind it. Z and X are dead.
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            return None
        return None if len(fields) < 20 or fields[0] in {"Z", "X"} else fields[19]
    listed = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
        env={"LC_ALL": "C", "PATH": os.defpath},
    )
    return listed.stdout.strip() or None
