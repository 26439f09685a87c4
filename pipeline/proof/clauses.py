"""The clauses of a text, and whether each says yes or no of what it speaks of."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from siltstone.pipeline.merging.likeness import CJK, fold, negated
from siltstone.pipeline.proof.normal_form import numbers_of
from siltstone.pipeline.words import word_lists

_LISTS = word_lists(__file__, "words")
_WITHOUT = re.compile(
    r"(?<!\w)(?:without|ohne|sans|sin|sem|senza|tanpa|zonder|bez|без)(?!\w)|なしで|なしに|せずに|없이|未经",
    re.IGNORECASE,
)
_UNSPACED = r"\u3040-\u9fff"
"""Letters of Chinese and Japanese, which are written without spaces: there a space parts what is said."""
COMMA = re.compile(rf"[,;:](?:\s|(?=[{CJK}]))|(?<=[{CJK}])[,;:]|[，；：、]")
"""Ends a condition, or a purpose, that a sentence begins with. `plain` makes the full-width ones narrow."""
CLAUSE_END = re.compile(
    rf"{COMMA.pattern}|\s[–—-]+\s|\s(?=\()|(?<=[{_UNSPACED}]{{4}})\s(?=[{_UNSPACED}]{{4}})"
    r"|\s(?=(?:because|since|so|whereas|rather than|instead of|weil|porque|parce|tandis que|mientras que)\b)"
)
RUN_ON = re.compile(
    r"(?<=\w)(?<!that)\s(?=it(?:'s|\sis)\s)"
    r"|(?<=[\w`'\")])(?<!how)(?<!what)(?<!where)(?<!so)(?<!that)(?<!then)\s(?=(?:can|could)\s(?:you|u|we)\s)"
)
"""Before what is said of a thing without a comma ("drop the cache it's too slow"), and before a request."""
CLAUSE = re.compile(
    rf"{CLAUSE_END.pattern}|{RUN_ON.pattern}|\n|\.\s|[。！？]|(?<=[{CJK}])[!?]|\s(?:and|but|so|und|aber|y|pero|et|mais)\s"
    r"|(?:(?<=^[Nn]ein)|(?<=^[Nn]ope))\s"
)
"""Between two clauses of which one may say yes and the other no."""
_NOT = "".join(rf"(?<!\b{word})" for word in sorted(_LISTS["verbs"]))
_UNWANTED = re.compile(
    rf"(?:(?:^\W*|(?<=[\w`'\")]){_NOT}\s)not(?!\s(?:{'|'.join(_LISTS['no_thing'])})\b)"
    r"|\b(?:instead of|rather than|anstelle|statt|en lugar de|en vez de|plutôt que|au lieu de))"
    rf"\s+(?:(?:{'|'.join(_LISTS['before'])})\s+)*"
    rf"(?P<it>\S+(?:\s+(?!(?:{'|'.join(_LISTS['behind'])})\b)\S+){{0,3}})",
    re.IGNORECASE,
)
"""What another thing takes the place of."""


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
    unwanted: bool = False
    """Another thing takes its place."""


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


def sides(clause: str) -> Iterator[Side]:
    """The sides of a clause: "tabs not spaces in Go" says yes of tabs, no of spaces, and neither of Go."""
    found = _UNWANTED.search(clause)
    says = polarity(clause[: found.start()] if found else clause)
    if found is None or says is None or says.anywhere:
        yield Side(clause, polarity(clause))
        return
    yield Side(clause[: found.start()], says)
    # "Four reviewers instead of two": only the number is another.
    yield Side(found["it"], None) if numbers_of(found["it"]) else Side(found["it"], NO, unwanted=True)
    yield Side(clause[found.end() :], None)
