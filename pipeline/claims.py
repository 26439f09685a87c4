"""The claims of a typed message: runs of sentences that say one lasting thing, with their reason.

A sentence alone is judged in `signals.py`; here it is seen beside its neighbours and as the answer to
what the agent asked.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from siltstone.pipeline import speech
from siltstone.pipeline.discourse import aside, insists, leans, reasons, sets_scene
from siltstone.pipeline.handles import handles
from siltstone.pipeline.likeness import content
from siltstone.pipeline.moment_table import QUOTED
from siltstone.pipeline.plainly import courteous
from siltstone.pipeline.said import corrects
from siltstone.pipeline.sentences import Sentence, mask, sentences
from siltstone.pipeline.signals import Signal, signal
from siltstone.pipeline.window import Shown
from siltstone.pipeline.words import letters
from siltstone.store.late import LatePattern

MAX_BODY = 600
NEAR = 80
"""Characters between a statement and the question it belongs to."""
MIN_WHY = 30
"""Letters of a statement that tells why an option was picked."""
MAX_ECHO = 4
"""Words of an answer that only names one of the options offered."""
ELLIPSIS = 24
"""Letters under which a sentence only goes on with the one before ("Named ones.")."""
_APART = LatePattern(
    r"\s*(?:also|and|btw|by the way|besides|another thing|one more|oh|next|außerdem|und|übrigens"
    r"|además|y|aussi|et|e|inoltre"
    r"|另外|还有|還有|顺便|あと|それと|그리고)(?:\s*[,:]|\s+(?!so\b|that\b|it\b))",
    re.I,
)
_POINTS_BACK = LatePattern(
    r"\s*(?:so|it|it's|that|that's|this|these|those|they|their|he|she|there|otherwise|because"
    r"|then|the (?:real|other|old|new|first|second|latter|former|rest|reason|one)"
    r"|only|even|same|not|why|named|my|except|but|es|das|sie|sonst|deshalb|eso|sino|ça|sinon|所以"
    r"|否则|这|這|那|因为|因為|それ|これ|だから|그래서|그)(?!\w)|\s*[a-z][\w' -]{0,30}\bthere\b",
    re.I,
)
_OPTIONS = LatePattern(
    r"(?:^|\n)\s*(?:[-*]|\(?[a-d1-9][.):])\s|(?<!\w)\(?[a-d1-4]\)\s|options?\s*:|two ways|three ways|either "
    r"|which (?:one|format|of)|would you (?:rather|prefer)|(?:i would|i'd) (?:\w+ )?(?:lean|go"
    r"|suggest|recommend|take|use|pick|choose|prefer|say)|shall (?:i|we)|should (?:i|we)"
    r"|(?<!\w)or(?!\w).{0,120}[?.]|选项|選項|方案|还是|還是|どちら|選択肢|または|선택|아니면"
    r"|möglichkeiten|optionen|oder|opciones|o bien|ou bien|opções",
    re.I,
)
_PICK = LatePattern(
    r"^\s*(?:(?:the )?option |variante? |方案\s?|选|選)?(?:[a-d]|[1-9])(?:\s*[.):,，、]|\s+please"
    r"|$|\s+(?:then|because|since))|(?<!\w)(?:then|please)\s*(?:[,.;]|$)|^\s*(?:the )?(?:first"
    r"|second|third|last|latter|former)(?: one)?(?!\w)",
    re.I,
)
_ABOUT_ME = LatePattern(r"\s*(?:and\s+)?(?:i|i'm|my|ich|yo|je)(?!\w)", re.I)
_LETTER = LatePattern(r"\s*(?:option )?[a-d1-9]\s*[.):,]\s+", re.I)
_SETTLED_IT = LatePattern(
    r"\b(?:decided|agreed|chose|settled|picked|wanted) (?:on )?(?:that|this|it|so)"
    r"(?:\s*[.,;!]|\s*$|\s+(?:after|because|since|last|during|together)\b)",
    re.I,
)
"""Tells of what was said before, not what: "we decided that after the outage"."""
_CLAUSE = LatePattern(r"[,;:.!，。；：]")


@dataclass(slots=True)
class Claim:
    """A run of sentences of one message that say one thing."""

    kind: Signal
    start: int
    end: int
    anchor: str
    line: int
    picked: bool = False
    """It takes up an option the agent offered: what follows is why."""


def offered(before: Sequence[Shown], shown: Shown) -> str:
    """The agent's last words before this message, if they offered a choice; else ""."""
    for earlier in reversed(before):
        if earlier.session.id != shown.session.id or earlier.message.tool is not None:
            continue
        said = earlier.message.text[-2_000:]
        return said if earlier.message.role == "assistant" and _OPTIONS.search(said) else ""
    return ""


def find_claims(shape: str, taken: list[tuple[int, int]], options: str) -> list[Claim]:
    """Sentences that say something lasting, with those that belong to them."""
    claims: list[Claim] = []
    pending: Sentence | None = None
    before: Sentence | None = None  # what "it" of the next sentence may stand for
    for place, sentence in enumerate(sentences(shape, mask(shape, said=False))):
        spoken = QUOTED.fullmatch(sentence.text) is not None
        if spoken or any(start < sentence.end and sentence.start < end for start, end in taken):
            pending = before = None
            continue
        if insists(sentence.text):
            if before is not None and before.line == sentence.line and not _inside(claims, before):
                claims.append(Claim("feedback", before.start, before.end, before.text, before.line))
            continue
        picked = bool(options) and place < 2 and (pending is not None or _picks(shape, sentence, options))
        kind = signal(sentence.text, answers=picked)
        if kind is None and picked and _explains(shape, pending, sentence, options):
            kind = "decision"
        last = claims[-1] if claims else None
        if last is not None and kind is None and _described_problem(shape, last, sentence):
            claims.pop()
        elif last is not None and _belongs(last, sentence, kind, shape[last.end - 1]):
            last.end = sentence.end
            last.kind = _stronger(last.kind, kind)
        elif kind is not None:
            led = pending is not None and pending.line == sentence.line
            start = pending.start if pending and led else _leaning(sentence, before, last)
            if picked and kind != "reference" and (led or _picks(shape, sentence, options)):
                kind = kind if corrects(shape[start:]) else "decision"
            claims.append(Claim(kind, start, sentence.end, sentence.text, sentence.line, picked))
        pending = _may_lead(sentence, kind, bool(options) and place == 0, shape, options)
        before = _joined(before, sentence) if _carries(sentence) else None
    return claims


def stands_apart(head: str, said: str) -> bool:
    """Whether a sentence behind a request to keep `head` is a remark of its own: it says something that
    lasts and is neither why nor more of the same. By itself `find_claims` makes a claim of it."""
    kind = signal(said)
    if kind is None or leans(said) or reasons(said) or _POINTS_BACK.match(said) or _SETTLED_IT.search(said):
        return False
    if content(head) & content(said) or handles(head) & handles(said):
        return False
    if kind in ("identity", "reference", "change", "decision"):
        return True
    return letters(said) >= ELLIPSIS and (kind != "fact" or _APART.match(said) is not None)


def _explains(shape: str, pick: Sentence | None, sentence: Sentence, options: str) -> bool:
    """ "a. Auto-tune moves the arm by itself": a statement right behind the letter of an option is why."""
    letter = _LETTER.match(sentence.text)
    said = sentence.text[letter.end() :] if letter else sentence.text
    led = pick is not None and pick.line == sentence.line and _picks(shape, pick, options)
    if letters(said) < MIN_WHY or not (led or letter):
        return False
    return not (speech.asks(said) or speech.orders(said) or speech.passing(said) or speech.defers(said))


def _described_problem(shape: str, last: Claim, sentence: Sentence) -> bool:
    """A bare statement that opens a message sets the scene for the question behind it:
    "uploads block the web process. Any idea?"."""
    near = sentence.line == last.line and 0 <= sentence.start - last.end <= NEAR
    if last.kind != "fact" or not near or letters(shape[: last.start]) >= ELLIPSIS:
        return False
    return sets_scene(sentence.text) and not aside(last.anchor)


def _inside(claims: list[Claim], sentence: Sentence) -> bool:
    return bool(claims) and sentence.start < claims[-1].end


def _leaning(sentence: Sentence, before: Sentence | None, last: Claim | None) -> int:
    """Where a claim begins: a sentence that speaks of "it" takes the one before it along."""
    if before is None or before.line != sentence.line or not leans(sentence.text):
        return sentence.start
    return sentence.start if last is not None and before.start < last.end else before.start


def _joined(before: Sentence | None, sentence: Sentence) -> Sentence:
    """The sentence, with the one before it where it leans on that."""
    if before is None or before.line != sentence.line or not leans(sentence.text):
        return sentence
    return sentence._replace(start=before.start)


def _carries(sentence: Sentence) -> bool:
    """Whether a sentence may tell what the next one's "it" is."""
    said = sentence.text
    return not (speech.asks(said) or speech.orders(said) or courteous(said)) and letters(said) >= 4


def _picks(shape: str, sentence: Sentence, options: str) -> bool:
    """Takes one of the options up: by its letter, its place, or its words."""
    if _PICK.search(shape[: sentence.end] if sentence.start < 12 else sentence.text):
        return True
    clause = content(_CLAUSE.split(sentence.text, maxsplit=1)[0])
    return 0 < len(clause) <= MAX_ECHO and clause <= content(options)


def _may_lead(
    sentence: Sentence, kind: Signal | None, first: bool, shape: str, options: str
) -> Sentence | None:
    """A short answer or a bare "no" that the next sentence explains."""
    said = sentence.text
    if kind is not None or speech.asks(said) or speech.passing(said) or speech.defers(said):
        return None
    if courteous(said) or not first:
        return None
    return sentence if _picks(shape, sentence, options) or not speech.orders(said) else None


def _belongs(last: Claim, sentence: Sentence, kind: Signal | None, after: str) -> bool:
    """Whether a sentence goes on with the claim before it: its reason, or more of the same."""
    said = sentence.text
    if sentence.line != last.line or sentence.end - last.start > MAX_BODY or sentence.start - last.end > 3:
        return False
    if speech.asks(said) or speech.passing(said) or speech.defers(said) or _APART.match(said):
        return False
    if after in ";；" and kind != "reference":  # half of a sentence goes on with the other half
        return not speech.orders(said) or kind is not None
    if kind in ("identity", "reference", "change") and kind != last.kind:
        return False
    if last.picked and kind not in ("feedback", "decision") and not speech.orders(said):
        return True
    back = _POINTS_BACK.match(said) is not None
    shared = bool(content(last.anchor) & content(said)) or bool(handles(last.anchor) & handles(said))
    if last.kind == "identity" and kind in (None, "identity") and _ABOUT_ME.match(said):
        return True
    if kind is None:
        if speech.orders(said) and not back:
            return False
        return back or shared or reasons(said) or last.kind in ("feedback", "decision", "constraint")
    explains = kind == "fact" and last.kind in ("feedback", "decision", "constraint") and not handles(said)
    return back or shared or explains or reasons(said) or letters(said) < ELLIPSIS


def _stronger(kind: Signal, other: Signal | None) -> Signal:
    """A fact beside a rule is the rule's reason; a decision stays one."""
    if kind == "fact" and other in ("constraint", "feedback", "decision"):
        return other
    return kind
