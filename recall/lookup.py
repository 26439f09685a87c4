"""Finding the memory a person means by a name, a file name or a path."""

from collections.abc import Callable, Mapping, Sequence

from siltstone.store.entry import Stored
from siltstone.store.errors import EntryError, Misuse
from siltstone.store.files.naming import exactly

NAMED = 6
"""Memories that an error names."""


def find(
    entries: Sequence[Stored], wanted: str, left_out: Mapping[str, str], here: Sequence[str] = ()
) -> Stored:
    """The one entry that is called `wanted`: by path, by file name or by name, whole.

    `left_out` says by path why a file is not among the entries. Of entries that are called alike the one
    in the first scope of `here` that has one is meant. Raises EntryError when one that was left out is
    meant, Misuse when there is none, or naming them when there are several.
    """
    wanted = _bare(wanted)
    found = _nearest(entries, wanted, left_out, here)
    if not found:
        _tell_why(left_out, wanted, str.__eq__)
        if like := _beginning(entries, wanted):
            name = like[0].entry.name
            raise Misuse(f"there is no memory {wanted!r}; write the whole name, for example {name}.")
    return _only(found, wanted)


def find_like(
    entries: Sequence[Stored], wanted: str, left_out: Mapping[str, str], here: Sequence[str] = ()
) -> Stored:
    """As `find`, and also by the start of a name or file name: for commands that only read."""
    wanted = _bare(wanted)
    found = _nearest(entries, wanted, left_out, here)
    if not found:
        _tell_why(left_out, wanted, str.__eq__)
        begun = _beginning(entries, wanted)
        near = ([stored for stored in begun if stored.entry.scope == scope] for scope in here)
        found = next(filter(None, near), begun)
    if not found:
        _tell_why(left_out, wanted, str.startswith)
    return _only(found, wanted)


def _nearest(
    entries: Sequence[Stored], wanted: str, left_out: Mapping[str, str], here: Sequence[str]
) -> list[Stored]:
    """Those called so in the first of these scopes that has any, else those anywhere; archived ones last.

    Nothing elsewhere is taken for a file in one of these scopes that cannot be read.
    """
    for among in ([stored for stored in entries if not stored.archived], entries):
        for scope in here:
            if found := exactly([stored for stored in among if stored.entry.scope == scope], wanted):
                return found
            unread = {path: why for path, why in left_out.items() if path.startswith(f"{scope}/")}
            _tell_why(unread, wanted, str.__eq__)
        if found := exactly(among, wanted):
            return found
    return []


def _bare(wanted: str) -> str:
    return wanted.strip().removesuffix("/")


def _beginning(entries: Sequence[Stored], wanted: str) -> list[Stored]:
    if not wanted:
        return []
    begun = [s for s in entries if s.entry.name.startswith(wanted) or _file(s).startswith(wanted)]
    return [stored for stored in begun if not stored.archived] or begun


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
    if not found:
        raise Misuse(f"there is no memory {wanted!r}; `silt list` shows them all, `silt search` finds one.")
    if len(found) > 1:
        paths = ", ".join(stored.path for stored in found[:NAMED])
        raise Misuse(f"{wanted!r} may be {len(found)} memories: {paths}; give the path of one.")
    return found[0]
