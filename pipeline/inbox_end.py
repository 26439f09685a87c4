"""What becomes of inbox items that nobody repeated. Deciding is `inbox.py`; this is its I/O."""

from datetime import datetime

from siltstone.pipeline.inbox import expired
from siltstone.pipeline.learn import Parts
from siltstone.pipeline.words import counted
from siltstone.store import commits
from siltstone.store.state import Rejected
from siltstone.store.store import Store


def expire(parts: Parts) -> int:
    """Take away in one commit what nobody repeated for 60 days, and tell the ledger; how many."""
    with parts.store.locked():
        parts.store.settle()
        waiting = parts.store.inbox()
        gone = expired(waiting, _last_written(parts.store), parts.clock()) if waiting else []
        if gone:
            subject = f"memory: let {counted(len(gone), 'inbox item')} expire"
            parts.store.apply(gone, subject, [("Silt-Run", parts.run), ("Silt-Op", "expire")])
    paths = {one.path for one in gone}
    parts.state.ledger.reject(
        Rejected(parts.run, s.path, parts.clock(), "expired", s.entry.type, s.entry.body, "")
        for s in waiting
        if s.path in paths
    )
    return len(gone)


def _last_written(store: Store) -> dict[str, datetime]:
    """When each inbox file was last committed."""
    seen: dict[str, datetime] = {}
    for commit in commits.read(store.git, "HEAD", paths=["inbox"]):
        for touched in commit.touched:
            seen.setdefault(touched.path, commit.at)
    return seen
