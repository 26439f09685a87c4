"""Evidence or nothing: code checks that the quotes of a candidate were really said (invariant 6)."""

import re
from dataclasses import dataclass

from siltstone.pipeline.candidate import Candidate
from siltstone.pipeline.identifiers import identifiers, lost
from siltstone.pipeline.merging.likeness import content
from siltstone.pipeline.proof import origin
from siltstone.pipeline.proof.dates import near
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.words import anyof, letters
from siltstone.store.entry import Evidence, Origin

NEGATED = "negated_request"
"""The user asked not to keep it. The ledger does not keep its text either."""
MIN_LETTERS = 12
"""A quote of fewer letters proves nothing alone; a CJK letter counts for two, so six of them do."""

_RANK: dict[Origin, int] = {"user-said": 0, "tool-observed": 1, "assistant-inferred": 2, "read-content": 3}
_YES = re.compile(
    r"[\s\W]*(?:"
    + anyof(
        "yes; yep; yeah; yup; ok; okay; sure; agreed; right; exactly; correct; perfect; great"
        "; good; fine; deal; do (it|that|so)"
        "; go (ahead|for it|with); let's do; sounds good; please do; makes sense; of course"
        "; absolutely; definitely; approved; lgtm; \\+1; confirmed"
        "; ja; genau; passt; gut; einverstanden; mach das; stimmt; oui; d'accord; sí; si; vale"
        "; de acuerdo; hazlo; sim; certo; va bene; да; хорошо"
        "; option \\w+; the (first|second|third|last|latter|former)( one)?; both; [a-d1-9]",
        "好; 好的; 可以; 行; 是的; 对; 對; 没错; 沒錯; 同意; 就这样; 就這樣; 就这么办; 用这个"
        "; はい; うん; お願い; それで; いいよ; いいです; 了解; 그래; 네; 예; 좋아; 그렇게",
    )
    + ")",
    re.I,
)
_NO = re.compile(
    r"[\s\W]*"
    + anyof(
        "no; nope; not; don't; do not; never; nein; nicht; non; nej; нет",
        "不; 别"
        r"; 別; いいえ; いや; 아니; 안",
    ),
    re.I,
)


@dataclass(frozen=True, slots=True)
class Proof:
    """What a candidate's quotes prove: their origin, and the quotes as evidence."""

    origin: Origin
    evidence: tuple[Evidence, ...]
    """Sorted by time, with the words as they are in the message."""
    reason: str | None = None
    """Why the quotes prove nothing: "no-evidence" (a quote was not found), "unknown-message", "too-short",
    "negated_request" (the user asked not to keep it), "read-content"; None when they prove something."""


@dataclass(frozen=True, slots=True)
class _Found:
    shown: Shown
    where: origin.Located


def prove(candidate: Candidate, window: Window) -> Proof:
    """Check every quote of a candidate against the window that it comes from.

    One quote that is not found, or one unknown message number, refuses the candidate: a model that makes
    up one quote makes up more. The origin is that of the most trustworthy quote which is long enough, or
    "user-said" for an adopted proposal.
    """
    numbered = {shown.n: shown for shown in window.shown}
    found: list[_Found] = []
    for quote in candidate.quotes:
        shown = numbered.get(quote.n)
        if shown is None:
            return Proof("read-content", (), "unknown-message")
        where = origin.find(shown, quote.text)
        if where is None:
            return Proof("read-content", (), "no-evidence")
        found.append(_Found(shown, where))
    if not found:
        return Proof("read-content", (), "no-evidence")
    evidence = _evidence(found)
    if any(_refused(one) for one in found):
        return Proof("user-said", evidence, NEGATED)
    if _adopted(window, found):
        return Proof("user-said", evidence)
    proving = [one for one in found if _proves(candidate, one.where)]
    if not proving:
        return Proof(_best(found), evidence, "too-short")
    best = _best(proving)
    if (
        best == "read-content"
        or _borrowed(candidate, window, found)
        or (best == "assistant-inferred" and _read_out(candidate, window, proving))
    ):
        return Proof("read-content", evidence, "read-content")
    return Proof(best, evidence)


def _evidence(found: list[_Found]) -> tuple[Evidence, ...]:
    every = {
        Evidence(m.at, shown.session.agent, shown.session.id, m.id, where.text)
        for shown, where, m in ((one.shown, one.where, one.shown.message) for one in found)
    }
    return tuple(sorted(every))


def _proves(candidate: Candidate, where: origin.Located) -> bool:
    """Whether a quote is long enough to prove something. An exit status is a fact and short; an explicit
    save counts because the request stands before it."""
    if letters(where.text) >= MIN_LETTERS:
        return True
    if where.origin == "tool-observed":
        return where.start == -1 and where.text.startswith("exit")
    return candidate.source == "explicit" and where.origin == "user-said"


def _best(found: list[_Found]) -> Origin:
    return min((one.where.origin for one in found), key=_RANK.__getitem__)


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


def _refused(one: _Found) -> bool:
    """Whether the user asked not to keep what is quoted ("don't remember this")."""
    message = one.shown.message
    if message.role != "user":
        return False
    start, end = one.where.start, one.where.start + len(one.where.text)
    return any(first < end and start < last for first, last in hear(message.text).refusals)


def _adopted(window: Window, found: list[_Found]) -> bool:
    """Whether the quotes are a sentence of the assistant and the user's yes in the next typed message."""
    for proposal in found:
        if proposal.where.origin != "assistant-inferred" or letters(proposal.where.text) < MIN_LETTERS:
            continue
        session, n = proposal.shown.session.id, proposal.shown.n
        typed = (one for one in window.shown if one.message.role == "user" and one.session.id == session)
        answer = min((one for one in typed if one.n > n), key=lambda one: one.n, default=None)
        if answer is None or _NO.match(answer.message.text):
            continue
        yes = (one.where for one in found if one.shown.n == answer.n)
        if any(where.origin == "user-said" and _YES.match(where.text) for where in yes):
            return True
    return False


def _borrowed(candidate: Candidate, window: Window, found: list[_Found]) -> bool:
    """Whether the candidate holds a link, path or command that occurs first in read content, and that the
    user never typed. A true quote does not make a claim true that comes from a file.
    """
    quoted = " ".join(one.where.text for one in found if one.where.origin != "read-content").lower()
    ordered = sorted(window.shown, key=lambda shown: shown.n)
    for identifier in identifiers(candidate.claim):
        if not ("/" in identifier or " " in identifier or identifier.startswith("-")) or identifier in quoted:
            continue
        seen = [where for shown in ordered if (where := origin.locate(shown, identifier)) is not None]
        if seen[:1] == ["read-content"] and "user-said" not in seen:
            return True
    return False


def _read_out(candidate: Candidate, window: Window, proving: list[_Found]) -> bool:
    """Whether the agent only repeats what it read: its words, or the claim, occur in read content.

    Such a claim may not wait in the inbox, because a second session that reads the same file would lift
    it. An explicit save is exempt: the user asked for it.
    """
    if candidate.source == "explicit":
        return False
    texts = [candidate.description, candidate.body, *(one.where.text for one in proving)]
    own = {one.shown.n for one in proving}
    return any(
        letters(text) >= MIN_LETTERS and origin.locate(shown, text.rstrip(" .")) == "read-content"
        for text in texts
        for shown in window.shown
        if shown.n not in own
    )
