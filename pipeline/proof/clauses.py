"""The clauses of a text, and whether each says yes or no of what it speaks of."""

import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from siltstone.pipeline.merging.likeness import CJK, fold, negated
from siltstone.pipeline.proof.normal_form import numbers_of, words_of
from siltstone.pipeline.words import word_lists

_LISTS = word_lists(__file__, "words")
_WITHOUT = re.compile(
    r"(?<!\w)(?:without|ohne|sans|sin|sem|senza|tanpa|zonder|bez|без)(?!\w)|なしで|なしに|せずに|없이|未经",
    re.IGNORECASE,
)
COMMA = re.compile(rf"[,;:](?:\s|(?=[{CJK}]))|(?<=[{CJK}])[,;:]|[，；：、]")
"""Ends a condition, or a purpose, that a sentence begins with. `plain` makes the full-width ones narrow."""
_REASONS = "because|since|so|weil|porque|parce"
REASON = re.compile(rf"(?:{_REASONS}|as|denn)(?!\w)", re.IGNORECASE)
"""Begins a reason, behind a colon."""
CLAUSE_END = re.compile(
    rf"{COMMA.pattern}|\s[–—-]+\s|\s(?=\()"
    rf"|\s(?=(?:{_REASONS}|whereas|rather than|instead of|tandis que|mientras que)\b)"
)
_RUN_ON = re.compile(
    r"(?<=\w)(?<!that)\s(?=it(?:'s|\sis)\s)"
    r"|(?<=[\w`'\")])(?<!how)(?<!what)(?<!where)(?<!so)(?<!that)(?<!then)\s(?=(?:can|could)\s(?:you|u|we)\s)"
)
"""Before what is said of a thing without a comma ("drop the cache it's too slow"), and before a request."""
CLAUSE = re.compile(
    rf"{CLAUSE_END.pattern}|{_RUN_ON.pattern}|\n|\.\s|[。！？]|(?<=[{CJK}])[!?]|\s(?:and|but|so|und|aber|y|pero|et|mais)\s"
    r"|(?:(?<=^[Nn]ein)|(?<=^[Nn]ope))\s"
    r"|(?<=[a-z]{2})(?<!not)(?<!never)(?<!want)\.{3,}\s?(?=(?:the|this|that|these|it|i|we|you|they|there|our|my|but|so|if)\s)"
)
"""Between two clauses of which one may say yes and the other no."""


def _words(*names: str) -> str:
    return "|".join(sorted(chain(*(_LISTS[name] for name in names))))


_IT = rf"\s+(?:(?:{_words('before')})\s+)*(?P<it>\S+(?:\s+(?!(?:{_words('behind')})\b)\S+){{0,5}})"
_NOT = re.compile(
    r"(?:^\W*|(?<=[\w`'\"])"
    + "".join(rf"(?<!\b{word})" for word in sorted(_LISTS["of_the_clause"]))
    + rf"\s)(?P<mark>not(?!\s(?:{_words('no_thing')}|(?!(?:{_words('thing')})\b)"
    r"\w+(?:ed|ing|able|ible|ful|ic|ive|ous|less))\b)"
    r"|never(?=\s(?:to|in|on|from|with|for|at|by|via)\s))" + _IT,
    re.IGNORECASE,
)
"""Says no of a thing behind what is said of another: "tabs not spaces"."""
_INSTEAD = re.compile(
    r"\b(?P<mark>instead of|rather than|anstelle|statt|en lugar de|en vez de|plutôt que|au lieu de)" + _IT,
    re.IGNORECASE,
)
_PREFERRED = re.compile(
    r"\b(?:prefer|favou?r|choos|chose|pick(?! up))\w*\s(?:\S+\s){1,4}?"
    rf"(?P<mark>over(?!\s(?:the\s)?(?:{_words('while')})\b))" + _IT,
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:switch\w*|migrat\w+|chang(?:e|ed|ing)|moved?)\s(?:\S+\s){0,3}?(?P<mark>from)(?=\s\S+(?:\s\S+){0,3}\sto\s)"
    + _IT,
    re.IGNORECASE,
)
"""What stands behind "to" is the other thing."""
_OR = re.compile(r"\s(?:or|oder|ou)\s")


class Polarity(NamedTuple):
    """How a clause says yes or no: "no release without a test" and "release without a test" both say no."""

    anywhere: bool
    beside: bool
    """Beside its "without"."""


NO = Polarity(True, True)


class Side(NamedTuple):
    """A part of a clause that says one thing of what it names."""

    text: str
    says: Polarity | None
    """None: neither yes nor no."""
    unwanted: str = ""
    """The clause that says that another thing takes its place."""


def negates(clause: str) -> bool | None:
    """Whether a clause says no; None when it says of two things that one takes the other's place."""
    words = fold(clause).split()
    if not _LISTS["both"].isdisjoint(words):
        return None
    return negated(clause) or not _LISTS["no"].isdisjoint(words)


def polarity(clause: str) -> Polarity | None:
    """Whether a clause says no; None as in `negates`."""
    says = negates(clause)
    return None if says is None else Polarity(says, bool(negates(_WITHOUT.sub(" ", clause))))


@lru_cache(maxsize=4_096)
def sides(clause: str) -> tuple[Side, ...]:
    """The sides of a clause: "tabs not spaces in Go" says yes of tabs in Go, and no of spaces."""
    contrasts = (one.search(clause) for one in (_NOT, _PREFERRED, _CHANGED, _INSTEAD))
    found = next(filter(None, contrasts), None)
    if found is None:
        return (Side(clause, polarity(clause)),)
    before, it, behind = clause[: found.start("mark")], found["it"], clause[found.end() :]
    says, other = polarity(before), words_of(it)
    again = found.re is _CHANGED and other <= words_of(behind)  # "from node to node"
    alike = not numbers_of(it) and (again or other <= words_of(before))
    if alike or says is None or says.anywhere:
        return (Side(clause, polarity(clause)),)
    # "Four reviewers instead of two": only the number is another.
    its = (Side(one, None if numbers_of(one) else NO, unwanted=clause) for one in _OR.split(it))
    if found.re is _CHANGED:
        return (Side(before, says), *its, Side(behind, says))
    of_both = " ".join(one for one in behind.split() if other.isdisjoint(words_of(one)))
    return (Side(f"{before} {of_both}".strip(), says), *its)
