"""State that is no memory: watermarks, leases, the ledger, spending, sessions (docs/store-format.md).

One SQLite file in the state folder. Losing it costs model calls at most: watermarks also stand in the
store's commits (invariant 2). `State.open` is the way in, for hooks too; its parts hold the methods, and
only this folder speaks SQL to that file.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from siltstone.store.state.database import WAIT, Database, clean, set_aside
from siltstone.store.state.ledger import Churn, Compaction, Ledger, Rejected, RunRow, Spend, WindowRow
from siltstone.store.state.purge import Purged
from siltstone.store.state.sessions import Ended, Hooks, Pooled, Sessions, Summaries, Want
from siltstone.store.state.usage import Last, Line, Shown, Usage, Used
from siltstone.store.state.windows import Dealt, Failures, Holder, Leases, Pending, Sources, Watermark

FILE = "state.sqlite3"
"""Name of the database in the state folder."""
HOOK_WAIT = 0.25
"""Seconds that a hook waits for another process that writes."""


class State(Database):
    """What Siltstone remembers about its own work. Times go in and come out aware and in UTC.

    A missing file is made. A damaged one is renamed to `.corrupt-<n>` and replaced (see `Database`); one
    of a newer version raises StateError. A file in use for longer than the wait raises Locked.
    """

    def __init__(self, path: Path, wait: float = WAIT) -> None:
        super().__init__(path, wait=wait)
        self.sources = Sources(self)
        self.leases = Leases(self)
        self.failures = Failures(self)
        self.ledger = Ledger(self)
        self.spend = Spend(self)
        self.compaction = Compaction(self)
        self.pending = Pending(self)
        self.shown = Shown(self)
        self.usage = Usage(self)
        self.purged = Purged(self)
        self.sessions = Sessions(self)
        self.summaries = Summaries(self)
        self.hooks = Hooks(self)

    @classmethod
    def open(cls, folder: Path | str, wait: float = WAIT) -> "State":
        """Open `state.sqlite3` in the folder, making both if they are missing. Hooks pass HOOK_WAIT."""
        return cls(Path(folder) / FILE, wait)

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
        with self.transaction():
            for mark in marks:
                self.sources.put(mark)
            for (agent, session), keys in seen.items():
                self.sources.see(agent, session, keys)
            if window is not None:
                columns = window._asdict()
                self.put("window", commit_id=columns.pop("commit"), **columns)
                self.failures.clear(window.id)
            self.ledger.reject(rejected)

    def settle(self, dealt: Dealt) -> None:
        """`advance` for a window that was pending, and is no longer."""
        with self.transaction():
            self.advance(dealt.marks, dealt.seen, dealt.window, dealt.rejected)
            for mark in dealt.marks:
                self.failures.clear(f"{mark.agent}/{mark.key}")
            self.pending.drop(dealt.window.scope)

    def next_number(self, key: str, after: int = 0) -> int:
        """The next number of a series, larger than `after`. No two callers get the same one."""
        with self.transaction():
            number = max(int(self.number(key)), after) + 1
            self.set_value(key, number)
            return number
