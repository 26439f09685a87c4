"""Which memories are shown: the strongest within caps and a budget, with a share for each type.

The choice is a pure function of the prepared view and the UTC day (A22, A23, A39): between two calls of
one day only a change in the store changes what is shown, and in which order.

Each type keeps half of an even share of lines and characters for its strongest memories, and at least
one memory. The rest goes to the strongest of all types. (Filling by strength alone, as the Source does,
never shows a reference beside many decisions.)
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from siltstone.recall.prepared import Fragment, Title, View
from siltstone.recall.retention import DAY, strength
from siltstone.store.code.status import DOUBTED
from siltstone.store.entry import TYPES

CAPS = {"user": 6, "feedback": 10, "project": 8, "decision": 10, "reference": 6}
"""Most lines of each type (A23). `user` is ours: few facts about a person matter in every session."""
CHARS = 3600
ENTRIES = 28
MAX_TITLE = 40
"""Characters of a title; what is longer is cut."""
TITLES = 2 / 3
"""Characters for titles, as a share of those for all else: room for some hundred."""
HEADING = 32
"""Characters of the titles' heading."""
RESERVED = 0.5
"""The part of its even share that each type keeps."""


class Budget(NamedTuple):
    """What a block may hold (A39). Hot bodies and session texts have limits of their own."""

    chars: int = CHARS
    entries: int = ENTRIES


class Price(NamedTuple):
    """What a fragment costs in a layout, in characters."""

    group: str
    heading: int
    """Paid once for the group."""
    line: int


class Selection(NamedTuple):
    """The shown memories, strongest first, and the others with a reason each."""

    shown: tuple[Fragment, ...]
    left: tuple[tuple[Fragment, str], ...]
    """Reasons: "over_cap" and "over_budget"."""


def select(
    view: View, used: Sequence[Fragment], budget: Budget, price: Callable[[Fragment], Price], now: float
) -> Selection:
    """Choose among the candidates of `view`.

    `used` are shown already: they cost no characters here, but count as entries. `budget.chars` is what
    is left for lines and headings. `price` is what a fragment costs in the layout.
    """
    already = {one.path for one in used}
    counts: Counter[str] = Counter()
    within: list[Fragment] = []
    left: list[tuple[Fragment, str]] = []
    for one in by_strength(view, now):
        if one.path in already:
            continue
        counts[one.type] += 1
        if counts[one.type] <= CAPS[one.type]:
            within.append(one)
        else:
            left.append((one, "over_cap"))
    room = _Room(budget.entries - len(used), budget.chars, price)
    kept = _reserved(within, room)
    kept |= {one.path for one in within if one.path not in kept and room.take(one)}
    left += [(one, "over_budget") for one in within if one.path not in kept]
    return Selection(tuple(one for one in within if one.path in kept), tuple(left))


def by_strength(view: View, now: float) -> list[Fragment]:
    """The candidates, strongest first; ties by source, date, path."""
    at = (now // DAY + 1) * DAY  # the end of the UTC day: the order is constant for a day
    activity = {scope.name: scope.activity for scope in view.scopes}

    def order(one: Fragment) -> tuple[float, int, float, str]:
        value = strength(one.initial, one.repeats, one.clock, at, activity.get(one.scope))
        value *= DOUBTED if one.code else 1.0
        return -value, -one.source, -(one.clock or 0.0), one.path

    return sorted(view.candidates, key=order)


def _reserved(within: Sequence[Fragment], room: "_Room") -> set[str]:
    """Paths that the types' own shares pay for: first one memory of each type, then the rest."""
    by_type = [same for type in TYPES if (same := [one for one in within if one.type == type])]
    if not by_type:
        return set()
    lines = int(room.entries * RESERVED) // len(by_type)
    chars = int(room.chars * RESERVED) // len(by_type)
    kept = {same[0].path: room.price(same[0]).line for same in by_type if room.take(same[0])}
    for same in by_type:
        spent = kept.get(same[0].path, 0)
        for one in same[1 : max(lines, 1)]:
            spent += room.price(one).line
            if spent > chars or not room.take(one):
                break
            kept[one.path] = 0
    return set(kept)


def titles(view: View, shown: Collection[str], chars: int) -> dict[str, list[Title]]:
    """The memories beside those `shown` (paths), by type: as many as have room, each type in its turn."""
    by_type = [[one for one in view.titles if one.type == type and one.path not in shown] for type in TYPES]
    kept: dict[str, list[Title]] = {}
    chars -= HEADING
    for one in filter(None, chain.from_iterable(zip_longest(*by_type))):
        chars -= min(len(one.name), MAX_TITLE) + (2 if one.type in kept else len(one.type) + 5)
        if chars < 0:
            break
        kept.setdefault(one.type, []).append(one)
    return {type: kept[type] for type in TYPES if type in kept}


class _Room:
    """The entries and characters that are left."""

    def __init__(self, entries: int, chars: int, price: Callable[[Fragment], Price]) -> None:
        self.entries = entries
        self.chars = chars
        self.price = price
        self._groups: set[str] = set()

    def take(self, one: Fragment) -> bool:
        """Pay for a fragment if there is enough left; lines are never cut."""
        price = self.price(one)
        cost = price.line + (0 if price.group in self._groups else price.heading)
        if self.entries < 1 or cost > self.chars:
            return False
        self.entries -= 1
        self.chars -= cost
        self._groups.add(price.group)
        return True
