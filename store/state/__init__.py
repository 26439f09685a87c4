"""State that is no memory: watermarks, leases, the ledger, spending, sessions (docs/store-format.md).

One SQLite file in the state folder. Losing it costs model calls at most: watermarks also stand in the
store's commits (invariant 2). `State.open` is the way in, `Light` that of commands which may not take
longer than a blink; their parts hold the methods, and only this folder speaks SQL.
"""

TYPE_CHECKING = False
"""As `typing.TYPE_CHECKING`, without the time its import takes: hot commands come through here."""

if TYPE_CHECKING:
    from siltstone.store.state.compaction import Churn, Compaction
    from siltstone.store.state.database import VERSION, clean
    from siltstone.store.state.failures import Failure, Failures
    from siltstone.store.state.leases import Holder, Leases
    from siltstone.store.state.ledger import Ledger, Rejected, RunRow, WindowRow
    from siltstone.store.state.opened import Opened
    from siltstone.store.state.pending import Dealt, Left, Pending
    from siltstone.store.state.purged import PurgedMessages, message_hash, named_hash, words_hash
    from siltstone.store.state.sources import Sources, Watermark
    from siltstone.store.state.spend import Day, Spend
    from siltstone.store.state.state import State

__all__ = [
    "VERSION",
    "Churn",
    "Compaction",
    "Day",
    "Dealt",
    "Failure",
    "Failures",
    "Holder",
    "Leases",
    "Ledger",
    "Left",
    "Opened",
    "Pending",
    "PurgedMessages",
    "Rejected",
    "RunRow",
    "Sources",
    "Spend",
    "State",
    "Watermark",
    "WindowRow",
    "clean",
    "message_hash",
    "named_hash",
    "words_hash",
]
_HOME = {
    "Churn": "compaction",
    "Compaction": "compaction",
    "VERSION": "database",
    "clean": "database",
    "Failure": "failures",
    "Failures": "failures",
    "Holder": "leases",
    "Leases": "leases",
    "Ledger": "ledger",
    "Rejected": "ledger",
    "RunRow": "ledger",
    "WindowRow": "ledger",
    "Opened": "opened",
    "Dealt": "pending",
    "Left": "pending",
    "Pending": "pending",
    "PurgedMessages": "purged",
    "message_hash": "purged",
    "words_hash": "purged",
    "named_hash": "purged",
    "Sources": "sources",
    "Watermark": "sources",
    "Day": "spend",
    "Spend": "spend",
    "State": "state",
}
"""The module each name is defined in: imported when it is first asked for."""


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
