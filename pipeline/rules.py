"""The embedded model: rules that find what a conversation says and that lasts (DESIGN.md "Gate, merge").

Needs no key and no network. Only what the user typed is looked at: explicit saves, corrections,
decisions, constraints, references, identity, changes. It says little and is right mostly; a model says
more. Proof and gate come after it as after any model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from siltstone.pipeline import speech
from siltstone.pipeline.aim import SAME, aimed
from siltstone.pipeline.candidate import Candidate, Quote, RelatedEntry
from siltstone.pipeline.evidence import MIN_LETTERS
from siltstone.pipeline.explicit import Save, everywhere, find_refusals, find_saves
from siltstone.pipeline.gate import assess, is_hard
from siltstone.pipeline.handles import handles
from siltstone.pipeline.likeness import content, overlap
from siltstone.pipeline.origin import foreign_spans
from siltstone.pipeline.plainly import courteous
from siltstone.pipeline.rivals import rivals
from siltstone.pipeline.sentences import Sentence, mask, sentences
from siltstone.pipeline.signals import Signal, corrects, cut_secret, insists, leans, reasons, signal
from siltstone.pipeline.window import Shown, Window
from siltstone.pipeline.words import asian, letters
from siltstone.store.entry import Source, Type
from siltstone.store.names import slug

MAX_BODY = 600
MAX_DESCRIPTION = 140
MAX_QUOTE = 300
NAME_WORDS = 8
MAX_ECHO = 4
"""Words of an answer that only names one of the options offered."""
ELLIPSIS = 24
"""Letters under which a sentence only goes on with the one before ("Named ones.")."""

_TYPES: dict[Signal, Type] = {
    "identity": "user",
    "reference": "reference",
    "change": "decision",
    "decision": "decision",
    "feedback": "feedback",
    "constraint": "project",
    "fact": "project",
}
_APART = re.compile(
    r"\s*(?:also|and|btw|by the way|besides|another thing|one more|oh|next|außerdem|und|übrigens"
    r"|además|y|aussi|et|e|inoltre"
    r"|另外|还有|還有|顺便|あと|それと|그리고)(?:\s*[,:]|\s+(?!so\b|that\b|it\b))",
    re.I,
)
_POINTS_BACK = re.compile(
    r"\s*(?:so|it|it's|that|that's|this|these|those|they|their|he|she|there|otherwise|because"
    r"|then|the (?:real|other|old|new|first|second|latter|former|rest|reason|one)"
    r"|only|even|same|not|why|named|my|except|but|es|das|sie|sonst|deshalb|eso|sino|ça|sinon|所以"
    r"|否则|这|這|那|因为|因為|それ|これ|だから|그래서|그)(?!\w)|\s*[a-z][\w' -]{0,30}\bthere\b",
    re.I,
)
_OPENING = re.compile(
    r"^\s*(?:(?:ok(?:ay)?|yes|yep|right|good|great|nice|fine|no|nope|argh|stop|wait|well"
    r"|good news|fyi|nein|ja|[a-d1-9])"
    r"\s*[,.:;!)—–-]+\s*|(?:and|also|but|so|please|pls|by the way|btw|note that|mind that"
    r"|keep in mind that|bitte"
    r"|übrigens|und|y|por cierto|au fait|e|另外|还有|對了|对了|顺便|ちなみに|あと)(?:\s*[,.:"
    r";!—–-]+\s*|\s+)){1,4}",
    re.I,
)
_OPTIONS = re.compile(
    r"(?:^|\n)\s*(?:[-*]|\(?[a-d1-9][.):])\s|(?<!\w)\(?[a-d1-4]\)\s|options?\s*:|two ways|three ways|either "
    r"|which (?:one|format|of)|would you (?:rather|prefer)|(?:i would|i'd) (?:\w+ )?(?:lean|go"
    r"|suggest|recommend|take|use|pick|choose|prefer|say)|shall (?:i|we)|should (?:i|we)|\?\s*$"
    r"|(?<!\w)or(?!\w).{0,120}[?.]|选项|選項|方案|还是|還是|どちら|選択肢|または|선택|아니면"
    r"|möglichkeiten|optionen|oder|opciones|o bien|ou bien|opções",
    re.I,
)
_PICK = re.compile(
    r"^\s*(?:(?:the )?option |variante? |方案\s?|选|選)?(?:[a-d]|[1-9])(?:\s*[.):,，、]|\s+please"
    r"|$|\s+(?:then|because|since))|(?<!\w)(?:then|please)\s*(?:[,.;]|$)|^\s*(?:the )?(?:first"
    r"|second|third|last|latter|former)(?: one)?(?!\w)",
    re.I,
)
_CLAUSE = re.compile(r"[,;:.!，。；：]")
_RELATIVE = re.compile(
    r"(?<!\w)(?:yesterday|today|tomorrow|(?:last|this|next) (?:week|month|year|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|quarter)"
    r"|gestern|heute|letzte \w+|ayer|hoy|hier|since (?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day)(?!\w)|上周|上週|昨天|今天|上个月|先週|昨日|지난주|어제",
    re.I,
)


@dataclass(slots=True)
class _Claim:
    """A run of sentences of one message that say one thing."""

    kind: Signal
    start: int
    end: int
    anchor: str
    line: int


def extract(window: Window, related: Sequence[RelatedEntry] = ()) -> list[Candidate]:
    """Candidates out of what the user typed, in the order it was said.

    `related` are the entries shown beside the window: a candidate that says one of them again confirms
    it, one that changes it (a word of change or a denial) supersedes it, one that plainly contradicts
    it says so.
    """
    found: list[Candidate] = []
    for i, shown in enumerate(window.shown):
        if shown.message.role != "user" or shown.context:
            continue
        for candidate in _from_message(shown, _answered(window.shown[:i], shown)):
            found.append(aimed(candidate, related))
    return _once(found)


def _from_message(shown: Shown, options: str) -> list[Candidate]:
    text = shown.message.text
    shape = own_words(text)
    saves = find_saves(shape)
    taken = [(save.start, save.end) for save in saves] + [save.asked for save in saves]
    taken += [(refusal.start, refusal.end) for refusal in find_refusals(shape)]
    found = [(save.start, saved(save, shown)) for save in saves if save.body]
    for claim in _claims(shape, taken, options):
        candidate = _candidate(claim, text, shown)
        if candidate is not None:
            found.append((claim.start, candidate))
    return [candidate for _, candidate in sorted(found, key=lambda one: one[0])]


def own_words(text: str) -> str:
    """The message with everything blanked that the user did not write; same length."""
    for start, end in foreign_spans(text):
        text = text[:start] + "".join("\n" if char == "\n" else " " for char in text[start:end]) + text[end:]
    return text


def _answered(before: Sequence[Shown], shown: Shown) -> str:
    """The agent's last words before this message, if they offered a choice; else ""."""
    for earlier in reversed(before):
        if earlier.session.id != shown.session.id or earlier.message.tool is not None:
            continue
        said = earlier.message.text[-2_000:]
        return said if earlier.message.role == "assistant" and _OPTIONS.search(said) else ""
    return ""


def _claims(shape: str, taken: list[tuple[int, int]], options: str) -> list[_Claim]:
    """Sentences that say something lasting, with those that belong to them."""
    claims: list[_Claim] = []
    pending: Sentence | None = None
    before: Sentence | None = None  # what "it" of the next sentence may stand for
    for place, sentence in enumerate(sentences(shape, mask(shape, said=False))):
        if any(start < sentence.end and sentence.start < end for start, end in taken):
            pending = before = None
            continue
        picked = bool(options) and place < 2 and (pending is not None or _picks(shape, sentence, options))
        kind = signal(sentence.text, answers=picked)
        last = claims[-1] if claims else None
        if last is not None and _belongs(last, sentence, kind):
            last.end = sentence.end
            last.kind = _stronger(last.kind, kind)
        elif kind is not None:
            led = pending is not None and pending.line == sentence.line
            start = pending.start if pending and led else _leaning(sentence, before, last)
            if picked and kind != "reference" and (led or _picks(shape, sentence, options)):
                kind = kind if corrects(shape[start:]) else "decision"
            claims.append(_Claim(kind, start, sentence.end, sentence.text, sentence.line))
        elif insists(sentence.text) and before is not None and before.line == sentence.line:
            claims.append(_Claim("feedback", before.start, before.end, before.text, before.line))
        pending = _may_lead(sentence, kind, bool(options) and place == 0, shape, options)
        before = _joined(before, sentence) if _carries(sentence) else None
    return claims


def _leaning(sentence: Sentence, before: Sentence | None, last: _Claim | None) -> int:
    """Where a claim begins: a sentence that speaks of "it" takes the one before it along."""
    if before is None or before.line != sentence.line or not leans(sentence.text):
        return sentence.start
    return sentence.start if last is not None and before.start < last.end else before.start


def _joined(before: Sentence | None, sentence: Sentence) -> Sentence:
    """The sentence, with the one before it where it leans on that."""
    if before is None or before.line != sentence.line or not leans(sentence.text):
        return sentence
    return replace(sentence, start=before.start)


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


def _belongs(last: _Claim, sentence: Sentence, kind: Signal | None) -> bool:
    """Whether a sentence goes on with the claim before it: its reason, or more of the same."""
    said = sentence.text
    if sentence.line != last.line or sentence.end - last.start > MAX_BODY or sentence.start - last.end > 3:
        return False
    if speech.asks(said) or speech.passing(said) or speech.defers(said) or _APART.match(said):
        return False
    if kind in ("identity", "reference", "change") and kind != last.kind:
        return False
    back = _POINTS_BACK.match(said) is not None
    shared = bool(content(last.anchor) & content(said)) or bool(handles(last.anchor) & handles(said))
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


def _candidate(claim: _Claim, text: str, shown: Shown) -> Candidate | None:
    body = text[claim.start : claim.end]
    if claim.kind == "reference":
        body = cut_secret(body)
    elif cut_secret(body) != body and "[REDACTED]" in body:
        return None
    body = _opened(body).rstrip("?？")
    if letters(body) < 12 or speech.jokes(body):
        return None
    type_ = _TYPES[claim.kind]
    if any(is_hard(reason) for reason in assess(type_, body, "extraction")):
        return None
    wide = type_ == "user" or _all_work(claim, body)
    quote = text[claim.start : claim.end] if claim.kind != "reference" else body
    return made(type_, wide, body, quote, shown, "extraction")


def _all_work(claim: _Claim, body: str) -> bool:
    """Global only for what is said of all the user's work, not for "pence everywhere" in one code base."""
    if claim.kind not in ("feedback", "identity", "decision") or not everywhere(body):
        return False
    alone = re.search(r"(?<!\w)(?:everywhere|überall|partout|ovunque|overal)(?!\w)", body, re.I)
    named = everywhere(
        re.sub(r"(?<!\w)(?:everywhere|überall|partout|ovunque|overal)(?!\w)", "", body, flags=re.I)
    )
    return named or (alone is not None and (speech.orders(claim.anchor) or "not only here" in body))


def saved(save: Save, shown: Shown) -> Candidate:
    """An explicit save as a candidate (SEEDS.md A28; default type feedback)."""
    said = signal(save.body)
    type_: Type = "user" if said == "identity" else "reference" if said == "reference" else "feedback"
    wide = type_ == "user" or save.everywhere
    # A short body proves nothing by itself (invariant 6): then the line it stands in is quoted.
    text = shown.message.text
    start, end = text.rfind("\n", 0, save.start) + 1, text.find("\n", save.end)
    line = text[start : end if end >= 0 else len(text)]
    quote = save.body if letters(save.body) >= MIN_LETTERS else line
    return made(type_, wide, save.body, quote, shown, "explicit")


def made(type_: Type, wide: bool, body: str, quote: str, shown: Shown, source: Source) -> Candidate:
    """A new candidate proven by one quote of a message; `wide`: for all projects."""
    body = _dated(" ".join(body.split()) if "\n-" not in body else body, shown.message.at)
    description = _described(body)
    return Candidate(
        action="create",
        type=type_,
        scope="global" if wide else "project",
        name=slug(_named(description)),
        description=description,
        body=body,
        quotes=(Quote(shown.n, quote.strip()[:MAX_QUOTE]),),
        source=source,
    )


def _opened(body: str) -> str:
    """The text without the words that only open it ("no,", "by the way"): what is left stands alone."""
    for sentence in sentences(body):
        if not courteous(sentence.text):
            body = body[sentence.start :]
            break
    opening = _OPENING.match(body)
    rest = body[opening.end() :].strip() if opening else body.strip()
    head, mark, tail = rest.partition(": ")
    if (
        mark
        and "\n" not in head
        and letters(tail) >= 14
        and signal(head) is None
        and signal(tail) is not None
    ):
        rest = (
            tail.strip()
            if speech.orders(head) or re.match(r"(?:for|before|i|about|to)\b", head, re.I)
            else rest
        )
    return rest if letters(rest) >= 12 else body.strip()


def _described(body: str) -> str:
    first = next(iter(sentences(body)), None)
    line = " ".join((first.text if first else body).split())
    if letters(line) < 24 and len(body) > len(line):
        line = " ".join(body.split())
    if len(line) > MAX_DESCRIPTION:
        cut = line.rfind(" ", 0, MAX_DESCRIPTION)
        line = line[: cut if cut > MAX_DESCRIPTION // 2 else MAX_DESCRIPTION].rstrip(" ,;:") + "…"
    return line.rstrip(" .;,。；，")


def _named(description: str) -> str:
    """A name that reads as the fact's beginning: its first words, ended on one that says something."""
    if asian(description) * 3 > len(description):
        return description[:24]
    kept = re.findall(r"[^\W_][\w.+#'’-]*", description)[:NAME_WORDS]
    while kept and not content(kept[-1]):
        kept.pop()
    return " ".join(kept) or description[:40]


def _dated(body: str, at: datetime) -> str:
    """ "Last Monday" means nothing later: the day it was said is added."""
    return f"{body} (Said on {at.date().isoformat()}.)" if _RELATIVE.search(body) else body


def _once(found: list[Candidate]) -> list[Candidate]:
    """The same thing said twice in one window is one candidate with both quotes."""
    kept: list[Candidate] = []
    for candidate in found:
        words = content(candidate.body)
        for i, earlier in enumerate(kept):
            same = earlier.type == candidate.type and overlap(words, content(earlier.body)) >= SAME
            if same and not rivals(earlier.body, candidate.body) and candidate.source == earlier.source:
                kept[i] = replace(earlier, quotes=(*earlier.quotes, *candidate.quotes))
                break
        else:
            kept.append(candidate)
    return kept
