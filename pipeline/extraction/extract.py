"""Window in, candidates out: the model's half of extraction (`rules` is the other).

Two calls a window, one to find memories and one to look at them once more; more when a reply has to be
repaired, one when nothing is found, none when nobody typed anything in it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from siltstone.pipeline.candidate import MAX_QUOTE, Candidate, Judged, RelatedEntry
from siltstone.pipeline.extraction.reply import Extraction, WireReply, parse
from siltstone.pipeline.merging.contradictions import opposed
from siltstone.pipeline.model.asking import MAX_REPLY_TOKENS, ask, mend
from siltstone.pipeline.model.json_reply import Unreadable, items
from siltstone.pipeline.model.port import Model, Usage
from siltstone.pipeline.proof.coverage import points, understood, unsaid
from siltstone.pipeline.proof.origin import find
from siltstone.pipeline.proof.quotes import prove
from siltstone.pipeline.proof.verdict import ACCEPTED, BEYOND_QUOTE, judge
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules import extract as rules
from siltstone.pipeline.rules.candidates import described, named
from siltstone.pipeline.rules.extract import resembling
from siltstone.pipeline.rules.pasted import foreign_spans, own_words
from siltstone.prompts import Prompt, prompt
from siltstone.store.errors import SiltError
from siltstone.store.names import slug
from siltstone.store.redaction import redact


def prompt_of(
    window: Window, related: Sequence[RelatedEntry], today: date, before: Sequence[str] = ()
) -> Prompt:
    """The prompt of a window, as it is sent. What stands in it is redacted before.

    `before`: lines on what was proposed before and is no memory (`inbox.proposed_before`).
    """
    return prompt("extract", window=window, related=related, before=before, today=today, parts=_parts)


def _parts(text: str) -> list[tuple[str, str]]:
    """A typed message in the pieces that the user wrote ("user") and that others wrote ("pasted")."""
    pieces: list[tuple[str, str]] = []
    at = 0
    for start, end in (*foreign_spans(text), (len(text), len(text))):
        pieces += [("user", text[at:start]), ("pasted", text[start:end])]
        at = end
    return [(who, said.strip()) for who, said in pieces if said.strip()]


FORM = frozenset(
    {"wrong-type", "unknown-number", "unknown-type", "unknown-action", "no-target", "empty", "no-evidence"}
)
"""Reasons to refuse an item that a model can mend."""

_ASIDE = re.compile(
    r"\s*[:;：；]|\s\(|,?\s(?:not|rather than|instead of|because|since|so that|weil|porque|parce que)(?!\w)"
)
"""Begins what only says why, more closely, or what is not so."""
_LIMITS = re.compile(
    r"(?<!\w)(?:only|unless|except|if|until|before|after|when|while|once|nur|wenn|falls|bis|erst|außer|solo|si"
    r"|hasta|sauf|quand|excepto)(?!\w)|只|除了|除非|才|まで|場合|만|때",
    re.IGNORECASE,
)
"""Say under which conditions something holds."""
OF_NO_USE = "of-no-use"
"""The model looked at it once more, and says that a later session has no use for it."""
OF_USE = 2
"""What the second look must say of a memory, from 0 (no use) to 3 (much)."""
AS_IT_IS = "="
"""What the model writes for a text that needs no other words."""


@dataclass(frozen=True, slots=True)
class Rules:
    """`rules`: needs no key and no network, and sends nothing anywhere."""

    name: str = "rules"
    keywords: tuple[str, ...] = ()
    """Patterns of the user's own that ask to keep something (E19)."""
    saves_alone: bool = False
    """Find nothing but what the user asks to keep: extraction is switched off (C31)."""

    def __call__(
        self, window: Window, shown: Sequence[RelatedEntry], before: Sequence[str] = ()
    ) -> Extraction:
        found = (*rules.extract(window, shown, self.keywords), *resembling(window, self.keywords))
        asked = (one for one in found if one.source == "explicit" or not self.saves_alone)
        return Extraction(tuple(asked))


@dataclass(slots=True)
class ModelExtractor:
    """A model, asked once a window."""

    model: Model
    clock: Callable[[], datetime]
    room: int = MAX_REPLY_TOKENS
    """Tokens that a reply is allowed: more once the model has been seen to need them."""

    @property
    def name(self) -> str:
        return self.model.name

    def __call__(
        self, window: Window, shown: Sequence[RelatedEntry], before: Sequence[str] = ()
    ) -> Extraction:
        """Ask the model about a window, and once more for the items that are wrong in form.

        Raises asking.Unread (a ReplyError) and asking.ReplyCut (an Overflow), both with their usage, and
        what the model raises: Overflow, Unavailable, ModelError, LimitReached.
        """
        if not window.typed:
            return Extraction(())
        numbers = {one.n for one in window.shown}
        request = prompt_of(window, shown, self.clock().date(), before)

        def place(n: int, quote: str) -> int | None:
            """The nearest message that holds it: a wrong number is mended without a call."""
            near = sorted(window.shown, key=lambda one: abs(one.n - n))
            return next((one.n for one in near if find(one, quote)), None)

        def read(text: str) -> Extraction:
            return parse(text, numbers, shown, place)

        answer = ask(self.model, request, WireReply, read, self.room)
        self.room = max(self.room, answer.room)
        found = answer.value
        wrong = {one.place: one.reason.replace("-", " ") for one in found.scraps if one.reason in FORM}
        if wrong:
            with suppress(SiltError, Unreadable):  # then the items are refused as they are
                answer = mend(self.model, request, WireReply, answer, wrong, read)
                again = answer.value
                if again.candidates or again.scraps:
                    rest = [one for one in found.scraps if one.place not in wrong]
                    found = Extraction((*found.candidates, *again.candidates), scraps=(*rest, *again.scraps))
        return self._reconsidered(found._replace(usage=answer.usage, calls=answer.calls), window, shown)

    def _reconsidered(self, found: Extraction, window: Window, shown: Sequence[RelatedEntry]) -> Extraction:
        """Ask once whether a later session has a use for these candidates, and for their final texts,
        together. A candidate without one is refused. A new text that is proved, or that the gate refuses,
        takes the old one's place. Where it is not proved nothing is cut from the old one, which then waits if
        it says more than its quotes or is not understood by itself, or is kept as a quotation, if that was
        asked about too and has a use. One side of a contradiction stays one (invariant 11)."""
        known = {entry.number: entry for entry in shown}

        def judged(one: Candidate) -> Judged:
            return judge(one, window, redact, known.get(one.target or 0))

        looks = [*_looks(found.candidates, judged)]
        if not looks:
            return found
        asked: list[tuple[Candidate, Sequence[str]]] = []
        numbered: list[tuple[int, _Look]] = []
        quoted: dict[str, int] = {}  # two candidates may quote the same
        for look in looks:
            one = look.candidate
            asked.append((one, () if look.stands else unsaid(one, window, prove(one, window).said)))
            numbered.append((len(asked), look))
            if look.quotation is not None and look.quotation.body not in quoted:
                asked.append((look.quotation, ()))
                quoted[look.quotation.body] = len(asked)
        numbers = {quote.n for look in looks for quote in look.candidate.quotes}
        messages = {one.n: _quoted(one) for one in window.shown if one.n in numbers}
        request = prompt("reconsider", items=asked, messages=messages)
        try:
            answer = ask(self.model, request, WireBodies, _bodies)
        except SiltError as error:
            usage, calls = getattr(error, "usage", Usage()), getattr(error, "calls", 0)
            return found._replace(usage=found.usage + usage, calls=found.calls + calls)
        bodies = answer.value
        taken = {one: one if stands else replace(one, whole=True) for one, stands, _ in looks}
        claims = (*(one.body for one in found.candidates), *(entry.claim for entry in shown))
        for n, (old, stands, quotation) in numbered:
            if n not in bodies:
                continue
            body = bodies[n].text
            disputed = [claim for claim in claims if opposed(old.body, claim)]
            decides = not all(opposed(body, claim) for claim in disputed)
            quotable = quotation is not None and bodies.get(quoted[quotation.body], NOTHING).text == AS_IT_IS
            taken[old] = replace(taken[old], quotable=quotable)
            if body == AS_IT_IS or decides or (not understood(body) if body else quotable):
                continue
            new = _with_text(old, body)
            it = judged(new)
            given_up = it.verdict.outcome == "reject" and not (body and stands)
            begins = not stands and not quotable and _begins(new, it)
            if given_up or begins or _stands(new, it):
                taken[old] = new
        return found._replace(
            candidates=tuple(taken.get(one, one) for one in found.candidates),
            usage=found.usage + answer.usage,
            calls=found.calls + answer.calls,
        )


class _Look(NamedTuple):
    """A candidate to look at once more."""

    candidate: Candidate
    stands: bool
    """Its own text is proved."""
    quotation: Candidate | None
    """What would be kept in its place where no other text is proved either."""


def _looks(candidates: Sequence[Candidate], judged: Callable[[Candidate], Judged]) -> Iterator[_Look]:
    """The candidates that are proved, but for their text. What a kept memory says now was of use before."""
    for one in candidates:
        it = judged(one)
        if not one.body or it.verdict.reason not in (BEYOND_QUOTE, ACCEPTED):
            continue
        stands = _stands(one, it)
        if one.action == "create" or not stands:
            instead = one if stands else judged(replace(one, whole=True, quotable=True)).candidate
            yield _Look(one, stands, None if instead.body == one.body else instead)


def _with_text(one: Candidate, body: str) -> Candidate:
    """The candidate with another text; refused for an empty one."""
    if not body:
        return replace(one, refused=OF_NO_USE)
    line = described(body)
    return replace(one, name=slug(named(line)), description=line, body=body)


def _stands(one: Candidate, judged: Judged) -> bool:
    """Whether a candidate is accepted with its own text, or with whole sentences that are half of its first
    one or more, and point nowhere."""
    first, *_ = judged.candidate.body.split("\n")
    claim = f"{one.description}\n{one.body}"
    half = len(first) >= len(one.description) / 2 and first in claim
    begins = one.body.startswith(first) or one.description.startswith(first) or not first[:1].islower()
    ends = first.endswith((".", "!", "。", "！")) or f"{first}\n" in f"{claim}\n"
    return judged.verdict.reason == ACCEPTED and half and begins and ends and not points(first)


def _begins(new: Candidate, judged: Judged) -> bool:
    """Whether what is left of a new text is what the user said, with all its conditions, and what is cut
    begins as an aside to it."""
    first, verdict = judged.candidate.body, judged.verdict
    if verdict.reason != ACCEPTED or verdict.origin != "user-said" or new.action == "update":
        return False
    aside = new.body.startswith(first) and _ASIDE.match(new.body, len(first))
    said = " ".join(one.quote for one in verdict.evidence)
    limited = {one.lower() for one in _LIMITS.findall(said)} - {one.lower() for one in _LIMITS.findall(first)}
    return bool(aside) and understood(first) and not limited


class WireBody(BaseModel):
    """What an item is good for, and its final text. A model that has to say first when it helps rates more
    carefully."""

    model_config = ConfigDict(extra="forbid")

    item: int
    when: str = ""
    """Not read."""
    use: int
    body: str


class WireBodies(BaseModel):
    """The reply that prompts/reconsider.j2 asks for."""

    model_config = ConfigDict(extra="forbid")

    bodies: list[WireBody]


class _Final(NamedTuple):
    """What the model says of an item."""

    use: int
    body: str

    @property
    def text(self) -> str:
        """The text to keep; "" for nothing."""
        return self.body if self.use >= OF_USE else ""


NOTHING = _Final(0, "")


def _bodies(text: str) -> dict[int, _Final]:
    """What is said of the items, by their numbers. Raises Unreadable when none has the form asked for."""
    found = items(text, "bodies")
    told: dict[int, _Final] = {}
    for one in found:
        with suppress(ValidationError):
            it = WireBody.model_validate(one)
            told[it.item] = _Final(it.use, it.body.strip())
    if found and not told:
        raise Unreadable('every item of "bodies" needs the numbers "item" and "use", and the text "body"')
    return told


def _quoted(shown: Shown) -> tuple[str, str]:
    """Who wrote a quoted message, and what: of a typed one the user's own words."""
    told = shown.told
    if told.tool is not None:
        return "command", f"{told.tool.command or told.tool.input}\n{told.tool.output}"[:MAX_QUOTE]
    own = own_words(told.text) if told.role == "user" else told.text
    return told.role, "\n".join(filter(str.strip, own.split("\n")))[:MAX_QUOTE]
