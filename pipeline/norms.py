"""Whether a sentence is a rule: feedback to the agent, or a constraint on the project."""

from typing import Literal

from siltstone.pipeline import fact_table as facts
from siltstone.pipeline import moment_table as moment
from siltstone.pipeline import norm_table as norms
from siltstone.pipeline import order_table as orders
from siltstone.pipeline import speech
from siltstone.pipeline.handles import handles
from siltstone.pipeline.said import Said, bare, corrects, has, head, states


def norm(said: Said) -> Literal["feedback", "constraint"] | None:
    """What is to be done, or must be so: feedback when it speaks to the agent, a constraint otherwise."""
    body = said.body
    if said.reported or has(norms.MEANT, said.whole) or norms.AT_A_TIME.match(body):
        return None
    past = has(moment.PAST, head(said.main))
    if _told_off(said, past) or _instructs(said):
        return "feedback"
    banned, must = has(norms.BAN, body), has(norms.MUST, body) and not has(norms.GUESSES, body)
    always = said.repeated or (has(norms.ALWAYS, body) and not has(norms.DESCRIBES, body))
    if not always and (has(moment.POINTING, said.main) or (banned and _at_hand_only(said))):
        return None
    if not (banned or always):
        if must and not (past or said.order):
            return "constraint" if _binds(said) else None
        return "feedback" if _contrasts(said) and not (said.order or past) else None
    if has(norms.DESCRIBES, body) and not must:
        return None
    if must and not (banned or said.order or has(norms.TO_AGENT, body)):
        return "constraint" if _binds(said) else None
    return "feedback"


def _at_hand_only(said: Said) -> bool:
    """A ban on the one thing at hand, with no name and no reason: an order for now."""
    body = said.body
    if norms.THIS_ONE.search(body):
        return True
    return has(norms.DEFINITE, body) and not (handles(body) or has(facts.BECAUSE, body))


def _told_off(said: Said, past: bool) -> bool:
    """ "no, use X, not Y", "wrong, we indent with tabs": how it is done instead."""
    if past or not corrects(said.whole):
        return False
    contrast = has(norms.USE, said.body) and has(norms.CONTRAST, said.body) and bool(handles(said.whole))
    plainly = has(norms.CORRECTED, said.body) and not has(moment.POINTING, said.main)
    plainly = plainly and not moment.AT_HAND.search(said.body)
    return contrast or plainly or facts.CONVENTION.search(said.body) is not None


def _instructs(said: Said) -> bool:
    """An order that holds whenever its case comes up, or that speaks of the agent's ways."""
    body = said.body
    if orders.WHEN_FIRST.match(body):
        rest = body.partition(",")[2]
        return speech.orders(rest) or has(norms.TO_AGENT, rest) or has(norms.BAN, rest)
    if orders.KEPT_SMALL.search(body):
        return True
    if has(moment.POINTING, said.main):
        return False
    if orders.ASK_FIRST.search(body) or orders.BARE_CONTRAST.match(body) or orders.METHOD.search(body):
        return not has(moment.FAULT, said.main)
    if (
        orders.BY_MEANS.match(body)
        or orders.FOR_KIND.match(body)
        or (has(orders.PLEASE, said.whole) and orders.ONE_PER.search(body))
    ):
        return True
    if orders.ONLY_USE.search(said.main) or orders.WANTED.match(body) or orders.YOUR_WAYS.search(body):
        return True
    if orders.STICK_TO.match(body) and (handles(body) or has(facts.BECAUSE, body)):
        return True
    asked = said.order or has(orders.PLEASE, said.whole)
    written = orders.LANGUAGE.search(body) and (asked or orders.WRITTEN.search(body))
    return bool(written) or has(orders.MANNER, body) or (said.order and has(orders.TOOL_FOR, body))


def _binds(said: Said) -> bool:
    """A constraint on the project, not on "it" and not a task of ours."""
    body = said.body
    start = bare(body)
    if moment.PRONOUN_FIRST.match(start) or has(norms.YOU, said.main) or not states(body):
        return False
    if norms.CANNOT_FIRST.match(start) and not handles(body):
        return False
    if (
        any(form.match(start) for form in (moment.CONDITION, moment.META))
        or norms.MY_DUTY.match(start)
        or norms.THEN.search(body)
    ):
        return False
    lasting = facts.LASTING.match(start) is not None
    told = lasting or "," in body or has(facts.BECAUSE, body)
    return told or moment.AT_HAND.match(start) is None


def _contrasts(said: Said) -> bool:
    """ "use pnpm rather than npm", "dates are day first, not month first"."""
    start = bare(said.body)
    if moment.PRONOUN_FIRST.match(start) or has(moment.FAULT, said.main):
        return False
    if has(norms.USE, said.body) and has(norms.CONTRAST, said.body) and handles(said.body):
        return True
    declared = has(orders.DECLARED_CONTRAST, said.body) or orders.COPULA_CONTRAST.match(start) is not None
    if not declared or moment.META.match(start) or moment.AT_HAND.match(start):
        return False
    return bool(facts.SUBJECT.match(start)) and states(said.body) and not has(norms.YOU, said.main)
