"""What one typed sentence says that may last: a rule for the agent, a constraint, a fact, a change …

The eyes of the `rules` model. Each signal is a form of speech in any of several languages, never a
topic: a held-out conversation says other things in the same forms. Where a form alone says too little
(a plain "X is Y"), a handle or a lasting subject is asked for as well, and anything that smells of
this moment is left alone.
"""

from typing import Literal

from siltstone.pipeline import fact_table as facts
from siltstone.pipeline import moment_table as moment
from siltstone.pipeline import norm_table as norms
from siltstone.pipeline import order_table as orders
from siltstone.pipeline import signals_table as table
from siltstone.pipeline import speech
from siltstone.pipeline.facts import stated
from siltstone.pipeline.handles import handles
from siltstone.pipeline.norms import norm
from siltstone.pipeline.plainly import plainly, straight
from siltstone.pipeline.resolved import resolved
from siltstone.pipeline.said import Said, bare, corrects, has, head, read
from siltstone.pipeline.words import asian, letters

Signal = Literal["identity", "reference", "change", "decision", "feedback", "constraint", "fact"]

MAX_SENTENCE = 1_500
"""Characters; what is longer is no sentence but something pasted."""
MIN_TOLD = 24
"""Letters of a reason that make a choice worth keeping."""


def signal(sentence: str, answers: bool = False) -> Signal | None:
    """What lasting thing a sentence says, if any. `answers`: it takes up options the agent offered."""
    whole = straight(sentence)
    if len(whole) > MAX_SENTENCE or letters(whole) < 10 or speech.jokes(whole):
        return None
    plain = plainly(whole)
    if has(moment.ELSEWHERE, plain) and not has(moment.HERE, plain):
        return None
    again = norms.REPEATED.match(plain)
    if speech.asks(plain[again.end() :] if again else whole) and not has(orders.STANDING_REQUEST, plain):
        return None
    if table.URL.search(whole):
        return _refers(whole)
    said = read(whole, plain[again.end() :] if again else plain, again is not None)
    if moment.QUOTED.fullmatch(said.body) or _disbelieved(plain):
        return None
    if has(table.IDENTITY, plain):
        return "identity"
    changed = _changed(said)
    if _of_the_moment(plain, changed):
        return None
    firm = has(norms.BAN, said.body) or has(norms.ALWAYS, said.body)
    if not firm and (speech.supposes(said.main) or has(norms.COMPLAINT, said.body.partition(",")[0])):
        return None
    if changed and not corrects(whole) and not has(orders.REQUEST_END, whole):
        return "change"
    return norm(said) or _chosen(said, answers) or ("fact" if stated(said) else None)


def _disbelieved(plain: str) -> bool:
    """ "The level jumps from 2 to 4, that can't be right": a fault."""
    return any(moment.DISBELIEF.match(clause) for clause in facts.CLAUSES.split(plain)[1:])


def _of_the_moment(plain: str, changed: bool) -> bool:
    """True now only, or put off. When something changed says when, not for how long."""
    text = table.WHEN.sub(" ", plain) if changed else plain
    return speech.passing(text) or speech.defers(text)


def _refers(said: str) -> Signal | None:
    """A link with what it is; not one to look at now."""
    if table.PLACE_ONCE.search(said) or speech.passing(said):
        return None
    around = table.URL.sub(" ", said)
    if letters(around) < 6 or has(table.STUMBLED, around):
        return None
    if has(moment.FAULT, around) and not has(table.POINTS, around):
        return None
    pointed = has(table.POINTS, around) or has(facts.IS, around)
    return "reference" if pointed else None


def _changed(said: Said) -> bool:
    """A state of things that is other than before; "change the heading" is a request."""
    body = said.body
    if said.order or has(moment.FAULT, head(body)):
        return False
    if table.MY_DOING.match(body) or has(table.SMALL_CHANGE, body) or moment.PRONOUN_FIRST.match(bare(body)):
        return False
    if moment.AT_HAND.match(bare(body)) or has(moment.POINTING, said.main):
        return False
    told = has(table.FROM_TO, body) or has(table.WE_STOPPED, body) or asian(body) > 6
    return has(table.MOVED, body) and (told or bool(handles(body)))


def _chosen(said: Said, answers: bool) -> Signal | None:
    body = said.body
    if has(table.UNDECIDED, body) or norms.AT_A_TIME.match(body):
        return None
    reason = has(facts.BECAUSE, body) or letters(body.partition(",")[2]) >= MIN_TOLD
    settled = resolved(body)
    strong = settled or has(table.STRONG_DECISION, body)
    if (settled or has(table.DECIDED, body)) and (strong or not has(moment.PAST, head(body))):
        return "decision" if reason or handles(body) or strong else None
    named = bool(handles(said.whole)) and letters(body) >= MIN_TOLD and not table.AGREES.match(said.whole)
    told = answers and not said.order and (reason or named)
    return "decision" if told else None
