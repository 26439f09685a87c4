"""The store as a plan meets it, and what the ops accepted so far have taken of it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from siltstone.pipeline.compaction.plan import Drop, Flag, Op, targets
from siltstone.store.conflicts import Section
from siltstone.store.entry import Stored
from siltstone.store.links import links


@dataclass(frozen=True, slots=True)
class CompactView:
    """The store under the lock, as the plan meets it."""

    now: datetime
    current: Mapping[str, Stored]
    """Live entries by path, of every scope the plan speaks of, and of all that may link into it."""
    archived: Sequence[Stored] = ()
    sections: Sequence[Section] = ()
    conflicts: str | None = None
    """Text of _CONFLICTS.md; None when there is no such file."""
    force: bool = False
    clean: Callable[[str], bool] = lambda text: True
    """Whether a text holds no secret: redaction leaves it as it is (invariant 8)."""


class Session:
    """A plan being checked: the view, prepared for the rules, and what accepted ops have taken."""

    def __init__(self, view: CompactView) -> None:
        self.view = view
        self.sizes = Counter(stored.entry.scope for stored in view.current.values())
        self.waiting = {side.path for section in view.sections for side in section.sides}
        self.linked: dict[tuple[str, str], str] = {}
        """A body that no op may change and that links to a name, by scope and name."""
        self.used: dict[str, Op] = {}
        self.leaving: Counter[str] = Counter()
        """Entries that accepted ops delete or archive, by scope."""
        self.flags: set[frozenset[str]] = set()
        for stored in view.current.values():
            if "[[" in stored.entry.body and protected(stored):
                for name in links(stored.entry.body):
                    self.linked[stored.entry.scope, name] = stored.path

    def take(self, op: Op) -> None:
        """Remembers an accepted op."""
        if isinstance(op, Flag):
            self.flags.add(frozenset((op.one.path, op.other.path)))
        if isinstance(op, Drop):
            self.leaving[op.target.entry.scope] += 1
        self.used.update({stored.path: op for stored in targets(op)})


def protected(stored: Stored) -> bool:
    """Whether its body is the user's, or pinned (invariant 9)."""
    return stored.entry.readonly or stored.user_written or stored.pinned
