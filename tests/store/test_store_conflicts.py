"""_CONFLICTS.md: what is written, and what a person may do to it."""

from contextlib import suppress
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.store.conflicts import Section, Side, Tick, conflict_id, parse, render

OLD = "projects/larkspur/project-free-shipping-threshold.md"
NEW = "projects/larkspur/project-free-shipping-threshold-2.md"
SECTION = Section(
    conflict_id(OLD, NEW),
    (
        Side(OLD, date(2026, 9, 3), "free shipping starts at £40", "claude/5bcef82b"),
        Side(NEW, date(2026, 10, 6), "free shipping is from £50", "claude/38e59dc5"),
    ),
)
BOXES = f"""## a1cabb87
- [ ] 1  2026-09-03 "free shipping starts at £40"  {OLD}  (claude/5bcef82b)
- [ ] 2  2026-10-06 "free shipping is from £50"    {NEW}  (claude/38e59dc5)
- [ ] both are true
"""

paths = st.from_regex(r"global/[a-z]{1,8}\.md", fullmatch=True)
sides = st.builds(
    Side, path=paths, day=st.dates(min_value=date(1000, 1, 1)), quote=st.text(), session=st.just("") | paths
)
sections = st.builds(
    Section,
    id=st.from_regex(r"[0-9a-f]{8}", fullmatch=True),
    sides=st.tuples(sides, sides),
    ticked=st.sampled_from([None, 1, 2, "both"]),
    note=st.sampled_from(["", "It is back."]),
)


def test_a_section_is_written_as_in_the_design() -> None:
    assert render([SECTION]).endswith("\n" + BOXES)
    assert SECTION.id == conflict_id(NEW, OLD) == "a1cabb87"


@settings(max_examples=100)
@given(written=st.lists(sections, max_size=4, unique_by=lambda one: one.id))
def test_what_is_written_is_read_back(written: list[Section]) -> None:
    text = render(written)
    text.encode()
    assert parse(text) == written
    assert parse(text.replace("\n", "\r\n")) == written


@table("store", "a_tick_is_read_however_it_was_set")
def test_a_tick_is_read_however_it_was_set(before: str, after: str, ticked: Tick | None) -> None:
    text = render([SECTION]).replace(before, after)
    assert parse(text) == [SECTION._replace(ticked=ticked)]


def test_several_ticks_decide_nothing() -> None:
    (section,) = parse(render([SECTION]).replace("[ ]", "[x]"))
    assert section.ticked is None
    assert section.note == "More than one box was ticked: tick the one that holds."
    assert "\n> More than one box" in render([section])


def test_lines_may_be_reordered() -> None:
    lines = BOXES.splitlines()
    assert parse("\n".join([lines[0], lines[3], lines[2], "a remark", lines[1]])) == [SECTION]


@table(
    "store",
    "a_broken_section_reads_as_deleted",
    (BOXES.replace('"free shipping is from £50"', "[" * 90_000),),
    (BOXES.replace(OLD, "a.md (" * 200_000),),
)
def test_a_broken_section_reads_as_deleted(text: str) -> None:
    assert parse(text) == []


def test_a_section_that_stands_twice_counts_once() -> None:
    assert parse(BOXES + BOXES.replace("[ ] 1", "[x] 1")) == [SECTION]


@settings(max_examples=100)
@given(text=st.text(st.characters()) | st.text('#- []x12"\n\r>().md0a', max_size=200))
def test_any_text_is_read(text: str) -> None:
    with suppress(UnicodeEncodeError):
        render(parse("## a1cabb87\n" + text)).encode()


def test_no_conflict_no_file() -> None:
    assert render([]) == ""
