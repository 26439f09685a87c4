"""Words of change: what lets a newer statement replace an older one (invariant 11).

Without such a word, and without a denial of the old value, two statements that differ are a conflict, and
both stay. The words stand in `languages/*.toml`.
"""

import re
from functools import cache

from siltstone.pipeline.identifiers import identifiers
from siltstone.pipeline.rules.language import LATIN, compiled, pattern, spoken, straight
from siltstone.pipeline.words import asian, words

MAX_QUOTE = 4_000

_CLAUSE = re.compile(r"[,.;:!?，。；：！？、()\n]")
_WORD = re.compile(r"[^\W_][\w.+#-]{0,60}")
_COMMON = words(
    "a an and are as at be by can der die das de del do el en every everywhere for from has have in "
    "is it its la le les must not of on only or our que set should that the this to un una und use "
    "used uses we will with ist sind wird und always never any all each no please repo project code "
    "file files new old now they them there was were"
)
_ENDS = (
    r"(?=\s+(?:to|with|by|into|onto|in favou?r of|any ?more|any longer|because|since|so|for|and|but|on|in|at"
    r"|as|auf|zu|a|à|al|por)(?!\w)|\s*(?:[,.;:!?)(]|$))"
)
"""Stands behind a value."""
_LEFT_IN_ASIA = (
    r"(?:从|從)\s?(.{1,16}?)\s?(?:换|換|改|迁|遷|切|升|降)"
    r"|(?:不再(?:用|使用)?|代替|取代|而不是|停用|弃用)\s?([^，。；,.]{1,16}?)\s?(?:了|，|。|；|,|$)"
    r"|(\S{1,16}?)(?:ではなく|から\S{1,16}?(?:に|へ)(?:移行|変更|切り替え))"
)


def says_change(quote: str) -> bool:
    """Whether the quote itself carries a word of change in any language."""
    return pattern("change").search(straight(quote[:MAX_QUOTE])) is not None


def denies(quote: str, old: str) -> bool:
    """Whether the quote negates a value of the old text: "use pnpm, not npm" denies "npm is used".

    Agreement is no denial: "never npm" does not deny "never use npm".
    """
    said, kept = _denied(straight(quote[:MAX_QUOTE])), _denied(straight(old[:MAX_QUOTE]))
    return any(value in said and value not in kept for value in _values(old[:MAX_QUOTE]))


def old_values(quote: str) -> list[str]:
    """The values that a quote says are left behind: of "we switched from SumUp to Zettle" that is "SumUp"."""
    quote = straight(quote[:MAX_QUOTE])
    return [
        value
        for found in _left().finditer(quote)
        if (value := next(filter(None, found.groups()), "").strip())
    ]


@cache
def _left() -> re.Pattern[str]:
    latin = "|".join(one["old_value"] for one in spoken(*LATIN))
    article = "(?:the |our |der |die |das |el |la |le )?"
    value = r"([\w`.+#/-]+(?: [\w`.+#/-]+){0,3}?)"
    return compiled(rf"(?:{latin})\s+{article}{value}{_ENDS}|{_LEFT_IN_ASIA}")


def _denied(text: str) -> frozenset[str]:
    """Values of the text that stand right behind a word of denial (before one in Japanese, Korean)."""
    text = text.lower()
    found: set[str] = set()
    for match in pattern("deny").finditer(text):
        found |= _values(_CLAUSE.split(text[match.end() : match.end() + 60], maxsplit=1)[0], first=4)
    for match in pattern("deny_after").finditer(text):
        found |= _values(_CLAUSE.split(text[max(0, match.start() - 40) : match.start()])[-1], last=2)
    return frozenset(found)


def _values(text: str, first: int | None = None, last: int | None = None) -> set[str]:
    """Words that may name a value, in a common form, and the identifiers of the text."""
    named = [word.lower().rstrip(".-") for word in _WORD.findall(text)]
    named = [
        word for word in named if word not in _COMMON and (len(word) > 1 or word.isdigit() or asian(word))
    ]
    named = named[:first] if first else named[-last:] if last else named
    found = {_stem(word) for word in named}
    for word in named:
        if asian(word):  # CJK runs hold the Latin names and the two-letter words
            found |= set(re.findall(r"[a-z0-9][a-z0-9.+#-]+", word))
            found |= {word[i : i + 2] for i in range(len(word) - 1) if asian(word[i : i + 2]) == 2}
    return found if first or last else found | set(identifiers(text))


def _stem(word: str) -> str:
    for ending in ("ing", "es", "s", "ed"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            return word[: -len(ending)]
    return word
