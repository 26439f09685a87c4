"""From accepted ops to file changes (docs/architecture.md: a merge keeps all evidence)."""

from collections import defaultdict
from collections.abc import Sequence
from functools import reduce

from siltstone.pipeline.compaction.plan import CompactView, Drop, Flag, Merge, Op, Rewrite
from siltstone.pipeline.conflicts import flag
from siltstone.pipeline.merging.survivor import stronger_source, survivor
from siltstone.pipeline.merging.working_copy import View, WorkingCopy
from siltstone.store.entry import GLOBAL, Change, Entry


def changes(accepted: Sequence[Op], view: CompactView) -> list[Change]:
    """The file changes of the accepted ops, sorted by path.

    Links to entries that leave point to their survivor or successor afterwards.
    """
    copy = WorkingCopy(
        View(GLOBAL, view.now, tuple(view.current.values()), view.archived, conflicts=view.conflicts)
    )
    moved: dict[str, dict[str, str]] = defaultdict(dict)
    paths: dict[str, str] = {}
    for op in accepted:
        match op:
            case Merge():
                _merge(copy, op, moved, paths)
            case Drop():
                _drop(copy, op, moved, paths)
            case Rewrite():
                old = copy.live[op.target.path]
                copy.live[op.target.path] = old._replace(description=op.description, body=op.body)
            case Flag():
                copy.sections = flag(copy.sections, copy.live, op.one.path, op.other.path)
    for scope, renamed in moved.items():
        copy.relink(scope, renamed)
    copy.repoint(paths)
    return copy.changes()


def merged(kept: Entry, others: Sequence[Entry]) -> Entry:
    """`kept` with the evidence, dates, agreements and best source of all."""
    every = [kept, *others]
    return kept._replace(
        source=reduce(stronger_source, (entry.source for entry in every)),
        topic=next((entry.topic for entry in every if entry.topic), None),
        importance=next((entry.importance for entry in every if entry.importance), None),
        created=min(entry.created for entry in every),
        updated=max(entry.updated for entry in every),
        evidence=tuple(sorted({item for entry in every for item in entry.evidence})),
        anchors=tuple(dict.fromkeys(anchor for entry in every for anchor in entry.anchors)),
        agrees_with=tuple(sorted({path for entry in every for path in entry.agrees_with})),
    )


def _merge(copy: WorkingCopy, op: Merge, moved: dict[str, dict[str, str]], paths: dict[str, str]) -> None:
    kept = survivor(op.sources)
    others = [stored for stored in op.sources if stored.path != kept.path]
    entry = merged(copy.live[kept.path], [copy.live.pop(stored.path) for stored in others])
    own = {stored.path for stored in op.sources}
    copy.live[kept.path] = entry._replace(
        description=op.description,
        body=op.body,
        agrees_with=tuple(path for path in entry.agrees_with if path not in own),
    )
    for stored in others:
        moved[entry.scope][stored.entry.name] = entry.name
        paths[stored.path] = kept.path


def _drop(copy: WorkingCopy, op: Drop, moved: dict[str, dict[str, str]], paths: dict[str, str]) -> None:
    path, old = op.target.path, copy.live[op.target.path]
    if op.by is not None and op.because is not None:
        moved[old.scope][old.name] = op.by.entry.name
    if op.because == "duplicate_of" and op.by is not None:
        del copy.live[path]
        copy.live[op.by.path] = merged(copy.live[op.by.path], [old])
        paths[path] = op.by.path
    elif op.because == "superseded_by" and op.by is not None:
        copy.retire(path, op.by.path, op.by.entry.updated)
    elif op.because == "expired":
        del copy.live[path]
    else:
        copy.retire(path, None, op.ended)
