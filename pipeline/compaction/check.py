"""Which ops of a plan may be applied, by every rule of `refusals.py`; and the checked plan in words."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from siltstone.pipeline.compaction.plan import Checking, CompactView, Drop, Flag, Merge, Op, Refused, Rewrite
from siltstone.pipeline.compaction.refusals import RULES
from siltstone.pipeline.merging.survivor import survivor
from siltstone.store.entry import Entry

NOTHING = "nothing to change"
_SETTLES = ("superseded_by", "expired")
"""Reasons of deletions that settle a contradiction; code proves them."""


class Checked(NamedTuple):
    accepted: tuple[Op, ...]
    refused: tuple[Refused, ...]

    @property
    def summary(self) -> str:
        """ "merge 2, delete 1, flag 1, refused 3": for a commit subject or a status line."""
        counts = Counter(_verb(op) for op in self.accepted)
        if self.refused:
            counts["refused"] = len(self.refused)
        return ", ".join(f"{verb} {count}" for verb, count in counts.items()) or NOTHING

    @property
    def diff(self) -> str:
        """One block an op, with the lines it removes and adds; then each refused op with its reason."""
        lines = [line for op in self.accepted for line in _told(op)]
        for item in self.refused:
            what = "an item" if item.op is None else f"{_verb(item.op)} {_names(item.op)}"
            lines.append(f"refused  {what}: {item.rule}" + (f" ({item.detail})" if item.detail else ""))
        return "\n".join(lines) or NOTHING


def check(ops: Sequence[Op], view: CompactView, flags: Sequence[Flag] = ()) -> Checked:
    """Check every op against every rule, in order. No op may touch what an earlier one changes.

    A deletion as "superseded" without a word of change becomes a flag (invariant 11).

    `flags` are contradictions that code found. They come before any op that could hide one, and after a
    deletion that may settle it. Nobody proposed them, so a refused one is not reported.
    """
    so_far = Checking(view)
    accepted: list[Op] = []
    refused: list[Refused] = []
    known = {_pair(flag) for flag in flags}
    wanted = [op for op in ops if not (isinstance(op, Flag) and _pair(op) in known)]
    settling = {op.target.path for op in ops if isinstance(op, Drop) and op.because in _SETTLES}
    early = [flag for flag in flags if not _pair(flag) & settling]
    for op in (*early, *wanted, *flags):
        objection = _objection(op, so_far)
        if objection is not None:
            if any(op is flag for flag in flags):
                continue
            refused.append(objection)
            if objection.rule != "no-word-of-change" or not isinstance(op, Drop) or op.by is None:
                continue
            op = Flag(op.target, op.by)
            if _objection(op, so_far) is not None:
                continue
        accepted.append(op)
        so_far.take(op)
    return Checked(tuple(accepted), tuple(refused))


def _pair(flag: Flag) -> frozenset[str]:
    return frozenset((flag.one.path, flag.other.path))


def _objection(op: Op, so_far: Checking) -> Refused | None:
    for name, rule in RULES:
        detail = rule(op, so_far)
        if detail is not None:
            return Refused(op, name, detail)
    return None


def _verb(op: Op) -> str:
    if isinstance(op, Drop):
        return "delete" if op.because in ("duplicate_of", "expired") else "archive"
    return type(op).__name__.lower()


def _names(op: Op) -> str:
    match op:
        case Merge():
            return " + ".join(stored.path for stored in op.sources)
        case Flag():
            return f"{op.one.path} | {op.other.path}"
        case _:
            return op.target.path


def _told(op: Op) -> Iterator[str]:
    head = f"{_verb(op):<8} "
    match op:
        case Merge():
            kept = survivor(op.sources)
            others = [stored for stored in op.sources if stored.path != kept.path]
            yield f"{head}{kept.path} + {', '.join(stored.path for stored in others)}"
            before = [line for stored in (kept, *others) for line in _lines(stored.entry)]
            yield from _diff(before, [op.description, *op.body.splitlines()])
        case Rewrite():
            yield f"{head}{op.target.path}"
            yield from _diff(_lines(op.target.entry), [op.description, *op.body.splitlines()])
        case Drop():
            why = (op.because or "no proven reason, so it stays in the archive").replace("_", " ")
            by = f" {op.by.path}" if op.because is not None and op.by is not None else ""
            if op.ended is not None:  # where, not what: a purge would not find the words here
                said = op.target.entry.evidence[-1]
                by = f": {said.agent}/{said.session}, {op.ended:%Y-%m-%d %H:%M} UTC"
            yield f"{head}{op.target.path} ({why}{by})"
            yield from (f"  - {line}" for line in _lines(op.target.entry))
        case Flag():
            yield f"{head}{_names(op)}"
            yield from (f"  ? {side.entry.description}" for side in (op.one, op.other))


def _lines(entry: Entry) -> list[str]:
    return [entry.description, *entry.body.splitlines()]


def _diff(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    yield from (f"  - {line}" for line in dict.fromkeys(before) if line not in after)
    yield from (f"  + {line}" for line in dict.fromkeys(after) if line not in before)
