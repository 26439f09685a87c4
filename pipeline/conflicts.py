"""Contradictions: opening a conflict, settling what the user ticked, and overrides (docs/seeds.md C25).

_CONFLICTS.md is the truth about open conflicts (docs/store-format.md); store/conflicts.py has its format.
`settle` decides, `apply_ticks` reads and commits.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from siltstone.pipeline.merging.contradictions import opposed
from siltstone.pipeline.merging.working_copy import View, WorkingCopy
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.words import counted
from siltstone.store import commits
from siltstone.store.conflicts import PATH, Section, Side, Tick, conflict_id, parse
from siltstone.store.entry import GLOBAL, Change, Entry, Read, Stored
from siltstone.store.names import in_force
from siltstone.store.search import Search
from siltstone.store.store import Store

MAX_QUOTE = 300
MAX_OPEN = 12
"""Conflicts that are open at once: what a person answers in one sitting. A further pair stands as it is, and
compaction asks about it once others are settled."""
RETURNED = "This section was deleted without a tick. Tick one side, or delete the memory that is wrong."


def flag(sections: Sequence[Section], live: Mapping[str, Entry], one: str, other: str) -> list[Section]:
    """The sections with one for this pair of live paths, the older statement as side 1."""
    sides = sorted((_side(path, live[path]) for path in (one, other)), key=lambda side: (side.day, side.path))
    section = Section(conflict_id(one, other), (sides[0], sides[1]))
    if any(other.id == section.id for other in sections):
        return list(sections)
    return [*sections, section]


def flagged(sections: Sequence[Section], one: str, other: str) -> bool:
    """Whether the user is asked about this pair already."""
    return any({side.path for side in section.sides} == {one, other} for section in sections)


def agreed(one: Entry, one_path: str, other: Entry, other_path: str) -> bool:
    """Whether the user said that both are true: such a pair is never flagged again."""
    return other_path in one.agrees_with or one_path in other.agrees_with


def known(sections: Sequence[Section], live: Mapping[str, Entry], one: str, other: str) -> bool:
    """Whether the user is asked about this pair of live paths already, or said that both are true."""
    return flagged(sections, one, other) or agreed(live[one], one, live[other], other)


@dataclass(slots=True)
class Settlement:
    changes: tuple[Change, ...] = ()
    settled: tuple[str, ...] = ()
    """One line for each conflict that was settled or closed."""
    returned: tuple[str, ...] = ()
    """Ids of sections that were deleted without a tick and are back."""
    left: tuple[str, ...] = ()
    """One line for each tick that could not be applied."""


def settle(view: View, before: str | None, answers: Mapping[str, Tick] | None = None) -> Settlement:
    """Apply every tick, and all of `answers` (id → what to keep).

    `view` holds the live entries of every scope; `before` is _CONFLICTS.md as we last wrote it. The side that
    is not kept moves to archive/, superseded on the day of the tick. `both` writes `agrees_with` into the two
    entries. A section closes when one of its sides is gone. One that was deleted without a tick comes back
    and says so.
    """
    copy = WorkingCopy(view)
    done = Settlement()
    kept: list[Section] = []
    for section in _sections(copy, before, done):
        ticked = (answers or {}).get(section.id, section.ticked)
        if not _stands(copy, section, done):
            continue
        if ticked is None or not _answer(copy, section, ticked, done):
            kept.append(section)
    copy.sections = [section for section in kept if _stands(copy, section, done)]
    done.changes = tuple(copy.changes())
    return done


def _sections(copy: WorkingCopy, before: str | None, done: Settlement) -> list[Section]:
    """The sections in the file, with the sides that we wrote, and those that the user deleted."""
    written = {section.id: section for section in parse(before or "")}
    found: dict[str, Section] = {}
    for section in copy.sections:
        if section.id in written:
            found[section.id] = section._replace(sides=written[section.id].sides)
        elif section.id == conflict_id(section.sides[0].path, section.sides[1].path):
            found[section.id] = section
    for gone in written.values():
        one, other = (side.path for side in gone.sides)
        if gone.id in found or one not in copy.live or other not in copy.live:
            continue
        if not agreed(copy.live[one], one, copy.live[other], other):
            done.returned += (gone.id,)
            found[gone.id] = gone._replace(ticked=None, note=RETURNED)
    return list(found.values())


def _stands(copy: WorkingCopy, section: Section, done: Settlement) -> bool:
    paths = [side.path for side in section.sides]
    gone = [path for path in paths if path not in copy.live and path not in copy.view.unreadable]
    if gone:
        done.settled += (f"{section.id}: closed, {gone[0]} no longer exists",)
    return not gone


def _answer(copy: WorkingCopy, section: Section, ticked: Tick, done: Settlement) -> bool:
    """Apply one tick; False, with a note, when a file is readonly or cannot be read."""
    paths = [side.path for side in section.sides]
    if broken := [path for path in paths if path not in copy.live]:
        done.left += (f"{section.id}: {broken[0]} cannot be read; mend that file and run again",)
        return False
    touched = paths if ticked == "both" else [paths[2 - ticked]]
    locked = [path for path in touched if copy.live[path].readonly]
    if locked:
        done.left += (f"{section.id}: {locked[0]} is read-only; set readonly: false and run again",)
        return False
    if ticked == "both":
        for path, other in (paths, paths[::-1]):
            entry = copy.live[path]
            agrees = tuple(sorted({*entry.agrees_with, other}))
            copy.live[path] = entry._replace(agrees_with=agrees)
        done.settled += (f"{section.id}: both are true",)
        return True
    kept = paths[ticked - 1]
    archived = copy.retire(touched[0], kept, copy.view.now)
    done.settled += (f"{section.id}: kept {kept}, moved the other to {archived}",)
    return True


def _side(path: str, entry: Entry) -> Side:
    if not entry.evidence:
        return Side(path, entry.updated.astimezone(UTC).date(), entry.description[:MAX_QUOTE], "")
    last = max(entry.evidence)
    quote = " ".join(last.quote.split())[:MAX_QUOTE]
    return Side(path, last.at.astimezone(UTC).date(), quote, f"{last.agent}/{last.session}")


def apply_ticks(parts: Parts, answers: Mapping[str, Tick] | None = None) -> Settlement:
    """Apply the ticks in _CONFLICTS.md, or answers given by command, in one commit."""
    store = parts.store
    if not (settlement := _decided(parts, answers)).changes:
        return settlement
    with store.locked():
        store.settle()
        settlement = _decided(parts, answers, store.entries(archived=True))
        if settlement.changes:
            lines = [*settlement.settled, *(f"{one}: open again" for one in settlement.returned)]
            subject = f"memory: settle {counted(len(lines), 'conflict')}"
            trailers = [(commits.RUN, parts.run), (commits.OP, "conflicts")]
            store.apply(settlement.changes, subject, trailers, "\n".join(lines))
    parts.search.follow(settlement.changes, parts.store.read_all)
    return settlement


def _decided(
    parts: Parts, answers: Mapping[str, Tick] | None, entries: Sequence[Stored] | None = None
) -> Settlement:
    """What ticks and answers do to the `entries` of every scope; without these, whether they do anything."""
    file, before = parts.store.conflicts_file(), _as_we_wrote_it(parts.store)
    if entries is None:
        told = (file.text if file else "", before or "")
        sides = {side.path for said in told for one in parse(said) for side in one.sides}
        entries = parts.store.read_all([path for path in sides if in_force(path)])
    live, archived = [s for s in entries if not s.archived], [s for s in entries if s.archived]
    there = parts.store.unreadable.items()
    unreadable = {path: why for path, why in there if (parts.store.root / path).is_file()}
    view = View(GLOBAL, parts.clock(), live, archived, conflicts=file, unreadable=unreadable)
    return settle(view, before, answers)


def open_conflicts(store: Store) -> list[Section]:
    file = store.conflicts_file()
    return parse(file.text) if file else []


def _as_we_wrote_it(store: Store) -> str | None:
    """_CONFLICTS.md as of our last commit that touched it."""
    ours = (one for one in commits.read(store.git, "HEAD", paths=[PATH]) if one.op is not None)
    blob = next((touched.new for one in ours for touched in one.touched if touched.path == PATH), None)
    found = store.git.blobs([blob]) if blob else {}
    return next((data.decode("utf-8", "replace") for data in found.values()), None)


SHARED = 0.5
"""Share of the shorter description's words that two descriptions must have in common to be compared."""
MIN_SHARED = 2


def overrides(changed: Collection[str], search: Search, read: Read) -> Iterator[tuple[Stored, Stored]]:
    """Pairs of a project's memory and a global one that it contradicts (invariant 11), one of them changed.

    An override is no conflict: both stay, and the global one is not shown in that project. It is not
    recorded anywhere, because either side may change; it is found from the texts as they are. A pair that
    the user called both true is none. Only descriptions that share enough words are compared: these come
    from the search database, so that only such pairs have to be read.
    """
    if not changed:
        return
    of_all = f"{GLOBAL}/"
    global_changed = any(path.startswith(of_all) for path in changed)
    described = [
        (path, description.split())
        for path, description in search.descriptions()
        if global_changed or path in changed or path.startswith(of_all)
    ]
    told = {word for path, words in described if path in changed for word in words}
    near = {path: set(words) for path, words in described if len(told.intersection(words)) >= MIN_SHARED}
    everywhere = {path: words for path, words in near.items() if path.startswith(of_all)}
    here = {path: words for path, words in near.items() if path not in everywhere}
    pairs = [pair for pair in _alike(here, everywhere) if any(path in changed for path in pair)]
    stored = {one.path: one for one in read(sorted({path for pair in pairs for path in pair}))}
    for one, other in pairs:
        if one not in stored or other not in stored:
            continue
        mine, theirs = stored[one].entry, stored[other].entry
        gone = mine.superseded_by is not None or theirs.superseded_by is not None
        if not (gone or agreed(mine, one, theirs, other)) and opposed(mine.description, theirs.description):
            yield stored[one], stored[other]


def _alike(mine: Mapping[str, set[str]], others: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    """The pairs of paths whose words overlap enough to be compared."""
    holders: dict[str, list[str]] = defaultdict(list)
    for path, words in others.items():
        for word in words:
            holders[word].append(path)
    held = set(holders)
    for path, words in mine.items():
        if len(words & held) < MIN_SHARED:
            continue
        shared = Counter(other for word in words & held for other in holders[word])
        for other, count in sorted(shared.items()):
            if count >= max(MIN_SHARED, SHARED * min(len(words), len(others[other]))):
                yield path, other
