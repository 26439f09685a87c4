"""From accepted ops to file changes (docs/architecture.md: a merge keeps all evidence)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from siltstone.pipeline.compaction.plan import Drop, Flag, Merge, Op, Rewrite
from siltstone.pipeline.compaction.session import CompactView
from siltstone.pipeline.conflicts import flag
from siltstone.pipeline.merging.desk import Desk, View
from siltstone.pipeline.merging.survivor import stronger_source, survivor
from siltstone.store.entry import GLOBAL, Change, Entry


def changes(accepted: Sequence[Op], view: CompactView) -> list[Change]:
    """What the accepted ops of one check do to the store, sorted by path.

    Links to entries that leave name their survivor or successor afterwards.
    """
    desk = Desk(View(GLOBAL, view.now, tuple(view.current.values()), view.archived, conflicts=view.conflicts))
    moved: dict[str, dict[str, str]] = defaultdict(dict)
    paths: dict[str, str] = {}
    for op in accepted:
        match op:
            case Merge():
                _merge(desk, op, moved, paths)
            case Drop():
                _drop(desk, op, moved, paths)
            case Rewrite():
                old = desk.live[op.target.path]
                desk.live[op.target.path] = replace(old, description=op.description, body=op.body)
            case Flag():
                desk.sections = flag(desk.sections, desk.live, op.one.path, op.other.path)
    for scope, renamed in moved.items():
        desk.relink(scope, renamed)
    desk.repoint(paths)
    return desk.changes()


def merged(kept: Entry, others: Sequence[Entry]) -> Entry:
    """`kept` with the evidence, dates, agreements and best source of all."""
    every = [kept, *others]
    source = kept.source
    for entry in others:
        source = stronger_source(source, entry.source)
    return replace(
        kept,
        source=source,
        topic=next((entry.topic for entry in every if entry.topic), None),
        importance=next((entry.importance for entry in every if entry.importance), None),
        created=min(entry.created for entry in every),
        updated=max(entry.updated for entry in every),
        evidence=tuple(sorted({item for entry in every for item in entry.evidence})),
        agrees_with=tuple(sorted({path for entry in every for path in entry.agrees_with})),
    )


def _merge(desk: Desk, op: Merge, moved: dict[str, dict[str, str]], paths: dict[str, str]) -> None:
    kept = survivor(op.sources)
    others = [stored for stored in op.sources if stored.path != kept.path]
    entry = merged(desk.live[kept.path], [desk.live.pop(stored.path) for stored in others])
    own = {stored.path for stored in op.sources}
    desk.live[kept.path] = replace(
        entry,
        description=op.description,
        body=op.body,
        agrees_with=tuple(path for path in entry.agrees_with if path not in own),
    )
    for stored in others:
        moved[entry.scope][stored.entry.name] = entry.name
        paths[stored.path] = kept.path


def _drop(desk: Desk, op: Drop, moved: dict[str, dict[str, str]], paths: dict[str, str]) -> None:
    path, old = op.target.path, desk.live[op.target.path]
    if op.by is not None and op.because is not None:
        moved[old.scope][old.name] = op.by.entry.name
    if op.because == "duplicate_of" and op.by is not None:
        del desk.live[path]
        desk.live[op.by.path] = merged(desk.live[op.by.path], [old])
        paths[path] = op.by.path
    elif op.because == "superseded_by" and op.by is not None:
        desk.retire(path, op.by.path, op.by.entry.updated)
    elif op.because == "expired":
        del desk.live[path]
    else:
        desk.retire(path, None, None)
