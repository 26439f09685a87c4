"""Candidates made of the user's own words: type and scope, name and description, dates in full."""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from siltstone.pipeline.candidate import Candidate, Quote
from siltstone.pipeline.proof.dates import relative
from siltstone.pipeline.reading.window import Shown
from siltstone.pipeline.rules.language import ASIAN, LATIN, compiled, spoken
from siltstone.pipeline.rules.saves import Request, wide
from siltstone.pipeline.rules.sentences import mask, sentences
from siltstone.pipeline.rules.statements import Kind, Statement, kind_of, unopened
from siltstone.pipeline.words import asian, letters, patterns
from siltstone.store.entry import Source, Type
from siltstone.store.names import slug
from siltstone.store.redaction import MARK

MAX_DESCRIPTION, MAX_QUOTE = 140, 400
MIN_NAME, MAX_NAME = 10, 56
"""Characters of a description that make a name."""
MIN_PROOF = 12
"""Letters of a quote that prove something by themselves (invariant 6)."""

_TYPES: dict[Kind, Type] = {
    "identity": "user",
    "reference": "reference",
    "decision": "decision",
    "custom": "project",
}
"""Of what is no feedback."""
_ASKED_FOR: tuple[Kind, ...] = ("identity", "decision", "reference")
"""What a request may ask to keep that is no feedback."""
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PATTERNS = patterns(__file__)
_URL = re.compile(r"\s*\bhttps?://\S+")
_ENDS_IN_SECRET = re.compile(rf"[,;:，；：]\s*[^,;:，；：]*{re.escape(MARK)}\W*$")
_ISO_DAY = re.compile(r"(?:\w+ )?(?:\w+day )?\d{4}-\d\d-\d\d")
_WEEKDAY = re.compile(
    rf"(?<!\w)(?:on\s+)?(?P<which>since|last|this|next|by|until)\s+(?:last\s+)?(?P<day>{'|'.join(_WEEKDAYS)})(?!\w)",
    re.IGNORECASE,
)


def kind(text: str, around: str = "") -> tuple[Type, bool]:
    """The type of a memory of these words, and whether it holds for all of the user's projects.

    `around`: the sentence that asks for it. What nobody can type is feedback (docs/architecture.md).
    """
    said = text[unopened(text) :]
    stated = kind_of(said, _ASKED_FOR)
    if stated == "reference":
        stated = kind_of(said)  # it may be a rule, or a custom, about what it refers to
    type_ = _TYPES[stated] if stated in _ASKED_FOR else "feedback"
    return type_, type_ == "user" or wide(around or text) or wide(text)


def saved(request: Request, shown: Shown) -> Candidate:
    """What an explicit request asks to keep."""
    text = shown.message.text
    body = _ENDS_IN_SECRET.sub("", request.body(text))
    around = " ".join(text[start:end] for start, end in dict.fromkeys(request.spans()))
    type_, everywhere = kind(body, around)
    if request.before:
        quotes = [text[slice(*request.before)], text[request.start : request.end]]
    else:
        line = text.rfind("\n", 0, request.start) + 1
        quotes = [body if letters(body) >= MIN_PROOF else text[line:].partition("\n")[0]]
    return made(type_, everywhere or request.wide, body, quotes, shown, "explicit", request.reason)


def stated(statement: Statement, shown: Shown) -> Candidate:
    """What a plain statement says."""
    body = shown.message.text[statement.start : statement.end]
    type_ = _TYPES.get(statement.kind, "feedback")
    around = shown.message.text[slice(*statement.sentence)]
    everywhere = type_ == "user" or (type_ == "feedback" and wide(around))
    return made(type_, everywhere, body, [body], shown, "extraction")


def made(
    type_: Type,
    everywhere: bool,
    body: str,
    quotes: Sequence[str],
    shown: Shown,
    source: Source,
    refused: str = "",
) -> Candidate:
    """A new candidate, proven by quotes of one message; `refused` is why it is not to be kept."""
    body = body[unopened(body) :].strip().rstrip(" ,;:")
    body = body.rstrip(")") if "(" not in body else body
    body = dated(body if "\n" in body else " ".join(body.split()), shown.message.at)
    description = described(body)
    return Candidate(
        action="create",
        type=type_,
        scope="global" if everywhere else "project",
        name=slug(named(description)),
        description=description,
        body=body,
        quotes=tuple(Quote(shown.n, quote.strip()[:MAX_QUOTE]) for quote in quotes),
        source=source,
        refused=refused,
    )


def described(body: str) -> str:
    """The first sentence of a body, on one line."""
    first = next(iter(sentences(mask(body))), None)
    line = " ".join((body[first.start : first.end] if first else body).split())
    if letters(line) < 24:
        line = " ".join(body.split())
    if len(line) > MAX_DESCRIPTION:
        cut = line.rfind(" ", 0, MAX_DESCRIPTION)
        line = line[: cut if cut > MAX_DESCRIPTION // 2 else MAX_DESCRIPTION].rstrip(" ,;:") + "…"
    return line.rstrip(" .;,。；，")


def dated(text: str, at: datetime) -> str:
    """The text with the days in full that only the day on which it was said tells: "since Monday"."""
    day = at.date()
    text = _WEEKDAY.sub(lambda found: _weekday(found["which"], found["day"].lower(), day), text)
    offsets = {word: days for language in spoken(*LATIN, *ASIAN) for word, days in language.days.items()}
    days = "|".join(rf"(?<!\w){word}(?!\w)" if word.isascii() else word for word in offsets)
    text = compiled(days).sub(lambda said: f"{day + timedelta(days=offsets[said[0].lower()])}", text)
    left = relative(_ISO_DAY.sub(lambda found: " " * len(found[0]), text))
    return f"{text[: left.end()]} (said on {day.isoformat()}){text[left.end() :]}" if left else text


def _weekday(which: str, name: str, day: date) -> str:
    """The next such day for "next", "this", "by" and "until", the last one else; "this" may be today."""
    behind = (day.weekday() - _WEEKDAYS.index(name)) % 7
    if which.lower() in ("next", "this", "by", "until"):
        told = day + timedelta(days=0 if which.lower() == "this" and not behind else 7 - behind)
    else:
        told = day - timedelta(days=behind or 7)
    return f"{'on' if which.lower() in ('last', 'this', 'next') else which} {name.title()} {told.isoformat()}"


def named(description: str) -> str:
    """The words a description begins with, for a name: its first clause without its opening article or
    pronoun and without web addresses."""
    if asian(description) * 3 > len(description):
        return description[:24]
    words = _URL.sub("", _PATTERNS["opening"].sub("", description))
    clause = _PATTERNS["name_end"].split(words, maxsplit=1)[0]
    words = clause if len(clause) >= MIN_NAME else words
    cut = words.rfind(" ", 0, MAX_NAME) if len(words) > MAX_NAME else -1
    return _PATTERNS["dangling"].sub("", words[:cut] if cut > 0 else words) or description[:MAX_NAME]
