"""What a memory is called: its path, its file's name, or its own name."""

from collections.abc import Iterable, Sequence

from siltstone.store.entry import Stored


def exactly(entries: Sequence[Stored], wanted: str) -> list[Stored]:
    """The entries called `wanted`: by path, else by file name, else by name; "" calls none."""
    for called in (_path, _file, _name):
        found = [stored for stored in entries if wanted in called(stored)]
        if found:
            return found
    return []


def _path(stored: Stored) -> Iterable[str]:
    return (stored.path, stored.path.removesuffix(".md"))


def _file(stored: Stored) -> Iterable[str]:
    file = stored.path.rpartition("/")[2]
    return (file, file.removesuffix(".md"))


def _name(stored: Stored) -> Iterable[str]:
    return (stored.entry.name,)
