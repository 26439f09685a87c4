"""Finding messages by their words: a few candidates out of the index, then exactly by their texts."""

import re
from collections.abc import Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from siltstone.store.ranking import quoted, significant_words, weight_of
from siltstone.store.session_archive.archive import Filter, Line, SessionArchive
from siltstone.store.words import query_words, stemmed, words

COUNTED = 2_000
"""Messages that hold a word are counted no further: such a word says little."""
RAREST = 6
"""So many of a question's words, the rarest, are looked for."""
TOGETHER = 3
"""So many of them are first looked for in one message."""
NEWEST = 500
"""Of each of them the newest messages, so many."""
CANDIDATES = 30
"""Messages whose texts are compared with the question; more where more are asked for."""
MAX_WORDS = 60
"""Of a longer question the longest words are looked up."""
SNIPPET_CHARS = 300
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


class Found(NamedTuple):
    line: Line
    share: float
    """The share of the question's words that the message holds, 0 to 1; rare words count more."""
    terms: tuple[str, ...]
    """The stems of the question that stand in it, the rarest first."""


def search(archive: SessionArchive, question: str, wanted: Filter, limit: int) -> list[Found]:
    """The messages that hold most of a question, the best first; of equals the newest."""
    asked = list(significant_words(question) or map(stemmed, query_words(question)))
    if len(asked) > MAX_WORDS:
        asked = sorted(asked, key=lambda word: (-len(word), word))[:MAX_WORDS]
    within = _within(archive, wanted)
    if not asked or within is None:
        return []
    total = _count(archive, "SELECT 1 FROM message", 4 * COUNTED)
    weights: dict[str, float] = {}
    known: list[str] = []
    for word in asked:
        count = _count(archive, "SELECT 1 FROM word WHERE word MATCH ?", COUNTED, quoted(word))
        weights[word] = weight_of(word, count, total)
        known += [word] if count else []
    rarest = sorted(known, key=lambda word: -weights[word])[:RAREST]
    scores: dict[int, float] = {}
    beside = ",".join(str(id) for one in wanted.but for id in archive.named(*one))
    ask = (
        "SELECT rowid FROM word WHERE word MATCH ? AND rowid >= ? AND rowid NOT IN "  # noqa: S608 (numbers)
        f"(SELECT id FROM message WHERE session IN ({beside})) ORDER BY rowid DESC LIMIT ?"
    )
    for some in ([rarest[:TOGETHER]] if len(known) > 1 else []) + [[word] for word in rarest]:
        match = within.format(" AND ".join(map(quoted, some)))
        weight = sum(weights[word] for word in some)
        for (id,) in archive.rows(ask, match, wanted.since, NEWEST):
            scores[id] = scores.get(id, 0.0) + weight
    best = [id for _, id in nlargest(max(CANDIDATES, limit), ((score, id) for id, score in scores.items()))]
    found = [_compared(one, weights) for one in archive.messages(best)]
    return sorted(found, key=lambda one: (-round(one.share, 2), -one.line.id))[:limit]


def snippet(text: str, terms: Sequence[str], most: int = SNIPPET_CHARS) -> str:
    """The sentences of a text that hold the most of the terms (the rarest first), on one line."""
    parts = [part for part in _BETWEEN_SENTENCES.split(text.strip()) if part]
    held = [{n for n, term in enumerate(terms) if term.rstrip("*") in part.lower()} for part in parts]
    best, chosen = -1.0, slice(0, 0)
    for start, _ in enumerate(parts):
        if any(held) and not held[start]:
            continue
        room, end, found = most, start, set[int]()
        while end < len(parts) and (end == start or len(parts[end]) < room):
            room -= len(parts[end]) + 1
            found |= held[end]
            end += 1
        if (worth := sum(1 / (n + 1) for n in found)) > best:
            best, chosen = worth, slice(start, end)
    told = " ".join(" ".join(parts[chosen]).split())
    if len(told) > most:  # one long sentence: from a little before its first term
        at = min((at for term in terms if (at := told.lower().find(term.rstrip("*"))) >= 0), default=0)
        begin = min(at - most // 4, len(told) - most) if at > most // 2 else 0
        begin = told.find(" ", begin - 1, at) + 1 or begin if begin else 0
        part = told[begin : begin + most]
        if begin + most < len(told):
            part = f"{part[: part.rfind(' ', most // 2)] if ' ' in part[most // 2 :] else part} …"
        told = f"{'… ' if begin else ''}{part}"
    return told


def _within(archive: SessionArchive, wanted: Filter) -> str | None:
    """A template that narrows an FTS5 expression to what is wanted; None where there is nothing of it."""
    narrow = []
    if wanted.agent is not None:
        if not wanted.agent.isalnum():
            return None
        narrow.append(f'"_a{wanted.agent}"')
    if wanted.scopes is not None:
        marks = ",".join("?" * len(wanted.scopes))
        scopes = archive.rows(f"SELECT id FROM scope WHERE name IN ({marks})", *wanted.scopes)  # noqa: S608
        if not scopes:
            return None
        narrow.append(f"({' OR '.join(f'_s{id}' for (id,) in scopes)})")
    within = " AND ".join((*narrow, "({})"))
    return within if wanted.tools else f"({within}) NOT _rtool"


def _count(archive: SessionArchive, rows: str, most: int, *values: object) -> int:
    """How many rows a query has, `most` for more."""
    return int(archive.rows(f"SELECT count(*) FROM ({rows} LIMIT {most})", *values)[0][0])  # noqa: S608


def _compared(line: Line, weights: Mapping[str, float]) -> Found:
    """A message with what it holds of a question."""
    said = set(map(stemmed, words(line.text)))
    held = [
        word
        for word in sorted(weights, key=lambda word: -weights[word])
        if word in said or (word.endswith("*") and any(one.startswith(word[:-1]) for one in said))
    ]
    share = sum(weights[word] for word in held) / (sum(weights.values()) or 1.0)
    return Found(line, share, tuple(held))
