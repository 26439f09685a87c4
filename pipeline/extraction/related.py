"""Which stored memories the model sees beside a window (docs/architecture.md; C14).

First the memories that were saved from the window's own messages, so that they are not proposed again. Then
the few best matches with their bodies, then index lines: unrelated memories cost tokens in every window. The
model sees numbers; code keeps the paths (invariant 5).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Literal

from siltstone.pipeline.candidate import RelatedEntry
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.store.entry import GLOBAL, HEARD, Entry, Evidence, Stored
from siltstone.store.ranking import Hit

BODY_CHARS = 6_000
MOST = 5
"""Memories shown beside those saved from the window; twice as many where each is the best match of a text."""
LINE_CHARS = 24
"""Characters of an entry's number, type and marks."""
WHOLE_BODY = 3_000
"""A longer body is shown as an index line: half of it would invite an update that loses the rest."""
QUERY_CHARS = 300
"""Shorter texts are looked up together: "yes, do that" finds nothing by itself."""
HITS_A_QUERY = 8
_FUSION = 5
"""Damps the first ranks when the hits of several queries are merged."""


Query = Callable[[str, Collection[str], int], Sequence[Hit]]
"""`store.search.Search.query`: text, scopes and limit; the best hit first."""


def related(window: Window, stored: Iterable[Stored], query: Query) -> tuple[RelatedEntry, ...]:
    """The memories to show, numbered from 1, without archived ones and those of other projects."""
    scopes = {window.scope, GLOBAL}
    known = {one.path: one for one in stored if one.entry.scope in scopes and not one.archived}
    if not known:
        return ()
    saved = _saved(window, known.values())
    others = known.keys() - saved.keys()
    ranked = _ranked(window, query, scopes, others)
    rest = others - set(ranked)
    newest_first = sorted(rest, key=lambda path: (-known[path].entry.updated.timestamp(), path))
    taken = sum(_chars(known[path].entry) for path in saved)
    bodies: list[str] = []
    lines: list[str] = []
    for path in ranked:
        chars = _chars(known[path].entry)
        fits = len(known[path].entry.body) <= WHOLE_BODY and taken + chars <= BODY_CHARS
        taken += chars if fits else 0
        (bodies if fits else lines).append(path)
    whole = [*saved, *bodies]
    room = max(MOST - len(bodies), 0)
    shown: list[RelatedEntry] = []
    for number, path in enumerate([*whole, *[*lines, *newest_first][:room]], 1):
        entry = known[path].entry
        body = entry.body if number <= len(whole) else ""
        scope: Literal["global", "project"] = "global" if entry.scope == GLOBAL else "project"
        told = entry.type, entry.name, entry.description, body, saved.get(path), scope, path
        shown.append(RelatedEntry(number, *told))
    return tuple(shown)


def _chars(entry: Entry) -> int:
    return len(entry.body) + len(entry.description) + LINE_CHARS


def _saved(window: Window, stored: Iterable[Stored]) -> dict[str, int]:
    """Paths of the entries with evidence in the window, with the first such message's number."""
    sessions = {(shown.session.agent, shown.session.id) for shown in window.shown}
    found: dict[str, int] = {}
    for one in stored:
        proofs = [proof for proof in one.entry.evidence if (proof.agent, proof.session) in sessions]
        numbers = [shown.n for proof in proofs for shown in window.shown if _holds(shown, proof)]
        if numbers:
            found[one.path] = min(numbers)
    return dict(sorted(found.items(), key=lambda item: (item[1], item[0])))


def _holds(shown: Shown, proof: Evidence) -> bool:
    """Whether a message is what an entry was saved from. A hook's evidence is found by its words."""
    message = shown.message
    if (shown.session.agent, shown.session.id) != (proof.agent, proof.session):
        return False
    if proof.message.startswith(HEARD):
        return message.role == "user" and proof.quote in message.text
    return proof.message == message.id


def _ranked(window: Window, query: Query, scopes: Collection[str], among: Collection[str]) -> list[str]:
    """Paths of what the window's texts find, merged by rank: scores of two queries do not compare."""
    scores: dict[str, float] = defaultdict(float)
    best = set[str]()
    for text in _texts(window):
        hits = [hit.path for hit in query(text, scopes, HITS_A_QUERY) if hit.path in among]
        best.update(hits[:1])
        for rank, path in enumerate(hits):
            scores[path] += 1 / (_FUSION + rank)
    ranked = sorted(scores, key=lambda path: (-scores[path], path))[: 2 * MOST]
    return [path for place, path in enumerate(ranked) if place < MOST or path in best]


def _texts(window: Window) -> Iterator[str]:
    """What was typed, and the final answers it may agree with, in pieces worth looking up."""
    piece = ""
    for shown in window.shown:
        if shown.message.role == "user" or shown.message.final:
            piece = f"{piece}\n{shown.message.text}".strip()
        if len(piece) >= QUERY_CHARS:
            yield piece
            piece = ""
    if piece:
        yield piece
