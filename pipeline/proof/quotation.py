"""A memory in the words of the talk itself (invariant 6).

A model puts together what several messages say, and some of its words stand in none of them. Where it has
written the memory anew and that is not proved either, the memory is the exchange: what the user typed, with
what they agreed to or turned down.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import NamedTuple

from siltstone.pipeline.candidate import MAX_QUOTE, Candidate
from siltstone.pipeline.proof import choices, options
from siltstone.pipeline.proof.coverage import MIN_LETTERS, MIN_WORDS, MOST, is_said
from siltstone.pipeline.proof.echo import MIN_ECHO, others_wrote, repeats, stood_before
from siltstone.pipeline.proof.exchange import AGREED, ASKED, DENIED, USER, written
from siltstone.pipeline.proof.ground import sentences_of
from siltstone.pipeline.proof.normal_form import spoken, words_of
from siltstone.pipeline.proof.origin import Located, find
from siltstone.pipeline.proof.phrases import pattern
from siltstone.pipeline.proof.quotes import Proof, typed_next
from siltstone.pipeline.proof.stated import MIN_REST, without_questions
from siltstone.pipeline.proof.wording import NEUTRAL, WORDING
from siltstone.pipeline.reading.window import Window
from siltstone.pipeline.rules.candidates import described, named
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.rules.sentences import is_question, mask, sentences
from siltstone.pipeline.words import letters
from siltstone.store.names import slug

ROOM = 250
"""Characters of a typed message that is quoted as a whole; of a longer one the quoted sentences are."""


class Place(NamedTuple):
    """Where a line of the exchange stands, and who says it how."""

    n: int
    """Number of the message."""
    start: int
    """Of a quote of the agent's in it; 0 for what the user typed, which is one line."""
    label: str


_EMPHASIS = re.compile(r"(?<![\w*/])\*\*(\S(?:[^*]*\S)?)\*\*(?![\w*/])")
_BULLET = re.compile(r"^(?:[-*+•]|\d{1,2}[.)])\s+")


def quotation(
    candidate: Candidate, window: Window, proof: Proof, keywords: tuple[str, ...] = ()
) -> Candidate | None:
    """The candidate with the exchange that it quotes as its text; None where that does not carry the claim:
    half of its words stand in it, somebody says more there than yes or no, and nobody announces what is not
    quoted.

    `keywords`: the user's own words that ask to keep something, or not to.
    """
    told = _told(candidate, window, proof, keywords)
    quoted = "\n".join(chain(*told.values()))
    words = words_of(quoted)
    claimed = words_of(candidate.body) - WORDING - NEUTRAL
    carries = sum(is_said(word, words) for word in claimed) >= MOST * len(claimed)
    # A claim in another script has no words to compare.
    carries = carries or _is_latin(quoted) != _is_latin(candidate.body)
    answered = any(_rest(texts) - WORDING for at, texts in told.items() if at.label != ASKED)
    says = answered and carries and any(map(_says, told.values()))
    if candidate.action == "update" or not says or _announces(told):
        return None
    label, text = _most_like(claimed, told)
    body = "\n".join(written(at.label, _joined(texts)) for at, texts in told.items())
    description = written(label, described(text))
    if len(body) > MAX_QUOTE:
        return None
    return replace(candidate, name=slug(named(described(text))), description=description, body=body)


def _told(
    candidate: Candidate, window: Window, proof: Proof, keywords: tuple[str, ...]
) -> dict[Place, list[str]]:
    """What each line of the exchange quotes, in the order in which it was said: all of a typed message
    together, of the agent each quote for itself."""
    numbered = {one.n: one for one in window.shown}
    found = (find(numbered[quote.n], quote.text) for quote in candidate.quotes)
    heard = [one for one in found if one is not None and one.shown.message.tool is None]
    told = defaultdict[Place, list[str]](list)
    for one in sorted(heard, key=lambda one: (one.shown.n, one.start)):
        if one.origin == "user-said":
            label, texts = USER, _typed(one, window, keywords)
            if texts and texts[-1].endswith((":", "：")):  # it announces what is not quoted
                texts = texts[:-1]
        elif one in proof.said or one in proof.denied:
            texts = [_plainly(text) for text in sentences_of(one)]
            label = ASKED if all(map(is_question, texts)) else DENIED if one in proof.denied else AGREED
        elif _is_answered(one, window, proof):
            label, texts = ASKED, [_plainly(text) for text in sentences_of(one) if is_question(text)]
        else:
            continue
        place = Place(one.shown.n, 0 if label == USER else one.start, label)
        beside = [here for at, here in told.items() if (at.n, at.label) == (place.n, label)]
        told[place] += [text for text in texts if not any(text in here for here in beside)]
    pasted = {at.n for at in told if at.label == AGREED}  # beside a typed "implement this plan"
    bare = {at for at, texts in told.items() if at.n in pasted and at.label == USER and not _says(texts)}
    return {at: texts for at, texts in told.items() if texts and at not in bare}


def _says(texts: Sequence[str]) -> bool:
    """Whether sentences say something by themselves, and do not only ask."""
    rest, states = _rest(texts), letters("".join(map(without_questions, texts)))
    return states >= MIN_LETTERS and len(rest) >= MIN_WORDS and len(rest - WORDING) >= MIN_REST


def _announces(told: Mapping[Place, Sequence[str]]) -> bool:
    """Whether a line of the agent's ends with a colon, and what stands behind that is not quoted."""
    last = {at.n: (at.label, texts[-1]) for at, texts in told.items()}
    return any(label != USER and text.endswith((":", "：")) for label, text in last.values())


def _rest(texts: Iterable[str]) -> frozenset[str]:
    """Words of sentences beside a yes."""
    return words_of(pattern("yes").sub(" ", " ".join(texts)))


def _is_answered(quote: Located, window: Window, proof: Proof) -> bool:
    """Whether the agent asks there to choose or to tell something, and the next typed message is quoted."""
    asks = quote.origin == "assistant-inferred" and options.offers(sentences_of(quote)[-1])
    return asks and typed_next(quote.shown, window, proof.said) is not None


def _most_like(claimed: frozenset[str], told: Mapping[Place, Iterable[str]]) -> tuple[str, str]:
    """The label and the sentence that share most words with the claim; of what was agreed to, if anything."""
    agreed = {at: texts for at, texts in told.items() if at.label == AGREED}
    shared = {
        (at.label, text): claimed & words_of(text) for at, texts in (agreed or told).items() for text in texts
    }
    return max(shared, key=lambda one: len(shared[one]))


def _is_latin(text: str) -> bool:
    letters = [one for one in text if one.isalpha()]
    return sum(map(str.isascii, letters)) >= len(letters) / 2


def _joined(texts: Iterable[str]) -> str:
    """Sentences in a row; a line without an end, like an answer of several, is set apart."""
    return re.sub(r"(?<=[.!?…:;,。！？]); ", " ", "; ".join(texts))


def _typed(quote: Located, window: Window, keywords: tuple[str, ...]) -> list[str]:
    """The sentences of a short typed message, of a long one and of a list of answers those that are quoted, a
    question with what follows it. Without those that repeat others or are not to be remembered."""
    text, end = quote.shown.message.text, quote.start + len(quote.text)
    picked = {options.label(one.text) for one in choices.picked(quote.shown, window)}
    own, refusals = own_words(text), hear(text, keywords).refusals
    spans = sentences(mask(own))
    if picked or len(" ".join(own.split())) > ROOM:
        quoted = [one for one in spans if one.start < end and quote.start < one.end]
        asked = [] if picked else [one for one in quoted if is_question(own[one.start : one.end])]
        answers = [one for before, one in pairwise(spans) if before in asked]
        spans = [one for one in spans if one in quoted or one in answers]
    kept = (one for one in spans if not any(a < one.end and one.start < b for a, b in refusals))
    texts = (" ".join(own[one.start : one.end].split()) for one in kept)
    return [
        one for one in texts if one and (options.label(one) in picked or not _is_copy(one, quote, window))
    ]


def _is_copy(text: str, quote: Located, window: Window) -> bool:
    """Whether a typed sentence repeats others. A short one may be what the agent called it."""
    until = [one for one in window.shown if one.n <= quote.shown.n]
    short = len(spoken(text).split()) < MIN_ECHO
    return repeats(text, others_wrote(until) if short else stood_before(quote.shown, window))


def _plainly(text: str) -> str:
    """A sentence of the agent's on one line, without the mark of its list and without emphasis."""
    return _BULLET.sub("", _EMPHASIS.sub(r"\1", " ".join(text.split())))
