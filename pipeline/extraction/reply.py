"""The schema of extraction's reply, and how a reply is read.

The pydantic classes are the schema sent to the provider, without defaults and dicts, which not every provider
takes. A reply is read tolerantly, item by item: a bad item is refused with a reason, and the others count
(invariants 4 and 5; docs/seeds.md E "Source").
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal, NamedTuple, cast, get_args

from pydantic import BaseModel, ConfigDict

from siltstone.pipeline.candidate import MAX_DESCRIPTION, MAX_QUOTE, Action, Candidate, Quote, RelatedEntry
from siltstone.pipeline.model.json_reply import items
from siltstone.pipeline.model.port import Usage
from siltstone.pipeline.reading.clean import without_secrets
from siltstone.pipeline.rules.candidates import described as description_of
from siltstone.pipeline.rules.candidates import named as name_of
from siltstone.pipeline.rules.saves import wide
from siltstone.prompts import line, tame
from siltstone.store.entry import DEFAULT_LIMIT, TYPES, Type
from siltstone.store.names import slug

MAX_ITEMS = 50
MAX_QUOTES = 8

Scope = Literal["project", "global"]
ACTIONS: tuple[Action, ...] = get_args(Action)
_NUMBER = re.compile(r"[#\[(]?\s*(-?[0-9]{1,40})(?:\.0)?\s*[\])]?")
_QUOTED = re.compile(
    r"\s*(?:\[(\d{1,9})\]|(\d{1,9})\s*[:：])[\s:：]*"
    r"(?:(?:user|assistant|pasted|command|output)(?:, exit -?\d+)?(?: \(seen before\))?: )?"
)
"""What stands before the words of a quote, with what the prompt put before the message."""


class WireNew(BaseModel):
    """A new memory. Its name, description and scope are made by code."""

    model_config = ConfigDict(extra="forbid")

    quotes: list[str]
    type: Type
    body: str


class WireKnown(BaseModel):
    """What is said of a memory that was shown, whose type and scope it keeps."""

    model_config = ConfigDict(extra="forbid")

    quotes: list[str]
    action: Literal["update", "confirm", "supersede", "contradict"]
    target: int
    body: str


class WireReply(BaseModel):
    """The reply that prompts/extract.j2 asks for."""

    model_config = ConfigDict(extra="forbid")

    memories: list[WireNew | WireKnown]


class Scrap(NamedTuple):
    """An item of a reply that is no candidate, and why: "unknown-number", "unknown-type",
    "unknown-action", "no-target", "wrong-type", "empty", "no-evidence", "too-long", "over-limit"."""

    reason: str
    text: str
    """Its text without secrets, cut to 300 characters, for the ledger."""
    place: int = 0
    """In the reply, from 1."""


class Extraction(NamedTuple):
    """What was proposed and what it took. Every item of a reply is a candidate or a scrap."""

    candidates: tuple[Candidate, ...]
    usage: Usage = Usage()
    calls: int = 0
    scraps: tuple[Scrap, ...] = ()

    @property
    def refused(self) -> Counter[str]:
        """Items that were no candidates, by reason."""
        return Counter(scrap.reason for scrap in self.scraps)


class _Refused(ValueError):
    """An item that is no candidate; the text is the reason."""


Place = Callable[[int, str], int | None]
"""The number of the message that holds a quote, which is said to stand in that one; None: there is none."""


def parse(text: str, numbers: Collection[int], related: Sequence[RelatedEntry], place: Place) -> Extraction:
    """Read a reply. `numbers` are those of the messages shown. Raises json_reply.Unreadable.

    Every quote is put where it stands, and an item without one is refused as "no-evidence".
    A missing field is filled in only where that claims nothing: scope and type of the target, else the scope
    that the quotes tell; name and description from the body. An action without a target, and an update of a
    memory whose text was not shown, becomes a create, which destroys nothing; merge finds what it belongs to.
    """
    entries = {entry.number: entry for entry in related}
    candidates: list[Candidate] = []
    scraps: list[Scrap] = []
    for n, raw in enumerate(items(text, "memories"), 1):
        try:
            if n > MAX_ITEMS:
                raise _Refused("over-limit")
            candidates.append(_candidate(raw, numbers, entries, place))
        except _Refused as refusal:
            scraps.append(Scrap(str(refusal), _excerpt(raw), n))
    return Extraction(tuple(candidates), scraps=tuple(scraps))


def _excerpt(raw: object) -> str:
    item = raw if isinstance(raw, dict) else {"body": raw}
    parts = (item.get(key) for key in ("body", "description", "name"))
    # Redact before cutting: half a secret would pass for a word.
    clean = without_secrets([part if isinstance(part, str) else "" for part in parts])
    return line(next(filter(None, clean), "")[:1_000])[:300]


def _candidate(
    raw: object, numbers: Collection[int], entries: Mapping[int, RelatedEntry], place: Place
) -> Candidate:
    item = {"body": raw, "type": "project"} if isinstance(raw, str) else raw
    if not isinstance(item, dict):
        raise _Refused("wrong-type")
    action, target = _action(item, entries)
    entry = entries[target] if target else None
    if action == "update" and entry and not entry.body:
        action, target = "create", None  # a text that was not shown cannot be given back whole
    described = line(_text(item.get("description"), DEFAULT_LIMIT))
    body = "\n".join(part.rstrip() for part in _text(item.get("body"), DEFAULT_LIMIT).splitlines())
    if action == "confirm" and entry:
        described, body = entry.description, entry.body or entry.description
    if not (described or body):
        raise _Refused("empty")
    type_, scope = item.get("type"), item.get("scope")
    if entry and not type_:
        type_ = entry.type
    if type_ not in TYPES:
        raise _Refused("unknown-type")
    quotes = _quotes(item.get("quotes", item.get("evidence")), numbers, place)
    if scope not in ("project", "global"):
        everywhere = type_ == "user" or any(wide(quote.text) for quote in quotes)
        scope = entry.scope if entry else "global" if everywhere else "project"
    described = described[:MAX_DESCRIPTION].strip() or description_of(body)
    named = item.get("name")
    if not isinstance(named, str) or not any(map(str.isalnum, named)):
        named = entry.name if entry and action in ("update", "confirm") else name_of(described)
    return Candidate(
        action=action,
        type=type_,
        scope=cast(Scope, scope),
        name=slug(tame(named[:500])),
        description=described,
        body=body or described,
        quotes=quotes,
        target=target,
    )


def _action(item: Mapping[str, object], entries: Mapping[int, RelatedEntry]) -> tuple[Action, int | None]:
    named = item.get("action", "create")
    action = named.strip().lower() if isinstance(named, str) else named
    if action not in ACTIONS:
        raise _Refused("unknown-action")
    if action == "create":
        return "create", None
    if item.get("target") in (None, 0, ""):
        if action == "confirm":
            raise _Refused("no-target")
        return "create", None
    return cast(Action, action), _number(item["target"], entries)


def _number(raw: object, known: Collection[int]) -> int:
    """A small integer in any spelling: 3, 3.0, "3", "#3", "[3]"; one of those that were shown."""
    if isinstance(raw, list) and len(raw) == 1:
        raw = raw[0]
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        raise _Refused("wrong-type")
    written = _NUMBER.fullmatch(str(raw).strip())
    if not written:
        raise _Refused("wrong-type")
    if int(written[1]) not in known:
        raise _Refused("unknown-number")
    return int(written[1])


def _text(value: object, limit: int) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _Refused("wrong-type")
    if len(value) > limit:
        raise _Refused("too-long")
    return tame(value).strip()


def _quotes(raw: object, numbers: Collection[int], place: Place) -> tuple[Quote, ...]:
    """The quotes of an item: "4: words", or an object."""
    quotes: list[Quote] = []
    for proof in raw if isinstance(raw, list) else filter(None, [raw]):
        if len(quotes) >= MAX_QUOTES:
            break
        if isinstance(proof, str):
            told = _QUOTED.match(proof)
            if not told:
                raise _Refused("unknown-number")
            proof = {"n": told[1] or told[2], "quote": proof[told.end() :]}
        if not isinstance(proof, dict) or not isinstance(proof.get("quote"), str):
            raise _Refused("wrong-type")
        named, quote = _number(proof.get("n"), numbers), _text(proof["quote"], MAX_QUOTE)
        if quote:
            if (n := place(named, quote)) is None:
                raise _Refused("no-evidence")
            quotes.append(Quote(n, quote))
    if not quotes:
        raise _Refused("no-evidence")
    return tuple(quotes)
