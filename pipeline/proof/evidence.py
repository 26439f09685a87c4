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
    return _judge(candidate, window, found)


def _judge(candidate: Candidate, window: Window, found: list[_Found]) -> Proof:
    evidence = tuple(sorted({_evidence(one) for one in found}))
    if any(_refused(one) for one in found):
        return Proof("user-said", evidence, NEGATED)
    if _adopted(window, found):
        return Proof("user-said", evidence)
    long = [
        one for one in found if letters(one.where.text) >= MIN_LETTERS or _told(one) or _asked(candidate, one)
    ]
    if not long:
        return Proof(_best(found), evidence, "too-short")
    best = _best(long)
    if (
        best == "read-content"
        or _borrowed(candidate, window, found)
        or (best == "assistant-inferred" and _read_out(candidate, window, long))
    ):
        return Proof("read-content", evidence, "read-content")
    return Proof(best, evidence)


def beyond(candidate: Candidate, window: Window) -> bool:
    """Whether a new claim goes beyond its quotes: it shares no word with them, or it holds a number, link or
    path that no shown message holds. A quote proves that words were said, not what is made of them.

    A date near the day of the evidence is allowed, because relative dates are written out.
    """
    if candidate.action not in ("create", "contradict"):
        return False
    quoted = " ".join(quote.text for quote in candidate.quotes)
    if not content(_claim(candidate)) & content(quoted):
        return True
    numbered = {shown.n: shown.message.at.date() for shown in window.shown}
    days = {numbered[quote.n] for quote in candidate.quotes if quote.n in numbered}
    told = "\n".join(_words(shown) for shown in window.shown)
    return any(
        _checkable(identifier) and not near(identifier, days) for identifier in lost(_claim(candidate), told)
    )


def _words(shown: Shown) -> str:
    tool = shown.message.tool
    parts = () if tool is None else (tool.command or "", tool.input, tool.output)
    return "\n".join((shown.message.text, *parts))


def _checkable(identifier: str) -> bool:
    """Whether an identifier is right or wrong as it is. Names and quoted words may be reworded."""
    return "://" in identifier or "/" in identifier or any(char.isdigit() for char in identifier)


def _best(found: list[_Found]) -> Origin:
    return min((one.where.origin for one in found), key=_RANK.__getitem__)


def _evidence(one: _Found) -> Evidence:
    session, message = one.shown.session, one.shown.message
    return Evidence(message.at, session.agent, session.id, message.id, one.where.text)


def _told(one: _Found) -> bool:
    """Whether it is an exit status, which is short and still a fact."""
    return one.where.start == -1 and one.where.origin == "tool-observed" and one.where.text.startswith("exit")


def _asked(candidate: Candidate, one: _Found) -> bool:
    """Whether it is an explicit save, whose short text counts because the request comes before it."""
    return candidate.source == "explicit" and one.where.origin == "user-said"


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
        answer = _next_typed(window, proposal.shown)
        if answer is None:
            continue
        for yes in found:
            same = yes.shown.n == answer.n and yes.where.origin == "user-said"
            if same and _YES.match(yes.where.text) and not _NO.match(answer.message.text):
                return True
    return False


def _next_typed(window: Window, proposal: Shown) -> Shown | None:
    behind = [
        shown
        for shown in window.shown
        if shown.n > proposal.n and shown.session.id == proposal.session.id and shown.message.role == "user"
    ]
    return min(behind, key=lambda shown: shown.n, default=None)


def _borrowed(candidate: Candidate, window: Window, found: list[_Found]) -> bool:
    """Whether the candidate holds a link, path or command that came from read content.

    A true quote does not make a claim true that comes from a file.
    """
    claimed = {identifier for identifier in identifiers(_claim(candidate)) if _dangerous(identifier)}
    if not claimed:
        return False
    quoted = " ".join(one.where.text for one in found if one.where.origin != "read-content").lower()
    return any(identifier not in quoted and _read_first(window, identifier) for identifier in claimed)


def _read_out(candidate: Candidate, window: Window, quoted: list[_Found]) -> bool:
    """Whether the agent only repeats what it read: its words, or the claim, occur in read content.

    Such a claim may not wait in the inbox, because a second session that reads the same file would lift
    it. An explicit save is exempt: the user asked for it.
    """
    if candidate.source == "explicit":
        return False
    said = [candidate.description, candidate.body, *(one.where.text for one in quoted)]
    own = {one.shown.n for one in quoted}
    return any(
        letters(words) >= MIN_LETTERS and origin.locate(shown, words.rstrip(" .")) == "read-content"
        for words in said
        for shown in window.shown
        if shown.n not in own
    )


def _read_first(window: Window, identifier: str) -> bool:
    """Whether it occurs first in read content, and the user never typed it."""
    ordered = sorted(window.shown, key=lambda shown: shown.n)
    seen = [where for shown in ordered if (where := origin.locate(shown, identifier)) is not None]
    return "user-said" not in seen and seen[:1] == ["read-content"]


def _claim(candidate: Candidate) -> str:
    return f"{candidate.description}\n{candidate.body}"


def _dangerous(identifier: str) -> bool:
    return "://" in identifier or "/" in identifier or " " in identifier or identifier.startswith("-")
