"""Snapshots of entries that stand in no store."""

from collections.abc import Iterable

from siltstone.store.entry import Snapshot, Stored


def snapshot_of(entries: Iterable[Stored]) -> Snapshot:
    """A snapshot that holds just these."""
    by_path = {one.path: one for one in entries}
    hashes = {path: one.hash for path, one in by_path.items()}
    return Snapshot(hashes, lambda paths: [by_path[path] for path in paths if path in by_path])
