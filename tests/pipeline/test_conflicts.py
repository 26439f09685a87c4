"""Conflicts: asked once, answered by a tick, never lost (C25; docs/store-format.md, worked example)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from merge_support import NOW, SCOPE, applied, entries, entry, store, text_file
from support.recalled import memory
from support.snapshots import snapshot_of

from siltstone.pipeline.conflicts import RETURNED, Settlement, agreed, flag, overrides, settle
from siltstone.pipeline.merging.working_copy import View
from siltstone.store.conflicts import PATH, Section, Tick, parse, render
from siltstone.store.entry import GLOBAL, Stored
from siltstone.store.search import FILE, Search

FORTY = store(entry("Free shipping starts at £40.", name="free-shipping-threshold"))
FIFTY = store(entry("Free shipping is from £50.", name="free-shipping-threshold-2", day=35))
LIVE = (FORTY, FIFTY)


def opened(*pairs: tuple[Stored, Stored]) -> list[Section]:
    live = {stored.path: stored.entry for pair in pairs or [LIVE] for stored in pair}
    sections: list[Section] = []
    for one, other in pairs or [LIVE]:
        sections = flag(sections, live, one.path, other.path)
    return sections


def ticked(sections: Sequence[Section], box: object) -> str:
    return render([section._replace(ticked=box) for section in sections])  # type: ignore[arg-type]


def settled(
    text: str | None, *current: Stored, before: str | None = None, answers: Mapping[str, Tick] | None = None
) -> Settlement:
    view = View(GLOBAL, NOW, current or LIVE, conflicts=None if text is None else text_file(text))
    return settle(view, text if before is None else before, answers)


def after(settlement: Settlement, text: str | None, *current: Stored) -> dict[str, str]:
    """All files after a settlement, _CONFLICTS.md among them."""
    conflicts = [] if text is None else [Stored(PATH, text, "", FORTY.entry)]
    return applied([*(current or LIVE), *conflicts], settlement.changes)


def test_a_conflict_is_written_as_in_the_worked_example() -> None:
    (section,) = opened()
    assert section.id == "a1cabb87"
    assert [(side.day.isoformat(), side.quote) for side in section.sides] == [
        ("2026-09-01", "Free shipping starts at £40."),
        ("2026-10-06", "Free shipping is from £50."),
    ]
    assert flag([section], {s.path: s.entry for s in LIVE}, FIFTY.path, FORTY.path) == [section]


@pytest.mark.parametrize(("box", "kept", "gone"), [(1, FORTY, FIFTY), (2, FIFTY, FORTY)])
def test_a_tick_keeps_one_and_archives_the_other(box: int, kept: Stored, gone: Stored) -> None:
    text = ticked(opened(), box)
    done = settled(text)
    files = after(done, text)
    assert PATH not in files
    assert files[kept.path] == kept.text
    moved = entries(files)[gone.path.replace(SCOPE, f"{SCOPE}/archive")]
    assert (moved.superseded_by, moved.superseded_at) == (kept.path, NOW)
    assert moved.evidence == gone.entry.evidence


def test_both_are_true_is_written_into_both_and_never_asked_again() -> None:
    text = ticked(opened(), "both")
    files = entries(after(settled(text), text))
    assert files[FORTY.path].agrees_with == (FIFTY.path,)
    assert files[FIFTY.path].agrees_with == (FORTY.path,)
    assert agreed(files[FORTY.path], FORTY.path, files[FIFTY.path], FIFTY.path)


def test_a_section_deleted_without_a_tick_returns_and_says_so() -> None:
    text = render(opened())
    assert settled(text).changes == ()
    for left in (None, "# Conflicts\n\nI deleted it.\n"):
        done = settled(left, before=text)
        assert done.returned == ("a1cabb87",)
        (section,) = parse(after(done, left)[PATH])
        assert (section.note, section.sides) == (RETURNED, opened()[0].sides)


@pytest.mark.parametrize("box", [None, 1, 2, "both"])
def test_a_side_that_cannot_be_read_keeps_the_conflict_open(box: Tick | None) -> None:
    text = ticked(opened(), box)
    view = View(GLOBAL, NOW, [FORTY], conflicts=text_file(text), unreadable={FIFTY.path: "no memory"})
    done = settle(view, text)
    assert (done.changes, done.settled) == ((), ())
    said = (f"a1cabb87: {FIFTY.path} cannot be read; mend that file and run again",)
    assert done.left == (() if box is None else said)


def test_a_side_gone_closes_it() -> None:
    text = render(opened())
    done = settled(text, FORTY)
    assert PATH not in after(done, text, FORTY)
    assert done.settled == (f"a1cabb87: closed, {FIFTY.path} no longer exists",)
    assert settled(None, FORTY, before=text).returned == ()


def test_a_readonly_side_is_left_and_named() -> None:
    locked = store(FORTY.entry._replace(readonly=True))
    text = ticked(opened(), 2)
    done = settled(text, locked, FIFTY)
    assert done.changes == ()
    assert "readonly" in done.left[0]


def test_a_side_rewritten_by_hand_does_not_lead_elsewhere() -> None:
    text = ticked(opened(), 1)
    forged = text.replace(FIFTY.path, "projects/other/project-x.md")
    other = store(entry("Something else entirely.", name="x", scope="projects/other"))
    done = settled(forged, *LIVE, other, before=render(opened()))
    files = after(done, forged, *LIVE, other)
    assert files[other.path] == other.text
    assert FIFTY.path not in files


def test_one_tick_closes_what_it_leaves_without_a_side() -> None:
    sixty = store(entry("Free shipping begins at £60.", name="sixty", day=50))
    sections = opened((FORTY, FIFTY), (FIFTY, sixty))
    text = render([sections[0]._replace(ticked=1), sections[1]])
    done = settled(text, FORTY, FIFTY, sixty)
    files = after(done, text, FORTY, FIFTY, sixty)
    assert PATH not in files
    assert len(done.settled) == 2


def test_an_answer_is_a_tick() -> None:
    text = render(opened())
    files = entries(after(settled(text, answers={"a1cabb87": 2}), text))
    assert sorted(files) == [f"{SCOPE}/archive/project-free-shipping-threshold.md", FIFTY.path]


MANY = [store(entry(f"The limit of part {n} is {n} units.", name=f"n{n}", day=n)) for n in range(6)]


NUMBER = st.integers(0, 5)
PAIR = st.tuples(NUMBER, NUMBER).filter(lambda pair: pair[0] != pair[1])


@given(st.lists(PAIR, max_size=6), st.lists(st.sampled_from([None, 1, 2, "both"]), min_size=6, max_size=6))
def test_settling_loses_no_entry_and_reaches_rest(pairs: list[tuple[int, int]], boxes: list[object]) -> None:
    sections = opened(*[(MANY[a], MANY[b]) for a, b in pairs]) if pairs else []
    text = render([s._replace(ticked=box) for s, box in zip(sections, boxes, strict=False)]) or None  # type: ignore[arg-type]
    done = settled(text, *MANY)
    files = after(done, text, *MANY)
    found = entries(files)
    assert {e for s in found.values() for e in s.evidence} == {e for s in MANY for e in s.entry.evidence}
    assert len(found) == len(MANY)
    live = [store(e) for p, e in found.items() if "/archive/" not in p]
    assert settled(files.get(PATH), *live).changes == ()


# where a project says otherwise than what holds everywhere


def overridden(folder: Path, stored: Sequence[Stored], changed: Stored) -> list[tuple[Stored, Stored]]:
    snapshot = snapshot_of(stored)
    with Search(folder / FILE) as search:
        search.sync(snapshot)
        return list(overrides({changed.path}, search, snapshot.read))


HERE = memory("Lines are at most 110 characters long", "feedback")
EVERYWHERE = memory("Lines are at most 80 characters long", "feedback", scope=GLOBAL)


def test_a_plain_contradiction_is_an_override_found_among_many(tmp_path: Path) -> None:
    many = [memory(f"Log {n} keeps at most {n} characters", scope=GLOBAL) for n in range(200)]
    stored = [HERE, *many, EVERYWHERE]
    assert overridden(tmp_path, stored, HERE) == [(HERE, EVERYWHERE)]
    assert overridden(tmp_path, stored, EVERYWHERE) == [(HERE, EVERYWHERE)]
    assert overridden(tmp_path, stored, many[0]) == []


def test_what_the_user_said_is_true_both_ways_or_is_superseded_overrides_nothing(tmp_path: Path) -> None:
    agreed = HERE._replace(entry=HERE.entry._replace(agrees_with=(EVERYWHERE.path,)))
    gone = HERE._replace(entry=HERE.entry._replace(superseded_by="projects/larkspur/project-new.md"))
    for mine in (agreed, gone):
        assert overridden(tmp_path, [mine, EVERYWHERE], EVERYWHERE) == []
