"""Finding the memory a person means by a name, a file name or a path."""

from collections.abc import Sequence

from siltstone.store.entry import Stored
from siltstone.store.errors import Misuse
from siltstone.store.files.naming import exactly


def find(entries: Sequence[Stored], wanted: str) -> Stored:
    """The one entry that is called `wanted`: by path, by file name, by name, or by the start of a name.

    Raises Misuse when there is none, or naming them when there are several.
    """
    wanted = wanted.strip().removesuffix("/")
    found = exactly(entries, wanted)
    if found:
        return _only(found, wanted)
    return _only([s for s in entries if s.entry.name.startswith(wanted)] if wanted else [], wanted)


def _only(found: Sequence[Stored], wanted: str) -> Stored:
    live = [stored for stored in found if not stored.archived]
    chosen = live if len(live) == 1 else found
    if not chosen:
        raise Misuse(f"there is no memory {wanted!r}; `silt list` shows them all, `silt search` finds one.")
    if len(chosen) > 1:
        paths = ", ".join(stored.path for stored in chosen[:6])
        raise Misuse(f"{wanted!r} may be {len(chosen)} memories: {paths}; give the path of one.")
    return chosen[0]
