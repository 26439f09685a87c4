"""State that is no memory: watermarks, leases, failures, the ledger, spending (DESIGN.md "The store").

One SQLite file in the state folder. Losing it costs model calls at most: watermarks also stand in the
store's commits (invariant 2). `State.open` is the way in; its parts hold the methods, and only this
folder speaks SQL.
"""

from siltstone.store.state.compaction import Churn, Compaction
from siltstone.store.state.database import VERSION, clean
from siltstone.store.state.failures import Failure, Failures
from siltstone.store.state.leases import Holder, Leases
from siltstone.store.state.ledger import Ledger, Rejected, RunRow, WindowRow
from siltstone.store.state.pending import Dealt, Left, Pending
from siltstone.store.state.purged import PurgedMessages, message_hash
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
]
