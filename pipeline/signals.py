"""What one typed sentence says that may last: a rule for the agent, a constraint, a fact, a change …

The eyes of the `rules` model. Each signal is a form of speech in any of several languages, never a
topic: a held-out conversation says other things in the same forms. Where a form alone says too little
(a plain "X is Y"), a handle is asked for as well, and anything that smells of today is left alone.
"""

import re
from typing import Literal

from siltstone.pipeline import signals_table as table
from siltstone.pipeline import speech
from siltstone.pipeline.canonical import is_path
from siltstone.pipeline.change import says_change
from siltstone.pipeline.handles import handles
from siltstone.pipeline.words import asian, letters

Signal = Literal["identity", "reference", "change", "decision", "feedback", "constraint", "fact"]

MAX_SENTENCE = 1_500
"""Characters; what is longer is no sentence but something pasted."""


def signal(sentence: str, answers: bool = False) -> Signal | None:
    """What lasting thing a sentence says, if any. `answers`: it takes up options the agent offered."""
    said = sentence.replace("’", "'")
    if len(said) > MAX_SENTENCE or letters(said) < 10 or speech.asks(said) or speech.jokes(said):
        return None
    if table.URL.search(said):
        return _refers(said)
    if speech.passing(said) or speech.defers(said):
        return None
    if speech.supposes(said) and not (table.BAN.search(said) or table.ALWAYS.search(said)):
        return None
    if table.COMPLAINT.search(said):
        return None
    if table.IDENTITY.search(said):
        return "identity"
    if _changed(said) and not corrects(said) and not table.REQUEST_END.search(said):
        return "change"
    return _norm(said) or _chosen(said, answers) or _fact(said)


def reasons(sentence: str) -> bool:
    """Whether a sentence tells why: it goes with the fact before it."""
    return table.BECAUSE.search(sentence) is not None


def corrects(sentence: str) -> bool:
    """Whether a sentence opens by turning down what the agent did."""
    return table.WRONG.match(sentence) is not None


def cut_secret(sentence: str) -> str:
    """The sentence up to where it begins to speak of a login; a reference needs no password."""
    match = table.SECRETIVE.search(sentence)
    if match is None:
        return sentence
    kept = sentence[: match.start()]
    cut = (
        max(kept.rfind(mark) for mark in ",;(，；（")
        if any(mark in kept for mark in ",;(，；（")
        else len(kept)
    )
    return kept[:cut].rstrip(" ,;(，；（")


def _refers(said: str) -> Signal | None:
    """A link with what it is; not one to look at now."""
    if table.LOOK_ONCE.search(said) or table.PLACE_ONCE.search(said) or speech.passing(said):
        return None
    around = table.URL.sub(" ", said)
    return "reference" if letters(around) >= 6 and table.POINTS.search(around) else None


def _changed(said: str) -> bool:
    """A state of things that is other than before; "change the heading" is a request."""
    if not says_change(said) or speech.orders(said) or table.FAULT.search(_head(said)):
        return False
    return (
        bool(handles(said))
        and re.match(r"[\s\W]*(?:i|ich|yo|je|eu|io|я)\s+(?:just\s+)?\w+ed(?!\w)", said, re.I) is None
    )


def _norm(said: str) -> Signal | None:
    """What is to be done, or must be so: feedback when it speaks to the agent, a constraint otherwise."""
    body = _after_colon(said)
    banned, always, must = (
        pattern.search(said) is not None for pattern in (table.BAN, table.ALWAYS, table.MUST)
    )
    contrast = (
        table.USE.search(said) is not None and table.CONTRAST.search(said) is not None and bool(handles(said))
    )
    past, order = table.PAST.search(_head(body)) is not None, speech.orders(body)
    if banned and not always and table.THIS_ONE.search(body):
        return None
    if corrects(said) and (contrast or table.HERE.search(said)) and not past:
        return "feedback"
    if order and (table.WHENEVER.search(body) or table.LANGUAGE.search(body) or table.TOOL_FOR.search(body)):
        return None if table.REPORTED.search(said) else "feedback"
    if not (banned or always or must):
        return "feedback" if contrast and not order and not past else None
    if (past and not (always or banned)) or (order and not (always or banned)):
        return None
    addressed = banned or order or table.TO_AGENT.search(body) is not None
    if must and not (addressed and (always or banned)):
        return "constraint" if _states(body) and not table.YOU.search(body) else None
    if not (addressed or always) or table.REPORTED.search(said):
        return None
    return "feedback"


def _chosen(said: str, answers: bool) -> Signal | None:
    if (
        table.DECIDED.search(said)
        and (handles(said) or table.BECAUSE.search(said))
        and not table.PAST.search(_head(said))
    ):
        return "decision"
    return "decision" if answers and (handles(said) or table.BECAUSE.search(said)) else None


def _fact(said: str) -> Signal | None:
    """A plain "X is Y" about the project, with a number or a name in it and no fault."""
    body = _after_colon(said)
    main = table.ASIDE.split(body, maxsplit=1)[0]
    if table.CONVENTION.match(_bare(body)):
        main = _bare(body)
        comma = re.search(r",\s|，", main[12:])
        main = main[: comma.start() + 12] if comma else main
    if (
        table.REPORTED.search(_head(said))
        or speech.orders(body)
        or table.FAULT.search(main)
        or table.PAST.search(main)
        or table.YOU.search(main)
    ):
        return None
    if letters(main) < 14:
        return None
    if table.CONVENTION.match(main):
        return "fact"
    if not _states(main) or not table.SUBJECT.match(_bare(main)):
        return None
    return "fact" if any(not is_path(handle) or "://" in handle for handle in handles(main)) else None


def _has(form: re.Pattern[str], said: str) -> bool:
    return form.search(said) is not None


def _states(said: str) -> bool:
    return table.IS.search(said) is not None or table.MUST.search(said) is not None


def _after_colon(said: str) -> str:
    """ "For the texts: free shipping is from £50": the statement stands behind the colon."""
    head, mark, tail = said.partition(": ")
    return tail if mark and letters(tail) >= 14 and letters(head) < 80 else said


def _bare(said: str) -> str:
    return re.sub(
        r"^[\s\W]*(?:(?:and|so|but|also|by the way|btw|ok|yes|right|note that|mind that|und"
        r"|übrigens|y|et|e)[\s,:]+){0,3}",
        "",
        said,
        flags=re.I,
    )


def _head(said: str) -> str:
    return said[:80] if not asian(said) else said[:30]
