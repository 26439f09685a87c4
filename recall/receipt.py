"""What a block shows, what it leaves out, and why."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from siltstone.recall.prepared import Fragment, Hit, Title, View
from siltstone.recall.retention import days_old, is_stale
from siltstone.recall.selection import Selection
from siltstone.store.code.status import MARKS

REST = "find more with silt search or the tool memory_search"
BY_NAME = "name only"


class Shown(NamedTuple):
    """One memory in the block."""

    path: str
    type: str
    days: int
    stale: bool
    in_conflict: bool
    how: str
    """ "whole" (hot), "pinned line" (hot, without room for its body), "hit" or "line"."""
    percent: int | None = None
    """How well a hit fits the question (`relevance.py`)."""
    code: str = ""
    """What became of the code that it is bound to."""


class Receipt(NamedTuple):
    """Everything to be said about one block."""

    scopes: tuple[str, ...]
    shown: tuple[Shown, ...]
    total: int
    """Memories in force in these scopes."""
    left: Mapping[str, int]
    """How many are not shown, by reason: "name only" (its name stands in the block),
    over_cap, over_budget, over_hot, overridden, superseded."""
    named: tuple[tuple[str, str], ...]
    """(path, reason) of those not shown. Memories far over a cap are only counted (`with_paths`)."""
    conflicts: int
    unreadable: tuple[str, ...]
    beside: tuple[str, ...] = ()
    """One sentence for each text besides memories, such as a brief or a summary."""

    @property
    def stale(self) -> int:
        return sum(one.stale or one.code not in ("", "fresh", "unknown") for one in self.shown)

    @property
    def contested(self) -> int:
        return sum(one.in_conflict for one in self.shown)


def receipt(
    view: View,
    hot: Sequence[Fragment],
    hits: Sequence[Hit],
    selection: Selection,
    cut: Sequence[Fragment],
    titles: Mapping[str, Sequence[Title]],
    now: float,
) -> Receipt:
    """The receipt of a block. `cut` are hot memories without room even for their lines; `titles`
    are shown by name alone."""
    shown = [_shown(one, "whole" if one.hot else "pinned line", now) for one in hot]
    shown += [_shown(hit.fragment, "hit", now)._replace(percent=hit.percent) for hit in hits]
    shown += [_shown(one, "line", now) for one in selection.shown]
    total = sum(sum(scope.totals.values()) for scope in view.scopes) + len(view.hot)
    by_name = {one.path: BY_NAME for some in titles.values() for one in some}
    named = [*((one.path, "over_hot") for one in cut), *by_name.items()]
    named += [(one.path, why) for one, why in selection.left if one.path not in by_name]
    named += [(path, "overridden") for path in view.overridden]
    left = Counter(why for _, why in named)
    # The view holds the strongest of each type only: the rest of those over a cap are counted, not read.
    left["over_cap"] = total - len(shown) - sum(n for why, n in left.items() if why != "over_cap")
    left["superseded"] = sum(scope.archived for scope in view.scopes)
    return Receipt(
        scopes=tuple(scope.name for scope in view.scopes),
        shown=tuple(shown),
        total=total,
        left={why: n for why, n in sorted(left.items()) if n},
        named=tuple(named),
        conflicts=view.conflicts,
        unreadable=view.unreadable,
    )


def with_paths(receipt: Receipt, paths: Sequence[str]) -> Receipt:
    """The receipt naming every memory that is not shown; `paths` are all in force in its scopes.

    Unchanged when their number is not the receipt's: then the block is an older one, shown again.
    """
    if len(paths) != receipt.total:
        return receipt
    known = {one.path for one in receipt.shown} | {path for path, _ in receipt.named}
    rest = [(path, "over_cap") for path in paths if path not in known]
    return receipt._replace(named=(*receipt.named, *rest))


def summary(receipt: Receipt) -> str:
    """The last line of every block: "84 of 97 shown, 3 stale, 2 in conflict".

    Its figures count the marks in the block. A conflict of which no side is shown is said to be so, and
    files that cannot be read are counted, or "7 of 7" would claim to be everything.
    """
    conflict = f"{receipt.contested} in conflict"
    if receipt.conflicts and not receipt.contested:
        conflict = f"{receipt.conflicts} conflict{'' if receipt.conflicts == 1 else 's'} not shown"
    named = receipt.left.get(BY_NAME, 0)
    by_name = f", {named} by name" if named else ""
    text = f"{len(receipt.shown)} of {receipt.total} shown{by_name}, {receipt.stale} stale, {conflict}"
    if receipt.unreadable:
        text += f", {len(receipt.unreadable)} unreadable: see silt status"
    return f"{text}; {REST}" if len(receipt.shown) + named < receipt.total else text


def in_full(receipt: Receipt) -> str:
    """The whole receipt as lines for a person."""
    lines = [summary(receipt), f"scopes: {', '.join(receipt.scopes)}"]
    lines += [f"left out: {n} {why}" for why, n in receipt.left.items()]
    for one in receipt.shown:
        marks = [f"{one.percent}%"] if one.percent is not None else []
        marks += [f"{one.days} days old"] if one.stale else []
        marks += [MARKS[one.code].strip(" []")] if one.code else []
        marks += ["in conflict"] if one.in_conflict else []
        told = f" ({', '.join(marks)})" if marks else ""
        lines.append(f"shown ({one.how}): {one.path}{told}")
    lines += [f"not shown ({why}): {path}" for path, why in receipt.named]
    lines += [f"shown beside them: {sentence}" for sentence in receipt.beside]
    lines += [f"unreadable: {sentence}" for sentence in receipt.unreadable]
    if receipt.conflicts:
        lines.append(f"conflicts: {receipt.conflicts} open, see `silt conflicts`")
    return "\n".join(lines) + "\n"


def as_json(receipt: Receipt) -> dict[str, object]:
    """The whole receipt for a program."""
    return {
        "scopes": receipt.scopes,
        "total": receipt.total,
        "shown": [one._asdict() for one in receipt.shown],
        "left": dict(receipt.left),
        "not_shown": [{"path": path, "why": why} for path, why in receipt.named],
        "stale": receipt.stale,
        "in_conflict": receipt.contested,
        "conflicts": receipt.conflicts,
        "unreadable": receipt.unreadable,
        "beside": receipt.beside,
    }


def dump(receipt: Receipt) -> str:
    """A receipt as it is stored with its block: the same bytes keep the same receipt (D17)."""
    return json.dumps(receipt)


def load(text: str) -> Receipt | None:
    """What `dump` wrote; None for anything else."""
    try:
        found = Receipt(*json.loads(text))
        return found._replace(
            scopes=tuple(found.scopes),
            shown=tuple(Shown(*one) for one in found.shown),
            named=tuple((path, why) for path, why in found.named),
            unreadable=tuple(found.unreadable),
            beside=tuple(found.beside),
        )
    except (ValueError, TypeError):
        return None


def _shown(one: Fragment, how: str, now: float) -> Shown:
    days = days_old(one.clock, now)
    stale = bool(one.ages) and is_stale(one.type, days)
    return Shown(one.path, one.type, days, stale, bool(one.in_conflict), how, code=one.code)
