"""What the user states of their own in a message, and what they ask to be made (invariant 6).

A question states nothing, but for what stands before it or behind it. What only repeats others counts where
the user agrees to it, or says nothing beside it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from siltstone.pipeline.proof.clauses import CLAUSE
from siltstone.pipeline.proof.echo import stood_before, without_echo
from siltstone.pipeline.proof.normal_form import plain, words_of
from siltstone.pipeline.proof.phrases import opens, pattern
from siltstone.pipeline.proof.wording import NEUTRAL, WORDING
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.sentences import cut, is_question, line_of, mask, sentences

_PURPOSE = re.compile(r",?\sso\s(?:that\s)?(?:we|i|you|they|it)\s", re.IGNORECASE)
"""Begins what a request is for."""
MIN_REST = 2
"""Words that carry meaning with which something is said beside what is repeated."""


def stated(shown: Shown, window: Window) -> str:
    """What the user says of their own in a message: no question, and nothing they call wrong. What they
    repeat of others counts where they agree, or say nothing beside it; what wants a yes, unless the agent
    says no next."""
    behind = (one.message for one in window.shown if one.n > shown.n and one.session == shown.session)
    answer = next((one.text for one in behind if one.tool is None), "")
    refuted = pattern("no").search(CLAUSE.split(answer, maxsplit=1)[0]) is not None
    question = question_before(shown, window)
    offers = pattern("alternative").search(question) is not None
    return _stated(shown.message.text, stood_before(shown, window), refuted, words_of(question), offers)


@lru_cache(maxsize=256)
def _stated(text: str, before: str, refuted: bool, asked: frozenset[str], offers: bool) -> str:
    """`before`: what others had said until then. `refuted`: the agent said no next. `asked`: the words of its
    question that the message answers, which `offers` several things."""
    own = own_words(text)
    spans = sentences(mask(own))
    parts = [own[one.start : one.end] for one in spans]
    chosen = {own[one.start : one.end] for one in spans if _chooses(line_of(own, one.start, one.end), asked)}
    beside = {clause: without_echo(clause, before) for one in parts for clause in CLAUSE.split(one)}
    rests = {part: plain(" ".join(beside[one] for one in CLAUSE.split(part))) for part in parts}
    denied = any(pattern("denies").search(rest) for rest in rests.values())
    beside_it = re.search(r"\w", " ".join(rests.values())) is not None
    said: list[str] = []
    requests = False
    for whole, rest in rests.items():
        part = _requested(whole) if refuted and _wants_yes(whole) else told(whole)
        also = _requested_too(whole) if requests and not part else ""
        part, requests = part or also, bool(also or _requested(whole))
        if not part or pattern("denies").search(plain(part)):
            continue
        plainly = opens("yes", part) or opens("from_now", part) or not beside_it
        agrees = whole in chosen or (plainly and not denied and pattern("no").search(rest) is None)
        first, *others = CLAUSE.split(part)
        chosen_first = offers and not denied and _chooses(first, asked) and _only_orders(others)
        for one in (first, *others):
            named = not denied and len(words_of(one)) < MIN_REST  # "(TASK-7)" is no quotation
            as_it_is = agrees or named or (chosen_first and one == first)
            said.append(one if as_it_is else without_echo(one, before, names=True))
    return "\n".join(said)


def _only_orders(clauses: Sequence[str]) -> bool:
    """Whether each clause orders something, and none says no or reports, or offers anything else."""
    return all(pattern("orders").match(one) and not _doubts(one) for one in clauses)


def _chooses(text: str, asked: frozenset[str]) -> bool:
    """Whether a text answers a question in nothing but its words, and names one of its choices alone."""
    words = words_of(text) - WORDING - NEUTRAL
    return bool(words) and words <= asked and not is_question(text) and not _doubts(text)


def _doubts(text: str) -> bool:
    """Whether a text says no, tells what others say, or offers an alternative."""
    return any(pattern(words).search(text) for words in ("no", "reports", "alternative"))


def right_before(shown: Shown, window: Window) -> Shown | None:
    """What stands right before a message."""
    return next((one for one in reversed(window.shown) if one.n < shown.n), None)


def question_before(shown: Shown, window: Window) -> str:
    """The question of the agent that a typed message answers. Its words tell what the answer is about."""
    before = [one for one in window.shown if one.n < shown.n and one.session == shown.session]
    last = right_before(shown, window)
    if shown.message.role != "user" or last is None:
        return ""
    waits = last.message.role == "assistant" and last.session == shown.session
    asked = _questions(last) if waits else ""
    return asked or _left_open(shown, before)


def _left_open(shown: Shown, before: Sequence[Shown]) -> str:
    """The question with which the agent waited before the last typed message, where that one speaks of
    something else, and this one of nothing but it ("I bring the keys", "put it inside the shed")."""
    asked = next((one for one in reversed(before) if one.message.final), None)
    if asked is None:
        return ""
    words = words_of(_questions(asked))
    typed = [one for one in before if one.n > asked.n and one.message.role == "user"]
    told = [words_of(own_words(one.message.text)) - WORDING - NEUTRAL for one in (*typed, shown)]
    elsewhere = len(told) == 2 and len(told[0]) >= MIN_REST and words.isdisjoint(told[0])
    return _questions(asked) if elsewhere and len(told[1]) >= MIN_REST and told[1] <= words else ""


def _questions(shown: Shown) -> str:
    return "\n".join(filter(is_question, cut(shown.message.text)))


def without_questions(text: str, requests: bool = True) -> str:
    """A text without what it only wants to know, or without `requests` also without what it asks to be made
    ("can we add a limit?")."""
    keep = told if requests else asserted
    return "\n".join(keep(one) if is_question(one) else one for one in cut(text))


def told(sentence: str) -> str:
    """What a sentence states, and what it asks to be made."""
    states = asserted(sentence)
    return " ".join(filter(None, (states, _requested(sentence.removeprefix(states)))))


def asserted(sentence: str) -> str:
    """A sentence without the question that it ends in ("A it is (can you tell Mo?)") or begins with ("can you
    look, I think we need B"), and without "right?"; "" where it asks about all of it ("do we use yarn?")."""
    if tag := _wants_yes(sentence):
        return sentence[: tag.start()]
    clauses = list(CLAUSE.finditer(sentence))
    if not is_question(sentence):
        said = [end for end in clauses if opens("tells", sentence[end.end() :])]
        return sentence if not opens("asks", sentence) else sentence[said[0].end() :] if said else ""
    # Behind "and" a verb without a subject asks nothing: "flags are on and are fetched, right?"
    starts = ((end, "asks_whom" if end[0].strip().isalpha() else "asks") for end in clauses)
    asked = next((end for end, words in starts if opens(words, sentence[end.end() :])), None)
    if (
        asked is None
        or opens("asks", sentence)
        or len(words_of(sentence[asked.end() :]) - WORDING) < MIN_REST
    ):
        return ""
    told = sentence[: asked.start()]
    return "" if opens("bound", told) and CLAUSE.search(told) is None else told


def _requested_too(sentence: str) -> str:
    """What a sentence behind a request asks for beside it ("Also show it in the log?"); "" for any other."""
    also = pattern("also").match(sentence)
    more = sentence[also.end() :] if also else ""
    return "" if not more or opens("asks", more) else _requested(f"can you {more}")


def _wants_yes(sentence: str) -> re.Match[str] | None:
    """The end of a statement that only wants a yes ("we use yarn, right?")."""
    return None if opens("asks", sentence) else pattern("tag").search(sentence)


def _requested(sentence: str) -> str:
    """What a request asks to be made ("can we add a limit?"); "" for one that wants to know something."""
    first = next((i for i, char in enumerate(sentence) if char.isalnum()), 0)
    asked = pattern("requests").match(sentence, first)
    if asked is None and any(opens("bound", clause) for clause in CLAUSE.split(sentence)):
        asked = pattern("requests").search(sentence)  # "if it is late, can you …"
    if asked is None:
        return ""
    rest = sentence[asked.end() :]
    if opens("inquires", rest):  # "can you look at it, and please add …"
        also = (pattern("pleads").match(rest, end.end()) for end in CLAUSE.finditer(rest))
        made = (rest[one.end() :] for one in also if one)
        plainly = (one for one in made if not any(opens(words, one) for words in ("leans", "asks", "bound")))
        return next(filter(None, (_requested(f"can you {one.lstrip()}") for one in plainly)), "")
    ordered = pattern("of_the_agent").search(asked[0]) and pattern("orders").match(rest)
    wonders = pattern("wonders").search(rest)
    if not ordered:
        if not wonders:
            return sentence[first : asked.start()] + rest
        # "… so that we know where to look": the request itself wants to know nothing.
        purpose = _PURPOSE.search(rest, 0, wonders.start())
        if purpose is None or pattern("alternative").search(rest):
            return ""
        return sentence[first : asked.start()] + rest[: purpose.start()]
    questions = (end.start() for end in CLAUSE.finditer(rest) if opens("asks", rest[end.end() :]))
    rest = rest[: min(questions, default=len(rest))]
    if pattern("alternative").search(rest):
        return ""
    # "Can you add a check whether it is late": what stands behind "whether" is not said.
    return sentence[first : asked.start()] + (rest[: wonders.start()] if wonders else rest)
