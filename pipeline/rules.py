"""The embedded model: rules that find what a conversation says and that lasts (docs/architecture.md).

Needs no key and no network. Only what the user typed is looked at: explicit saves, corrections,
decisions, constraints, references, identity, changes. It says little and is right mostly; a model says
more. Proof and gate come after it as after any model.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from siltstone.pipeline import speech
from siltstone.pipeline.aim import aimed
from siltstone.pipeline.candidate import Candidate, Quote, RelatedEntry
from siltstone.pipeline.change import says_change
from siltstone.pipeline.claims import Claim, find_claims, offered
from siltstone.pipeline.discourse import cut_secret
from siltstone.pipeline.evidence import MIN_LETTERS
from siltstone.pipeline.explicit import Save, everywhere, find_refusals, find_saves
from siltstone.pipeline.foreign import own_words
from siltstone.pipeline.gate import assess, is_hard
from siltstone.pipeline.likeness import content, tells
from siltstone.pipeline.plainly import courteous
from siltstone.pipeline.rivals import rivals
from siltstone.pipeline.sentences import sentences
from siltstone.pipeline.signals import Signal, signal
from siltstone.pipeline.window import Shown, Window
from siltstone.pipeline.words import asian, letters
from siltstone.store.entry import Source, Type
from siltstone.store.names import slug
from siltstone.store.plain import MARK

MAX_DESCRIPTION = 140
MAX_QUOTE = 300
NAME_WORDS = 8
_TYPES: dict[Signal, Type] = {
    "identity": "user",
    "reference": "reference",
    "change": "decision",
    "decision": "decision",
    "feedback": "feedback",
    "constraint": "project",
    "fact": "project",
}
_OPENING = re.compile(
    r"^\s*(?:(?:ok(?:ay)?|yes|yep|right|good|great|nice|fine|no|nope|argh|stop|wait|well|wrong"
    r"|(?:that|this|it)(?:'s|’s| is) (?:wrong|incorrect|not (?:right|correct|true))"
    r"|good news|fyi|nein|ja|[a-d1-9])"
    r"\s*[,.:;!)—–-]+\s*|(?:and|also|but|so|please|pls|by the way|btw|note that|mind that"
    r"|keep in mind that|bitte"
    r"|übrigens|und|y|por cierto|au fait|e|另外|还有|對了|对了|顺便|ちなみに|あと)(?:\s*[,.:"
    r";!—–-]+\s*|\s+)){1,4}",
    re.I,
)
_RELATIVE = re.compile(
    r"(?<!\w)(?:yesterday|today|tomorrow|(?:last|this|next) (?:week|month|year|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|quarter)"
    r"|gestern|heute|letzte \w+|ayer|hoy|hier|since (?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day)(?!\w)|上周|上週|昨天|今天|上个月|先週|昨日|지난주|어제",
    re.I,
)


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
        for candidate in _from_message(shown, offered(window.shown[:i], shown)):
            found.append(aimed(candidate, related))
    return _once(found)


def _from_message(shown: Shown, options: str) -> list[Candidate]:
    text = shown.message.text
    shape = own_words(text)
    saves = find_saves(shape)
    taken = [(save.start, save.end) for save in saves] + [save.asked for save in saves]
    taken += [(refusal.start, refusal.end) for refusal in find_refusals(shape)]
    found = [(save.start, saved(save, shown)) for save in saves if save.body]
    for claim in find_claims(shape, taken, options):
        candidate = _candidate(claim, text, shown)
        if candidate is not None:
            found.append((claim.start, candidate))
    return [candidate for _, candidate in sorted(found, key=lambda one: one[0])]


def _candidate(claim: Claim, text: str, shown: Shown) -> Candidate | None:
    body = text[claim.start : claim.end]
    if claim.kind == "reference":
        body = cut_secret(body)
    elif cut_secret(body) != body and MARK in body:
        return None
    body = _opened(body).rstrip(" ?？;；,")
    if letters(body.replace(MARK, "")) < MIN_LETTERS or speech.jokes(body):
        return None
    type_ = _TYPES[claim.kind]
    if any(is_hard(reason) for reason in assess(type_, body, "extraction")):
        return None
    wide = type_ == "user" or _all_work(claim, body)
    quote = text[claim.start : claim.end] if claim.kind != "reference" else body
    return made(type_, wide, body, quote, shown, "extraction")


def _all_work(claim: Claim, body: str) -> bool:
    """Global only for what is said of all the user's work, not for "pence everywhere" in one code base."""
    return claim.kind in ("feedback", "identity", "decision") and everywhere(body)


def saved(save: Save, shown: Shown) -> Candidate:
    """An explicit save as a candidate (docs/seeds.md A28; default type feedback)."""
    said = signal(save.body)
    type_: Type = "user" if said == "identity" else "reference" if said == "reference" else "feedback"
    wide = type_ == "user" or everywhere(save.around)
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
    return line.rstrip(" .;,?。；，？")


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
    """The same thing said several times in one window: each time with the fullest wording, and with the
    quotes of all. The merge keeps the first and counts the others as absorbed (invariant 4)."""
    groups: list[list[int]] = []
    for i, candidate in enumerate(found):
        for group in groups:
            if any(_again(candidate, found[j]) for j in group):
                group.append(i)
                break
        else:
            groups.append([i])
    told = list(found)
    for group in groups:
        fullest = max((found[i] for i in group), key=lambda one: len(one.body))
        quotes = tuple(dict.fromkeys(quote for i in group for quote in found[i].quotes))
        for i in group:
            told[i] = replace(fullest, quotes=quotes)
    return told


def _again(one: Candidate, other: Candidate) -> bool:
    """Two candidates of one kind, the longer of which says all that the other does."""
    longer, shorter = sorted((one.body, other.body), key=len, reverse=True)
    kind = (one.type, one.scope, one.source) == (other.type, other.scope, other.source)
    same = kind and tells(longer, shorter) and says_change(longer) == says_change(shorter)
    return same and not rivals(longer, shorter)
