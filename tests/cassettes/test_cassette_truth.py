"""What later sessions do to a memory: they add to it, replace it, or contradict it."""

from pathlib import Path

import pytest
from support.bench import Bench, planted
from support.recorded import assert_proven, current, files, ours, quotes, saying, sessions, the

from siltstone.pipeline.compaction.compact import Wish, compact
from siltstone.pipeline.conflicts import apply_ticks, open_conflicts
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.model.litellm_model import LitellmModel
from siltstone.pipeline.report import Report
from siltstone.store.history import history

pytestmark = pytest.mark.vcr

FORTY = r"free (shipping|delivery).{0,80}£ ?40\b"
FIFTY = r"free (shipping|delivery).{0,80}£ ?50\b"


def larkspur(folder: Path, model: LitellmModel) -> tuple[Bench, list[Report]]:
    """The three planted sessions of larkspur, each read when it was over."""
    bench = Bench(folder, planted(folder / "home", "02"))
    reports = [bench.run(model)]
    for name in ("05", "08"):
        planted(folder / "home", name)
        reports.append(bench.run(model))
    return bench, reports


def test_an_update(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """A later session says that a rule kept from an earlier one holds in two more places. The memory
    gains that, keeps every handle it had, and quotes both sessions."""
    bench = Bench(tmp_path, planted(tmp_path / "home", "02"))
    bench.run(recorded_model)
    before = the(current(bench.store()), r"javascript|\bjs\b", r"checkout", r"kiosk")
    ours(tmp_path / "home", "confirmation")
    report = bench.run(recorded_model)
    assert (report.calls <= 2, report.kinds["updated"]) == (True, 1)
    assert_proven(bench)
    after = bench.store().read(before.path)
    assert saying([after], r"confirmation", r"receipt", r"kiosk", r"javascript|\bjs\b")
    assert lost(before.entry.body, after.entry.body) == frozenset()
    assert len(sessions(after)) == 2
    assert (after.entry.created, after.entry.updated > before.entry.updated) == (before.entry.created, True)
    assert len(history(bench.store(), before.path)) == 2


def test_a_supersede(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """ "We no longer host on Vercel, since last Monday the shop runs on Fly.io": the memory of Vercel
    moves to the archive and says by what it was replaced. A rule said a second time gains a quote."""
    bench, reports = larkspur(tmp_path, recorded_model)
    assert max(report.calls for report in reports) <= 2
    assert reports[2].kinds["superseded"] == 1
    assert_proven(bench)
    store = bench.store()
    (old,) = [stored for stored in store.entries(archived=True) if stored.archived]
    new = the(current(store), r"\bfly(\.io)?\b")
    assert saying([old], r"vercel")
    assert (old.entry.superseded_by, old.entry.superseded_at) == (new.path, new.entry.updated)
    assert "no longer host on Vercel" in quotes(new)
    assert not [s for s in saying(current(store), r"vercel") if s.path != new.path]
    assert len(sessions(the(current(store), r"default export"))) == 2


def test_a_conflict(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """ "Free shipping starts at £40", and a month later "free shipping is from £50", without a word of
    change: both stay and the user is asked. The tick, not the model, decides."""
    bench, _ = larkspur(tmp_path, recorded_model)
    store = bench.store()
    (section,) = open_conflicts(store)
    sides = [store.read(side.path) for side in section.sides]
    forty, fifty = the(sides, FORTY), the(sides, FIFTY)
    assert [side.path for side in section.sides] == [forty.path, fifty.path], "the older one is side 1"
    assert {s.path for s in saying(current(store), r"free (shipping|delivery)")} >= {forty.path, fifty.path}

    place = store.root / "_CONFLICTS.md"
    asked = place.read_text(encoding="utf-8")
    assert "free shipping starts at £40" in asked
    assert "free shipping is from £50" in asked
    place.write_text(asked.replace("- [ ] 2 ", "- [x] 2 "), encoding="utf-8")
    parts = bench.parts(Rules())
    apply_ticks(parts)
    assert not place.exists()
    archived = [stored for stored in parts.store.entries(archived=True) if stored.archived]
    assert the(archived, FORTY).entry.superseded_by == fifty.path


def test_the_sessions_of_a_project_and_then_its_compaction(
    tmp_path: Path, recorded_model: LitellmModel
) -> None:
    """After three sessions the project is compacted by the model as it sees fit. No quote is lost, the
    open conflict stays open, and every fact still stands with its handles."""
    bench, _ = larkspur(tmp_path, recorded_model)
    before = bench.store().entries(archived=True)
    asked = open_conflicts(bench.store())
    parts = bench.parts(Rules())
    done = compact(parts, recorded_model, Wish(scope="projects/larkspur"))
    assert (done.asked.calls, done.asked.failed) == (1, [])
    assert_proven(bench)
    after = bench.store().entries(archived=True)
    said = [{proof for stored in entries for proof in stored.entry.evidence} for entries in (before, after)]
    assert said[0] == said[1]
    still_asked = [section.id for section in open_conflicts(bench.store())]
    assert {section.id for section in asked} <= set(still_asked)
    assert len(still_asked) == len(set(still_asked)), "nobody is asked twice about one pair"
    for handle in (r"£ ?40\b", r"£ ?50\b", r"e2e:stub", r"9xLark", r"\bpence\b", r"\bbritish\b", r"\blhr\b"):
        assert saying(current(bench.store()), handle), handle
    assert "Otley" not in files(bench.store())
