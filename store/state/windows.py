"""Windows in work: who reads a session, which windows failed, and which were left between two commits."""

import json
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from siltstone.store.state.database import Database, Row, moment, stamp
from siltstone.store.state.ledger import Rejected, WindowRow
from siltstone.store.state.sources import Watermark

FIRST_PAUSE = timedelta(minutes=5)
LONGEST_PAUSE = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Holder:
    """A process: its number and its start time, since numbers are used again."""

    pid: int
    started: str

    @classmethod
    def current(cls) -> "Holder":
        """This process."""
        pid = os.getpid()
        return cls(pid, started(pid) or "")


class Leases:
    """Leases by name: "<agent>/<session>" or "scope/<scope>" (invariant 13).

    A lease says which process works on a session. It ends with its time or with its holder's process.
    """

    def __init__(self, database: Database, started_of: Callable[[int], str | None] | None = None) -> None:
        self._db = database
        self._started_of = started_of or started

    def take(self, name: str, holder: Holder, now: datetime, lasts: timedelta) -> bool:
        """Take or prolong a lease until `now + lasts`. False if another living process holds it."""
        with self._db.transaction():
            others = self._db.read(
                lambda row: _holder(row[:2]),
                "SELECT pid, started FROM lease WHERE name = ? AND until > ?",
                (name, stamp(now)),
            )
            if any(other != holder and self._alive(other) for other in others):
                return False
            self._db.write(
                "INSERT OR REPLACE INTO lease (name, pid, started, until) VALUES (?,?,?,?)",
                (name, holder.pid, holder.started, stamp(now + lasts)),
            )
            return True

    def release(self, name: str, holder: Holder) -> None:
        """Give a lease back. Nothing changes if another process has taken it over."""
        self._db.write(
            "DELETE FROM lease WHERE name = ? AND pid = ? AND started = ?", (name, holder.pid, holder.started)
        )

    def held(self, now: datetime) -> dict[str, Holder]:
        """Leases of living processes, by name."""
        found = self._db.read(
            lambda row: (str(row[2]), _holder(row[:2])),
            "SELECT pid, started, name FROM lease WHERE until > ? ORDER BY name",
            (stamp(now),),
        )
        return {name: holder for name, holder in found if self._alive(holder)}

    def _alive(self, holder: Holder) -> bool:
        return self._started_of(holder.pid) == holder.started


def _holder(row: Row) -> Holder:
    return Holder(int(row[0] or 0), str(row[1]))


def started(pid: int) -> str | None:
    """When a process started, in the system's own notation; None when there is no such process."""
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        try:
            # The name in parentheses may hold anything, so fields are counted from behind it. Z, X: dead.
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


@dataclass(frozen=True, slots=True)
class Failure:
    """A window that could not be processed."""

    window: str
    attempts: int
    next_try: datetime
    error: str
    """One sentence, already redacted."""


class Failures:
    """Failed windows by id. They are tried again with growing pauses, never skipped (invariant 1)."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def record(self, window: str, error: str, now: datetime) -> Failure:
        """Count one more failed attempt. The pause before the next doubles from 5 minutes to 12 hours."""
        with self._db.transaction():
            before = self.get(window)
            attempts = before.attempts + 1 if before else 1
            pause = min(FIRST_PAUSE * 2 ** min(attempts - 1, 16), LONGEST_PAUSE)
            failure = Failure(window, attempts, now + pause, error)
            self._db.write(
                "INSERT OR REPLACE INTO failure (window, attempts, next_try, error) VALUES (?,?,?,?)",
                (window, attempts, stamp(failure.next_try), error),
            )
            return failure

    def get(self, window: str) -> Failure | None:
        """The failure of one window."""
        found = self._db.read(_failure, f"{_FAILURES} WHERE window = ?", (window,))
        return found[0] if found else None

    def all(self) -> list[Failure]:
        """Every failed window, the next to be tried first."""
        return self._db.read(_failure, f"{_FAILURES} ORDER BY next_try, window")

    def waits(self, window: str, now: datetime) -> bool:
        """Whether it is too early to try this window again."""
        failure = self.get(window)
        return failure is not None and failure.next_try > now

    def clear(self, window: str) -> None:
        """Forget that a window failed."""
        self._db.write("DELETE FROM failure WHERE window = ?", (window,))


_FAILURES = "SELECT window, attempts, next_try, error FROM failure"


def _failure(row: Row) -> Failure:
    return Failure(str(row[0]), int(row[1] or 0), moment(row[2]), str(row[3]))


@dataclass(frozen=True, slots=True)
class Dealt:
    """The outcome of a window: watermarks, messages and rows of the ledger."""

    marks: Sequence[Watermark]
    seen: Mapping[tuple[str, str], Sequence[str]]
    """Keys of the messages by (agent, session)."""
    window: WindowRow
    rejected: Sequence[Rejected] = ()

    def committed(self, commit: str) -> "Dealt":
        """The same, with the id of the commit that holds the outcome."""
        return replace(self, window=replace(self.window, commit=commit))


@dataclass(frozen=True, slots=True)
class Left:
    """An outcome that a run left behind. `head` is the commit that the window's own was to follow."""

    dealt: Dealt
    head: str


class Pending:
    """Windows between their commit in git and their commit here, one a scope.

    The outcome is written here just before the commit in git. If the run dies before it is settled, the
    next run looks for the commit: found, the outcome is settled; not found, it is dropped. So every window
    is counted once (invariants 1 and 4), whenever its run was killed.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def put(self, dealt: Dealt, head: str) -> None:
        """Keep what is about to be committed on top of `head`."""
        body = {
            "head": head,
            "marks": [asdict(mark) | {"at": stamp(mark.at)} for mark in dealt.marks],
            "seen": [[agent, session, list(keys)] for (agent, session), keys in dealt.seen.items()],
            "window": asdict(dealt.window) | {"at": stamp(dealt.window.at)},
            "rejected": [asdict(one) | {"at": stamp(one.at)} for one in dealt.rejected],
        }
        self._db.write(
            "INSERT OR REPLACE INTO pending (scope, body) VALUES (?,?)",
            (dealt.window.scope, json.dumps(body)),
        )

    def scopes(self) -> list[str]:
        """Scopes with a window left behind."""
        return [str(row[0]) for row in self._db.rows("SELECT scope FROM pending ORDER BY scope")]

    def get(self, scope: str) -> Left | None:
        """The window of a scope that was left behind."""
        found = self._db.read(_left, "SELECT body FROM pending WHERE scope = ?", (scope,))
        return found[0] if found else None

    def forget_if(self, wanted: Callable[[Rejected], bool]) -> None:
        """Drop the rejected candidates that `wanted` picks from what was left behind."""
        for scope in self.scopes():
            left = self.get(scope)
            kept = [] if left is None else [one for one in left.dealt.rejected if not wanted(one)]
            if left is not None and len(kept) < len(left.dealt.rejected):
                self.put(replace(left.dealt, rejected=kept), left.head)

    def drop(self, scope: str) -> None:
        """Forget the window of a scope."""
        self._db.write("DELETE FROM pending WHERE scope = ?", (scope,))


def _left(row: Row) -> Left:
    body = json.loads(str(row[0]))
    return Left(
        Dealt(
            [Watermark(**_timed(mark)) for mark in body["marks"]],
            {(agent, session): keys for agent, session, keys in body["seen"]},
            WindowRow(**_timed(body["window"])),
            [Rejected(**_timed(one)) for one in body["rejected"]],
        ),
        str(body["head"]),
    )


def _timed(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {**fields, "at": moment(fields["at"])}
