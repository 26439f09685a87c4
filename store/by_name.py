"""Finding the memory that a name, file name or path refers to."""

from collections.abc import Callable, Mapping, Sequence

from siltstone.store.entry import Stored
from siltstone.store.errors import EntryError, Misuse
from siltstone.store.names import in_inbox, slug, stem

MAX_NAMED = 6
"""Most memories that an error message lists."""


def find(
    entries: Sequence[Stored],
    wanted: str,
    left_out: Mapping[str, str],
    here: Sequence[str] = (),
    *,
    any_part: bool = False,
) -> Stored:
    """The one entry whose path, file name or name is `wanted`.

    With `any_part` a part of a name or file name is enough, its start before any other: for commands that
    only read. `left_out` maps paths of files that could not be read to the reason. Among entries of the same
    name, the first scope in `here` that has one decides. Raises EntryError with the reason when `wanted` is
    a file that was left out, and Misuse when there is no such entry or there are several.
    """
    wanted = wanted.strip().removesuffix("/")
    found = _called(entries, wanted, left_out, here)
    if not found:
        # Those whose name or file name begins so, else those with it anywhere in one.
        part = wanted.casefold()
        called = [(one, (one.entry.name.casefold(), stem(one.path).casefold())) for one in entries if part]
        begin = [one for one, names in called if any(name.startswith(part) for name in names)]
        held = begin or [one for one, names in called if any(part in name for name in names)]
        current = [stored for stored in held if not stored.archived]
        similar = [stored for stored in current if not in_inbox(stored.path)] or current or held
        if similar and not any_part:
            name = similar[0].entry.name
            raise Misuse(f"there is no memory {wanted!r}; write the whole name, for example {name}.")
        by_scope = ([stored for stored in similar if stored.entry.scope == scope] for scope in here)
        found = next(filter(None, by_scope), similar)
    if not found:
        _raise_if_left_out(left_out, wanted, str.__contains__)
    return only(found, wanted)


def exactly(entries: Sequence[Stored], wanted: str) -> list[Stored]:
    """The entries called `wanted`, as it is or as code makes a name of it: by path, else by file name, else
    by name. None for an empty text."""
    if not wanted:
        return []
    words = {wanted, slug(wanted)}
    paths = [one for one in entries if wanted in (one.path, one.path.removesuffix(".md"))]
    files = [one for one in entries if not words.isdisjoint((f"{stem(one.path)}.md", stem(one.path)))]
    return paths or files or [one for one in entries if one.entry.name in words]


def _called(
    entries: Sequence[Stored], wanted: str, left_out: Mapping[str, str], here: Sequence[str]
) -> list[Stored]:
    """The entries called `wanted` in the first scope of `here` that has any, else in all. What waits in
    the inbox counts only where no memory is called so, and archived ones come last.

    An unreadable file of that name raises EntryError, in a scope of `here` at once: an entry elsewhere must
    not be taken for it.
    """
    current = [stored for stored in entries if not stored.archived]
    kept = [stored for stored in current if not in_inbox(stored.path)]
    for among in (kept, current, entries):
        for scope in here:
            if found := exactly([stored for stored in among if stored.entry.scope == scope], wanted):
                return found
            unreadable = {path: why for path, why in left_out.items() if path.startswith(f"{scope}/")}
            _raise_if_left_out(unreadable, wanted, str.__eq__)
        if found := exactly(among, wanted):
            return found
    _raise_if_left_out(left_out, wanted, str.__eq__)
    return []


def _raise_if_left_out(left_out: Mapping[str, str], wanted: str, fits: Callable[[str, str], bool]) -> None:
    for path, why in left_out.items():
        # The name in an unreadable file is unknown, so take it from the file name.
        if wanted and any(fits(name, wanted) for name in names_of(path)):
            raise EntryError(why)


def names_of(path: str) -> tuple[str, ...]:
    """What a file may be called: its path and file name, with and without `.md`, and that behind the type."""
    name = stem(path)
    return path, path.removesuffix(".md"), f"{name}.md", name, name.partition("-")[2]


def only(found: Sequence[Stored], wanted: str) -> Stored:
    """The one entry found; raises Misuse for none and for several."""
    if not found:
        raise Misuse(f"there is no memory {wanted!r}; `silt list` shows them all, `silt search` finds one.")
    if len(found) > 1:
        paths = ", ".join(stored.path for stored in found[:MAX_NAMED])
        raise Misuse(f"{wanted!r} may be {len(found)} memories: {paths}; give the path of one.")
    return found[0]
