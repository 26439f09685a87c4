"""The same words in other roles, and a claim with something added: told apart in a window, across runs
and by hand (invariants 1, 4, 11)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from merge_support import applied, entries, entry, judged, store

from siltstone.pipeline.candidate import Candidate, Judged, RelatedEntry
from siltstone.pipeline.compaction.plan import Flag
from siltstone.pipeline.compaction.without_model import propose
from siltstone.pipeline.ledger import tally
from siltstone.pipeline.merging.likeness import near, same_claim, swapped, tells, turned
from siltstone.pipeline.merging.merge import Merged, View, merge
from siltstone.pipeline.merging.rivals import rivals
from siltstone.pipeline.messages import Message, Session
from siltstone.pipeline.proof.verdict import judge
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.aim import aimed
from siltstone.pipeline.rules.extract import extract
from siltstone.store.redaction import redact

AT = datetime(2026, 9, 3, 12, 39, tzinfo=UTC)
SCOPE = "projects/mill"

SWAPPED = {
    "not": ("use npm, not pnpm", "From now on use pnpm, not npm."),
    "Chinese": ("用 npm，不要用 pnpm", "用 pnpm，不要用 npm"),
    "Chinese alone": ("先测试再构建", "先构建再测试"),
    "instead of": ("Always use spaces instead of tabs", "Always use tabs instead of spaces"),
    "over": ("I prefer tabs over spaces.", "I prefer spaces over tabs."),
    "from and to": ("Deploys go from staging to production", "Deploys go from production to staging"),
    "numbers": ("it retries 3 times and waits 5 seconds", "it retries 5 times and waits 3 seconds"),
    "ports": ("port 80 goes to 8080", "port 8080 goes to 80"),
    "before": ("tests run before the build", "the build runs before the tests"),
    "percent": ("80 percent goes to savings and 20 to rent", "20 percent goes to savings and 80 to rent"),
    "list of pairs": ("Oslo on Thursdays, Frankfurt on Tuesdays", "Frankfurt on Thursdays, Oslo on Tuesdays"),
    "marks": ("use C, not C++", "use C++, not C"),
    "second sentence": ("It is a proxy. Port 80 goes to 8080.", "Port 8080 goes to 80."),
}


@pytest.mark.parametrize("pair", SWAPPED.values(), ids=SWAPPED.keys())
def test_the_same_words_in_other_roles_contradict(pair: tuple[str, str]) -> None:
    for one, other in (pair, pair[::-1]):
        assert swapped(one, other)
        assert turned(one, other)
        assert rivals(one, other)
        assert not near(one, other)
        assert not same_claim(one, other)
        assert not tells(one, other)


UNSWAPPED = {
    "and": ("we lint with ruff and mypy", "we lint with mypy and ruff"),
    "list": ("ruff, mypy, pytest", "pytest, mypy, ruff"),
    "is": ("The host is the shop", "The shop is the host"),
    "moved to the front": ("We deploy to Oslo on Tuesdays", "On Tuesdays we deploy to Oslo"),
    "clauses": ("use npm, not pnpm", "not pnpm, use npm"),
    "and between clauses": ("retry 3 times and wait 5 seconds", "wait 5 seconds and retry 3 times"),
    "Chinese and": ("用 ruff 和 mypy", "用 mypy 和 ruff"),
    "the same": ("port 80 goes to 8080", "Port 80 goes to 8080."),
    "nothing": ("", ""),
}


@pytest.mark.parametrize("pair", UNSWAPPED.values(), ids=UNSWAPPED.keys())
def test_parts_that_may_change_places_contradict_nothing(pair: tuple[str, str]) -> None:
    assert not swapped(*pair)
    assert not rivals(*pair)


def test_a_text_of_many_like_statements_is_compared_soon() -> None:
    words = [f"w{i % 3}" for i in range(80)]
    text = ". ".join(" ".join(words[i:] + words[:i]) for i in range(40))
    other = ". ".join(" ".join(reversed(words[i:] + words[:i])) for i in range(40))
    assert swapped(text, other) in (True, False)


def window(*said: str, sessions: bool = False) -> Window:
    """One line of the user a day, in one session or in one each."""
    shown = [
        Shown(
            n,
            Session("claude", f"s{n if sessions else 1}", "/home/ada/src/mill"),
            Message(f"m{n}", f"m{n}", "user", text, AT + timedelta(days=n)),
        )
        for n, text in enumerate(said, 1)
    ]
    return Window(SCOPE, tuple(shown))


def learnt(told: Window) -> Merged:
    judgements = [Judged(found, judge(found, told, redact)) for found in extract(told)]
    merged = merge(judgements, View(SCOPE, AT))
    assert tally(merged.outcomes).candidates == len(judgements)
    return merged


IN_ONE_WINDOW = {
    "changed mind": (
        "Remember: use npm, not pnpm",
        "I changed my mind. From now on use pnpm, not npm.",
        ["promoted", "superseded"],
    ),
    "Chinese": ("记住：用 npm，不要用 pnpm", "记住：用 pnpm，不要用 npm", ["promoted", "superseded"]),
    "instead of": (
        "Always use spaces instead of tabs",
        "Always use tabs instead of spaces",
        ["promoted", "superseded"],
    ),
    "over": ("I prefer tabs over spaces.", "I prefer spaces over tabs.", ["promoted", "conflicted"]),
    "from and to": (
        "Remember: deploys go from staging to production only",
        "Remember: deploys go from production to staging only",
        ["promoted", "conflicted"],
    ),
    "numbers": (
        "Remember: the client retries 3 times and waits 5 seconds",
        "Remember: the client retries 5 times and waits 3 seconds",
        ["promoted", "conflicted"],
    ),
    "ports": (
        "Remember: port 80 goes to 8080",
        "Remember: port 8080 goes to 80",
        ["promoted", "conflicted"],
    ),
    "before": (
        "Remember: tests run before the build",
        "Remember: the build runs before the tests",
        ["promoted", "conflicted"],
    ),
    "seed and place": (
        "Remember: run the tests",
        "Remember: run the tests with --seed 42 on the staging database before every release",
        ["promoted", "promoted"],
    ),
    "bucket": (
        "Remember: back up the database",
        "Remember: back up the database before each migration, to bucket s3://larkspur-backups,"
        " and keep 14 days",
        ["promoted", "promoted"],
    ),
    "place": (
        "Never use print for logging.",
        "Never use print for logging in the worker, because supervisord swallows stdout",
        ["promoted", "promoted"],
    ),
    "days": (
        "Remember: deploys go out on Tuesdays",
        "Remember: deploys to Frankfurt go out on Tuesdays at 14:00, deploys to Oslo on Thursdays",
        ["promoted", "promoted"],
    ),
}


@pytest.mark.parametrize("sessions", [False, True], ids=["one session", "two sessions"])
@pytest.mark.parametrize("case", IN_ONE_WINDOW.values(), ids=IN_ONE_WINDOW.keys())
def test_in_one_window_both_go_on(case: tuple[str, str, list[str]], sessions: bool) -> None:
    first, second, kinds = case
    merged = learnt(window(first, second, sessions=sessions))
    assert [outcome.kind for outcome in merged.outcomes] == kinds
    assert len(merged.conflicts) == kinds.count("conflicted")
    kept = entries(applied([], merged.changes))
    assert len(kept) == 2
    for one in kept.values():
        assert len(one.evidence) == 1
        assert one.body.rstrip(".") in one.evidence[0].quote
    gone = [one.body.rstrip(".") for path, one in kept.items() if "/archive/" in path]
    assert len(gone) == kinds.count("superseded")
    assert all(body in first for body in gone)


@pytest.mark.parametrize("order", [1, -1], ids=["short first", "long first"])
def test_a_reason_joins_and_the_fuller_text_stands_with_both_quotes(order: int) -> None:
    short = "Never use print for logging."
    full = "Never use print for logging, because supervisord swallows stdout"
    merged = learnt(window(*(short, full)[::order]))
    assert [(one.kind, one.reason) for one in merged.outcomes] == [
        ("promoted", "accepted"),
        ("absorbed", "duplicate"),
    ]
    (kept,) = entries(applied([], merged.changes)).values()
    assert kept.body == full
    assert len(kept.evidence) == 2


TELLS = {
    "form": ("Use pnpm, for installs!", "use pnpm for installs", True),
    "header": ("again: no default exports!", "no default exports", True),
    "a sentence more": ("No default exports. They break no bundler, I checked.", "no default exports", True),
    "a condition more": ("run the tests before every release", "run the tests", False),
    "other order": ("the build runs before the tests", "the tests run before the build", False),
    "taken back": ("Use npm? Not here.", "use npm", False),
    "nothing": ("run the tests", "", False),
}


@pytest.mark.parametrize("case", TELLS.values(), ids=TELLS.keys())
def test_what_a_longer_text_tells(case: tuple[str, str, bool]) -> None:
    assert tells(case[0], case[1]) is case[2]


def action(said: str, known: str) -> str:
    candidate = Candidate("create", "project", "project", "note", said, said, ())
    return aimed(candidate, [RelatedEntry(1, "project", "note", known, known)]).action


ACROSS_RUNS = {
    "over": ("I prefer tabs over spaces.", "I prefer spaces over tabs.", "contradict"),
    "percent": (
        "80 percent goes to savings and 20 to rent",
        "20 percent goes to savings and 80 to rent",
        "contradict",
    ),
    "what goes where": (
        "80 percent goes to savings and 20 to rent",
        "80 percent goes to rent and 20 to savings",
        "contradict",
    ),
    "a word of change": ("use npm, not pnpm", "From now on use pnpm, not npm.", "supersede"),
    "two exchanges": (
        "Frankfurt on Tuesdays at noon, Oslo on Thursdays at dawn",
        "Oslo on Thursdays at noon, Frankfurt on Tuesdays at dawn",
        "contradict",
    ),
    "handles more": ("run the tests", "run the tests with --seed 42 on staging", "create"),
    "a number more": (
        "run the whole nightly browser test suite",
        "run the whole nightly browser test suite 3x",
        "create",
    ),
    "three in turn": (
        "alice reviews, bob merges, carol deploys",
        "bob reviews, carol merges, alice deploys",
        "create",
    ),
    "a condition more": (
        "run the whole nightly browser test suite on merge",
        "run the whole nightly browser test suite on merge unless drafting",
        "create",
    ),
    "a ban in other words": ("commit yes, push no, ever", "no pushing", "confirm"),
    "again": ("run the whole test suite on merge", "run the whole test suite on merge", "confirm"),
}


@pytest.mark.parametrize("case", ACROSS_RUNS.values(), ids=ACROSS_RUNS.keys())
def test_what_is_said_later_confirms_only_the_same(case: tuple[str, str, str]) -> None:
    assert action(case[1], case[0]) == case[2]


BY_HAND = {key: SWAPPED[key] for key in ("over", "from and to", "numbers", "ports", "before", "percent")}


@pytest.mark.parametrize("pair", BY_HAND.values(), ids=BY_HAND.keys())
def test_the_opposite_by_hand_opens_a_conflict(pair: tuple[str, str]) -> None:
    known = store(entry(pair[0]))
    merged = merge([judged(pair[1], day=9, source="manual")], View(known.entry.scope, AT, [known]))
    assert [outcome.kind for outcome in merged.outcomes] == ["conflicted"]
    assert len(merged.conflicts) == 1
    kept = entries(applied([known], merged.changes))
    assert {one.body for one in kept.values()} == set(pair)
    assert not any("/archive/" in path for path in kept)


def test_one_headline_over_swapped_bodies_is_two_memories() -> None:
    known = store(entry("port 80 goes to 8080", description="How the proxy routes its ports"))
    told = judged("port 8080 goes to 80", day=9, description="How the proxy routes its ports")
    merged = merge([told], View(known.entry.scope, AT, [known]))
    assert [outcome.kind for outcome in merged.outcomes] == ["conflicted"]


def test_compaction_by_rule_flags_and_joins_nothing() -> None:
    for pair in (*SWAPPED.values(), ("use C, not C#", "use C#, not C")):
        one = store(entry(pair[0]))
        other = store(replace(entry(pair[1]), name="other"))
        (op,) = propose([one, other])
        assert isinstance(op, Flag)
