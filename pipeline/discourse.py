"""How a typed sentence stands to its neighbours: a reason, a question about it, a word said before."""

from siltstone.pipeline import fact_table as facts
from siltstone.pipeline import moment_table as moment
from siltstone.pipeline import norm_table as norms
from siltstone.pipeline import signals_table as table
from siltstone.pipeline import speech
from siltstone.pipeline.handles import handles
from siltstone.pipeline.plainly import plainly, straight


def reasons(sentence: str) -> bool:
    """Whether a sentence tells why: it goes with the fact before it."""
    return facts.BECAUSE.search(sentence) is not None


def insists(sentence: str) -> bool:
    """Whether a sentence only says that the one before it was said already."""
    return norms.SAID_BEFORE.match(plainly(sentence)) is not None


def leans(sentence: str) -> bool:
    """Whether a sentence speaks of something by a pronoun, so that it needs the one before it."""
    plain = plainly(sentence)
    if moment.PRONOUN_FIRST.match(facts.LEAD.sub("", plain, count=1)):
        return True
    return moment.PRONOUN_OBJECT.search(plain) is not None and not handles(plain)


def sets_scene(sentence: str) -> bool:
    """Whether a question makes what stands before it the description of a problem."""
    plain = plainly(sentence)
    if moment.HELP.search(plain) or moment.DISBELIEF.match(plain):
        return True
    return speech.asks(straight(sentence)) and not speech.orders(sentence)


def aside(sentence: str) -> bool:
    """Whether a sentence is marked as told for its own sake."""
    return moment.ASIDE_MARK.search(sentence) is not None


def cut_secret(sentence: str) -> str:
    """The sentence up to where it begins to speak of a login; a reference needs no password."""
    match = table.SECRETIVE.search(sentence)
    if match is None:
        return sentence
    kept = sentence[: match.start()]
    cut = max(kept.rfind(mark) for mark in ",;(，；（")
    return kept[: cut if cut >= 0 else len(kept)].rstrip(" ,;(，；（")
