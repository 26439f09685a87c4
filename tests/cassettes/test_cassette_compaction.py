"""Compaction by a model's recorded plan: what is done, what is refused, and the way back."""

import tomllib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.bench import DATA, Bench
from support.recorded import current, saying, the

from siltstone.pipeline.compaction.compact import Compacted, Wish, compact
from siltstone.pipeline.compaction.plan import Drop, Flag, Merge, Rewrite
from siltstone.pipeline.conflicts import open_conflicts
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.model.litellm_model import LitellmModel
from siltstone.store.entry import Entry, Evidence, Type, Write
from siltstone.store.frontmatter import render
from siltstone.store.history import log
from siltstone.store.store import Store
from siltstone.store.undo import undo

pytestmark = pytest.mark.vcr

SCOPE = "projects/larkspur"
START = datetime(2026, 9, 1, 10, tzinfo=UTC)


def entry(type: Type, name: str, body: str, *, day: int, quote: str, readonly: bool = False) -> Entry:
    """A memory as a session `day` days after the first left it."""
    at = START + timedelta(days=day)
    said = Evidence(at, "claude", f"session-{day:02d}", f"message-{day:02d}", quote)
    told = body.splitlines()[0]
    made = Entry(SCOPE, name, type, told, body, "extraction", "user-said", at, at, (said,))
    return made._replace(readonly=readonly)


MEMORIES = tomllib.loads((DATA / "cassettes" / "untidy.toml").read_text("utf-8"))
UNTIDY, GUARDED = ([entry(**told) for told in MEMORIES[name]] for name in ("untidy", "guarded"))


def keep(store: Store, entries: Iterable[Entry], folder: str = "") -> None:
    """Commit memories as a run would."""
    base = f"{SCOPE}/{folder}".rstrip("/")
    writes = [Write(f"{base}/{one.type}-{one.name}.md", render(one), None) for one in entries]
    with store.locked():
        store.settle()
        store.apply(writes, "memory: learn", [("Silt-Run", "0000"), ("Silt-Op", "extract")])


def compacted(bench: Bench, model: LitellmModel) -> Compacted:
    parts = bench.parts(Rules())
    done = compact(parts, model, Wish(scope=SCOPE))
    assert (done.asked.calls, done.asked.failed) == (1, [])
    return done


def texts(store: Store) -> dict[str, str]:
    return {stored.path: stored.text for stored in store.entries(archived=True)}


def test_merge_delete_rewrite_and_flag(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """Nine memories, among them two halves of one decision, an expired freeze, a rambling note and two
    thresholds: one call, and an op of each kind is done in one commit, which an undo takes back."""
    bench = Bench(tmp_path, {})
    keep(bench.store(), UNTIDY)
    before = bench.tree()
    done = compacted(bench, recorded_model)
    assert {type(op) for op in done.checked.accepted} == {Merge, Drop, Rewrite, Flag}

    store = bench.store()
    standing = current(store)
    pence = the(standing, r"\bpence\b")
    assert saying([pence], r"never a float", r"VAT", r"penny", r"at the edge", r"packages/money")
    assert len(pence.entry.evidence) == 2
    assert saying(standing, r"stock") == []
    courier = the(standing, r"courier")
    assert saying([courier], r"\b429\b", r"\b5 requests", r"\b200 ms\b")
    assert len(courier.entry.body) < len(UNTIDY[4].body)
    (section,) = open_conflicts(store)
    assert {side.path for side in section.sides} == {s.path for s in saying(standing, r"free shipping")}
    assert len(standing) == 7

    (commit, *_) = log(store, 1)
    trailers = dict(commit.trailers)
    assert (trailers["Silt-Op"], trailers["Silt-Checkpoint"]) == ("compact", done.checkpoint)
    undo(store, trailers["Silt-Run"], bench.clock)
    assert bench.tree() == before


PINNED = entry("feedback", "no-push", "Never run git push here.", day=1, quote="never run git push here")
BY_HAND = "---\ndescription: Ask Tom before a release\n---\nAsk Tom before every release.\n"
ALLOWED = {"feedback-british-english.md", "feedback-copy-in-british-english.md"}


def test_a_plan_that_breaks_rules(tmp_path: Path, recorded_model: LitellmModel) -> None:
    """The desk was asked for a plan that loses a number, adds one, decides a contradiction, deletes what
    has not expired, touches locked memories and names one that does not exist, with one sound op among
    them. Each bad op is refused with its reason, and only the sound one changes the store."""
    bench = Bench(tmp_path, {})
    store = bench.store()
    keep(store, GUARDED)
    keep(store, [PINNED], "system")
    (store.root / SCOPE / "feedback-releases.md").write_text(BY_HAND, encoding="utf-8")
    before = texts(bench.store())
    done = compacted(bench, recorded_model)

    rules = {refused.rule for refused in done.checked.refused}
    assert rules >= {"loses-handle", "adds-handle", "not-expired", "unknown-target"}
    assert rules & {"readonly", "pinned", "user-written"}
    assert rules & {"contradiction", "no-word-of-change"}
    assert all(refused.rule in done.checked.diff for refused in done.checked.refused)
    after = texts(bench.store())
    changed = {path for path in before if after.get(path) != before[path]}
    assert changed
    assert changed <= {f"{SCOPE}/{name}" for name in ALLOWED}
    kept = the(current(bench.store()), r"british english", r"basket")
    assert len(kept.entry.evidence) == 2
    assert {side.path for section in open_conflicts(bench.store()) for side in section.sides} <= {
        f"{SCOPE}/project-returns.md",
        f"{SCOPE}/project-returns-window.md",
    }
