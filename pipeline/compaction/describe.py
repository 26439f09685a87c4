"""A checked plan in readable form: for `silt compact --dry-run`, the commit's body and the report."""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import unified_diff

from siltstone.pipeline.compaction.plan import Drop, Flag, Merge, Op, Refused, Rewrite
from siltstone.pipeline.merging.survivor import survivor
from siltstone.store.entry import Entry

NOTHING = "nothing to change"


def describe(accepted: Sequence[Op], refused: Sequence[Refused]) -> str:
    """One block an op, with the lines it removes and adds; then each refused op with its reason."""
    lines = [line for op in accepted for line in _op(op)]
    for item in refused:
        what = "an item" if item.op is None else f"{_verb(item.op)} {_names(item.op)}"
        lines.append(f"refused  {what}: {item.rule}" + (f" ({item.detail})" if item.detail else ""))
    return "\n".join(lines) if lines else NOTHING


def summary(accepted: Sequence[Op], refused: Sequence[Refused]) -> str:
    """ "merge 2, delete 1, flag 1, refused 3": for a commit subject or a status line."""
    counts = Counter(_verb(op) for op in accepted)
    if refused:
        counts["refused"] = len(refused)
    return ", ".join(f"{verb} {count}" for verb, count in counts.items()) or NOTHING


def _op(op: Op) -> Iterator[str]:
    match op:
        case Merge():
            kept = survivor(op.sources)
            others = [stored for stored in op.sources if stored.path != kept.path]
            yield f"merge    {kept.path} + {', '.join(stored.path for stored in others)}"
            before = [line for stored in (kept, *others) for line in _lines(stored.entry)]
            yield from _diff(before, [op.description, *op.body.splitlines()])
        case Rewrite():
            yield f"rewrite  {op.target.path}"
            yield from _diff(_lines(op.target.entry), [op.description, *op.body.splitlines()])
        case Drop():
            why = (op.because or "no proven reason, so kept in the archive").replace("_", " ")
            by = f" {op.by.path}" if op.because is not None and op.by is not None else ""
            yield f"{_verb(op):<8} {op.target.path} ({why}{by})"
            yield from (f"  - {line}" for line in _lines(op.target.entry))
        case Flag():
            yield f"flag     {op.one.path} | {op.other.path}"
            yield f"  ? {op.one.entry.description}"
            yield f"  ? {op.other.entry.description}"


def _verb(op: Op) -> str:
    match op:
        case Merge():
            return "merge"
        case Rewrite():
            return "rewrite"
        case Flag():
            return "flag"
        case Drop():
            return "delete" if op.because in ("duplicate_of", "expired") else "archive"


def _names(op: Op) -> str:
    match op:
        case Merge():
            return " + ".join(stored.path for stored in op.sources)
        case Flag():
            return f"{op.one.path} | {op.other.path}"
        case _:
            return op.target.path


def _lines(entry: Entry) -> list[str]:
    return [entry.description, *entry.body.splitlines()]


def _diff(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    seen = list(dict.fromkeys(before))
    for line in list(unified_diff(seen, list(dict.fromkeys(after)), lineterm="", n=0))[2:]:
        if not line.startswith("@@"):
            yield f"  {line[0]} {line[1:]}"
