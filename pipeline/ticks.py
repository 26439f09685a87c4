"""The user's answers in `_CONFLICTS.md`, done in one commit. Deciding is `conflicts.py`; this is its I/O."""

from collections.abc import Mapping
from datetime import datetime

from siltstone.pipeline.conflicts import Settlement, Standing, settle
from siltstone.pipeline.learn import Parts
from siltstone.pipeline.words import counted
from siltstone.store import commits
from siltstone.store.conflicts import PATH, Section, Tick, parse
from siltstone.store.store import Store


def apply_ticks(parts: Parts, answers: Mapping[str, Tick] | None = None) -> Settlement:
    """Do what the user ticked in _CONFLICTS.md, or answers by command, in one commit."""
    with parts.store.locked():
        parts.store.settle()
        standing = _standing(parts.store, parts.clock())
        if standing.text is None and standing.before is None:
            return Settlement((), (), (), (), ())
        settlement = settle(standing, answers)
        if settlement.changes:
            told = [*settlement.settled, *(f"{one}: stands again" for one in settlement.returned)]
            subject = f"memory: settle {counted(len(told), 'conflict')}"
            trailers = [("Silt-Run", parts.run), ("Silt-Op", "conflicts")]
            parts.store.apply(settlement.changes, subject, trailers, "\n".join(told))
    parts.search.sync(parts.store.entries())
    return settlement


def open_conflicts(store: Store) -> list[Section]:
    """Conflicts as they stand in the file."""
    return parse(store.text(PATH) or "")


def _standing(store: Store, now: datetime) -> Standing:
    entries = store.entries(archived=True)
    return Standing(
        now,
        [s for s in entries if not s.archived],
        [s for s in entries if s.archived],
        store.text(PATH),
        _as_we_wrote_it(store),
    )


def _as_we_wrote_it(store: Store) -> str | None:
    """_CONFLICTS.md of our last commit that touched it: what a deleted section is told by."""
    for commit in commits.read(store.git, "HEAD", paths=[PATH]):
        for touched in commit.touched:
            if commit.op is not None and touched.path == PATH:
                found = store.git.blobs([touched.new]) if touched.new else {}
                return next((data.decode("utf-8", "replace") for data in found.values()), None)
    return None
