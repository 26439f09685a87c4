"""Topics beside what they are about: the projects, or the memories of one, and what ties those together.

A topic is a word that several descriptions share. Each is chosen for the memories that no topic before it
has, so a few tell of most. All stands in rows: the same store gives the same page.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from siltstone.pipeline.words import counted
from siltstone.store.conflicts import Section
from siltstone.store.entry import GLOBAL, Stored, links
from siltstone.store.names import names_of
from siltstone.store.ranking import COMMON, ENOUGH, STOP_WORDS
from siltstone.store.words import query_words, stemmed
from siltstone.ui.show import address

MOST_TOPICS, MOST_ROWS = 24, 120
MOST_OF_TOPIC = 5
"""Memories that are shown of a topic where there are more than `MOST_ROWS` in all."""
LEAST = 2
"""Memories that share a word which is a topic."""
USUAL = 3
"""A word that one of so many memories has tells nothing apart, where these are `ENOUGH`."""
STRONGEST = 2
"""Lines of a row, and of a topic, that are always drawn; the others when one of the two is pointed at."""
_LISTED = Path(__file__).with_name("no_topics.txt").read_text("utf-8").splitlines()
NO_TOPICS = COMMON | {stemmed(word) for row in _LISTED if not row.startswith("#") for word in row.split()}
UNIT = 10
"""Height of a row in a drawing."""
TOLD = {"link": "links to", "replaced": "replaced", "contradiction": "contradicts"}
BACK = {"link": "linked from", "replaced": "replaced by", "contradiction": "contradicts"}
"""The same said of the other memory."""


class Tie(NamedTuple):
    """Two memories, by path, that belong together, and how (`TOLD`)."""

    kind: str
    one: str
    other: str


class Topic(NamedTuple):
    stem: str
    label: str
    of: frozenset[str]
    """Paths of the memories that have the word."""


class Mark(NamedTuple):
    """What is drawn from a row to another."""

    kind: str
    """Its class."""
    path: str
    """As SVG has it."""
    told: str
    """The same in words."""


class Row(NamedTuple):
    """A row of a column; one without a label is left free."""

    label: str = ""
    address: str = ""
    about: str = ""
    is_old: bool = False
    lines: Sequence[Mark] = ()
    """To rows of the other column."""
    arcs: Sequence[Mark] = ()
    """To rows of its own."""


def ties(memories: Collection[Stored], conflicts: Iterable[Section]) -> Iterator[Tie]:
    """What memories say of one another, and what contradicts."""
    named = {(x.entry.scope, name): x.path for x in memories if not x.archived for name in names_of(x.path)}
    for one in memories:
        for name in sorted(links(one.entry.body)):
            other = named.get((one.entry.scope, name)) or named.get((GLOBAL, name))
            if other and other != one.path:
                yield Tie("link", one.path, other)
        if one.entry.superseded_by:
            yield Tie("replaced", one.entry.superseded_by, one.path)
    yield from (Tie("contradiction", *(side.path for side in section.sides)) for section in conflicts)


def stems(one: Stored) -> dict[str, str]:
    """The words that say what a memory is about, by their stems; its project's name is none."""
    found = {stemmed(word): word for word in query_words(one.entry.description)}
    own = {stemmed(word) for word in query_words(one.entry.scope)}
    telling = {
        stem: word
        for stem, word in found.items()
        if len(word) > (2 if word.isascii() else 1) and not word.isdigit() and not word.endswith("*")
        if {stem, word}.isdisjoint(STOP_WORDS) and stem not in NO_TOPICS and stem not in own
    }
    return telling | ({one.entry.topic: one.entry.topic} if one.entry.topic else {})


def topics(memories: Collection[Stored]) -> list[Topic]:
    """The words that tell most of what memories are about; those of several projects weigh more."""
    held, said = defaultdict[str, set[str]](set), defaultdict[str, Counter[str]](Counter)
    for one in memories:
        for stem, word in stems(one).items():
            held[stem].add(one.path)
            said[stem][word] += 1
    most = len(memories) / USUAL if len(memories) >= ENOUGH else len(memories) - 1
    known = {stem: of for stem, of in held.items() if LEAST <= len(of) <= most}
    scopes = {one.path: one.entry.scope for one in memories}
    spread = {stem: len({scopes[path] for path in of}) for stem, of in known.items()}
    found, left = list[Topic](), set(scopes)

    def worth(stem: str) -> tuple[int, int, str]:
        return len(known[stem] & left) * spread[stem], len(known[stem]), stem

    while known and len(found) < MOST_TOPICS:
        best = max(known, key=worth)
        if len(known[best] & left) < LEAST:
            break
        alike = [stem for stem, of in known.items() if of == known[best]]
        label = " ".join(said[stem].most_common(1)[0][0] for stem in alike[:3])
        found.append(Topic(best, label, frozenset(known[best])))
        left -= known[best]
        for stem in alike:
            del known[stem]
    return found


def of_projects(memories: Collection[Stored], told: Iterable[Tie]) -> list[list[Row]]:
    """Two columns: topics, and the projects that have memories of them."""
    place = {one.path: one.entry.scope for one in memories}
    counts = Counter(place.values()).most_common(MOST_ROWS)
    order = {scope: n for n, (scope, _) in enumerate(counts)}
    known = topics(memories)
    # Each topic near its projects, so that few lines cross.
    known.sort(key=lambda one: sum(order.get(place[path], 0) for path in one.of) / len(one.of))
    height = max(len(known), len(counts))

    def spread(n: int, of: int) -> int:
        return (2 * n + 1) * height // (2 * of)

    rows = {
        scope: (
            spread(n, len(counts)),
            Row(scope.removeprefix("projects/"), address("/graph", scope=scope), counted(count, "memory")),
        )
        for n, (scope, count) in enumerate(counts)
    }
    return _drawn({spread(n, len(known)): one for n, one in enumerate(known)}, rows, place, told, {})


def of_memories(
    memories: Collection[Stored],
    old: Collection[Stored],
    told: Collection[Tie],
    about: Callable[[Stored], str],
    within: Mapping[str, str],
) -> list[list[Row]]:
    """Two columns: topics, and their memories, each below the first topic that it has, and below it what it
    replaced. `within`: of the addresses of topics, the fields that stay."""
    tied = {path for tie in told for path in (tie.one, tie.other)}
    most = len(memories) if len(memories) <= MOST_ROWS else MOST_OF_TOPIC
    left, rows = dict[int, Topic](), dict[str, tuple[int, Row]]()
    rest = sorted(memories, key=lambda one: (one.path in tied, one.entry.updated, one.path), reverse=True)
    for topic in (*topics(memories), None):
        mine = [one for one in rest if topic is None or one.path in topic.of]
        rest = [one for one in rest if topic is not None and one.path not in topic.of]
        page = address("/graph", **within, topic=topic.stem) if topic else "/memories"
        if topic is not None:
            left[len(rows)] = topic
        shown = {one.path for one in mine[:most]}
        for first in mine[:most]:
            for one in (first, *(x for x in old if x.entry.superseded_by == first.path)):
                row = Row(one.entry.description, address("/memory", path=one.path), about(one), one.archived)
                rows[one.path] = len(rows), row
        if len(mine) > len(shown):
            rows[page] = len(rows), Row(f"{len(mine) - len(shown):,} more", page)
    return _drawn(left, rows, {path: path for path in rows}, told, within)


def _drawn(
    left: Mapping[int, Topic],
    rows: Mapping[str, tuple[int, Row]],
    place: Mapping[str, str],
    told: Iterable[Tie],
    within: Mapping[str, str],
) -> list[list[Row]]:
    """The columns, with what is drawn between them. `place`: by path of a memory the name of its row."""
    height = max([*left, *(at for at, _ in rows.values())], default=-1) + 1
    of, lines, arcs = (defaultdict[int, list[Mark]](list) for _ in range(3))
    joins = sorted(
        (-count, at, rows[name][0])
        for at, topic in left.items()
        for name, count in Counter(place[path] for path in topic.of if place.get(path) in rows).items()
    )
    for count, at, to in joins:
        wide = 1 + 3 * (count + 1) // min(joins[0][0] + 1, -1)
        strong = min(len(of[at]), len(lines[to])) < STRONGEST
        path = f"M0 {_middle(at)}C50 {_middle(at)} 50 {_middle(to)} 100 {_middle(to)}"
        mark = Mark(f"w{wide}" if strong else "faint", path, left[at].label)
        of[at].append(mark)
        lines[to].append(mark)
    named = {(tie.kind, place.get(tie.one, ""), place.get(tie.other, "")) for tie in told}
    drawn = sorted(tie for tie in named if {*tie[1:]} <= rows.keys() and tie[1] != tie[2])
    far = max((abs(rows[one][0] - rows[two][0]) for _, one, two in drawn), default=1)
    for kind, *pair in drawn:
        (start, one), (end, two) = (rows[name] for name in pair)
        deep = 10 + 40 * abs(start - end) // far  # so that arcs lie within one another
        path = f"M0 {_middle(start)}C{deep} {_middle(start)} {deep} {_middle(end)} 0 {_middle(end)}"
        arcs[start].append(Mark(kind, path, f"{TOLD[kind]} {two.label}"))
        arcs[end].append(Mark(kind, path, f"{BACK[kind]} {one.label}"))
    known = {
        at: Row(
            one.label,
            address("/graph", **within, topic=one.stem),
            counted(len(one.of), "memory"),
            lines=of[at],
        )
        for at, one in left.items()
    }
    some = {at: row._replace(lines=lines[at], arcs=arcs[at]) for at, row in rows.values()}
    return [[column.get(at, Row()) for at in range(height)] for column in (known, some)]


def _middle(row: int) -> int:
    return (2 * row + 1) * UNIT // 2
