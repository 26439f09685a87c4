"""Words of change: what lets a newer statement replace an older one (invariant 11).

Without such a word, and without a denial of the old value, two statements that differ are a conflict, and
both stay. The words stand in `languages/*.toml`.
"""

import re
from collections.abc import Iterable
from functools import cache

from siltstone.pipeline.identifiers import identifiers
from siltstone.pipeline.rules.language import LATIN, compiled, pattern, spoken, straight
from siltstone.pipeline.words import asian, patterns, word_lists

MAX_QUOTE = 4_000

_CLAUSE = re.compile(r"[,.;:!?，。；：！？、()\n]")
_WORD = re.compile(r"[^\W_][\w.+#-]{0,60}")


def says_change(quote: str) -> bool:
    """Whether the quote itself carries a word of change in any language, and not only in a condition ("if
    they changed")."""
    stated = patterns(__file__)["condition"].sub(" ", straight(quote[:MAX_QUOTE]))
    return pattern("change").search(stated) is not None


def denies(quote: str, old: str) -> bool:
    """Whether the quote negates a value of the old text: "use pnpm, not npm" denies "npm is used".

    Agreement is no denial: "never npm" does not deny "never use npm".
    """
    said, kept = _denied(straight(quote[:MAX_QUOTE])), _denied(straight(old[:MAX_QUOTE]))
    old = old[:MAX_QUOTE]
    return bool(said - kept) and not (said - kept).isdisjoint(_forms(_named(old)) | identifiers(old))


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
    ends, left_in_asia, article = (
        patterns(__file__)[name].pattern for name in ("ends", "left_in_asia", "article")
    )
    value = r"([\w`.+#/-]+(?: [\w`.+#/-]+){0,3}?)"
    return compiled(rf"(?:{latin})\s+{article}{value}{ends}|{left_in_asia}")


def _denied(text: str) -> set[str]:
    """Values of the text that stand right behind a word of denial (before one in Japanese, Korean)."""
    text = text.lower()
    found: set[str] = set()
    for match in pattern("deny").finditer(text):
        behind = _CLAUSE.split(text[match.end() : match.end() + 60], maxsplit=1)[0]
        found |= _forms(_named(behind)[:4])
    for match in pattern("deny_after").finditer(text):
        before = _CLAUSE.split(text[max(0, match.start() - 40) : match.start()])[-1]
        found |= _forms(_named(before)[-2:])
    return found


def _named(text: str) -> list[str]:
    """Words that may name a value, in their order."""
    found = (word.lower().rstrip(".-") for word in _WORD.findall(text))
    common = word_lists(__file__, "words")["common"]
    return [word for word in found if word not in common and (len(word) > 1 or word.isdigit() or asian(word))]


def _forms(named: Iterable[str]) -> set[str]:
    """Words without their endings; of CJK runs the Latin names and the two-letter words."""
    found: set[str] = set()
    for word in named:
        ending = (one for one in ("ing", "es", "s", "ed") if word.endswith(one) and len(word) - len(one) > 3)
        found.add(word.removesuffix(next(ending, "")))
        if asian(word):
            found |= set(re.findall(r"[a-z0-9][a-z0-9.+#-]+", word))
            found |= {word[i : i + 2] for i in range(len(word) - 1) if asian(word[i : i + 2]) == 2}
    return found
