"""What one memory says of others: `superseded_by`, `agrees_with`, `[[name]]`; and what of it leads nowhere.

Whoever takes files away asks here first, so that no memory is left pointing at nothing unsaid.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from siltstone.store.entry import GLOBAL, Entry
from siltstone.store.links import links


@dataclass(frozen=True, slots=True, order=True)
class Loose:
    """A memory that names another which is not there."""

    path: str
    what: str
    """The path it names, or for a link the name."""
    is_link: bool = False

    def __str__(self) -> str:
        named = f"[[{self.what}]]" if self.is_link else self.what
        return f"{self.path} names {named}, which is no longer there"


def loose(entries: Mapping[str, Entry]) -> set[Loose]:
    """Everything in these entries (by path) that names none of them.

    A link is a name of its own scope or of "global"; a path stands for itself.
    """
    names: dict[str, set[str]] = {}
    for path, entry in entries.items():
        stem = path.rpartition("/")[2].removesuffix(".md")
        names.setdefault(entry.scope, set()).update((entry.name, stem))
    found: set[Loose] = set()
    for path, entry in entries.items():
        named = {*entry.agrees_with, *([entry.superseded_by] if entry.superseded_by else [])}
        found |= {Loose(path, other) for other in named - entries.keys()}
        if "[[" in entry.body:
            known = names[entry.scope] | names.get(GLOBAL, set())
            found |= {Loose(path, name, is_link=True) for name in links(entry.body) - known}
    return found
