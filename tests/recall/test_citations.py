"""Which answers use a memory, and what use does to it."""

from datetime import timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from support.recalled import NOW, memory, prepare
from support.table import table

from siltstone.recall.prepared import Fragment, Prepared
from siltstone.recall.prepared_writer import Facts, fragment
from siltstone.recall.relevance import cited
from siltstone.recall.retention import strength
from siltstone.store.entry import MAX_COUNT

STORED = [
    memory("Free shipping starts at £40", name="free-shipping-threshold"),
    memory("Use pnpm for every install and script", "feedback", name="pnpm"),
    memory("Which of them should be here: cargo", name="common"),
    memory("每周二部署到生产环境", "decision", name="zh"),
]
SHOWN = [fragment(one) for one in STORED]


@table("citations", "citations")
def test_what_an_answer_cites(answer: str, names: list[str]) -> None:
    found = cited(answer, SHOWN)
    assert [one.name for one in SHOWN if one.path in found] == names


@given(st.text(max_size=200), st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_answer_is_read(before: str, after: str) -> None:
    assert STORED[0].path in cited(f"{before}\nproject-free-shipping-threshold.md\n{after}", SHOWN)
    assert set(cited(before, SHOWN)) <= {one.path for one in SHOWN}


def prepared_with(folder: Path, used: dict[str, int]) -> Fragment:
    prepare(folder, STORED, Facts(used=used))
    with Prepared(str(folder)) as prepared:
        return prepared.fragments([STORED[0].path])[STORED[0].path]


def test_use_slows_decay_as_repeats_do_and_no_further(tmp_path: Path) -> None:
    path = STORED[0].path
    repeats = [prepared_with(tmp_path, {path: days}).repeats for days in (0, 1, 3, 6, 99, 2, 0)]
    assert repeats == [0, 1, 3, MAX_COUNT, MAX_COUNT, 2, 0]
    told = fragment(memory("Told four times", repeats=4), used=5)
    assert told.repeats == MAX_COUNT


def test_what_is_never_used_keeps_its_strength(tmp_path: Path) -> None:
    later = (NOW + timedelta(days=90)).timestamp()

    def left(one: Fragment) -> float:
        return strength(one.initial, one.repeats, one.clock, later, None)

    unused = prepared_with(tmp_path, {})
    assert unused == SHOWN[0]
    assert left(prepared_with(tmp_path, {STORED[0].path: 1})) > left(unused)
