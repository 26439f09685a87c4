"""The second look at what a reply proposes: what is each memory good for, and how is it best said?

A model that looks for memories finds too many, and words them from memory. So it is asked once more, about
all that a window brought, and with nothing but their quotes before it (docs/prompts.md).
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import isfinite
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from siltstone.pipeline.candidate import Candidate, Judged, RelatedEntry
from siltstone.pipeline.extraction.reply import Extraction
from siltstone.pipeline.merging.contradictions import opposed
from siltstone.pipeline.merging.likeness import negated, swapped
from siltstone.pipeline.model.asking import ask
from siltstone.pipeline.model.json_reply import Unreadable, items
from siltstone.pipeline.model.port import Model, Usage
from siltstone.pipeline.proof.coverage import points, understood, unsaid
from siltstone.pipeline.proof.origin import place_of
from siltstone.pipeline.proof.phrases import only_in
from siltstone.pipeline.proof.quotes import prove
from siltstone.pipeline.proof.verdict import ACCEPTED, BEYOND_QUOTE, judge
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.candidates import described, named
from siltstone.pipeline.rules.pasted import pieces_of
from siltstone.pipeline.rules.sentences import Span
from siltstone.prompts import prompt
from siltstone.store.errors import SiltError
from siltstone.store.names import slug
from siltstone.store.redaction import redact

_ASIDE = re.compile(
    r"\s*[:;：；]|\s\(|,?\s(?:not|rather than|instead of|because|since|so that|weil|porque|parce que)(?!\w)"
)
"""Begins what only says why, more closely, or what is not so."""
OF_NO_USE = "of-no-use"
"""The model looked at it once more, and says that a later session has no use for it."""
OF_USE = 2
"""What the second look must say of a memory, from 0 (no use) to 3 (much)."""
MAX_TOLD = 2_000
"""Characters that are shown of a quoted message."""
MARGIN = 100
"""Characters before and behind a quote that are shown in any case."""
AS_IT_IS = "="
"""What the model writes for a text that needs no other words."""


def look_again(model: Model, found: Extraction, window: Window, shown: Sequence[RelatedEntry]) -> Extraction:
    """Ask once how much use these candidates are to a later session, and how they are best put.

    One of little use is refused. A text that is proved as it is stays, unless it is corrected. A text that is
    not gives way to the new one, if that is proved or the gate refuses it. If it is not proved either nothing
    is cut from the old one, which then waits if it says more than its quotes or is not understood by itself,
    or is kept as a quotation, if that is of use. One side of a contradiction stays one (invariant 11).
    Without an answer the candidates stay as they are.
    """
    known = {entry.number: entry for entry in shown}

    def judged(one: Candidate) -> Judged:
        return judge(one, window, redact, known.get(one.target or 0))

    looks = [*_looks(found.candidates, judged)]
    if not looks:
        return found
    asked = _asked(looks, window)
    quoted: dict[int, set[str]] = {}  # a memory and its quotation quote the same
    for one in asked:
        for quote in one.quotes:
            quoted.setdefault(quote.n, set()).add(quote.text)
    messages = [(one.n, *it) for one in window.shown if one.n in quoted for it in _told(one, quoted[one.n])]
    try:
        answer = ask(model, prompt("reconsider", items=asked.items(), messages=messages), WireBodies, _finals)
    except SiltError as error:
        usage, calls = getattr(error, "usage", Usage()), getattr(error, "calls", 0)
        return found._replace(usage=found.usage + usage, calls=found.calls + calls)
    finals = {one: answer.value[n] for n, one in enumerate(asked, 1) if n in answer.value}
    claims = (*(one.body for one in found.candidates), *(entry.claim for entry in shown))
    settled = {look.candidate: _settled(look, finals, claims, judged) for look in looks}
    return found._replace(
        candidates=tuple(settled.get(one, one) for one in found.candidates),
        usage=found.usage + answer.usage,
        calls=found.calls + answer.calls,
    )


class _Look(NamedTuple):
    """A candidate to look at once more."""

    candidate: Candidate
    stands: bool
    """Its own text is proved, or so much of it that it says the same."""
    proved: bool
    """With nothing cut."""
    quotation: Candidate | None
    """What would be kept in its place where no other text is proved either."""


def _looks(candidates: Sequence[Candidate], judged: Callable[[Candidate], Judged]) -> Iterator[_Look]:
    """The candidates that are proved, but for their text. What a kept memory says now was of use before."""
    quotations: dict[str, Candidate] = {}  # two candidates may quote the same
    for one in candidates:
        it = judged(one)
        if not one.body or it.verdict.reason not in (BEYOND_QUOTE, ACCEPTED):
            continue
        stands = _stands(one, it)
        if one.action == "create" or not stands:
            instead = one if stands else judged(replace(one, whole=True, quotable=True)).candidate
            same = instead.body == one.body
            quotation = None if same else quotations.setdefault(instead.body, instead)
            yield _Look(one, stands, stands and it.candidate.claim == one.claim, quotation)


def _asked(looks: Sequence[_Look], window: Window) -> dict[Candidate, Sequence[str] | None]:
    """What is asked about, in its order: the candidates, each before its quotation, with the words of them
    that nobody said; None where nothing of it is to be said otherwise."""
    asked: dict[Candidate, Sequence[str] | None] = {}
    for look in looks:
        one = look.candidate
        asked[one] = None if look.proved else unsaid(one, window, prove(one, window).said)
        if look.quotation is not None:
            asked.setdefault(look.quotation, None)
    return asked


def _settled(
    look: _Look,
    finals: Mapping[Candidate, "_Final"],
    claims: Sequence[str],
    judged: Callable[[Candidate], Judged],
) -> Candidate:
    """A candidate after the second look. `claims`: what it may contradict."""
    old = look.candidate if look.stands else replace(look.candidate, whole=True)
    final = finals.get(look.candidate)
    if final is None:
        return old
    text, quotation = final.text, look.quotation
    if look.proved and text and not _corrects(text, old.body):
        return old
    quotable = quotation is not None and finals.get(quotation, NOTHING).text == AS_IT_IS
    old = replace(old, quotable=quotable)
    disputed = [claim for claim in claims if opposed(old.body, claim)]
    decides = not all(opposed(text, claim) for claim in disputed)
    if text == AS_IT_IS or decides or (not understood(text) if text else quotable):
        return old
    new = _with_text(look.candidate, text)
    it = judged(new)
    given_up = it.verdict.outcome == "reject" and not (text and look.stands)
    begins = not look.stands and not quotable and _begins(new, it)
    return new if given_up or begins or _stands(new, it) else old


def _corrects(new: str, old: str) -> bool:
    """Whether a new text turns round what a proved one says, or has a no or an "only" that it lacks."""
    narrower = only_in("restricts", new, old)
    return bool(narrower) or swapped(new, old) or negated(new) != negated(old)


def _with_text(one: Candidate, body: str) -> Candidate:
    """The candidate with another text; refused for an empty one."""
    if not body:
        return replace(one, refused=OF_NO_USE)
    line = described(body)
    return replace(one, name=slug(named(line)), description=line, body=body)


def _stands(one: Candidate, judged: Judged) -> bool:
    """Whether a candidate is accepted with its own text, or with whole sentences that are half of its first
    one or more, and point nowhere."""
    body = judged.candidate.body
    first, *_ = body.split("\n")
    claim = f"{one.description}\n{one.body}"
    half = len(first) >= len(one.description) / 2 and first in claim
    begins = one.body.startswith(first) or one.description.startswith(first) or not first[:1].islower()
    ends = first.endswith((".", "!", "。", "！")) or f"{first}\n" in f"{claim}\n"
    enough = body == one.body or (half and begins and ends)
    return judged.verdict.reason == ACCEPTED and enough and not points(first)


def _begins(new: Candidate, judged: Judged) -> bool:
    """Whether what is left of a new text is what the user said, and what is cut begins as an aside to it."""
    first, verdict = judged.candidate.body, judged.verdict
    if verdict.reason != ACCEPTED or verdict.origin != "user-said" or new.action == "update":
        return False
    aside = new.body.startswith(first) and _ASIDE.match(new.body, len(first))
    return bool(aside) and understood(first)


class WireBody(BaseModel):
    """What an item is good for, and its final text. A model that has to say first when it helps rates more
    carefully."""

    model_config = ConfigDict(extra="forbid")

    item: int
    when: str
    """Not read."""
    use: int
    body: str


class WireBodies(BaseModel):
    """The reply that prompts/reconsider.j2 asks for."""

    model_config = ConfigDict(extra="forbid")

    bodies: list[WireBody]


class _Final(NamedTuple):
    """What the model says of an item."""

    use: float
    body: str

    @property
    def text(self) -> str:
        """The text to keep; "" for nothing."""
        return self.body if self.use >= OF_USE else ""


NOTHING = _Final(0, "")


def _finals(text: str) -> dict[int, _Final]:
    """What is said of the items, by their numbers. Raises Unreadable when none has a number and a use; the
    rest is read as it comes, for nothing of little use may stay for a slip in its form."""
    found = items(text, "bodies")
    told: dict[int, _Final] = {}
    for one in found:
        it = one if isinstance(one, dict) else {}
        item, use, body = _number(it.get("item")), _number(it.get("use")), it.get("body")
        if item is not None and use is not None:
            told[int(item)] = _Final(use, (body.strip() if isinstance(body, str) else "") or AS_IT_IS)
    if found and not told:
        raise Unreadable('every item of "bodies" needs the numbers "item" and "use"')
    return told


def _number(value: object) -> float | None:
    """A number that a model wrote, also between quotation marks."""
    with suppress(ValueError):
        number = float(str(value))
        return number if isfinite(number) else None
    return None


def _told(shown: Shown, quotes: Collection[str]) -> Iterator[tuple[str, str]]:
    """Who wrote a quoted message, and what; of a typed one also what others wrote, where it is quoted."""
    told = shown.told
    if told.tool is not None:
        texts = (told.tool.command or told.tool.input, told.tool.output)
        yield "command", "\n".join(_around(text, quotes, MAX_TOLD // 2) for text in texts)
    elif told.role != "user":
        yield told.role, _around(told.text, quotes, MAX_TOLD)
    else:
        pieces = [
            ("user" if own else "pasted", piece)
            for own, piece in pieces_of(told.text)
            if piece.strip() and (own or any(place_of(quote, piece) for quote in quotes))
        ]
        for who, piece in pieces:
            yield who, _around(piece, quotes, max(MAX_TOLD // len(pieces), 2 * MARGIN))


def _around(text: str, quotes: Collection[str], most: int) -> str:
    """The text; of one of more than `most` characters its quotes and what stands around them, or without any
    its beginning."""
    text = "\n".join(filter(str.strip, text.split("\n")))
    if len(text) <= most:
        return text
    spans = sorted(filter(None, (place_of(quote, text) for quote in quotes))) or [(0, 0)]
    room = most - sum(end - start for start, end in spans)
    margin = max(room // (2 * len(spans)), MARGIN)
    kept: list[Span] = []
    for start, end in spans:
        begin, stop = max(start - margin, 0), min(end + margin, len(text))
        if kept and begin <= kept[-1][1]:
            begin, stop = kept[-1][0], max(kept.pop()[1], stop)
        kept.append((begin, stop))
    ends = "" if kept[-1][1] == len(text) else " […]"
    return ("" if kept[0][0] == 0 else "[…] ") + " […] ".join(text[start:stop] for start, stop in kept) + ends
