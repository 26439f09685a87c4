"""Whether a text says again what is known: then the known one stands alone, and nothing is lost.

No share of words decides it: "the API of codex listens on port 7100" differs from what is known of claude
in one word, which is the fact. So every clause must stand among the known ones with all its words, and a
paraphrase that brings a word of its own becomes a memory beside the other (compaction joins them).
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.merging.likeness import COMMA, DASH, SENTENCE_END, fold, reordered, stem, tokens
from siltstone.pipeline.words import words

MAX_SENTENCES = 40
MAX_CLAUSES = 40
MAX_WORDS = 80

_SENTENCES = re.compile(SENTENCE_END)
_CLAUSES = re.compile(rf"{COMMA}|{DASH}")
_BARE = words(
    "a also an and are be but currently das der die do does el generally have is it it's its just la le now "
    "okay our please really remember so that the there these this those us we we're which"
)
"""Words without which a clause says the same; a person ("you"), a place ("in") or a bound ("only") is
none."""
_ASIDES = words("again always as before btw by ever i it more ok once said say so that the told way yes you")
"""A clause of these alone adds nothing: "by the way", "as I said before"."""
_BOUND = words(
    "after at before during except for if in inside on outside unless until when whenever while with within "
    "without"
)
"""A clause that begins so bounds the others of its sentence."""

_Clause = tuple[str, ...]


def repeats(new: str, old: str) -> bool:
    """Whether the old text holds every clause of the new one, under no bound that the new one lacks.

    The words of a clause are the same up to their endings, in any order that leaves their roles alone.
    """
    mine = [clause for sentence in _sentences(new) for clause in sentence]
    if not mine or lost(new, old) or reordered(new, old):
        return False
    free: list[_Clause] = []
    for sentence in _sentences(old):
        bounds = (clause for clause in sentence if clause[0] in _BOUND)
        if all(any(_same(bound, clause) for clause in mine) for bound in bounds):
            free += sentence
    return all(any(_same(clause, known) for known in free) for clause in mine)


@lru_cache(maxsize=16_384)
def _sentences(text: str) -> tuple[tuple[_Clause, ...], ...]:
    found = (tuple(_clauses(sentence)) for sentence in _SENTENCES.split(fold(text))[:MAX_SENTENCES])
    return tuple(sentence for sentence in found if sentence)


def _clauses(sentence: str) -> Iterator[_Clause]:
    for part in _CLAUSES.split(sentence)[:MAX_CLAUSES]:
        spoken = [word for word in tokens(part) if word != ","][:MAX_WORDS]
        clause = tuple(word for word in spoken if word not in _BARE)
        if clause and not _ASIDES.issuperset(spoken):
            yield clause


def _same(one: _Clause, other: _Clause) -> bool:
    if {stem(word) for word in one} != {stem(word) for word in other}:
        return False
    return all(any(_inflects(a, b) for b in other) for a in one) and all(
        any(_inflects(a, b) for a in one) for b in other
    )


def _inflects(one: str, other: str) -> bool:
    """Whether two words are forms of one: "stores", "stored", but not "pip" and "pipe"."""
    return one == other or not _bases(one).isdisjoint(_bases(other))


@lru_cache(maxsize=65_536)
def _bases(word: str) -> frozenset[str]:
    found = {word}
    for ending in ("ing", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            base = word.removesuffix(ending)
            found |= {base} if ending == "s" else {base, f"{base}e"}
    return frozenset(found)
