"""The changes and contradictions of the planted sessions, found without a model among all that was said."""

import pytest
from merge_support import NOW, SCOPE, entry, judged, store

from siltstone.pipeline.compaction.plan import Flag
from siltstone.pipeline.compaction.without_model import propose
from siltstone.pipeline.merging.merge import View, merge

SAID = {
    "queue": "the ingest queue is Redis Streams, so the entry ids are monotonic per stream",
    "hosting": "hosting is Vercel, so server actions are fine there.",
    "rust": "Our minimum Rust version is 1.74, because the co-op's build box is offline",
    "forty": "free shipping starts at £40",
    "raw": "raw readings are kept for 90 days, the hourly aggregates for ever",
    "postgres": "the production database is Postgres 14 and belongs to the harbour authority",
    "money": "Money is an integer number of pence everywhere, never a float.",
    "kiosk": "the checkout has to work with JavaScript switched off",
    "scales": "The weighbridge measures in 20 kg steps and the value must be passed on exactly as it came",
    "idle": "the gateway cuts idle connections after 55 s and they won't change that",
    "exports": "no default exports please, named exports only, otherwise grep and rename do not find them",
    "push": "commit yes, push no. I always push myself: never run git push",
}
STORE = [store(entry(body, name=name)) for name, body in SAID.items()]

CHANGES = {
    "queue": "we moved the ingest queue from Redis Streams to NATS JetStream last week",
    "hosting": "We no longer host on Vercel, since last Monday the shop runs on Fly.io",
    "rust": "the co-op upgraded its build box, our minimum Rust version is now 1.82 instead of 1.74.",
}


@pytest.mark.parametrize("old", CHANGES)
def test_a_planted_change_replaces_what_it_changes_and_nothing_else(old: str) -> None:
    merged = merge([judged(CHANGES[old], name="new", day=30)], View(SCOPE, NOW, STORE))
    (outcome,) = merged.outcomes
    assert (outcome.kind, outcome.other) == ("superseded", f"{SCOPE}/archive/project-{old}.md")
    assert len(merged.changes) == 3


UNCHANGED = {
    "free shipping is from £50": "conflicted",
    "raw readings stay in the database for 180 days": "conflicted",
    "no self-update: those PCs have no network. Updates go there by USB stick": "promoted",
    "Incident is TIDE-412 in Linear, put that number into the commit message": "promoted",
}


@pytest.mark.parametrize("body", UNCHANGED)
def test_without_a_word_of_change_nothing_is_replaced(body: str) -> None:
    merged = merge([judged(body, name="new", day=30)], View(SCOPE, NOW, STORE))
    assert [outcome.kind for outcome in merged.outcomes] == [UNCHANGED[body]]
    assert not [change for change in merged.changes if change.path in {stored.path for stored in STORE}]


def test_the_planted_contradictions_are_flagged_and_nothing_else() -> None:
    fifty = store(entry("free shipping is from £50", name="z-fifty", day=35))
    half = store(
        entry("the docs page: raw readings stay in the database for 180 days", name="z-half", day=35)
    )
    flags = [op for op in propose([*STORE, fifty, half]) if isinstance(op, Flag)]
    assert [(op.one.entry.name, op.other.entry.name) for op in flags] == [
        ("forty", "z-fifty"),
        ("raw", "z-half"),
    ]
    assert len(flags) == len(propose([*STORE, fifty, half]))
