"""Two sessions in one window that cannot both be true: replaced by a word of change, else asked about
(invariant 11)."""

from pathlib import Path

from merge_support import SCOPE, applied, entries, entry, judged, store
from support.bench import Bench, answers, memory, planted
from support.fake_model import FakeModel

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.compaction.compact import Wish, compact
from siltstone.pipeline.compaction.groups import Cluster, Group
from siltstone.pipeline.compaction.without_model import contradictions
from siltstone.pipeline.conflicts import flag, open_conflicts
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.merging.merge import View, merge

OLD = "Free shipping starts at £40."
NEW = "Free shipping is from £50."


def learnt(*told: Judged) -> dict[str, str]:
    """Files after one window said all of it."""
    return applied([], merge(told, View(SCOPE, told[0].verdict.evidence[0].at)).changes)


def test_two_statements_of_one_window_both_stay() -> None:
    files = learnt(judged("Free shipping is from £50.", day=33), judged(OLD))
    both = [store(one) for one in entries(files).values()]
    assert len(both) == 2
    assert len(list(contradictions(both, ()))) == 1


def test_a_word_of_change_in_the_same_window_archives_the_older() -> None:
    new = judged(
        "Free shipping starts at £50.", day=33, quote="free shipping no longer starts at £40 but at £50"
    )
    archived = [path for path in entries(learnt(new, judged(OLD))) if "/archive/" in path]
    assert len(archived) == 1


def test_what_cannot_both_be_true_is_asked_about_at_once(tmp_path: Path) -> None:
    """Sessions 02 and 08, a month apart, read in one window; the model gives both."""
    bench = Bench(tmp_path, planted(tmp_path / "home", "02", "08"))
    both = answers(
        lambda asked: memory(asked, "free shipping starts at £40", name="threshold", body=OLD),
        lambda asked: memory(asked, "free shipping is from £50", name="threshold", body=NEW),
    )
    model = FakeModel([both])
    report = bench.run(model)
    (asked,) = model.asked
    assert "\n-- session 2: " in asked.text
    assert report.tally.kinds["conflicted"] == 1
    (section,) = open_conflicts(bench.store())
    assert {side.quote for side in section.sides} == {
        "free shipping starts at £40",
        "free shipping is from £50",
    }

    planner = FakeModel(otherwise={"ops": []})
    compact(bench.parts(Rules()), planner, Wish(scope=SCOPE))
    assert ", in conflict with #" in planner.asked[0].text
    assert len(open_conflicts(bench.store())) == 1


def test_what_a_models_plan_overlooks_is_asked_all_the_same(tmp_path: Path) -> None:
    """What the user wrote by hand no merge has seen, and the model sees nothing in it."""
    bench = Bench(tmp_path, planted(tmp_path / "home", "02"))
    bench.run(FakeModel([answers(lambda asked: memory(asked, "free shipping starts at £40", body=OLD))]))
    by_hand = store(entry(NEW, name="by-hand"))
    (bench.store().root / by_hand.path).write_text(by_hand.text, encoding="utf-8")

    planner = FakeModel(otherwise={"ops": []})
    done = compact(bench.parts(Rules()), planner, Wish(scope=SCOPE))
    assert planner.asked
    assert done.commit is not None
    (section,) = open_conflicts(bench.store())
    assert by_hand.path in {side.path for side in section.sides}


def test_a_side_whose_rival_is_not_shown_is_still_in_conflict() -> None:
    one, other = store(entry(OLD, name="old")), store(entry("Free shipping is from £50.", name="new", day=9))
    sections = flag([], {s.path: s.entry for s in (one, other)}, one.path, other.path)
    alone = Group(SCOPE, (Cluster((one,)),))
    assert alone.disputed(sections) == {1: []}
    assert Group(SCOPE, (Cluster((one, other)),)).disputed(sections) == {1: [2], 2: [1]}
    assert alone.disputed([]) == {}
