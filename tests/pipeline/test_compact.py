"""A whole compaction over a store: it counts, leaves others their scopes and can be undone."""

import os
from datetime import timedelta

import pytest
from merge_support import SCOPE, entry
from merge_support import store as stored
from support.bench import Bench
from support.fake_model import Asked, FakeModel, Queued

from siltstone.pipeline.compaction.compact import Wish, compact, compact_due
from siltstone.pipeline.compaction.due import When
from siltstone.pipeline.conflicts import open_conflicts
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.model.budget import Budget, Metered
from siltstone.pipeline.model.port import Reply, Usage
from siltstone.store import intent
from siltstone.store.entry import Write
from siltstone.store.errors import Locked, Overflow, Unavailable
from siltstone.store.frontmatter import render
from siltstone.store.history import log
from siltstone.store.intent import GONE, Intent
from siltstone.store.recovery import INTENT
from siltstone.store.state import Churn, Holder
from siltstone.store.state.windows import started
from siltstone.store.undo import undo

WHEN = When(churn=1, interval=timedelta(0), min_entries=2)
COPIES = ("global/project-one.md", "global/project-two.md")


@pytest.mark.parametrize(
    ("replies", "failed"),
    [
        pytest.param([{"ops": []}], 0, id="a plan"),
        pytest.param(["no plan at all", "nor now"], 1, id="no plan, and no better one"),
        pytest.param(["no plan at all", Unavailable("away")], 1, id="a repair that nobody answered"),
    ],
)
def test_what_a_compaction_takes_counts_against_the_day(
    bench: Bench, replies: list[Queued], failed: int
) -> None:
    bench.run()
    budget = Budget(bench.state().spend, bench.clock, usd_a_day=1000.0)
    done = compact(bench.parts(Rules()), Metered(FakeModel(replies, usd_per_token=0.001), budget), Wish())
    spent = bench.state().spend.on(bench.now)
    assert len(done.asked.failed) == failed
    assert spent.tokens == budget.used.prompt + budget.used.completion > 0
    assert spent.usd == pytest.approx(budget.used.cost) != 0


@pytest.mark.parametrize(
    ("replies", "calls"),
    [
        pytest.param([Overflow("too large"), {"ops": []}], 1, id="prompt"),
        pytest.param([Reply("[", Usage(1_000, 500), cut=True)] * 2 + [{"ops": []}], 3, id="reply"),
    ],
)
def test_what_is_too_large_keeps_nothing_else_from_being_asked(
    bench: Bench, replies: list[Queued], calls: int
) -> None:
    store, model = bench.store(), FakeModel(replies)
    with store.locked():
        found = [stored(entry(f"Ports of {scope}", scope=scope)) for scope in ("global", SCOPE)]
        store.apply(
            [Write(one.path, one.text, None) for one in found], "memory: learn", [("Silt-Op", "extract")]
        )
    done = compact(bench.parts(Rules()), model, Wish())
    assert (done.asked.groups, len(done.asked.failed), done.asked.calls, model.left) == (2, 1, calls, 0)
    assert done.asked.usage.completion >= 500 * (calls - 1)
    assert done.asked.judged, "the second group is not asked about again"


def elsewhere() -> Holder:
    """Another process that lives: the one that started this."""
    return Holder(os.getppid(), started(os.getppid()) or "")


def test_a_scope_that_another_run_works_on_is_left_to_it(bench: Bench) -> None:
    bench.run()
    state = bench.state()
    assert state.leases.take("scope/projects/larkspur", elsewhere(), bench.now, timedelta(minutes=5))
    model = FakeModel()
    done = compact(bench.parts(Rules()), model, Wish())
    assert (done.busy, model.asked) == (["projects/larkspur"], [])
    assert [*compact_due(bench.parts(Rules()), model, WHEN)] == []

    state.leases.release("scope/projects/larkspur", elsewhere())
    assert compact(bench.parts(Rules()), FakeModel([{"ops": []}]), Wish()).busy == []


def test_a_compaction_has_its_scopes_while_the_model_is_asked(bench: Bench) -> None:
    bench.run()
    had: list[str] = []

    def while_asked(_: Asked) -> dict[str, object]:
        had.extend(bench.state().leases.held(bench.now))
        return {"ops": []}

    compact(bench.parts(Rules()), FakeModel([while_asked]), Wish())
    assert had == ["scope/global", "scope/projects/larkspur"]
    assert bench.state().leases.held(bench.now) == {}


def test_a_compaction_names_its_checkpoint_and_can_be_undone(bench: Bench) -> None:
    store = bench.store()
    with store.locked():
        store.settle()
        said = entry("Hosting is Vercel, in the Frankfurt region.", scope="global")
        writes = [Write(path, render(said), None) for path in COPIES]
        store.apply(writes, "memory: learn 2 facts", [("Silt-Run", "0001"), ("Silt-Op", "extract")])
    before, tree = store.git.head(), bench.tree()

    bench.runs = 1
    done = compact(bench.parts(Rules()), None, Wish())
    assert done.checkpoint == before
    assert log(store, 1)[0].trailer("Silt-Checkpoint") == before
    assert len(bench.store().entries()) == 1

    undo(bench.store(), None, bench.clock)
    assert bench.tree() == tree
    subjects = [commit.subject for commit in log(bench.store(), 9)]
    assert len(subjects) == 4, "history is kept: begin, learn, compact, undo"


def test_what_a_models_plan_overlooks_is_asked_all_the_same(bench: Bench) -> None:
    """What the user wrote by hand no merge has seen, and the model sees nothing in it."""
    store = bench.store()
    with store.locked():
        store.settle()
        old = stored(entry("Free shipping starts at £40.", name="old"))
        store.apply([Write(old.path, old.text, None)], "memory: learn 1 fact", [("Silt-Op", "extract")])
    by_hand = stored(entry("Free shipping is from £50.", name="by-hand"))
    (store.root / by_hand.path).write_text(by_hand.text, encoding="utf-8")

    planner = FakeModel(otherwise={"ops": []})
    done = compact(bench.parts(Rules()), planner, Wish(scope=SCOPE))
    assert planner.asked
    assert done.commit is not None
    (section,) = open_conflicts(bench.store())
    assert {side.path for side in section.sides} == {old.path, by_hand.path}


def test_a_compaction_that_was_cut_short_is_done_by_the_next_one(bench: Bench) -> None:
    """Its churn is known though nothing was noted behind the commit, no pause is made after it, and what it
    had half written is no ground for a plan."""
    store, parts = bench.store(), bench.parts(Rules())
    text = render(entry("Invoices are numbered by year", scope="global"))
    with store.locked():
        store.apply([Write(path, text, None) for path in COPIES], "memory: learn", [("Silt-Op", "extract")])
        parts.store._wait = 0
        with pytest.raises(Locked):
            [*compact_due(parts, None, WHEN)]
    assert parts.state.compaction.get("global") == Churn("global", 2)
    gone = Intent("0002", {COPIES[1]: (store.read(COPIES[1]).hash, GONE)})
    intent.write(store.git.dir / INTENT, gone, store.disk)
    (store.root / COPIES[1]).unlink()
    assert compact(bench.parts(Rules()), None, Wish()).commit is not None


def test_a_memory_that_ends_makes_its_scope_due_on_the_day_after(bench: Bench) -> None:
    """Also when a run of the same commit found none that had ended: that held for its day alone."""
    texts = ("Invoices are numbered by year", f"Staging is closed until {bench.now:%Y-%m-%d}")
    writes = [
        Write(f"global/project-{n}.md", render(entry(text, name=str(n), scope="global")), None)
        for n, text in enumerate(texts)
    ]
    store = bench.store()
    with store.locked():
        store.apply(writes, "memory: compact", [("Silt-Op", "compact")])
    for _ in range(2):
        assert [*compact_due(bench.parts(Rules()), None, WHEN)] == []
    bench.now += timedelta(days=1)
    assert [scope for scope, _, _ in compact_due(bench.parts(Rules()), None, WHEN)] == ["global"]
