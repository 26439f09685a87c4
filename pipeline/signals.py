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
    again = table.REPEATED.match(said)
    said = said[again.end() :] if again else said
    if len(said) > MAX_SENTENCE or letters(said) < 10 or speech.asks(said) or speech.jokes(said):
        return None
    if table.URL.search(said):
        return _refers(said)
    changed = _changed(said)
    passing = speech.passing(table.NOW_LAST.sub("", said) if changed else said)
    if passing or speech.defers(said) or _has(table.COMPLAINT, said):
        return None
    if speech.supposes(said) and not (_has(table.BAN, said) or _has(table.ALWAYS, said)):
        return None
    if _has(table.IDENTITY, said):
        return "identity"
    if changed and not corrects(said) and not _has(table.REQUEST_END, said):
        return "change"
    return _norm(said, again is not None) or _chosen(said, answers) or _fact(said)


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
    cut = max(kept.rfind(mark) for mark in ",;(，；（")
    return kept[: cut if cut >= 0 else len(kept)].rstrip(" ,;(，；（")


def _refers(said: str) -> Signal | None:
    """A link with what it is; not one to look at now."""
    if table.LOOK_ONCE.search(said) or table.PLACE_ONCE.search(said) or speech.passing(said):
        return None
    around = table.URL.sub(" ", said)
    if letters(around) < 6 or (_has(table.FAULT, around) and not _has(table.POINTS, around)):
        return None
    pointed = _has(table.POINTS, around) or _has(table.LABELLED, said) or _has(table.IS, around)
    return "reference" if pointed else None


def _changed(said: str) -> bool:
    """A state of things that is other than before; "change the heading" is a request."""
    if not says_change(said) or speech.orders(said) or _has(table.FAULT, _head(said)):
        return False
    return bool(handles(said)) and table.MY_DOING.match(said) is None


def _norm(said: str, repeated: bool) -> Signal | None:
    """What is to be done, or must be so: feedback when it speaks to the agent, a constraint otherwise."""
    body = _after_colon(said)
    past, order = _has(table.PAST, _head(body)), speech.orders(body)
    banned, must = _has(table.BAN, said), _has(table.MUST, said) and not _has(table.GUESSES, said)
    always = repeated or (_has(table.ALWAYS, said) and not _has(table.DESCRIBES, said))
    if banned and not always and _at_hand_only(said, body):
        return None
    if _told_off(said, past) or _instructs(body, order):
        return None if _has(table.REPORTED, said) else "feedback"
    if not (banned or always):
        if must and not (past or order):
            return "constraint" if _binds(body) else None
        return "feedback" if _contrasts(body) and not (order or past) else None
    if _has(table.DESCRIBES, said) and not must:
        return None
    addressed = banned or order or _has(table.TO_AGENT, body)
    if must and not addressed:
        return "constraint" if _binds(body) else None
    return None if _has(table.REPORTED, said) else "feedback"


def _at_hand_only(said: str, body: str) -> bool:
    """A ban on the one thing at hand, with no name and no reason: an order for now."""
    if table.THIS_ONE.search(body):
        return True
    return _has(table.DEFINITE, body) and not (handles(body) or _has(table.BECAUSE, said) or "," in body)


def _told_off(said: str, past: bool) -> bool:
    """ "no, use X, not Y", "wrong, we indent with tabs": how it is done instead."""
    contrast = _has(table.USE, said) and _has(table.CONTRAST, said) and bool(handles(said))
    return corrects(said) and not past and (contrast or _has(table.CONVENTION_IN, said))


def _instructs(body: str, order: bool) -> bool:
    """An order that holds whenever its case comes up."""
    if table.WHEN_FIRST.match(body):
        rest = body.partition(",")[2]
        return speech.orders(rest) or _has(table.TO_AGENT, rest) or _has(table.BAN, rest)
    return order and any(_has(form, body) for form in (table.WHENEVER, table.LANGUAGE, table.TOOL_FOR))


def _binds(body: str) -> bool:
    """A constraint on the project, not on "it" and not a task of ours."""
    start = _bare(body)
    if table.PRONOUN_FIRST.match(start) or _has(table.YOU, body) or not _states(body):
        return False
    if table.AT_HAND.match(start) and "," not in body and not _has(table.BECAUSE, body):
        return False
    return not _has(table.OURS_TO_DO, body) or any(c.isdigit() for c in body) or _has(table.BECAUSE, body)


def _contrasts(body: str) -> bool:
    """ "use pnpm rather than npm", "dates are day first, not month first"."""
    if _has(table.USE, body) and _has(table.CONTRAST, body) and handles(body):
        return not table.PRONOUN_FIRST.match(_bare(body)) and not _has(table.FAULT, body)
    if not _has(table.DECLARED_CONTRAST, body) or table.AT_HAND.match(_bare(body)):
        return False
    subject = table.SUBJECT.match(_bare(body)) and not table.PRONOUN_FIRST.match(_bare(body))
    return bool(subject) and _states(body) and not _has(table.YOU, body) and not _has(table.FAULT, body)


def _chosen(said: str, answers: bool) -> Signal | None:
    told = bool(handles(said)) or _has(table.BECAUSE, said) or letters(said.partition(",")[2]) >= 24
    if _has(table.DECIDED, said) and not _has(table.PAST, _head(said)):
        return "decision" if told or _has(table.STRONG_DECISION, said) else None
    return "decision" if answers and told else None


def _fact(said: str) -> Signal | None:
    """A plain "X is Y" about the project, with a number or a name in it and no fault."""
    body = _bare(_after_colon(said))
    main = _main_clause(body)
    if (
        speech.orders(body)
        or table.PRONOUN_FIRST.match(main)
        or table.AT_HAND.match(main)
        or letters(main) < 14
    ):
        return None
    if any(_has(form, main) for form in (table.FAULT, table.PAST, table.YOU)) or _has(
        table.REPORTED, _head(said)
    ):
        return None
    if table.CONVENTION.match(main):
        return "fact"
    if not _states(main) or not table.SUBJECT.match(main):
        return None
    told = handles(table.ASIDE.split(body, maxsplit=1)[0])
    named = any(not is_path(handle) or "://" in handle for handle in told)
    return "fact" if named or _has(table.BECAUSE, body) or _has(table.SCOPED, main) else None


def _main_clause(body: str) -> str:
    """The first clause, where it states something; else all up to a reason."""
    comma = table.COMMA.search(body, 12)
    first = body[: comma.start()] if comma else body
    return first if _states(first) else table.ASIDE.split(body, maxsplit=1)[0]


def _has(form: re.Pattern[str], said: str) -> bool:
    return form.search(said) is not None


def _states(said: str) -> bool:
    return table.IS.search(said) is not None or table.MUST.search(said) is not None


def _after_colon(said: str) -> str:
    """ "For the texts: free shipping is from £50": the statement stands behind the colon."""
    head, mark, tail = said.partition(": ")
    return tail if mark and letters(tail) >= 14 and letters(head) < 80 else said


def _bare(said: str) -> str:
    return table.LEAD.sub("", said, count=1)


def _head(said: str) -> str:
    return said[:80] if not asian(said) else said[:30]
