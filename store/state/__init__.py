"""State that is no memory: watermarks, leases, the ledger, spending, sessions (docs/store-format.md).

One SQLite file in the state folder. Losing it costs model calls at most: watermarks also stand in the
store's commits (invariant 2). `State.open` is the way in, for hooks too; its parts hold the methods, and
only this folder speaks SQL to that file.
"""

from siltstone.store.state.compaction import Churn, Compaction
from siltstone.store.state.database import VERSION, WAIT, clean, set_aside, storable
from siltstone.store.state.hooks import Hooks, Want
from siltstone.store.state.ledger import Day, Ledger, Rejected, RunRow, Spend, WindowRow
from siltstone.store.state.purge import KeptTexts, PurgedMessages, message_hash, named_hash, words_hash
from siltstone.store.state.sessions import Ended, Sessions, Summaries, Sweep
from siltstone.store.state.shown import Last, Line, Shown
from siltstone.store.state.sources import Sources, Watermark
from siltstone.store.state.state import FILE, HOOK_WAIT, State
from siltstone.store.state.usage import Opened, Usage, Used
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
