"""The ops of compaction, and how a model's reply is read into them (docs/seeds.md C24; prompts/compact.j2).

In the reply entries are numbers. An `Op` holds the entries as they were read, so that later steps need no
numbers and can see whether an entry has changed since.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from siltstone.pipeline.model.json_reply import items
from siltstone.pipeline.rules.candidates import described
from siltstone.store.conflicts import Section
from siltstone.store.entry import Stored, TextFile, links
from siltstone.store.redaction import cleaned

MAX_OPS = 200
MAX_TEXT = 20_000

Reason = Literal["duplicate_of", "superseded_by", "expired"]
"""What a plan may say."""
Because = Reason | Literal["over"]
"""The last is said by `look_back.py` alone."""


class WireOp(BaseModel):
    """One op of the reply. Every field is there, null where it does not apply. The description is made by
    code, of the body's first sentence."""

    model_config = ConfigDict(strict=True)

    op: Literal["merge", "delete", "rewrite", "flag"]
    targets: list[int]
    by: int | None
    reason: Reason | None
    body: str | None


class WirePlan(BaseModel):
    """The whole reply; also the schema that the model is given."""

    ops: list[WireOp]


class Merge(NamedTuple):
    """Several entries become one. Which file survives is decided by code (A16)."""

    sources: tuple[Stored, ...]
    description: str
    body: str


class Drop(NamedTuple):
    """An entry leaves: deleted when `because` is proven a duplicate or expired, else archived."""

    target: Stored
    because: Because | None
    by: Stored | None = None
    ended: datetime | None = None
    """Of one that is over: when the user's message was typed that ended it."""


class Rewrite(NamedTuple):
    """An entry says the same, better."""

    target: Stored
    description: str
    body: str


class Flag(NamedTuple):
    """Two entries contradict: the user is asked (C25)."""

    one: Stored
    other: Stored


Op = Merge | Drop | Rewrite | Flag


class Refused(NamedTuple):
    """An op that was not done: the rule that spoke, and what it saw.

    `op` is None when the reply did not even say one.
    """

    op: Op | None
    rule: str
    detail: str = ""


def targets(op: Op) -> tuple[Stored, ...]:
    """Every entry that an op changes or names, the survivor of a deletion included."""
    match op:
        case Merge():
            return op.sources
        case Drop():
            return (op.target,) if op.by is None else (op.target, op.by)
        case Rewrite():
            return (op.target,)
        case Flag():
            return (op.one, op.other)


def read_plan(text: str, numbered: Mapping[int, Stored]) -> tuple[list[Op], list[Refused]]:
    """The ops in a model's reply, over the entries it was shown, and what could not be read as one.

    Near-JSON (model/json_reply.py) and missing null fields are tolerated. An item that is no op, or names
    a number that was not shown, is refused; the others count (invariant 5). Raises Unreadable when the
    reply holds no list of ops.
    """
    listed = items(text, "ops")
    read = [_read_op(item, numbered) for item in listed[:MAX_OPS]]
    refused = [item for item in read if isinstance(item, Refused)]
    if len(listed) > MAX_OPS:
        refused.append(Refused(None, "too-long", f"{len(listed) - MAX_OPS} ops after the first {MAX_OPS}"))
    return [op for op in read if not isinstance(op, Refused)], refused


def _read_op(item: object, numbered: Mapping[int, Stored]) -> Op | Refused:
    fields = {name: item.get(name) for name in WireOp.model_fields} if isinstance(item, dict) else {}
    if fields.get("reason") not in (None, *get_args(Reason)):
        fields["reason"] = None  # anything else is archived, not deleted
    try:
        wire = WireOp.model_validate(fields)
    except ValidationError:
        # Redact before cutting: half a secret would pass for a word.
        return Refused(None, "unreadable", cleaned(json.dumps(item, ensure_ascii=False))[:200])
    numbers = [*wire.targets, *([] if wire.by is None else [wire.by])]
    unknown = [n for n in numbers if n not in numbered]
    if unknown:
        return Refused(None, "unknown-target", f"{wire.op} of {unknown[0]}")
    if len(wire.body or "") > MAX_TEXT:
        return Refused(None, "over-limit", f"{wire.op} of {numbers}")
    chosen, body = [numbered[n] for n in dict.fromkeys(wire.targets)], (wire.body or "").strip()
    match wire.op, len(chosen):
        case "merge", n if n >= 2:
            return Merge(tuple(chosen), described(body), body)
        case "rewrite", 1:
            return Rewrite(chosen[0], described(body), body)
        case "delete", 1:
            return Drop(chosen[0], wire.reason, None if wire.by is None else numbered[wire.by])
        case "flag", 2:
            return Flag(chosen[0], chosen[1])
    return Refused(None, "unreadable", f"{wire.op} of {len(chosen)} entries")


class CompactView(NamedTuple):
    """The store under the lock, as a plan is checked against it."""

    now: datetime
    current: Mapping[str, Stored]
    """Live entries by path: of every scope that the plan touches or that may link into it."""
    archived: Sequence[Stored] = ()
    sections: Sequence[Section] = ()
    conflicts: TextFile | None = None
    """_CONFLICTS.md; None when there is no such file."""
    force: bool = False
    clean: Callable[[str], bool] = lambda text: True
    """Whether a text holds no secret (invariant 8)."""


class Checking:
    """A plan being checked: the view, prepared for the rules, and what the accepted ops do to it."""

    def __init__(self, view: CompactView) -> None:
        self.view = view
        self.sizes = Counter(stored.entry.scope for stored in view.current.values())
        self.waiting = {side.path for section in view.sections for side in section.sides}
        self.linked: dict[tuple[str, str], str] = {}
        """By scope and name: the path of a body that no op may change and that links to that name."""
        self.used: dict[str, Op] = {}
        self.leaving: Counter[str] = Counter()
        """Entries that accepted ops delete or archive, by scope."""
        self.flags: set[frozenset[str]] = set()
        for stored in view.current.values():
            if "[[" in stored.entry.body and protected(stored):
                for name in links(stored.entry.body):
                    self.linked[stored.entry.scope, name] = stored.path

    def take(self, op: Op) -> None:
        if isinstance(op, Flag):
            self.flags.add(frozenset((op.one.path, op.other.path)))
        if isinstance(op, Drop):
            self.leaving[op.target.entry.scope] += 1
        self.used.update({stored.path: op for stored in targets(op)})


def protected(stored: Stored) -> bool:
    """Whether its body is the user's, enforced or pinned (invariant 9)."""
    return stored.entry.readonly or stored.entry.enforce or stored.user_written or stored.pinned
