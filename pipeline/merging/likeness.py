"""How alike two texts are: the same claim, or about the same thing.

Cheap: a paraphrase is missed, and compaction's model finds it. What is found must be right nearly always,
because merging follows from it, and no model is asked. Which memories of a scope may be about one thing is
found by the rare words they share, near linear: each is compared with its few best neighbours alone.
"""

import heapq
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, product

from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.rules.language import ASIAN, LATIN, language_of, others, phrases_of, spoken
from siltstone.pipeline.words import asian, patterns, word_lists
from siltstone.store.entry import Stored

MAX_CHARS = 20_000
"""Longer texts are compared by their beginning."""
MAX_STATEMENTS, MAX_CLAUSES, MAX_TOKENS = 40, 40, 80
COMMON = 24
"""A word that more entries of a scope hold says nothing about them."""
RARE_WORDS = 6
NEIGHBOURS = 4
NEAREST = 24
"""Neighbours of one entry, where only that entry is looked at."""

CJK = r"\u3040-\u9fff\uac00-\ud7af"
SENTENCE_END = r"[.!?;](?=\s|$)|[。\n]"
COMMA = r",(?=\s|$)|、"
DASH = r"\s[—–-]\s"
"""Where folded text is cut: `fold` has made the full-width marks narrow."""
AS_LETTERS = str.maketrans("0123456789", "klmnopqrst")
"""A number in a path, an address or a name belongs to that."""
_WORDS = word_lists(__file__, "words")
_CODES = (*LATIN, *others(), *ASIAN)
NEGATIONS = phrases_of("negations", *_CODES)
"""Words that say no in one of the languages, and are no other words in another."""

_WORD = re.compile(
    rf"[{CJK}]+|[0-9]+(?:[.,:/-][0-9]+)*|[a-z\u00c0-\u1fff_]+(?:[.'-][a-z0-9\u00c0-\u1fff_]+)*"
)
_TOKEN = re.compile(rf",|[{CJK}]|(?:(?![{CJK}])[^\s,]|,(?=[0-9]))+")
_AROUND = "\"'“”‘’()[]{}«»「」『』.!?;:…"
_SENTENCE_END = re.compile(SENTENCE_END)
_STATEMENT_END = re.compile(rf"{SENTENCE_END}|:(?=\s|$)|[!?;:](?=[{CJK}])|{DASH}")
_CLAUSE_END = re.compile(rf"{COMMA}|{DASH}|\s(?=(?:{'|'.join(_WORDS['reasons'])})\b)")
_SAYS_NO = [re.compile(one.says_no) for one in spoken(*_CODES) if one.says_no]
_NO_NO = re.compile("|".join(one.no_no for one in spoken(*_CODES) if one.no_no))
_PORTUGUESE = patterns(__file__)["portuguese"]
_NUMBER = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*")

_Words = tuple[str, ...]


@lru_cache(maxsize=65_536)
def content(text: str) -> frozenset[str]:
    """The words of a text that carry meaning: folded, without filler and endings; CJK in pairs."""
    found: set[str] = set()
    for token in _WORD.findall(fold(text)):
        if asian(token[0]):
            found.update(token[i : i + 2] for i in range(max(len(token) - 1, 1)))
        elif token not in _WORDS["stop"]:
            found.add(stem(token))
    return frozenset(found)


def same_claim(one: str, other: str) -> bool:
    """Two texts about one URL or path say the same: beside it, one of them adds nothing.

    "config/app.yml holds the limits" and "never edit config/app.yml by hand" share a path and are two
    facts, which docs/seeds.md's Source would make one.
    """
    if not _comparable(one, other) or (lost(one, other) and lost(other, one)) or swapped(one, other):
        return False
    mine, yours = content(one) - _WORDS["pointing"], content(other) - _WORDS["pointing"]
    more = max(len(mine - yours), len(yours - mine))
    return (mine <= yours or yours <= mine) and more <= max(2, len(mine & yours))


def near(one: str, other: str) -> bool:
    """Two texts that very likely state one fact: most words shared, the same numbers, both yes or both no.

    Never enough to merge by itself (docs/architecture.md); enough to believe that something the
    user deleted has come back, or that an inbox item was seen again.
    """
    mine, yours = content(one), content(other)
    shared = len(mine & yours)
    alike = shared >= 2 and shared >= 0.6 * len(mine | yours) and _comparable(one, other)
    return (alike or canonical(one) == canonical(other)) and not swapped(one, other)


def swapped(one: str, other: str) -> bool:
    """Whether a statement of one text is one of the other with two of its parts exchanged. Symmetric.

    "use npm, not pnpm" and "use pnpm, not npm", "port 80 goes to 8080" and "port 8080 goes to 80": the
    same words in other roles, which no comparison of word sets tells apart, and a contradiction. Parts
    that stand on either side of "and", "is" or a comma may change places.
    """
    return any(_exchanged(a, b) for a, b in product(_statements(one), _statements(other)))


def repeats(new: str, old: str) -> bool:
    """Whether a text says again what is known: the known text holds every clause of the new one, under no
    bound that the new one lacks.

    No share of words decides it: "the API of codex listens on port 7100" differs from what is known of claude
    in one word, which is the fact. The words of a clause are the same up to their endings, in any order that
    leaves their roles alone. A paraphrase that brings a word of its own becomes a memory beside the other
    (compaction joins them).
    """
    mine = [clause for sentence in _clauses(new) for clause in sentence]
    if not mine or lost(new, old) or swapped(new, old):
        return False
    free: list[_Words] = []
    for sentence in _clauses(old):
        bounds = (clause for clause in sentence if clause[0] in _WORDS["bounds"])
        if all(any(_same_words(bound, clause) for clause in mine) for bound in bounds):
            free += sentence
    return all(any(_same_words(clause, known) for known in free) for clause in mine)


@lru_cache(maxsize=16_384)
def negated(text: str) -> bool:
    """Whether a text says no anywhere."""
    folded = _NO_NO.sub(" ", fold(text))
    words = {*_WORD.findall(folded)}
    found = words & NEGATIONS - ({"no"} if "no" in words and _PORTUGUESE.search(folded) else set())
    spanish = "sin" in words and "cos" not in words and language_of(folded) != "en"
    return bool(found or spanish) or any(one.search(folded) for one in _SAYS_NO)


@lru_cache(maxsize=16_384)
def fold(text: str) -> str:
    """NFKC and lower case, without code and emphasis marks."""
    folded = unicodedata.normalize("NFKC", text[:MAX_CHARS]).lower().replace("’", "'")
    return folded.replace("*", "").replace("`", "")


def stem(token: str) -> str:
    """Endings cut, so that hosting, hosted, hosts and host are one."""
    for ending in ("ing", "ed", "s"):
        if token.endswith(ending) and len(token) - len(ending) >= 3 and not token.endswith("ss"):
            token = token.removesuffix(ending)
            break
    return token.removesuffix("e") if len(token) > 3 else token


@lru_cache(maxsize=65_536)
def _bases(word: str) -> frozenset[str]:
    """The words that one may be a form of: "stores" and "stored" share one, "pip" and "pipe" do not."""
    bare = next((word.removesuffix(end) for end in ("ing", "ed", "s") if word.endswith(end)), word)
    if len(bare) < 3 or word.endswith("ss"):
        return frozenset({word})
    return frozenset({word, bare} if word.endswith("s") or bare == word else {word, bare, f"{bare}e"})


def _same_words(one: _Words, other: _Words) -> bool:
    """Whether two clauses have the same words, up to their endings."""
    if {stem(word) for word in one} != {stem(word) for word in other}:
        return False
    mine, yours = (frozenset[str]().union(*map(_bases, words)) for words in (one, other))
    return not any(_bases(word).isdisjoint(yours) for word in one) and not any(
        _bases(word).isdisjoint(mine) for word in other
    )


def _comparable(one: str, other: str) -> bool:
    """Whether both say yes or both no, with the same numbers."""
    numbers = [set(_NUMBER.findall(fold(text))) for text in (one, other)]
    return negated(one) == negated(other) and numbers[0] == numbers[1]


def _exchanged(one: _Words, other: _Words) -> bool:
    """A X B Y C against A Y B X C, where B does not read both ways."""
    if one == other or len(one) != len(other) or sorted(one) != sorted(other):
        return False
    start = next(i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
    end = next(i for i, (a, b) in enumerate(zip(one[::-1], other[::-1], strict=True)) if a != b)
    mine, yours = one[start : len(one) - end], other[start : len(one) - end]
    size = len(mine)
    before = (x for x in range(1, size - 1) if mine[:x] == yours[size - x :])
    behind = [y for y in range(1, size - 1) if mine[size - y :] == yours[:y]]
    for x, y in product(before, behind):
        between = mine[x : size - y]
        if between and between == yours[y : size - x]:
            return not {between[0], between[-1]} <= _WORDS["both_ways"]
    return False


@lru_cache(maxsize=16_384)
def _statements(text: str) -> tuple[_Words, ...]:
    """The sentences of a text as words in order: stemmed, commas kept, filler and openers left out."""
    found: list[_Words] = []
    for sentence in _STATEMENT_END.split(fold(text))[:MAX_STATEMENTS]:
        statement = [stem(word) for word in _tokens(sentence) if word not in _WORDS["filler"]]
        if statement[:2] == ["from", "on"]:  # "from now on"
            del statement[:2]
        while statement and (statement[0] in _WORDS["openers"] or statement[0] == ","):
            del statement[0]
        while statement and statement[-1] == ",":
            del statement[-1]
        found.append(tuple(statement[:MAX_TOKENS]))
    return tuple(dict.fromkeys(one for one in found if one))


@lru_cache(maxsize=16_384)
def _clauses(text: str) -> tuple[list[_Words], ...]:
    """The clauses of each sentence: their words in order, without those that add nothing."""
    found: list[list[_Words]] = []
    for sentence in _SENTENCE_END.split(fold(text))[:MAX_STATEMENTS]:
        parts = _CLAUSE_END.split(sentence)[:MAX_CLAUSES]
        spoken = [[word for word in _tokens(part) if word != ","][:MAX_TOKENS] for part in parts]
        told = [words for words in spoken if not _WORDS["asides"].issuperset(words)]
        bare = (tuple(word for word in words if word not in _WORDS["bare"]) for words in told)
        found.append([clause for clause in bare if clause])
    return tuple(filter(None, found))


def _tokens(folded: str) -> list[str]:
    """The words of a folded text in order, each with its marks ("c++", "src/app"); CJK letter by letter."""
    found = (word.strip(_AROUND) for word in _TOKEN.findall(folded.replace("、", ",")))
    return [word for word in found if word]


def related(ordered: Sequence[Stored]) -> list[tuple[int, int]]:
    """Pairs of positions that may be related, the most alike first: each entry with its few best."""
    bags = [content(s.entry.claim) for s in ordered]
    count = Counter(word for bag in bags for word in bag)
    holders: dict[str, list[int]] = defaultdict(list)
    rarest: list[list[str]] = []
    for position, bag in enumerate(bags):
        shared = [word for word in bag if 2 <= count[word] <= COMMON]
        rarest.append(sorted(shared, key=lambda word: (count[word], word))[:RARE_WORDS])
        for word in rarest[-1]:
            holders[word].append(position)
    pairs: dict[tuple[int, int], float] = {}
    for position, bag in enumerate(bags):
        scores = Counter(other for word in rarest[position] for other in holders[word])
        del scores[position]
        best = sorted(scores, key=lambda other: (-scores[other], other))[:NEIGHBOURS]
        for other in best:
            alike = _alike(bag, bags[other], count)
            pairs[min(position, other), max(position, other)] = alike
    return [pair for pair, _ in sorted(pairs.items(), key=lambda item: (-item[1], item[0]))]


def _alike(one: frozenset[str], other: frozenset[str], count: Counter[str]) -> float:
    return sum(1 / count[word] for word in one & other) / (1 + min(len(one), len(other)))


def nearest(text: str, texts: Sequence[str]) -> list[int]:
    """Positions of the texts that are most like one, the most alike first."""
    bag = content(text)
    # The words of a bag occur in the text as they are, so most texts need not be cut into words.
    hint = re.compile("|".join(map(re.escape, sorted(bag))))
    bags = {n: content(other) for n, other in enumerate(texts) if bag and hint.search(fold(other))}
    count = Counter(chain.from_iterable(map(bag.intersection, bags.values())))
    scores = {n: alike for n, other in bags.items() if (alike := _alike(bag, other, count))}
    return heapq.nsmallest(NEAREST, scores, key=lambda n: (-scores[n], n))
