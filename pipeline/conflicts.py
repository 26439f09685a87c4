"""Contradictions and the user's answers (docs/seeds.md C25; docs/store-format.md: _CONFLICTS.md is truth).

Opening a conflict, and settling what the user ticked. The file's format is store/conflicts.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from siltstone.pipeline.merging.desk import Desk, View
from siltstone.store.conflicts import Section, Side, Tick, conflict_id, parse
from siltstone.store.entry import GLOBAL, Change, Entry, Stored
from siltstone.store.errors import Misuse

MAX_QUOTE = 300
RETURNED = "This section was deleted without a tick: tick one, or delete the memory that is wrong."


def flag(sections: Sequence[Section], live: Mapping[str, Entry], one: str, other: str) -> list[Section]:
    """The sections and one for this pair of live paths, the older statement as side 1."""
    sides = sorted((_side(path, live[path]) for path in (one, other)), key=lambda side: (side.day, side.path))
    section = Section(conflict_id(one, other), (sides[0], sides[1]))
    if any(known.id == section.id for known in sections):
        return list(sections)
    return [*sections, section]


def flagged(sections: Sequence[Section], one: str, other: str) -> bool:
    """Whether the user is asked about this pair already."""
    return any({side.path for side in section.sides} == {one, other} for section in sections)


def agreed(one: Entry, one_path: str, other: Entry, other_path: str) -> bool:
    """Whether the user said that both are true: such a pair is never flagged again."""
    return other_path in one.agrees_with or one_path in other.agrees_with


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything that settling looks at: the whole live store, and the file as it was and is."""

    now: datetime
    current: Sequence[Stored]
    """Live entries of every scope."""
    archived: Sequence[Stored] = ()
    text: str | None = None
    """_CONFLICTS.md as it stands; None when there is none."""
    before: str | None = None
    """_CONFLICTS.md as we last wrote it: what tells a deleted section from one that never was."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the user's ticks do."""

    changes: tuple[Change, ...]
    settled: tuple[str, ...]
    """One line for each conflict that was settled or closed."""
    returned: tuple[str, ...]
    """Ids of sections that were deleted without a tick and stand again."""
    left: tuple[str, ...]
    """One line for each tick that could not be applied."""
    open: tuple[Section, ...]


@dataclass(slots=True)
class _Notes:
    settled: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def settle(standing: Standing, answers: Mapping[str, Tick] | None = None) -> Settlement:
    """Applies every tick, and every one of `answers` (id → what to keep).

    The side that is not kept moves to archive/ with `superseded_by` (the tick's day is when it was
    superseded: that is when somebody decided). `both` writes `agrees_with` into the two. A section
    with a side gone closes; one deleted without a tick returns and says so.
    """
    desk = Desk(
        View(
            GLOBAL,
            standing.now,
            standing.current,
            standing.archived,
            conflicts=standing.text,
        )
    )
    notes = _Notes()
    kept: list[Section] = []
    for section in _sections(standing, notes):
        ticked = (answers or {}).get(section.id, section.ticked)
        if not _stands(desk, section, notes):
            continue
        if ticked is None or not _answer(desk, section, ticked, standing.now, notes):
            kept.append(section)
    desk.sections = [section for section in kept if _stands(desk, section, notes)]
    return Settlement(
        tuple(desk.changes()),
        tuple(notes.settled),
        tuple(notes.returned),
        tuple(notes.left),
        tuple(desk.sections),
    )


def resolve(conflict: str, keep: Tick, standing: Standing) -> Settlement:
    """`silt conflicts resolve ID --keep …`: as if the user had ticked it. Raises Misuse for an unknown id."""
    known = [section.id for section in parse(standing.text or "")]
    if conflict not in known:
        hint = f"open ones are {', '.join(known)}" if known else "there is none"
        raise Misuse(f"No conflict {conflict!r} is open; {hint}.")
    return settle(standing, {conflict: keep})


def _sections(standing: Standing, notes: _Notes) -> list[Section]:
    """The sections as they are, their sides as we wrote them, and those that were deleted."""
    written = {section.id: section for section in parse(standing.before or "")}
    found: dict[str, Section] = {}
    for section in parse(standing.text or ""):
        if section.id in written:
            found[section.id] = replace(section, sides=written[section.id].sides)
        elif section.id == conflict_id(section.sides[0].path, section.sides[1].path):
            found[section.id] = section
    live = {stored.path: stored.entry for stored in standing.current}
    for gone in written.values():
        one, other = (side.path for side in gone.sides)
        if gone.id in found or one not in live or other not in live:
            continue
        if not agreed(live[one], one, live[other], other):
            notes.returned.append(gone.id)
            found[gone.id] = replace(gone, ticked=None, note=RETURNED)
    return list(found.values())


def _stands(desk: Desk, section: Section, notes: _Notes) -> bool:
    gone = [side.path for side in section.sides if side.path not in desk.live]
    if gone:
        notes.settled.append(f"{section.id}: closed, {gone[0]} is no longer there")
    return not gone


def _answer(desk: Desk, section: Section, ticked: Tick, now: datetime, notes: _Notes) -> bool:
    """Does what was ticked; False (and a note) when a file may not be touched."""
    paths = [side.path for side in section.sides]
    touched = paths if ticked == "both" else [paths[2 - ticked]]
    locked = [path for path in touched if desk.readonly(path)]
    if locked:
        notes.left.append(f"{section.id}: {locked[0]} is readonly; set readonly: false and run again")
        return False
    if ticked == "both":
        for path, other in (paths, paths[::-1]):
            entry = desk.live[path]
            agrees = tuple(sorted({*entry.agrees_with, other}))
            desk.live[path] = replace(entry, agrees_with=agrees)
        notes.settled.append(f"{section.id}: both are true")
        return True
    kept = paths[ticked - 1]
    archived = desk.retire(touched[0], kept, now)
    notes.settled.append(f"{section.id}: kept {kept}, moved the other to {archived}")
    return True


def _side(path: str, entry: Entry) -> Side:
    if not entry.evidence:
        return Side(path, entry.updated.astimezone(UTC).date(), entry.description[:MAX_QUOTE], "")
    last = max(entry.evidence)
    quote = " ".join(last.quote.split())[:MAX_QUOTE]
    return Side(path, last.at.astimezone(UTC).date(), quote, f"{last.agent}/{last.session}")
