"""What a block shows and what it leaves out, and why (docs/architecture.md: an honest receipt)."""

from siltstone.recall.retention import days_old, is_stale
from siltstone.recall.selection import Chosen
from siltstone.recall.view import Fragment, Hit, View
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OLD = 60
"""Days from which the line counts a memory as old."""
REST = "the rest: MEMORY.md, or silt list"


class Shown(NamedTuple):
    """One memory in the block."""

    path: str
    type: str
    days: int
    stale: bool
    in_conflict: bool
    how: str
    """ "whole" (hot), "pinned line" (hot, with no room for its body), "hit" or "line"."""
    percent: int | None = None
    """Of a hit: how well it fits what is asked (`relevance.py`)."""


class Receipt(NamedTuple):
    """Everything there is to tell about one block."""

    scopes: tuple[str, ...]
    shown: tuple[Shown, ...]
    total: int
    """Memories in force in these scopes."""
    left: "Mapping[str, int]"
    """How many are not shown, by reason: over_cap, over_budget, over_hot, overridden, superseded."""
    named: tuple[tuple[str, str], ...]
    """(path, reason) of those that came close: within reach of their type's cap, or overridden."""
    conflicts: int
    unreadable: tuple[str, ...]
    beside: tuple[str, ...] = ()
    """What stands in the block beside memories: a brief, a summary, each with where it is from."""

    @property
    def old(self) -> int:
        return sum(one.days >= OLD for one in self.shown)

    @property
    def contested(self) -> int:
        return sum(one.in_conflict for one in self.shown)


def receipt(
    view: View,
    hot: "Sequence[Fragment]",
    hits: "Sequence[Hit]",
    chosen: Chosen,
    cut: "Sequence[Fragment]",
    now: float,
) -> Receipt:
    """The receipt of a block; `cut` are hot ones whose lines had no room."""
    shown = [_shown(one, "whole" if one.hot else "pinned line", now) for one in hot]
    shown += [_shown(hit.fragment, "hit", now)._replace(percent=hit.percent) for hit in hits]
    shown += [_shown(one, "line", now) for one in chosen.shown]
    total = sum(sum(scope.totals.values()) for scope in view.scopes) + len(view.hot)
    near = [*((one.path, "over_hot") for one in cut), *((one.path, why) for one, why in chosen.left)]
    near += [(path, "overridden") for path in view.overridden]
    left = dict.fromkeys(("over_budget", "over_hot", "overridden"), 0)
    for _, why in near:
        left[why] = left.get(why, 0) + 1
    # Those far below their caps were not even looked at.
    left["over_cap"] = (
        total - len(shown) - sum(left[why] for why in ("over_budget", "over_hot", "overridden"))
    )
    left["superseded"] = sum(scope.archived for scope in view.scopes)
    return Receipt(
        scopes=tuple(scope.name for scope in view.scopes),
        shown=tuple(shown),
        total=total,
        left={why: n for why, n in sorted(left.items()) if n},
        named=tuple(near),
        conflicts=view.conflicts,
        unreadable=view.unreadable,
    )


def summary(told: Receipt) -> str:
    """The line that ends every block: "84 of 97 shown, 3 older than 60 days, 2 in conflict";
    and how many files cannot be read."""
    said = f"{len(told.shown)} of {told.total} shown, {told.old} older than {OLD} days"
    said = f"{said}, {told.contested} in conflict"
    if told.unreadable:  # a block that says "7 of 7" would claim to be all there is
        said = f"{said}, {len(told.unreadable)} unreadable: see silt status"
    return f"{said}; {REST}" if len(told.shown) < told.total else said


def in_full(told: Receipt) -> str:
    """The whole receipt as lines for a person."""
    lines = [summary(told), f"scopes: {', '.join(told.scopes)}"]
    lines += [f"left out: {n} {why}" for why, n in told.left.items()]
    lines += [f"shown ({one.how}): {one.path}{_marks(one)}" for one in told.shown]
    lines += [f"not shown ({why}): {path}" for path, why in told.named]
    lines += [f"shown beside them: {sentence}" for sentence in told.beside]
    lines += [f"unreadable: {sentence}" for sentence in told.unreadable]
    if told.conflicts:
        lines.append(f"conflicts: {told.conflicts} open, see _CONFLICTS.md")
    return "\n".join(lines) + "\n"


def as_json(told: Receipt) -> dict[str, object]:
    """The whole receipt for a program."""
    return {
        "scopes": told.scopes,
        "total": told.total,
        "shown": [one._asdict() for one in told.shown],
        "left": dict(told.left),
        "not_shown": [{"path": path, "why": why} for path, why in told.named],
        "older_than_60_days": told.old,
        "in_conflict": told.contested,
        "conflicts": told.conflicts,
        "unreadable": told.unreadable,
        "beside": told.beside,
    }


def _shown(one: Fragment, how: str, now: float) -> Shown:
    days = days_old(one.clock, now)
    return Shown(one.path, one.type, days, is_stale(one.type, days), bool(one.in_conflict), how)


def _marks(one: Shown) -> str:
    marks = [f"{one.percent}%"] if one.percent is not None else []
    marks += [f"{one.days} days old"] if one.stale else []
    marks += ["in conflict"] if one.in_conflict else []
    return f" ({', '.join(marks)})" if marks else ""
