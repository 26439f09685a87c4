"""Which memories fit a text, the best first: the one ranking of commands, hooks and tools (docs/recall.md).

    score = sum of the weights of the text's words that a memory holds: in full where its name or
            description holds the word, four fifths where only its body does

A word's weight is its rarity. Of two memories with the same score the newer one is first; age has no other
say. `Hit.percent` is the score as a share of what the text asks for: that figure means the same for any text.
"""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2
from pathlib import Path
from typing import NamedTuple

from siltstone.store.words import query_words, stemmed


def _listed(file: str) -> list[str]:
    rows = Path(__file__).with_name(file).read_text("utf-8").splitlines()
    return [word for row in rows if not row.startswith("#") for word in row.split()]


STOP_WORDS = frozenset(_listed("stop_words.txt"))
COMMON = frozenset(map(stemmed, _listed("common_words.txt")))
"""Stems that say little about a subject."""
BODY = 0.8
FAINT = 0.4
"""The weight of a common word, as a share of another one's as rare."""
ASKED = 2.4
"""A text of up to `SHORT` words asks for no more than so many of the rarest words."""
LEAST = 0.85
"""One of common words alone asks for no less."""
SHORT = 12
ENOUGH = 20
"""Size of a store from which a word can be called common in it."""
MAX_TERMS = 24
"""Words of a long text that count: the rarest that any memory holds."""
_AT_ENDS, _LONGEST = 20, 40
"""Those are chosen among so many words at either end, and so many of the longest."""
CANDIDATES = 40
RAREST = 12
"""Number of words, the rarest, by which candidates are looked up."""
MAX_AT_ONCE = 16
"""More words than these are not looked for all at once: it takes a millisecond to find none."""
MAX_RANKED = 1_000
"""The second round looks at about so many entries at most: a word that half of them hold costs time
and says little. Ranking a thousand takes 2 ms."""
MAX_ROWS = 2_000
"""Entries that hold one of several words are counted no further than this."""
MIN_FORM, MAX_FORM = 5, 30
"""Letters of a word in whose place another may stand."""
MIN_MISTYPED = 6
"""Letters of a word whose typing error is looked for."""
MAX_MISTYPED = 3
"""Words of one text, the longest, whose typing error is looked for: each takes a millisecond."""
MAX_FORMS = 8
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

_MATCH = """
select best.id, best.path, best.clock, word.name || ' ' || word.description, word.body
from (select doc.id, doc.path, doc.clock from word join doc on doc.id = word.rowid where word match ?{scopes}
      order by bm25(word, 3.0, 2.0, 1.0), doc.clock desc, doc.path limit ?) as best
join word on word.rowid = best.id
"""
"""The texts are read of the best alone: a word may stand in half of all entries."""
_COUNTS = "select word, entries from spread where word in ({words})"
_BEGIN = "select word, entries from spread where word > ? and word < ? order by entries desc, word limit ?"


class Hit(NamedTuple):
    """An entry found."""

    path: str
    percent: int
    """0 to 100: how much of what the text asks for the entry holds."""


class _Term(NamedTuple):
    """A word of a text as it is looked up."""

    forms: tuple[str, ...]
    """The words of memories that stand for it; with `*`, every word that begins so."""
    memories: int
    """Number of memories that hold one of them."""
    weight: float

    @property
    def match(self) -> str:
        """The forms as an FTS5 expression."""
        return f"({' OR '.join(map(quoted, self.forms))})"

    def held_by(self, words: Collection[str]) -> bool:
        return any(
            any(word.startswith(form[:-1]) for word in words) if form.endswith("*") else form in words
            for form in self.forms
        )


class _Candidate(NamedTuple):
    path: str
    clock: float
    head: frozenset[str]
    body: frozenset[str]


def significant_words(text: str) -> dict[str, str]:
    """The stems of a text that say something about its subject, in order, each with a word that has it."""
    bare = (word for word in query_words(text) if len(word) > 1 or not word.isascii())
    stems = {stemmed(word): word.rstrip("*") for word in bare}
    return {stem: word for stem, word in stems.items() if STOP_WORDS.isdisjoint((stem, word))}


def ranked(
    db: sqlite3.Connection,
    asked: Mapping[str, str],
    scopes: Collection[str] | None,
    limit: int,
    beside: Collection[str] = (),
) -> list[Hit]:
    """The best entries for a text in `scopes` (None: in all), without the paths `beside`.

    `asked`: its stems, as `significant_words` tells them.
    """
    total = int(db.execute("select count(*) from word_docsize").fetchone()[0])
    terms = _terms(db, asked, total)
    whole = sum(term.weight for term in terms)
    most = ASKED * (1 + log2(max(len(asked) / SHORT, 1)) / 3)
    least = LEAST if all(map(_says_little, asked)) else 0.0
    wanted = max(min(whole, most * _weight(1, total)), least * _weight(1, total))
    scored = []
    for one in _candidates(db, terms, scopes, max(limit, CANDIDATES) + len(beside)):
        if one.path in beside:
            continue
        in_head = [term.weight for term in terms if term.held_by(one.head)]
        in_body = [term.weight for term in terms if term.held_by(one.body) and not term.held_by(one.head)]
        score = round(sum(in_head) + BODY * sum(in_body), 6)
        scored.append((-score, -one.clock, one.path))
    return [
        Hit(path, min(round(-100 * score / wanted), 100) if wanted else 0)
        for score, _, path in sorted(scored)[:limit]
    ]


def counts(db: sqlite3.Connection, words: Collection[str]) -> dict[str, int]:
    """In how many entries each word stands, or with `*` one that it begins.

    From a table of our own: FTS5 goes through all entries of a word to count them, and a look-up takes it
    0.04 ms.
    """
    whole = [word for word in words if not word.endswith("*")]
    found = dict(db.execute(_COUNTS.format(words=", ".join("?" * len(whole))), whole).fetchall())
    found |= {word: _count(db, quoted(word)) for word in words if word.endswith("*")}
    return {word: found.get(word, 0) for word in words}


def _count(db: sqlite3.Connection, match: str) -> int:
    """How many entries there are for an FTS5 expression; `MAX_ROWS + 1` for any number above that."""
    look = "select count(*) from (select 1 from word where word match ? limit ?)"
    return int(db.execute(look, (match, MAX_ROWS + 1)).fetchone()[0])


def _terms(db: sqlite3.Connection, typed: Mapping[str, str], total: int) -> list[_Term]:
    asked = list(typed)
    if len(asked) > MAX_TERMS:
        longest = sorted(asked, key=lambda word: -len(word))[:_LONGEST]
        some = list(dict.fromkeys((*asked[:_AT_ENDS], *asked[-_AT_ENDS:], *longest)))
        counted = counts(db, some)
        asked = sorted(some, key=lambda word: (not counted[word], counted[word], -len(word)))[:MAX_TERMS]
    counted = counts(db, asked)
    unknown = sorted((word for word in asked if not counted[word]), key=len, reverse=True)
    instead = {
        word: _instead(db, word, typed[word] if n < MAX_MISTYPED else "") for n, word in enumerate(unknown)
    }
    terms = []
    for word in asked:
        forms = instead.get(word) or (word,)
        memories = counted[word] or sum(counts(db, forms).values())
        if len(forms) > 1:  # a memory may hold several
            memories = _count(db, _Term(forms, 0, 0.0).match)
        terms.append(_Term(forms, memories, weight_of(word, memories, total)))
    return terms


def _instead(db: sqlite3.Connection, word: str, typed: str) -> tuple[str, ...]:
    """Known stems for one in no memory: longer or shorter ones, or else what is one typing error away from
    the word that was `typed` ("" to look for none): a stem may be cut at the error."""
    if not (MIN_FORM <= max(len(word), len(typed)) <= MAX_FORM and word.isascii() and word.isalpha()):
        return ()
    # "typing" is looked for as "typ", with which "typescript" begins, too.
    is_long = len(word) >= MIN_FORM
    rows = db.execute(_BEGIN, (word, word + "\U0010ffff", MAX_FORMS)).fetchall() if is_long else []
    if longer := tuple(other for other, _ in rows):
        return longer
    shorter = counts(db, [word[:n] for n in range(MIN_FORM, len(word))])
    if begun := [other for other, count in shorter.items() if count]:
        return (begun[-1],)
    meant = sorted(set(map(stemmed, _one_edit(typed)))) if len(typed) >= MIN_MISTYPED else []
    near = counts(db, meant)
    return (max(near, key=lambda other: (near[other], other)),) if any(near.values()) else ()


def _one_edit(word: str) -> set[str]:
    """What a word may have been meant for: a letter left out, too many, another one, or two in turn."""
    cuts = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    swapped = {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    fewer = {a + b[1:] for a, b in cuts if b}
    other = {a + letter + b[1:] for a, b in cuts if b for letter in _LETTERS}
    more = {a + letter + b for a, b in cuts for letter in _LETTERS}
    return swapped | fewer | other | more


def weight_of(word: str, texts: int, total: int) -> float:
    """The weight of a stem that so many of all texts hold."""
    is_cjk = not word.isascii() and ord(word[0]) >= 0x3040
    return _weight(texts, total, is_cjk) * (FAINT if _says_little(word) else 1)


def _weight(memories: int, total: int, cjk: bool = False) -> float:
    """The weight of a word that so many of all memories hold.

    A word in no memory still says that the text is about something else: half as much as the rarest known
    word. An unknown CJK pair says much less, since half of all pairs are no words. A word in half of all
    memories weighs nothing, in a store large enough to tell.
    """
    if memories == 0:
        return log2(1 + total) / (8 if cjk else 2)
    if total >= ENOUGH and 2 * memories >= total:
        return 0.0
    return log2(1 + total / memories)


def _candidates(
    db: sqlite3.Connection, terms: Sequence[_Term], scopes: Collection[str] | None, limit: int
) -> Iterable[_Candidate]:
    """Entries with all of the terms, then those with some of the rarest, each once."""
    known = sorted((term for term in terms if term.memories), key=lambda term: (term.memories, term.forms))
    chosen, rows = known[:1], sum(term.memories for term in known[:1])
    for term in known[1:RAREST]:
        rows += term.memories
        if rows <= MAX_RANKED:
            chosen.append(term)
    asked = [" OR ".join(term.match for term in chosen)]
    if 1 < len(terms) <= MAX_AT_ONCE and len(known) == len(terms):
        asked.insert(0, " AND ".join(term.match for term in known))
    names = sorted(scopes) if scopes is not None else []
    where = "" if scopes is None else f" and doc.scope in ({', '.join('?' * len(names))})"
    found: dict[int, _Candidate] = {}
    for match in filter(None, asked):
        if len(found) == limit:
            break  # so many hold all of the words
        for id, path, clock, head, body in db.execute(_MATCH.format(scopes=where), (match, *names, limit)):
            found[id] = _Candidate(path, clock, frozenset(head.split()), frozenset(body.split()))
    return found.values()


def _says_little(word: str) -> bool:
    return word in COMMON or (len(word) < 3 and word.isdigit())


def quoted(word: str) -> str:
    """A word (`words.query_words`) as FTS5 wants it."""
    return f'"{word[:-1]}"*' if word.endswith("*") else f'"{word}"'
