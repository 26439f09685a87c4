"""A typed sentence as the rules judge it, and the small questions they all ask of one."""

import re
from dataclasses import dataclass

from siltstone.pipeline import fact_table as facts
from siltstone.pipeline import moment_table as moment
from siltstone.pipeline import norm_table as norms
from siltstone.pipeline import speech
from siltstone.pipeline.handles import handles
from siltstone.pipeline.plainly import MIN_TAIL, announced
from siltstone.pipeline.words import Late, asian, letters

MAX_HEAD = 80
"""Letters before a colon that may announce what follows."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence as it is judged."""

    whole: str
    """Straight apostrophes, else verbatim."""
    body: str
    """In plain words, without what only announces it."""
    main: str
    """The body up to its reason."""
    order: bool
    """It asks for a piece of work."""
    reported: bool
    """Somebody else said it."""
    repeated: bool
    """It says that it was said before."""


def read(whole: str, plain: str, repeated: bool) -> Said:
    body = _told(announced(plain))
    main = facts.REASON.split(body, maxsplit=1)[0]
    reported = has(moment.REPORTED, head(plain)) or moment.WISHES.match(body) is not None
    orders = speech.orders(body) and not facts.GENERAL.match(body)  # "commit messages follow …"
    return Said(whole, body, main, orders, reported, repeated)


def _told(body: str) -> str:
    """ "The page can be finished: X stays for 30 days": the statement stands behind the colon."""
    head, mark, tail = body.partition(": ")
    if not mark or letters(tail) < MIN_TAIL or letters(head) > MAX_HEAD or not states(tail):
        return body
    if (
        moment.META.match(head)
        or moment.PRONOUN_FIRST.match(tail)
        or any(
            has(form, head) for form in (norms.BAN, norms.ALWAYS, norms.CONTRAST, moment.FAULT, norms.MUST)
        )
    ):
        return body
    return body if states(head) and handles(head) else tail


def corrects(sentence: str) -> bool:
    """Whether a sentence opens by turning down what the agent did."""
    return norms.WRONG.match(sentence) is not None


def has(form: Late | re.Pattern[str], said: str) -> bool:
    return form.search(said) is not None


def states(said: str) -> bool:
    return facts.IS.search(said) is not None or norms.MUST.search(said) is not None


def bare(said: str) -> str:
    return facts.LEAD.sub("", said, count=1)


def head(said: str) -> str:
    return said[:80] if not asian(said) else said[:30]
