"""State that is no memory: watermarks, leases, the ledger, spending, sessions (docs/store-format.md).

One SQLite file in the state folder. Losing it costs model calls at most: watermarks also stand in the
store's commits (invariant 2). `State.open` is the way in, for hooks too; its parts hold the methods, and
only this folder speaks SQL to that file.
"""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

from siltstone.store.state.database import VERSION, WAIT, Database, clean, set_aside, storable
from siltstone.store.state.ledger import Churn, Compaction, Day, Ledger, Rejected, RunRow, Spend, WindowRow
from siltstone.store.state.purge import KeptTexts, PurgedMessages, message_hash, named_hash, words_hash
from siltstone.store.state.sessions import Ended, Hooks, Sessions, Summaries, Sweep, Want
from siltstone.store.state.sources import Sources, Watermark
from siltstone.store.state.usage import Last, Line, Opened, Shown, Usage, Used
from siltstone.store.state.windows import Dealt, Failure, Failures, Holder, Leases, Left, Pending

__all__ = [
    "FILE",
    "HOOK_WAIT",
    "VERSION",
    "WAIT",
    "Churn",
    "Compaction",
    "Day",
    "Dealt",
    "Ended",
    "Failure",
    "Failures",
    "Holder",
    "Hooks",
    "KeptTexts",
    "Last",
    "Leases",
    "Ledger",
    "Left",
    "Line",
    "Opened",
    "Pending",
    "PurgedMessages",
    "Rejected",
    "RunRow",
    "Sessions",
    "Shown",
    "Sources",
    "Spend",
    "State",
    "Summaries",
    "Sweep",
    "Usage",
    "Used",
    "Want",
    "Watermark",
    "WindowRow",
    "clean",
    "message_hash",
    "named_hash",
    "set_aside",
    "storable",
    "words_hash",
]

FILE = "state.sqlite3"
"""Name of the database in the state folder."""
HOOK_WAIT = 0.25
"""Seconds that a hook waits for another process that writes."""


class State:
    """What Siltstone remembers about its own work. Times go in and come out aware and in UTC.

    A missing file is made. A damaged one is renamed to `.corrupt-<n>` and replaced (see `Database`); one
    of a newer version raises StateError. A file in use for longer than the wait raises Locked.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self.complaints = database.complaints
        """What was wrong with the file when it was opened, a sentence each."""
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
        self.texts = KeptTexts(database)
        self.sessions = Sessions(database)
        self.summaries = Summaries(database)
        self.hooks = Hooks(database)

    @classmethod
    def open(cls, folder: Path | str, wait: float = WAIT) -> "State":
        """Open `state.sqlite3` in the folder, making both if they are missing. Hooks pass HOOK_WAIT."""
        return cls(Database(Path(folder) / FILE, wait=wait))

    @property
    def path(self) -> Path:
        """The database file."""
        return self._db.path

    def transaction(self) -> AbstractContextManager[None]:
        """Everything in the block is written, or nothing."""
        return self._db.transaction()

    def advance(
        self,
        marks: Iterable[Watermark],
        seen: Mapping[tuple[str, str], Iterable[str]],
        window: WindowRow | None = None,
        rejected: Iterable[Rejected] = (),
    ) -> None:
        """Move watermarks, count messages as seen and write the ledger: all or nothing.

        `seen` has the messages' keys by (agent, session). Call this after the commit of what was read
        (invariant 1).
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
        """`advance` for a window that was pending, and is no longer."""
        with self._db.transaction():
            self.advance(dealt.marks, dealt.seen, dealt.window, dealt.rejected)
            for mark in dealt.marks:
                self.failures.clear(f"{mark.agent}/{mark.key}")
            self.pending.drop(dealt.window.scope)

    def value(self, key: str) -> str | None:
        """A small value stored under a name, if any."""
        rows = self._db.rows("SELECT value FROM value WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def set_value(self, key: str, value: str | None) -> None:
        """Store a small value under a name; None drops it."""
        if value is None:
            self._db.write("DELETE FROM value WHERE key = ?", (key,))
        else:
            self._db.write("INSERT OR REPLACE INTO value (key, value) VALUES (?,?)", (key, value))

    def next_number(self, key: str, after: int = 0) -> int:
        """The next number of a series, larger than `after`. No two callers get the same one."""
        with self._db.transaction():
            number = max(int(self.value(key) or 0), after) + 1
            self.set_value(key, str(number))
            return number

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def __enter__(self) -> "State":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
