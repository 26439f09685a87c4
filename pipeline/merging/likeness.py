"""How alike two texts are: the same claim, or about the same thing.

Cheap: a paraphrase is missed, and compaction's model finds it. What is found must be right nearly always,
because merging follows from it without a model.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import product

from siltstone.pipeline.canonical import canonical, exact_key, identity_key
from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.words import asian, words
from siltstone.store.entry import Type

MAX_CHARS = 20_000
"""Longer texts are compared by their beginning."""

CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
WORD = re.compile(rf"[{CJK}]+|[0-9]+(?:[.,:/-][0-9]+)*|[a-z\u00c0-\u1fff_]+(?:[.'-][a-z0-9\u00c0-\u1fff_]+)*")
_STOP = words(
    "a all also an and any are as at be been by can do does every for from had has have i if in into is it "
    "its just me must my now of on only or our please should so than that the their them then there these "
    "they this those to too us was we were when where which will with you your"
)
_POINTING = words(
    "config configuration doc document documentation file folder found link live locat location page path "
    "project repo repository root see sit site stand under url workspac workspace"
)
"""Words that only say where a thing is: an identity adds them, a claim does not (docs/seeds.md Source)."""
NEGATIONS = words(
    "ain't aren't avoid can't cannot didn't doesn't doesnt don't dont isn't jamais kein keine neither never "
    "nicht nie no nobody non not nunca sans shouldn't stop without won't"
)
_FILLER = words("a always an currently das der die generally just my now our please the your")
"""Words without which a statement gives every thing the same part."""
_OPENERS = words("also and but i ok okay remember so then we you")
_BOTH_WAYS = words(", & + = and are be but equals et is or und was were y 与 及 和 或 是 と 와 과")
"""What stands between two things that may change places: "npm and yarn", "the host is the shop"."""
_REASONS = words("becaus porqu weil")
"""As `stem` cuts them."""
SENTENCE_END = r"[.!?;](?=\s|$)|[。\n]"
COMMA = r",(?=\s|$)|、"
DASH = r"\s[—–-]\s"
"""Where folded text is cut: `fold` has made the full-width marks narrow."""
_STATEMENT_END = re.compile(rf"{SENTENCE_END}|:(?=\s|$)|[!?;:](?=[{CJK}])|{DASH}")
_TOKEN = re.compile(rf",|[{CJK}]|(?:[^\s,{CJK}]|,(?=[0-9]))+")
_AROUND = "\"'“”‘’()[]{}«»「」『』.!?;:…"
MAX_STATEMENTS = 40
MAX_TOKENS = 80
_CJK_NEGATION = re.compile("不要|不用|不能|不再|不是|禁止|别|別|没有|沒有|しない|ません|ない|하지 마|않")
_NUMBER = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*")


@lru_cache(maxsize=65_536)
def content(text: str) -> frozenset[str]:
    """The words of a text that carry meaning: folded, without filler and endings; CJK in pairs."""
    found: set[str] = set()
    for token in WORD.findall(fold(text)):
        if asian(token[0]):
            found.update(token[i : i + 2] for i in range(max(len(token) - 1, 1)))
        elif token not in _STOP:
            found.add(stem(token))
    return frozenset(found)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of the smaller set that the larger holds, 0 to 1; 0 when either is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


@lru_cache(maxsize=65_536)
def named_in(type_: Type, body: str) -> str | None:
    """The key of the URL or path that a project fact or a reference names; None where none is named
    (docs/seeds.md A14, A15)."""
    identity = identity_key(type_, body)
    return None if identity == exact_key(type_, body) else identity


def same_claim(one: str, other: str) -> bool:
    """Two texts about one URL or path say the same: beside it, one of them adds nothing.

    "config/app.yml holds the limits" and "never edit config/app.yml by hand" share a path and are two
    facts, which docs/seeds.md's Source would make one.
    """
    if not _comparable(one, other) or (lost(one, other) and lost(other, one)) or swapped(one, other):
        return False
    mine, yours = content(one) - _POINTING, content(other) - _POINTING
    more = max(len(mine - yours), len(yours - mine))
    return (mine <= yours or yours <= mine) and more <= max(2, len(mine & yours))


def swapped(one: str, other: str) -> bool:
    """Whether a statement of one text is one of the other with two of its parts exchanged. Symmetric.

    "use npm, not pnpm" and "use pnpm, not npm", "port 80 goes to 8080" and "port 8080 goes to 80": the
    same words in other roles, which no comparison of word sets tells apart, and a contradiction. Parts
    that stand on either side of "and", "is" or a comma may change places.
    """
    return any(_exchanged(a, b) for a, b in product(_statements(one), _statements(other)))


def reordered(one: str, other: str) -> bool:
    """Whether the words that carry meaning in both texts stand in another order. Symmetric."""
    mine, yours = _ordered(one), _ordered(other)
    shared = {word for word in mine if mine.count(word) == 1 == yours.count(word)}
    if len(shared - NEGATIONS) < 2:  # "no pushing", "push: no": nothing to change places with
        return swapped(one, other)
    return [w for w in mine if w in shared] != [w for w in yours if w in shared] or swapped(one, other)


def says_all_of(longer: str, shorter: str) -> bool:
    """Whether the longer text says the shorter one, word by word in its order, and takes nothing back.

    As a whole, as a sentence of it or before a reason: where a condition, a place or a number comes to
    it, it is another claim ("run the tests", "run the tests on staging before every release").
    """
    if negated(longer) != negated(shorter) or lost(shorter, longer):
        return False
    wanted = _without_commas(shorter)
    pieces: list[tuple[str, ...]] = []
    for statement in _without_commas(longer):
        reason = next((i for i, word in enumerate(statement) if word in _REASONS), len(statement))
        pieces += [statement, statement[:reason]]
    return bool(wanted) and all(piece in pieces for piece in wanted)


def near(one: str, other: str) -> bool:
    """Two texts that very likely state one fact: most words shared, the same numbers, both yes or both no.

    Never enough to merge by itself (docs/architecture.md); enough to believe that something the
    user deleted has come back, or that an inbox item was seen again.
    """
    if swapped(one, other):
        return False
    if canonical(one) == canonical(other):
        return True
    mine, yours = content(one), content(other)
    shared = len(mine & yours)
    return _comparable(one, other) and shared >= 2 and shared >= 0.6 * len(mine | yours)


@lru_cache(maxsize=16_384)
def negated(text: str) -> bool:
    """Whether a text says no anywhere."""
    folded = fold(text)
    return not NEGATIONS.isdisjoint(WORD.findall(folded)) or _CJK_NEGATION.search(folded) is not None


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


@lru_cache(maxsize=16_384)
def _statements(text: str) -> tuple[tuple[str, ...], ...]:
    """The sentences of a text as words in order: stemmed, commas kept, filler and openers left out."""
    found: list[tuple[str, ...]] = []
    for sentence in _STATEMENT_END.split(fold(text))[:MAX_STATEMENTS]:
        statement = [stem(word) for word in tokens(sentence) if word not in _FILLER]
        if statement[:2] == ["from", "on"]:  # "from now on"
            del statement[:2]
        while statement and (statement[0] in _OPENERS or statement[0] == ","):
            del statement[0]
        while statement and statement[-1] == ",":
            del statement[-1]
        found.append(tuple(statement[:MAX_TOKENS]))
    return tuple(dict.fromkeys(one for one in found if one))


def tokens(folded: str) -> list[str]:
    """The words of a folded text in order, each with its marks ("c++", "src/app"); CJK letter by letter."""
    found = (word.strip(_AROUND) for word in _TOKEN.findall(folded.replace("、", ",")))
    return [word for word in found if word]


def _exchanged(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
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
            return not (between[0] in _BOTH_WAYS and between[-1] in _BOTH_WAYS)
    return False


def _without_commas(text: str) -> list[tuple[str, ...]]:
    return [tuple(word for word in statement if word != ",") for statement in _statements(text)]


@lru_cache(maxsize=16_384)
def _ordered(text: str) -> tuple[str, ...]:
    return tuple(word for statement in _without_commas(text) for word in statement if word not in _STOP)


def _comparable(one: str, other: str) -> bool:
    """Whether both say yes or both no, with the same numbers."""
    numbers = [set(_NUMBER.findall(fold(text))) for text in (one, other)]
    return negated(one) == negated(other) and numbers[0] == numbers[1]
