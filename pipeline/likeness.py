"""How alike two texts are: the same claim, or about the same thing.

Cheap, and it says less than it knows: a paraphrase is missed, and compaction's model finds it. What
it does say must be right nearly always, because merging follows from it without a model.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from siltstone.pipeline.canonical import canonical, exact_key, identity_key
from siltstone.pipeline.handles import lost
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


@dataclass(frozen=True, slots=True)
class Keys:
    """What a memory's body is looked up by."""

    exact: str
    identity: str | None
    """Only where a project fact or a reference names a URL or path (docs/seeds.md A14, A15)."""


@lru_cache(maxsize=65_536)
def keys(type_: Type, body: str) -> Keys:
    """Exact and identity key of a body."""
    exact, identity = exact_key(type_, body), identity_key(type_, body)
    return Keys(exact, None if identity == exact else identity)


def same_claim(one: str, other: str) -> bool:
    """Two texts about one URL or path say the same: beside it, one of them adds nothing.

    "config/app.yml holds the limits" and "never edit config/app.yml by hand" share a path and are two
    facts, which docs/seeds.md's Source would make one.
    """
    if not _comparable(one, other) or (lost(one, other) and lost(other, one)):
        return False
    mine, yours = content(one) - _POINTING, content(other) - _POINTING
    more = max(len(mine - yours), len(yours - mine))
    return (mine <= yours or yours <= mine) and more <= max(2, len(mine & yours))


def near(one: str, other: str) -> bool:
    """Two texts that very likely tell one fact: most words shared, the same numbers, both yes or both no.

    Never enough to merge by itself (docs/architecture.md); enough to believe that something the
    user deleted has come back, or that an inbox item was seen again.
    """
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


def _comparable(one: str, other: str) -> bool:
    return negated(one) == negated(other) and set(_NUMBER.findall(fold(one))) == set(
        _NUMBER.findall(fold(other))
    )
