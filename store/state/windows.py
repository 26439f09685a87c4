"""What was read of each transcript, and windows in work: who reads, which failed, which were left between
two commits."""

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from siltstone.store.state.database import Part, clean, stamp
from siltstone.store.state.ledger import Rejected, WindowRow

FIRST_PAUSE = timedelta(minutes=5)
LONGEST_PAUSE = timedelta(hours=12)


class Watermark(NamedTuple):
    """How far one transcript was read (invariant 1: it moves only with the commit of what was read)."""

    agent: str
    key: str
    """Logical name of the source (`Source.key`)."""
    session: str
    resume: str | None
    """The reader's own token for the place to go on from; None: from the start."""
    stamp: str
    """`Source.stamp` when it was read: the same stamp means nothing new."""
    message: str | None
    """Id of the last message processed."""
    at: datetime
    """When the watermark was moved."""


class Sources(Part):
    """Watermarks and seen messages."""

    def get(self, agent: str, key: str) -> Watermark | None:
        found = self._db.read(Watermark, "source WHERE agent = ? AND key = ?", agent, key)
        return found[0] if found else None

    def all(self) -> list[Watermark]:
        return self._db.read(Watermark, "source ORDER BY agent, key")

    def stamps(self, agent: str) -> dict[str, str]:
        """The stamp of every source of an agent at its watermark."""
        return dict(self._db.rows("SELECT key, stamp FROM source WHERE agent = ?", agent))

    def put(self, mark: Watermark) -> None:
        self._db.put("source", **mark._asdict())

    def forget(self, agent: str, session: str) -> int:
        """Drop what was read of a session, so that it is read again; returns how many watermarks it had."""
        with self._db.transaction():
            self._db.write("DELETE FROM seen WHERE agent = ? AND session = ?", agent, session)
            return self._db.write("DELETE FROM source WHERE agent = ? AND session = ?", agent, session)

    def forget_all(self) -> None:
        """Drop every watermark and every seen message: all transcripts are read again from their start."""
        with self._db.transaction():
            self._db.write("DELETE FROM source")
            self._db.write("DELETE FROM seen")

    def seen(self, agent: str, keys: Sequence[str]) -> frozenset[str]:
        """Which of the message keys have been processed."""
        stored = {clean(key): key for key in keys}
        rows = self._db.among("SELECT key FROM seen WHERE agent = ? AND key IN", stored, agent)
        return frozenset(stored[key] for (key,) in rows)

    def see(self, agent: str, session: str, keys: Iterable[str]) -> None:
        """Count messages of a session as processed; those that are already stay so."""
        self._db.write_all(
            "INSERT OR IGNORE INTO seen (agent, key, session) VALUES (?,?,?)",
            [(agent, key, session) for key in keys],
        )

    def read_until(self, agent: str, session: str) -> float | None:
        """Epoch seconds up to which the session's transcript was read; None when it never was."""
        ask = "source WHERE agent = ? AND session = ? AND message IS NOT NULL ORDER BY at DESC LIMIT 1"
        found = self._db.read(Watermark, ask, agent, session)
        return found[0].at.timestamp() if found else None


class Holder(NamedTuple):
    """A process: its number and its start time, since numbers are used again."""

    pid: int
    started: str

    @classmethod
    def current(cls) -> "Holder":
        pid = os.getpid()
        return cls(pid, started(pid) or "")

    def lives(self) -> bool:
        return started(self.pid) == self.started


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


class Leases(Part):
    """Leases by name, "scope/<scope>" (invariant 13).

    A lease says which process works on a scope. It ends with its time or with its holder's process.
    """

    def take(self, name: str, holder: Holder, now: datetime, lasts: timedelta) -> bool:
        """Take or prolong a lease until `now + lasts`. False if another living process holds it."""
        with self._db.transaction():
            if self.held(now).get(name, holder) != holder:
                return False
            self._db.put("lease", name=name, pid=holder.pid, started=holder.started, until=now + lasts)
            return True

    def release(self, name: str, holder: Holder) -> None:
        """Give a lease back. Nothing changes if another process has taken it over."""
        self._db.write(
            "DELETE FROM lease WHERE name = ? AND pid = ? AND started = ?", name, holder.pid, holder.started
        )

    def held(self, now: datetime) -> dict[str, Holder]:
        """Leases of living processes, by name."""
        rows = self._db.rows("SELECT name, pid, started FROM lease WHERE until > ? ORDER BY name", now)
        holders = {name: Holder(pid, started) for name, pid, started in rows}
        return {name: holder for name, holder in holders.items() if holder.lives()}


class Failure(NamedTuple):
    """A window that could not be processed."""

    window: str
    attempts: int
    next_try: datetime
    error: str
    """One sentence, already redacted."""


class Failures(Part):
    """Failed windows by id. They are tried again with growing pauses, never skipped (invariant 1)."""

    def record(self, window: str, error: str, now: datetime) -> Failure:
        """Count one more failed attempt. The pause before the next doubles from 5 minutes to 12 hours."""
        with self._db.transaction():
            before = self._db.rows("SELECT attempts FROM failure WHERE window = ?", window)
            attempts = before[0][0] + 1 if before else 1
            pause = min(FIRST_PAUSE * 2 ** min(attempts - 1, 16), LONGEST_PAUSE)
            failure = Failure(window, attempts, now + pause, error)
            self._db.put("failure", **failure._asdict())
            return failure

    def all(self) -> list[Failure]:
        """Every failed window, the next to be tried first."""
        return self._db.read(Failure, "failure ORDER BY next_try, window")

    def clear(self, window: str) -> None:
        self._db.write("DELETE FROM failure WHERE window = ?", window)


class Dealt(NamedTuple):
    """The outcome of a window: watermarks, messages and rows of the ledger."""

    marks: Sequence[Watermark]
    seen: Mapping[tuple[str, str], Sequence[str]]
    """Keys of the messages by (agent, session)."""
    window: WindowRow
    rejected: Sequence[Rejected] = ()

    def committed(self, commit: str) -> "Dealt":
        """The same, with the id of the commit that holds the outcome."""
        return self._replace(window=self.window._replace(commit=commit))


class Left(NamedTuple):
    """An outcome that a run left behind. `head` is the commit that the window's own was to follow."""

    dealt: Dealt
    head: str


class Pending(Part):
    """Windows between their commit in git and their commit here, one a scope.

    The outcome is written here just before the commit in git. If the run dies before it is settled, the
    next run looks for the commit: found, the outcome is settled; not found, it is dropped. So every window
    is counted once (invariants 1 and 4), whenever its run was killed.
    """

    def put(self, dealt: Dealt, head: str) -> None:
        """Keep what is about to be committed on top of `head`."""
        body = {
            "marks": [mark._asdict() for mark in dealt.marks],
            "seen": [(agent, session, list(keys)) for (agent, session), keys in dealt.seen.items()],
            "window": dealt.window._asdict(),
            "rejected": [one._asdict() for one in dealt.rejected],
            "head": head,
        }
        self._db.put("pending", scope=dealt.window.scope, body=json.dumps(body, default=stamp))

    def scopes(self) -> list[str]:
        """Scopes with a window left behind."""
        return [scope for (scope,) in self._db.rows("SELECT scope FROM pending ORDER BY scope")]

    def get(self, scope: str) -> Left | None:
        """The window of a scope that was left behind."""
        found = self._db.read(_left, "pending WHERE scope = ?", scope)
        return found[0] if found else None

    def forget_if(self, wanted: Callable[[Rejected], bool]) -> None:
        """Drop the rejected candidates that `wanted` picks from what was left behind."""
        for scope in self.scopes():
            if left := self.get(scope):
                kept = [one for one in left.dealt.rejected if not wanted(one)]
                self.put(left.dealt._replace(rejected=kept), left.head)

    def drop(self, scope: str) -> None:
        self._db.write("DELETE FROM pending WHERE scope = ?", scope)


def _left(body: str) -> Left:
    def timed(fields: Mapping[str, Any]) -> dict[str, Any]:
        return {**fields, "at": datetime.fromisoformat(fields["at"])}

    found = json.loads(body)
    dealt = Dealt(
        [Watermark(**timed(mark)) for mark in found["marks"]],
        {(agent, session): keys for agent, session, keys in found["seen"]},
        WindowRow(**timed(found["window"])),
        [Rejected(**timed(one)) for one in found["rejected"]],
    )
    return Left(dealt, found["head"])
