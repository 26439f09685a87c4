"""Which memories are shown: the strongest within caps and a budget, and no type starved (A22, A23, A39).

Stable by construction: a pure function of the prepared view and the UTC day. Between two calls of one
day only a change of the store changes what is shown, in content and in order.

Each type that has anything keeps half of an even share of lines and characters for its strongest
memories, at least one of them; what is left goes to the strongest of all. (Filling by strength alone,
as the system we learn from does, never shows a reference beside many decisions.)
"""

from siltstone.recall.retention import end_of_day, strength
from siltstone.recall.view import TYPES, Fragment, View
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CAPS = {"user": 6, "feedback": 10, "project": 8, "decision": 10, "reference": 6}
"""Most lines of a type (A23). `user` is ours: few facts of a person matter in every session."""
CHARS = 3600
ENTRIES = 28
FAIR = 0.5
"""The part of an even share that a type keeps."""


class Budget(NamedTuple):
    """What a block may hold (A39). Hot bodies and session state have limits of their own."""

    chars: int = CHARS
    entries: int = ENTRIES


class Price(NamedTuple):
    """What a fragment costs in a layout, in characters."""

    group: str
    heading: int
    """Once for its group."""
    line: int


class Chosen(NamedTuple):
    """What is shown, the strongest first, and what is not, each with why."""

    shown: tuple[Fragment, ...]
    left: tuple[tuple[Fragment, str], ...]
    """ "over_cap" and "over_budget"."""


def select(
    view: View, used: "Sequence[Fragment]", budget: Budget, price: "Callable[[Fragment], Price]", now: float
) -> Chosen:
    """Choose among the candidates of `view`.

    `used` are shown already and cost nothing here, but count as entries; `budget.chars` is what is left
    for lines and headings; `price` says what a fragment costs in the layout at hand.
    """
    shown_already = {one.path for one in used}
    ordered = [one for one in by_strength(view, now) if one.path not in shown_already]
    within, over = _capped(ordered)
    room = _Room(budget.entries - len(used), budget.chars, price)
    kept = _fair(within, room)
    kept |= {one.path for one in within if one.path not in kept and room.take(one)}
    left = [(one, "over_cap") for one in over]
    left += [(one, "over_budget") for one in within if one.path not in kept]
    return Chosen(tuple(one for one in within if one.path in kept), tuple(left))


def by_strength(view: View, now: float) -> list[Fragment]:
    """The candidates, the strongest first; ties by source, newest, path."""
    at = end_of_day(now)
    active = {scope.name: scope.activity for scope in view.scopes}

    def order(one: Fragment) -> tuple[float, int, float, str]:
        value = strength(one.initial, one.repeats, one.clock, at, active.get(one.scope))
        return -value, -one.source, -(one.clock or 0.0), one.path

    return sorted(view.candidates, key=order)


def _capped(ordered: "Sequence[Fragment]") -> tuple[list[Fragment], list[Fragment]]:
    counts = dict.fromkeys(TYPES, 0)
    within: list[Fragment] = []
    over: list[Fragment] = []
    for one in ordered:
        counts[one.type] += 1
        (within if counts[one.type] <= CAPS[one.type] else over).append(one)
    return within, over


def _fair(within: "Sequence[Fragment]", room: "_Room") -> set[str]:
    """Paths of what the types' own shares are spent on. First one of each, then the rest of the shares."""
    by_type = [mine for type in TYPES if (mine := [one for one in within if one.type == type])]
    if not by_type:
        return set()
    lines = int(room.entries * FAIR) // len(by_type)
    chars = int(room.chars * FAIR) // len(by_type)
    kept = {mine[0].path: room.price(mine[0]).line for mine in by_type if room.take(mine[0])}
    for mine in by_type:
        spent = kept.get(mine[0].path, 0)
        for one in mine[1 : max(lines, 1)]:
            spent += room.price(one).line
            if spent > chars or not room.take(one):
                break
            kept[one.path] = 0
    return set(kept)


class _Room:
    """Entries and characters that are left."""

    def __init__(self, entries: int, chars: int, price: "Callable[[Fragment], Price]") -> None:
        self.entries = entries
        self.chars = chars
        self.price = price
        self._groups: set[str] = set()

    def take(self, one: Fragment) -> bool:
        """Spend what the fragment costs, if there is so much: whole lines only."""
        price = self.price(one)
        cost = price.line + (0 if price.group in self._groups else price.heading)
        if self.entries < 1 or cost > self.chars:
            return False
        self.entries -= 1
        self.chars -= cost
        self._groups.add(price.group)
        return True
