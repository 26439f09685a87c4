"""Evidence or nothing: what the quotes of a candidate prove, and whether its claim goes beyond them
(invariant 6)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from siltstone.pipeline.candidate import Candidate
from siltstone.pipeline.identifiers import identifiers, lost
from siltstone.pipeline.merging.likeness import content
from siltstone.pipeline.merging.survivor import ORIGIN_RANK
from siltstone.pipeline.proof.dates import near
from siltstone.pipeline.proof.origin import Located, find, locate
from siltstone.pipeline.proof.phrases import pattern
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.words import letters
from siltstone.store.entry import Evidence, Origin

NEGATED = "negated_request"
"""The user asked not to keep it. The ledger does not keep its text either."""
MIN_LETTERS = 12
"""A quote of fewer letters proves nothing alone; a CJK letter counts for two, so six of them do."""

_SIGNS = re.compile(r"\W*")


@dataclass(frozen=True, slots=True)
class Proof:
    """What a candidate's quotes prove: their origin, and the quotes as evidence."""

    origin: Origin
    evidence: tuple[Evidence, ...]
    """Sorted by time, with the words as they are in the message."""
    reason: str | None = None
    """Why the quotes prove nothing: "no-evidence" (a quote was not found), "unknown-message", "too-short",
    "negated_request" (the user asked not to keep it), "read-content"; None when they prove something."""


def prove(candidate: Candidate, window: Window) -> Proof:
    """Check every quote of a candidate against the window that it comes from.

    One quote that is not found, or one unknown message number, refuses the candidate: a model that makes
    up one quote makes up more. The origin is that of the most trustworthy quote which is long enough, or
    "user-said" for an adopted proposal.
    """
    numbered = {shown.n: shown for shown in window.shown}
    found: list[Located] = []
    for quote in candidate.quotes:
        if quote.n not in numbered:
            return Proof("read-content", (), "unknown-message")
        where = find(numbered[quote.n], quote.text)
        if where is None:
            return Proof("read-content", (), "no-evidence")
        found.append(where)
    if not found:
        return Proof("read-content", (), "no-evidence")
    said = ((one.shown.session, one.shown.message, one.text) for one in found)
    evidence = tuple(sorted({Evidence(m.at, s.agent, s.id, m.id, text) for s, m, text in said}))
    if any(map(_refused, found)):
        return Proof("user-said", evidence, NEGATED)
    if _adopted(window, found):
        return Proof("user-said", evidence)
    proving = [one for one in found if _proves(candidate, one)]
    best = max((one.origin for one in proving or found), key=ORIGIN_RANK.__getitem__)
    if not proving:
        return Proof(best, evidence, "too-short")
    borrowed = _borrowed(candidate, window, found)
    if best == "read-content" or borrowed or _read_out(candidate, window, best, proving):
        return Proof("read-content", evidence, "read-content")
    return Proof(best, evidence)


def beyond(candidate: Candidate, window: Window) -> bool:
    """Whether a new claim goes beyond its quotes: it shares no word with them, or it holds a number, link or
    path that no shown message holds. A quote proves that words were said, not what is made of them.

    A date near the day of the evidence is allowed, because relative dates are written out. Names and quoted
    words may be reworded.
    """
    if candidate.action not in ("create", "contradict"):
        return False
    if not content(candidate.claim) & content(" ".join(quote.text for quote in candidate.quotes)):
        return True
    numbered = {shown.n: shown.message.at.date() for shown in window.shown}
    days = {numbered[quote.n] for quote in candidate.quotes if quote.n in numbered}
    texts: list[str] = []
    for shown in window.shown:
        tool = shown.message.tool
        texts += [shown.message.text] if tool is None else [tool.command or "", tool.input, tool.output]
    return any(
        ("/" in identifier or any(map(str.isdigit, identifier))) and not near(identifier, days)
        for identifier in lost(candidate.claim, "\n".join(texts))
    )


def _proves(candidate: Candidate, quote: Located) -> bool:
    """Whether a quote is long enough to prove something. An exit status is a fact and short; an explicit
    save counts because the request stands before it."""
    if letters(quote.text) >= MIN_LETTERS:
        return True
    if quote.origin == "tool-observed":
        return quote.start == -1 and quote.text.startswith("exit")
    return candidate.source == "explicit" and quote.origin == "user-said"


def _refused(quote: Located) -> bool:
    """Whether the user asked not to keep what is quoted ("don't remember this")."""
    message, end = quote.shown.message, quote.start + len(quote.text)
    refusals = hear(message.text).refusals if message.role == "user" else ()
    return any(first < end and quote.start < last for first, last in refusals)


def _adopted(window: Window, found: Sequence[Located]) -> bool:
    """Whether the quotes are a sentence of the assistant and the user's yes in the next typed message."""
    for proposal in found:
        if proposal.origin != "assistant-inferred" or letters(proposal.text) < MIN_LETTERS:
            continue
        session, n = proposal.shown.session.id, proposal.shown.n
        typed = (one for one in window.shown if one.message.role == "user" and one.session.id == session)
        answer = min((one for one in typed if one.n > n), key=lambda one: one.n, default=None)
        if answer is None or _begins("no", answer.message.text):
            continue
        said = (one for one in found if one.shown.n == answer.n and one.origin == "user-said")
        if any(_begins("yes", one.text) for one in said):
            return True
    return False


def _begins(words: str, text: str) -> bool:
    signs = _SIGNS.match(text)
    return pattern(words).match(text, signs.end() if signs else 0) is not None


def _borrowed(candidate: Candidate, window: Window, found: Sequence[Located]) -> bool:
    """Whether the candidate holds a link, path or command that occurs first in read content, and that the
    user never typed. A true quote does not make a claim true that comes from a file.
    """
    quoted = " ".join(one.text for one in found if one.origin != "read-content").lower()
    ordered: list[Shown] = sorted(window.shown, key=lambda shown: shown.n)
    for identifier in identifiers(candidate.claim):
        if not ("/" in identifier or " " in identifier or identifier.startswith("-")) or identifier in quoted:
            continue
        seen = [where for shown in ordered if (where := locate(shown, identifier)) is not None]
        if seen[:1] == ["read-content"] and "user-said" not in seen:
            return True
    return False


def _read_out(candidate: Candidate, window: Window, best: Origin, proving: Sequence[Located]) -> bool:
    """Whether the agent only repeats what it read: its words, or the claim, occur in read content.

    Such a claim may not wait in the inbox, because a second session that reads the same file would lift
    it. An explicit save is exempt: the user asked for it.
    """
    if best != "assistant-inferred" or candidate.source == "explicit":
        return False
    texts = [candidate.description, candidate.body, *(one.text for one in proving)]
    own = {one.shown.n for one in proving}
    return any(
        letters(text) >= MIN_LETTERS and locate(shown, text.rstrip(" .")) == "read-content"
        for text in texts
        for shown in window.shown
        if shown.n not in own
    )
