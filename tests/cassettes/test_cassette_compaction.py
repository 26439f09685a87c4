"""Compaction by a model's recorded plan: what is done, what is refused, and the way back."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.bench import Bench
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
    return Entry(
        scope=SCOPE,
        name=name,
        type=type,
        description=body.splitlines()[0],
        body=body,
        source="extraction",
        origin="user-said",
        created=at,
        updated=at,
        evidence=(Evidence(at, "claude", f"session-{day:02d}", f"message-{day:02d}", quote),),
        readonly=readonly,
    )


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
    assert (done.calls, done.failed) == (1, [])
    return done


def texts(store: Store) -> dict[str, str]:
    return {stored.path: stored.text for stored in store.entries(archived=True)}


UNTIDY = [
    entry(
        "decision",
        "money-in-pence",
        "Money is an integer number of pence everywhere, never a float.\n"
        "Why: a VAT rounding dispute, the accountants want every total reproducible to the penny.",
        day=2,
        quote="Money is an integer number of pence everywhere, never a float",
    ),
    entry(
        "decision",
        "amounts-as-integers",
        "Money is kept as an integer number of pence and is formatted only at the edge, in `packages/money`.",
        day=16,
        quote="keep money as integer pence and format it only at the edge, in packages/money",
    ),
    entry(
        "reference",
        "staging",
        "Staging is at https://staging.larkspur.example, behind basic auth.",
        day=16,
        quote="to see it on staging: https://staging.larkspur.example",
    ),
    entry(
        "project",
        "stocktaking-freeze",
        "No deploys until 2026-10-31: the client takes stock.",
        day=35,
        quote="no deploys until the end of October please, the client takes stock",
    ),
    entry(
        "project",
        "courier-api",
        "So what came out in the end, after a good while of looking at it, is that the thing with the "
        "courier API is that it basically answers 429 as soon as one sends it more than 5 requests a "
        "second, and that therefore what one has to do, as was seen then, is to wait 200 ms between calls.",
        day=17,
        quote="the courier API answers 429 above 5 requests a second, so wait 200 ms between calls",
    ),
    entry(
        "project",
        "free-shipping-threshold",
        "Free shipping starts at £40.",
        day=2,
        quote="free shipping starts at £40",
    ),
    entry(
        "project",
        "free-shipping-from",
        "Free shipping is from £50.",
        day=35,
        quote="free shipping is from £50",
    ),
    entry(
        "feedback",
        "british-english",
        "All copy in the shop is British English: 'customise' and 'basket', never 'customize' or 'cart'.",
        day=2,
        quote="all copy in this shop is British English",
    ),
    entry(
        "feedback",
        "named-exports",
        "No default exports, named exports only.\nWhy: grep and rename do not find default ones.",
        day=16,
        quote="no default exports please, named exports only",
    ),
]


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


GUARDED = [
    entry(
        "project",
        "price-cache",
        "Prices are cached for 15 minutes in the shop's edge workers.",
        day=3,
        quote="prices are cached for 15 minutes in the edge workers",
    ),
    entry(
        "project",
        "price-cache-purge",
        "The price cache in the shop's edge workers is purged with `pnpm cache:purge`.",
        day=4,
        quote="the price cache in the edge workers is purged with pnpm cache:purge",
    ),
    entry(
        "project",
        "returns",
        "Returns are free for 30 days.",
        day=5,
        quote="returns are free for 30 days",
    ),
    entry(
        "project",
        "returns-window",
        "Returns are free for 14 days.",
        day=20,
        quote="returns are free for 14 days",
    ),
    entry(
        "project",
        "search-index",
        "The search index is rebuilt every night at 03:00 from the catalogue export.",
        day=6,
        quote="the search index is rebuilt every night at 03:00 from the catalogue export",
    ),
    entry(
        "project",
        "newsletter",
        "The newsletter goes out until 2027-06-30 through the client's own mail server.",
        day=7,
        quote="the newsletter goes through the client's own mail server until the end of June 2027",
    ),
    entry(
        "reference",
        "wiki",
        "The runbook is at https://wiki.larkspur.example/runbook.",
        day=8,
        quote="the runbook is at https://wiki.larkspur.example/runbook",
        readonly=True,
    ),
    entry(
        "feedback",
        "british-english",
        "All copy in the shop is British English.",
        day=9,
        quote="all copy in the shop is British English",
    ),
    entry(
        "feedback",
        "copy-in-british-english",
        "All copy in the shop is British English, so it says basket.",
        day=30,
        quote="all copy in the shop is British English, so it says basket",
    ),
]
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
    assert all(refused.rule in done.diff for refused in done.checked.refused)
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
