"""What one typed sentence says that may last: a rule for the agent, a constraint, a fact, a change …

The eyes of the `rules` model. Each signal is a form of speech in any of several languages, never a
topic: a held-out conversation says other things in the same forms. Where a form alone says too little
(a plain "X is Y"), a handle or a lasting subject is asked for as well, and anything that smells of
this moment is left alone.
"""

import re
from dataclasses import dataclass
from typing import Literal

from siltstone.pipeline import fact_table as facts
from siltstone.pipeline import norm_table as norms
from siltstone.pipeline import signals_table as table
from siltstone.pipeline import speech
from siltstone.pipeline.canonical import is_path
from siltstone.pipeline.handles import handles
from siltstone.pipeline.plainly import MIN_TAIL, announced, plainly, straight
from siltstone.pipeline.words import asian, letters

Signal = Literal["identity", "reference", "change", "decision", "feedback", "constraint", "fact"]

MAX_SENTENCE = 1_500
"""Characters; what is longer is no sentence but something pasted."""
MAX_HEAD = 80
"""Letters before a colon that may announce what follows."""
MIN_TOLD = 24
"""Letters of a reason that make a choice worth keeping."""


@dataclass(frozen=True, slots=True)
class _Said:
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


def signal(sentence: str, answers: bool = False) -> Signal | None:
    """What lasting thing a sentence says, if any. `answers`: it takes up options the agent offered."""
    whole = straight(sentence)
    if len(whole) > MAX_SENTENCE or letters(whole) < 10 or speech.jokes(whole):
        return None
    plain = plainly(whole)
    again = norms.REPEATED.match(plain)
    if speech.asks(plain[again.end() :] if again else whole) and not _has(norms.STANDING_REQUEST, plain):
        return None
    if table.URL.search(whole):
        return _refers(whole)
    said = _read(whole, plain[again.end() :] if again else plain, again is not None)
    if _has(table.IDENTITY, plain):
        return "identity"
    changed = _changed(said)
    if _of_the_moment(plain, changed):
        return None
    firm = _has(norms.BAN, said.body) or _has(norms.ALWAYS, said.body)
    if not firm and (speech.supposes(said.main) or _has(norms.COMPLAINT, said.body.partition(",")[0])):
        return None
    if changed and not corrects(whole) and not _has(norms.REQUEST_END, whole):
        return "change"
    return _norm(said) or _chosen(said, answers) or _fact(said)


def corrects(sentence: str) -> bool:
    """Whether a sentence opens by turning down what the agent did."""
    return norms.WRONG.match(sentence) is not None


def _read(whole: str, plain: str, repeated: bool) -> _Said:
    body = _told(announced(plain))
    main = facts.REASON.split(body, maxsplit=1)[0]
    reported = _has(facts.REPORTED, _head(plain)) or facts.WISHES.match(body) is not None
    return _Said(whole, body, main, speech.orders(body), reported, repeated)


def _told(body: str) -> str:
    """ "The page can be finished: X stays for 30 days": the statement stands behind the colon."""
    head, mark, tail = body.partition(": ")
    if not mark or letters(tail) < MIN_TAIL or letters(head) > MAX_HEAD or not _states(tail):
        return body
    if facts.PRONOUN_FIRST.match(tail) or any(
        _has(form, head) for form in (norms.BAN, norms.ALWAYS, norms.CONTRAST)
    ):
        return body
    return body if _states(head) and handles(head) else tail


def _of_the_moment(plain: str, changed: bool) -> bool:
    """True now only, or put off. When something changed says when, not for how long."""
    text = table.WHEN.sub(" ", plain) if changed else plain
    return speech.passing(text) or speech.defers(text)


def _refers(said: str) -> Signal | None:
    """A link with what it is; not one to look at now."""
    if table.LOOK_ONCE.search(said) or table.PLACE_ONCE.search(said) or speech.passing(said):
        return None
    around = table.URL.sub(" ", said)
    if letters(around) < 6 or _has(table.STUMBLED, around):
        return None
    if _has(facts.FAULT, around) and not _has(table.POINTS, around):
        return None
    pointed = _has(table.POINTS, around) or _has(table.LABELLED, said) or _has(facts.IS, around)
    return "reference" if pointed else None


def _changed(said: _Said) -> bool:
    """A state of things that is other than before; "change the heading" is a request."""
    body = said.body
    if said.order or _has(facts.FAULT, _head(body)):
        return False
    if table.MY_DOING.match(body) or _has(table.SMALL_CHANGE, body) or facts.PRONOUN_FIRST.match(_bare(body)):
        return False
    if facts.AT_HAND.match(_bare(body)) or _has(facts.POINTING, said.main):
        return False
    return _has(table.MOVED, body) and (bool(handles(body)) or _has(table.FROM_TO, body) or asian(body) > 6)


def _norm(said: _Said) -> Signal | None:
    """What is to be done, or must be so: feedback when it speaks to the agent, a constraint otherwise."""
    body = said.body
    if said.reported or _has(norms.MEANT, said.whole) or norms.AT_A_TIME.match(body):
        return None
    past = _has(facts.PAST, _head(said.main))
    if _told_off(said, past) or _instructs(said):
        return "feedback"
    banned, must = _has(norms.BAN, body), _has(norms.MUST, body) and not _has(norms.GUESSES, body)
    always = said.repeated or (_has(norms.ALWAYS, body) and not _has(norms.DESCRIBES, body))
    asked = banned or must or said.order or _has(norms.PLEASE, said.whole)
    always = always or (asked and _has(norms.EACH, body))
    if not always and (_has(facts.POINTING, said.main) or (banned and _at_hand_only(said))):
        return None
    if not (banned or always):
        if must and not (past or said.order):
            return "constraint" if _binds(said) else None
        return "feedback" if _contrasts(said) and not (said.order or past) else None
    if _has(norms.DESCRIBES, body) and not must:
        return None
    if must and not (banned or said.order or _has(norms.TO_AGENT, body)):
        return "constraint" if _binds(said) else None
    return "feedback"


def _at_hand_only(said: _Said) -> bool:
    """A ban on the one thing at hand, with no name and no reason: an order for now."""
    body = said.body
    if norms.THIS_ONE.search(body):
        return True
    return _has(norms.DEFINITE, body) and not (handles(body) or _has(facts.BECAUSE, body))


def _told_off(said: _Said, past: bool) -> bool:
    """ "no, use X, not Y", "wrong, we indent with tabs": how it is done instead."""
    if past or not corrects(said.whole):
        return False
    contrast = _has(norms.USE, said.body) and _has(norms.CONTRAST, said.body) and bool(handles(said.whole))
    return contrast or _has(norms.CONVENTION_IN, said.body)


def _instructs(said: _Said) -> bool:
    """An order that holds whenever its case comes up, or that speaks of the agent's ways."""
    body = said.body
    if norms.WHEN_FIRST.match(body):
        rest = body.partition(",")[2]
        return speech.orders(rest) or _has(norms.TO_AGENT, rest) or _has(norms.BAN, rest)
    if _has(facts.POINTING, said.main):
        return False
    if norms.ASK_FIRST.search(body) or norms.BARE_CONTRAST.match(body) or norms.METHOD.search(body):
        return not _has(facts.FAULT, said.main)
    if (
        norms.BY_MEANS.match(body)
        or norms.FOR_KIND.match(body)
        or (_has(norms.PLEASE, said.whole) and norms.ONE_PER.search(body))
    ):
        return True
    if norms.ONLY_USE.search(said.main) or norms.WANTED.match(body) or norms.YOUR_WAYS.search(body):
        return True
    if norms.STICK_TO.match(body) and (handles(body) or _has(facts.BECAUSE, body)):
        return True
    asked = said.order or _has(norms.PLEASE, said.whole)
    if asked and norms.CUSTOM.search(body) and not norms.DEFINITE_START.match(body):
        return True
    if norms.LANGUAGE.search(body) and asked:
        return True
    return said.order and (_has(norms.WHENEVER, body) or _has(norms.TOOL_FOR, body))


def _binds(said: _Said) -> bool:
    """A constraint on the project, not on "it" and not a task of ours."""
    body = said.body
    start = _bare(body)
    if facts.PRONOUN_FIRST.match(start) or _has(norms.YOU, said.main) or not _states(body):
        return False
    if facts.CONDITION.match(start) or norms.MY_DUTY.match(start) or norms.THEN.search(body):
        return False
    lasting = facts.LASTING.match(start) is not None
    if facts.AT_HAND.match(start) and not lasting and "," not in body and not _has(facts.BECAUSE, body):
        return False
    if not _has(norms.OURS_TO_DO, body):
        return True
    return any(char.isdigit() for char in body) or _has(facts.BECAUSE, body)


def _contrasts(said: _Said) -> bool:
    """ "use pnpm rather than npm", "dates are day first, not month first"."""
    start = _bare(said.body)
    if facts.PRONOUN_FIRST.match(start) or _has(facts.FAULT, said.main):
        return False
    if _has(norms.USE, said.body) and _has(norms.CONTRAST, said.body) and handles(said.body):
        return True
    declared = _has(norms.DECLARED_CONTRAST, said.body) or norms.COPULA_CONTRAST.match(start) is not None
    if not declared or facts.META.match(start) or facts.AT_HAND.match(start):
        return False
    return bool(facts.SUBJECT.match(start)) and _states(said.body) and not _has(norms.YOU, said.main)


def _chosen(said: _Said, answers: bool) -> Signal | None:
    body = said.body
    if _has(table.UNDECIDED, body) or norms.AT_A_TIME.match(body):
        return None
    reason = _has(facts.BECAUSE, body) or letters(body.partition(",")[2]) >= MIN_TOLD
    if _has(table.DECIDED, body) and not _has(facts.PAST, _head(body)):
        return "decision" if reason or handles(body) or _has(table.STRONG_DECISION, body) else None
    named = bool(handles(said.whole)) and letters(body) >= MIN_TOLD and not table.AGREES.match(said.whole)
    told = answers and not said.order and (reason or named)
    return "decision" if told else None


def _fact(said: _Said) -> Signal | None:
    """A plain "X is Y" about the project, with a name, a number or a lasting subject, and no fault."""
    body = _bare(said.body)
    if said.order:  # "yes, do that, all the shops are in Bavaria"
        body = next((tail for tail in facts.CLAUSES.split(body)[1:] if facts.LASTING.match(tail)), "")
    main = _main_clause(body)
    if letters(main) < 14 or any(form.match(main) for form in facts.NO_SUBJECT):
        return None
    if any(_has(form, main) for form in facts.NO_STATE) or _has(norms.YOU, main):
        return None
    lasting = facts.LASTING.match(main) is not None
    if said.reported or (facts.AT_HAND.match(main) and not lasting):
        return None
    if facts.CONVENTION.match(main):
        return "fact"
    if facts.INSTANCE.match(main):
        return None
    if lasting and (_states(main) or _has(facts.ACTS, main)):
        return "fact"
    if not _states(main) or not facts.SUBJECT.match(main):
        return None
    if facts.COUNTED.search(main) or _has(facts.BECAUSE, body) or _has(facts.SCOPED, main):
        return "fact"
    told = handles(facts.ASIDE.split(body, maxsplit=1)[0])
    return "fact" if any(_names(handle, body) for handle in told) else None


def _names(handle: str, body: str) -> bool:
    """Whether a handle names something; a German noun has its capital by right."""
    if handle in facts.GENERIC or (is_path(handle) and "://" not in handle and " " not in handle):
        return False
    return not (handle.isalpha() and len(facts.GERMAN.findall(body)) > 1)


def _main_clause(body: str) -> str:
    """The first clause, where it states something; else all up to a reason."""
    comma = facts.COMMA.search(body, 12)
    first = facts.REASON.split(body[: comma.start()] if comma else body, maxsplit=1)[0]
    return first if _states(first) else facts.ASIDE.split(body, maxsplit=1)[0]


def _has(form: re.Pattern[str], said: str) -> bool:
    return form.search(said) is not None


def _states(said: str) -> bool:
    return facts.IS.search(said) is not None or norms.MUST.search(said) is not None


def _bare(said: str) -> str:
    return facts.LEAD.sub("", said, count=1)


def _head(said: str) -> str:
    return said[:80] if not asian(said) else said[:30]
