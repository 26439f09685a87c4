"""What compaction may do, and how a model says so (docs/seeds.md C24; prompts/compact.j2).

On the wire entries are numbers; an `Op` holds the entries themselves as they were read, so everything
after reading is free of numbers and knows whether an entry has changed since.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from siltstone.pipeline.near_json import items
from siltstone.store.entry import Stored

MAX_OPS = 200
MAX_TEXT = 20_000

Because = Literal["duplicate_of", "superseded_by", "expired"]


class WireOp(BaseModel):
    """One op of the reply. Every field is there, null where it does not apply."""

    model_config = ConfigDict(strict=True)

    op: Literal["merge", "delete", "rewrite", "flag"]
    targets: list[int]
    by: int | None
    reason: Because | None
    name: str | None
    description: str | None
    body: str | None


class WirePlan(BaseModel):
    """The whole reply; also the schema that the model is given."""

    ops: list[WireOp]


@dataclass(frozen=True, slots=True)
class Merge:
    """Several entries become one. Which file survives is decided by code (A16)."""

    sources: tuple[Stored, ...]
    description: str
    body: str


@dataclass(frozen=True, slots=True)
class Drop:
    """An entry leaves: deleted when `because` is proven a duplicate or expired, else archived."""

    target: Stored
    because: Because | None
    by: Stored | None = None


@dataclass(frozen=True, slots=True)
class Rewrite:
    """An entry says the same, better."""

    target: Stored
    description: str
    body: str


@dataclass(frozen=True, slots=True)
class Flag:
    """Two entries contradict: the user is asked (C25)."""

    one: Stored
    other: Stored


Op = Merge | Drop | Rewrite | Flag


@dataclass(frozen=True, slots=True)
class Refused:
    """An op that was not done: the rule that spoke, and what it saw.

    `op` is None when the reply did not even say one.
    """

    op: Op | None
    rule: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The ops of one reply, and what could not be read as one."""

    ops: tuple[Op, ...]
    refused: tuple[Refused, ...]


def targets(op: Op) -> tuple[Stored, ...]:
    """Every entry an op changes or speaks of, the survivor of a deletion included."""
    match op:
        case Merge():
            return op.sources
        case Drop():
            return (op.target,) if op.by is None else (op.target, op.by)
        case Rewrite():
            return (op.target,)
        case Flag():
            return (op.one, op.other)


def read_plan(text: str, numbered: Mapping[int, Stored]) -> Plan:
    """The ops in a model's reply, over the entries it was shown.

    What near_json.py tolerates is tolerated, and missing null fields; an item that is no op, or names
    a number that was not shown, is refused by itself (invariant 5). Raises Unreadable when the
    reply holds no list of ops at all.
    """
    ops: list[Op] = []
    refused: list[Refused] = []
    said = items(text, "ops")
    for item in said[:MAX_OPS]:
        read = _read_op(item, numbered)
        if isinstance(read, Refused):
            refused.append(read)
        else:
            ops.append(read)
    if len(said) > MAX_OPS:
        refused.append(Refused(None, "too-long", f"{len(said) - MAX_OPS} ops after the first {MAX_OPS}"))
    return Plan(tuple(ops), tuple(refused))


def _read_op(item: object, numbered: Mapping[int, Stored]) -> Op | Refused:
    shown = json.dumps(item, ensure_ascii=False)[:200]
    if not isinstance(item, dict):
        return Refused(None, "unreadable", shown)
    fields = {name: item.get(name) for name in WireOp.model_fields}
    if fields["reason"] not in (None, "duplicate_of", "superseded_by", "expired"):
        fields["reason"] = None  # anything else is archived, not deleted
    try:
        wire = WireOp.model_validate(fields)
    except ValidationError:
        return Refused(None, "unreadable", shown)
    numbers = [*wire.targets, *([] if wire.by is None else [wire.by])]
    unknown = [n for n in numbers if n not in numbered]
    if unknown:
        return Refused(None, "unknown-target", f"{wire.op} of {unknown[0]}")
    if max(len(wire.body or ""), len(wire.description or "")) > MAX_TEXT:
        return Refused(None, "over-limit", f"{wire.op} of {numbers}")
    chosen = [numbered[n] for n in dict.fromkeys(wire.targets)]
    op = _op(wire, chosen, None if wire.by is None else numbered[wire.by])
    return op or Refused(None, "unreadable", f"{wire.op} of {len(chosen)} entries")


def _op(wire: WireOp, chosen: Sequence[Stored], by: Stored | None) -> Op | None:
    description, body = " ".join((wire.description or "").split()), (wire.body or "").strip()
    match wire.op, len(chosen):
        case "merge", n if n >= 2:
            return Merge(tuple(chosen), description, body)
        case "rewrite", 1:
            return Rewrite(chosen[0], description, body)
        case "delete", 1:
            return Drop(chosen[0], wire.reason, by)
        case "flag", 2:
            return Flag(chosen[0], chosen[1])
    return None
