"""The way in: one object with a part for each concern."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

from siltstone.store.state.compaction import Compaction
from siltstone.store.state.database import Database
from siltstone.store.state.failures import Failures
from siltstone.store.state.leases import Leases
from siltstone.store.state.ledger import Ledger, Rejected, WindowRow
from siltstone.store.state.light import NAME
from siltstone.store.state.opened import Opened
from siltstone.store.state.pending import Dealt, Pending
from siltstone.store.state.purged import PurgedMessages
from siltstone.store.state.shown import Shown
from siltstone.store.state.sources import Sources, Watermark
from siltstone.store.state.spend import Spend
from siltstone.store.state.traces import Traces
from siltstone.store.state.usage import Usage


class State:
    """What Siltstone remembers about its own work. Times go in and come out aware and in UTC.

    A lost file is made anew; a damaged one is set aside as `.corrupt-<n>` and said in `complaints`; one
    of a newer version raises StateError. A file in use for longer than 30 seconds raises Locked.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self.complaints = database.complaints
        self.sources = Sources(database)
        self.leases = Leases(database)
        self.failures = Failures(database)
        self.ledger = Ledger(database)
        self.spend = Spend(database)
        self.compaction = Compaction(database)
        self.opened = Opened(database)
        self.pending = Pending(database)
        self.shown = Shown(database)
        self.usage = Usage(database)
        self.purged = PurgedMessages(database)
        self.traces = Traces(database)

    @classmethod
    def open(cls, folder: Path) -> "State":
        """Open `state.sqlite3` in the folder, making both where they are missing."""
        return cls(Database(folder / NAME))

    @property
    def path(self) -> Path:
        return self._db.path

    def busy_after(self, seconds: float) -> None:
        """How long to wait for another process before Locked is raised (30 s unless set)."""
        self._db.write(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def advance(
        self,
        marks: Iterable[Watermark],
        seen: Mapping[tuple[str, str], Iterable[str]],
        window: WindowRow | None = None,
        rejected: Iterable[Rejected] = (),
    ) -> None:
        """Move watermarks, count messages as seen and write the ledger: all or nothing.

        `seen` has the messages' keys by (agent, session).

        To be called after the commit of what was read (invariant 1).
        """
        with self._db.transaction():
            for mark in marks:
                self.sources.put(mark)
            for (agent, session), keys in seen.items():
                self.sources.see(agent, session, keys)
            if window is not None:
                self.ledger.put_window(window)
                self.failures.clear(window.id)
            self.ledger.reject(rejected)

    def settle(self, dealt: Dealt) -> None:
        """`advance` for a window that was pending, which it is no more."""
        with self._db.transaction():
            self.advance(dealt.marks, dealt.seen, dealt.window, dealt.rejected)
            for mark in dealt.marks:
                self.failures.clear(f"{mark.agent}/{mark.key}")
            self.pending.drop(dealt.window.scope)

    def forget_reading(self) -> None:
        """Drop every watermark and seen message: all transcripts are read again from their start."""
        with self._db.transaction():
            self.sources.forget_all()

    def value(self, key: str) -> str | None:
        """A small fact kept under a name; None when there is none."""
        rows = self._db.rows("SELECT value FROM value WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def set_value(self, key: str, value: str | None) -> None:
        """Keep a small fact under a name, or drop it with None."""
        if value is None:
            self._db.write("DELETE FROM value WHERE key = ?", (key,))
        else:
            self._db.write("INSERT OR REPLACE INTO value (key, value) VALUES (?,?)", (key, value))

    def next_number(self, key: str, after: int = 0) -> int:
        """The next number of a series kept under a name, larger than `after`: no two callers get one."""
        with self._db.transaction():
            number = max(int(self.value(key) or 0), after) + 1
            self.set_value(key, str(number))
            return number

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> "State":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
