"""One writer, never waiting for a model; a compaction counts and can be taken back (invariants 10, 13)."""

from pathlib import Path

import pytest
from merge_support import entry
from support.bench import Bench, answers, memory, planted
from support.fake_model import Asked, FakeModel, Queued

from siltstone.pipeline.extractors import Rules
from siltstone.pipeline.upkeep import Wish, compact
from siltstone.store.entry import Write
from siltstone.store.frontmatter import render
from siltstone.store.history import log
from siltstone.store.undo import undo

COPIES = ("global/project-one.md", "global/project-two.md")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Planted session 02 in Claude Code's form."""
    return Bench(tmp_path, planted(tmp_path / "home", "02"))


def test_the_lock_is_free_while_a_model_is_asked(bench: Bench) -> None:
    reply = answers(lambda asked: memory(asked, "free shipping starts at £40"))
    wrote: list[str] = []

    def while_asked(asked: Asked) -> dict[str, object]:
        with bench.store().locked(wait=0):
            wrote.append("another writer")
        return reply(asked)

    report = bench.run(FakeModel([while_asked]))
    assert wrote == ["another writer"]
    assert report.failed == 0


def test_readers_do_not_wait_for_the_writer(bench: Bench) -> None:
    bench.run()
    with bench.store().locked():
        read = bench.store().entries()
    assert [stored.path for stored in read] == [stored.path for stored in bench.store().entries()] != []


@pytest.mark.parametrize(
    ("replies", "failed"),
    [
        pytest.param([{"ops": []}], 0, id="a plan"),
        pytest.param(["no plan at all", "nor now"], 1, id="no plan, and no better one"),
    ],
)
def test_what_a_compaction_takes_counts_against_the_day(
    bench: Bench, replies: list[Queued], failed: int
) -> None:
    bench.run()
    model = FakeModel(replies, usd_per_token=0.001)
    done = compact(bench.parts(Rules()), model, Wish())
    spent = bench.state().spend.on(bench.now)
    assert (done.calls, len(done.failed)) == (len(replies), failed)
    assert spent.tokens == done.usage.prompt + done.usage.completion > 0
    assert spent.usd == pytest.approx(done.usage.cost) != 0


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
