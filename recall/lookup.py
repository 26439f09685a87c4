"""Finding the memory a person means by a name, a file name or a path."""

from collections.abc import Callable, Mapping, Sequence

from siltstone.store.entry import Stored
from siltstone.store.errors import EntryError, Misuse
from siltstone.store.files.naming import exactly

NAMED = 6
"""Memories that an error names."""


def find(entries: Sequence[Stored], wanted: str, left_out: Mapping[str, str]) -> Stored:
    """The one entry that is called `wanted`: by path, by file name or by name, whole.

    `left_out` says by path why a file is not among the entries. Raises EntryError when one of those is
    meant, Misuse when there is none, or naming them when there are several.
    """
    wanted = _bare(wanted)
    found = exactly(entries, wanted)
    if not found:
        _tell_why(left_out, wanted, str.__eq__)
        if like := _beginning(entries, wanted):
            name = like[0].entry.name
            raise Misuse(f"there is no memory {wanted!r}; write the whole name, for example {name}.")
    return _only(found, wanted)


def find_like(entries: Sequence[Stored], wanted: str, left_out: Mapping[str, str]) -> Stored:
    """As `find`, and also by the start of a name or file name: for commands that only read."""
    wanted = _bare(wanted)
    found = exactly(entries, wanted)
    if not found:
        _tell_why(left_out, wanted, str.__eq__)
        found = _beginning(entries, wanted)
    if not found:
        _tell_why(left_out, wanted, str.startswith)
    return _only(found, wanted)


def _bare(wanted: str) -> str:
    return wanted.strip().removesuffix("/")


def _beginning(entries: Sequence[Stored], wanted: str) -> list[Stored]:
    if not wanted:
        return []
    return [s for s in entries if s.entry.name.startswith(wanted) or _file(s).startswith(wanted)]


def _file(stored: Stored) -> str:
    return stored.path.rpartition("/")[2]


def _tell_why(left_out: Mapping[str, str], wanted: str, fits: Callable[[str, str], bool]) -> None:
    """Raise EntryError with the reason when a file that was left out is meant."""
    for path, why in left_out.items():
        stem = path.rpartition("/")[2].removesuffix(".md")
        # What the file calls itself cannot be read: its name stands behind the type in the file's name.
        names = (path, path.removesuffix(".md"), f"{stem}.md", stem, stem.partition("-")[2])
        if wanted and any(fits(name, wanted) for name in names):
            raise EntryError(why)


def _only(found: Sequence[Stored], wanted: str) -> Stored:
    live = [stored for stored in found if not stored.archived]
    chosen = live if len(live) == 1 else found
    if not chosen:
        raise Misuse(f"there is no memory {wanted!r}; `silt list` shows them all, `silt search` finds one.")
    if len(chosen) > 1:
        paths = ", ".join(stored.path for stored in chosen[:NAMED])
        raise Misuse(f"{wanted!r} may be {len(chosen)} memories: {paths}; give the path of one.")
    return chosen[0]
