"""The text an agent is shown, and the receipt of it: one pure function of what is prepared and the time."""

from siltstone.recall.layouts import Layout, Parts
from siltstone.recall.receipt import Receipt, receipt, summary
from siltstone.recall.selection import Budget, Chosen, Price, select
from siltstone.recall.view import Fragment, Hit, Session, View
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

HOT_CHARS = 10_000
"""Characters that hot memories may take in one block. Each has its line, as long as lines alone fit; what is
left goes to bodies, each whole within its own limit, as many as fit."""
NO_SESSION = Session()


class Block(NamedTuple):
    """What is shown; "" when there is nothing to show."""

    text: str
    receipt: Receipt


def build(
    view: View, hits: "Sequence[Hit]", session: Session, budget: Budget, layout: Layout, now: float
) -> Block:
    """The block for one agent at one moment.

    `hits` are memories that fit what is asked, the best first; `session` the running session's texts;
    `now` epoch seconds. The block is at most `budget.chars` long, hot bodies and the session's texts
    apart; a budget too small for anything shows neither lines nor hits.
    """
    hot, cut = _hot(view)
    usable = [hit for hit in hits if not hit.fragment.hot and hit.fragment.path not in view.overridden]
    fixed = len(_render(layout, view, usable, (), NO_SESSION, now))
    while usable and fixed > budget.chars:
        usable.pop()
        fixed = len(_render(layout, view, usable, (), NO_SESSION, now))

    def price(one: Fragment) -> Price:
        return layout.price(one, now)

    room = Budget(budget.chars - fixed, budget.entries)
    chosen = select(view, [hit.fragment for hit in usable], room, price, now)
    told = receipt(view, hot, usable, chosen, cut, now)._replace(beside=session.told)
    if not (hot or usable or chosen.shown or any(session)):
        return Block("", told)
    parts = Parts(hot, usable, chosen.shown, session, view.conflicts, summary(told), now)
    return Block(layout.put_together(parts), told)


def _render(
    layout: Layout, view: View, hits: "Sequence[Hit]", hot: "Sequence[Fragment]", session: Session, now: float
) -> str:
    """The block without lines, its receipt as long as it can get."""
    empty = receipt(view, hot, hits, Chosen((), ()), (), now)
    longest = len(summary(empty)) + 3 * len(str(empty.total))
    return layout.put_together(Parts(hot, hits, (), session, view.conflicts, "x" * longest, now))


def _hot(view: View) -> tuple[list[Fragment], list[Fragment]]:
    """Hot ones in the order of their paths, those without room for their bodies as lines; and those without
    room even for that, for somebody may pin a thousand."""
    shown: list[Fragment] = []
    room = HOT_CHARS
    for one in view.hot:
        room -= _line_chars(one)
        if room < 0:
            break
        shown.append(one)
    cut = list(view.hot[len(shown) :])
    room = HOT_CHARS - sum(map(_line_chars, shown))
    for at, one in enumerate(shown):
        if len(one.body) <= room:
            room -= len(one.body)
        else:
            shown[at] = one._replace(body="", hot=0, more=1)
    return shown, cut


def _line_chars(one: Fragment) -> int:
    return len(one.line) + len(one.path)
