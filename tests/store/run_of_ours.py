"""One run at the level of the store: three windows, each skipped when its watermark stands."""

from pathlib import Path

from store_support import open_store, put, text_of

from siltstone.store.disk import Disk
from siltstone.store.entry import Change, Delete
from siltstone.store.history import watermarks
from siltstone.store.history_index import session_trailer
from siltstone.store.store import Store

OLD = "global/project-old.md"
MOVED = "global/archive/project-old.md"
NEW = "projects/a/project-new.md"


def run_of_ours(root: Path, disk: Disk | None = None) -> Store:
    """Make the store if need be, take the user's edits, work off what is behind no watermark."""
    store = open_store(root, disk)
    with store.locked():
        store.settle()
        done = watermarks(store)
        for n in range(3):
            if done.get(("claude", f"s{n}")) != "m":
                trailers = [
                    ("Silt-Run", "0001"),
                    ("Silt-Op", "extract"),
                    session_trailer("claude", f"s{n}", "m"),
                ]
                store.apply(decide(store, n), f"memory: window {n}", trailers)
    return store


def decide(store: Store, n: int) -> list[Change]:
    """What window `n` changes: learn two, supersede one, nothing."""
    if n == 0:
        return [put(store, NEW, text_of("learnt")), put(store, OLD, text_of("old"))]
    if n == 1:
        old = store.read(OLD)
        return [
            Delete(OLD, old.hash),
            put(store, MOVED, text_of("old", quote="superseded")),
            put(store, NEW, text_of("2")),
        ]
    return []
