"""Compaction from a model's reply to files (docs/architecture.md; C24–C26; invariants 9, 10, 11)."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from merge_support import NOW, SCOPE, applied, entries, entry, said, store, text_file
from support.table import table

from siltstone.pipeline.compaction.apply import changes
from siltstone.pipeline.compaction.check import Checked, check
from siltstone.pipeline.compaction.plan import CompactView, Drop, Flag, Merge, Op, Rewrite
from siltstone.pipeline.compaction.refusals import RULES
from siltstone.pipeline.compaction.without_model import contradictions
from siltstone.pipeline.conflicts import MAX_OPEN, flag
from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.rules.candidates import described
from siltstone.store.conflicts import PATH, parse, render
from siltstone.store.entry import Anchor, Stored

PORT = store(entry("The API listens on port 8080.", name="port"))
NGINX = store(entry("The API stands behind nginx.", name="nginx", day=2))
LEEDS = store(entry("The client lives in Leeds.", name="leeds", day=3, quote="our client lives in Leeds"))
FORTY = store(entry("Free shipping starts at £40.", name="forty"))
FIFTY = store(entry("Free shipping is from £50.", name="fifty", day=9))
STORE = (PORT, NGINX, LEEDS, FORTY, FIFTY)


def view(*stored: Stored, **more: Any) -> CompactView:
    return CompactView(NOW, {item.path: item for item in stored or STORE}, **more)


def done(op: Op, *stored: Stored) -> dict[str, str]:
    """Files after one op that no rule refuses."""
    seen = view(*stored)
    checked = check([op], seen)
    assert checked.refused == ()
    return applied(stored or STORE, changes(checked.accepted, seen))


# rules

BOTH = "The API listens on port 8080 and stands behind nginx."


def conflict(*pair: Stored) -> dict[str, Any]:
    sections = flag([], {stored.path: stored.entry for stored in pair}, pair[0].path, pair[1].path)
    return {"sections": sections, "conflicts": text_file(render(sections))}


LOCKED = store(PORT.entry._replace(readonly=True))
PINNED, HAND = PORT._replace(pinned=True), PORT._replace(user_written=True)
COPY = store(entry("The API listens on port 8080!", name="copy", day=4))
AGREED = store(COPY.entry._replace(name="agreed", agrees_with=(PORT.path,)))
TOOL = store(entry("The API listens on port 8080!", name="tool", day=4, origin="tool-observed"))
ABROAD = store(entry("The API listens on port 8080!", name="abroad", scope="projects/quern"))
LINKING = store(entry("See [[port]] for it.", name="linking"), user_written=True)
CITY = store(entry("Leeds is a city.", name="l", day=1))
FROZEN = store(entry("No deploys until 2027-01-05.", name="freeze"))
NEVER = store(entry("The harbour office never sells tickets to lorries on Sundays.", name="never"))
LONG = store(entry("The API listens on port 8080.", name="long")._replace(limit=40))

REFUSED: dict[str, tuple[Op, tuple[Stored, ...], dict[str, object]]] = {
    "named-twice": (Flag(PORT, PORT), (PORT,), {}),
    "changed": (Rewrite(PORT, "The API port 8080", "The API listens on 8080."), (COPY,), {}),
    "readonly": (Rewrite(LOCKED, "d", "b"), (LOCKED,), {}),
    "pinned": (Merge((PINNED, NGINX), BOTH, BOTH), (PINNED, NGINX), {}),
    "user-written": (Drop(HAND, "duplicate_of", COPY), (HAND, COPY), {}),
    "crosses-scopes": (Merge((PORT, ABROAD), "d", "b"), (PORT, ABROAD), {}),
    "crosses-origins": (Merge((PORT, TOOL), PORT.entry.body, PORT.entry.body), (PORT, TOOL), {}),
    "in-conflict": (Drop(FORTY, None), STORE, conflict(FORTY, FIFTY)),
    "already-flagged": (Flag(FIFTY, FORTY), STORE, conflict(FORTY, FIFTY)),
    "too-many-open": (
        Flag(FIFTY, FORTY),
        STORE,
        {"sections": conflict(PORT, COPY)["sections"] * MAX_OPEN},
    ),
    "empty": (Rewrite(PORT, "The API port 8080", ""), (PORT,), {}),
    "over-limit": (
        Rewrite(LONG, "port 8080", "The API of the shop listens on port 8080 always."),
        (LONG,),
        {},
    ),
    "secret": (Merge((PORT, NGINX), BOTH, BOTH), STORE, {"clean": lambda text: False}),
    "contradiction": (
        Merge((FORTY, FIFTY), "Free shipping", "Free shipping starts at £40. It is from £50."),
        STORE,
        {},
    ),
    "loses-handle": (Merge((PORT, NGINX), "API", "The API listens behind nginx, it stands."), STORE, {}),
    "loses-words": (Rewrite(LEEDS, "Leeds", "Leeds."), STORE, {}),
    "says-otherwise": (
        Rewrite(NEVER, "The harbour office", "The harbour office sells tickets to lorries on Sundays."),
        (NEVER,),
        {},
    ),
    "adds-handle": (Rewrite(PORT, "API", "The API listens on port 8080 and on 9090."), STORE, {}),
    "not-duplicate": (Drop(LEEDS, "duplicate_of", CITY), (*STORE, CITY), {}),
    "no-word-of-change": (Drop(PORT, "superseded_by", AGREED), (PORT, AGREED), {}),
    "not-expired": (Drop(FROZEN, "expired"), (FROZEN,), {}),
    "not-over": (Drop(PORT, "over"), STORE, {}),
    "linked-from-protected": (Drop(PORT, None), (PORT, LINKING, *STORE), {}),
}


@pytest.mark.parametrize("rule", REFUSED)
def test_a_rule_refuses_and_says_which(rule: str) -> None:
    op, stored, more = REFUSED[rule]
    checked = check([op], view(*stored, **more))
    assert [refused.rule for refused in checked.refused] == [rule]
    assert checked.refused[0].detail
    assert checked.accepted == ()


def test_every_rule_is_shown_to_refuse() -> None:
    elsewhere = {"already-used", "too-many"}
    assert {name for name, _ in RULES} == REFUSED.keys() | elsewhere


def test_an_entry_is_part_of_one_op() -> None:
    ops: list[Op] = [Merge((PORT, NGINX), BOTH, BOTH), Drop(PORT, None), Flag(NGINX, LEEDS)]
    checked = check(ops, view())
    assert checked.accepted == (ops[0],)
    assert [refused.rule for refused in checked.refused] == ["already-used"] * 2


def test_an_entry_changed_since_it_was_read_is_left_alone() -> None:
    edited = store(PORT.entry._replace(body="The API listens on port 8443."))
    (refused,) = check([Drop(PORT, None)], view(edited, NGINX)).refused
    assert (refused.rule, "meanwhile" in refused.detail) == ("changed", True)


MANY = [store(entry(f"Part {n} of the shop is painted.", name=f"n{n}")) for n in range(9)]


@pytest.mark.parametrize(
    ("count", "force", "allowed"), [(9, False, 2), (3, False, 1), (4, False, 1), (9, True, 9)]
)
def test_at_most_a_quarter_of_a_scope_leaves(count: int, force: bool, allowed: int) -> None:
    stored = MANY[:count]
    checked = check([Drop(item, None) for item in stored], view(*stored, force=force))
    assert len(checked.accepted) == allowed
    assert {refused.rule for refused in checked.refused} <= {"too-many"}


# contradictions that code found (invariant 11)

ASIDE = store(entry("Free shipping starts at £40 in the shop.", name="aside", day=2))
MOVED = store(entry("Free shipping is from £50.", name="moved", day=9, quote="it is no longer £40 but £50"))
BY_HAND = FORTY._replace(user_written=True)
OVER = store(entry("No deploys until 2026-10-05.", name="over"))
LATER = store(entry("No deploys until 2027-01-05.", name="later", day=9))
ENDED = datetime(2026, 6, 1, tzinfo=UTC)

CLASHES: dict[str, tuple[list[Op], tuple[Stored, Stored], list[Op], list[str]]] = {
    "overlooked": ([], (FORTY, FIFTY), [Flag(FORTY, FIFTY)], []),
    "seen-too": ([Flag(FIFTY, FORTY)], (FORTY, FIFTY), [Flag(FORTY, FIFTY)], []),
    "merged": (
        [Merge((FORTY, FIFTY), "Shipping", "Free shipping: £40, from £50.")],
        (FORTY, FIFTY),
        [Flag(FORTY, FIFTY)],
        ["contradiction"],
    ),
    "one-side-merged": (
        [Merge((FORTY, ASIDE), "Shipping", "Free shipping starts at £40 in the shop.")],
        (FORTY, FIFTY),
        [Flag(FORTY, FIFTY)],
        ["already-used"],
    ),
    "deleted": (
        [Drop(FORTY, "duplicate_of", FIFTY)],
        (FORTY, FIFTY),
        [Flag(FORTY, FIFTY)],
        ["already-used"],
    ),
    "superseded-without-a-word": (
        [Drop(FORTY, "superseded_by", FIFTY)],
        (FORTY, FIFTY),
        [Flag(FORTY, FIFTY)],
        ["no-word-of-change"],
    ),
    "superseded": (
        [Drop(FORTY, "superseded_by", MOVED)],
        (FORTY, MOVED),
        [Drop(FORTY, "superseded_by", MOVED)],
        [],
    ),
    "superseded-though-the-user's": (
        [Drop(BY_HAND, "superseded_by", MOVED)],
        (BY_HAND, MOVED),
        [Flag(BY_HAND, MOVED)],
        ["user-written"],
    ),
    "expired": ([Drop(OVER, "expired")], (OVER, LATER), [Drop(OVER, "expired")], []),
    "not-expired": ([Drop(LATER, "expired")], (OVER, LATER), [Flag(OVER, LATER)], ["not-expired"]),
    "over": ([Drop(OVER, "over", None, ENDED)], (OVER, LATER), [Flag(OVER, LATER)], ["already-used"]),
}


@pytest.mark.parametrize("case", CLASHES)
def test_no_plan_hides_a_plain_contradiction(case: str) -> None:
    ops, pair, accepted, refused = CLASHES[case]
    found = list(contradictions(pair, ()))
    assert found == [Flag(*pair)]
    checked = check(ops, view(*pair, ASIDE), found)
    assert list(checked.accepted) == accepted
    assert [one.rule for one in checked.refused] == refused


def test_what_the_user_is_asked_already_is_not_flagged_again() -> None:
    asked = flag([], {s.path: s.entry for s in (FORTY, FIFTY)}, FORTY.path, FIFTY.path)
    assert list(contradictions((FORTY, FIFTY), asked)) == []
    checked = check([], view(sections=asked, conflicts=text_file(render(asked))), [Flag(FORTY, FIFTY)])
    assert checked == Checked((), ())


# dates


@table("compaction", "dates")
def test_a_relative_date_may_be_given_its_day(old: str, added: str, rules: list[str]) -> None:
    note = store(entry(old, name="said-on-2026-09-09", day=8))
    checked = check([Rewrite(note, old, f"{old} {added}")], view(note))
    assert [refused.rule for refused in checked.refused] == rules


# applying


def test_a_merge_keeps_all_evidence_and_links_follow() -> None:
    linking = store(entry("Deploys go by hand, see [[nginx]].", name="deploys"))
    saved = store(PORT.entry._replace(source="explicit"))
    files = entries(done(Merge((saved, NGINX), "API", BOTH), saved, NGINX, linking))
    assert sorted(files) == [linking.path, saved.path]
    made = files[saved.path]
    assert made.body == BOTH
    assert made.evidence == (*PORT.entry.evidence, *NGINX.entry.evidence)
    assert (made.created, made.updated) == (PORT.entry.created, NGINX.entry.updated)
    assert "[[port]]" in files[linking.path].body


def test_a_merge_keeps_the_anchors_of_both() -> None:
    mine, theirs = Anchor("nginx.conf", blob="1"), Anchor("Makefile", words="port")
    one = store(NGINX.entry._replace(anchors=(mine,)))
    other = store(PORT.entry._replace(anchors=(theirs, mine)))
    (made,) = entries(done(Merge((one, other), "API", BOTH), one, other)).values()
    assert sorted(made.anchors) == sorted([mine, theirs])


def test_what_agreed_with_a_merged_entry_agrees_with_its_survivor() -> None:
    friend = store(LEEDS.entry._replace(agrees_with=(NGINX.path,)))
    saved = store(PORT.entry._replace(source="explicit", agrees_with=(NGINX.path,)))
    files = entries(done(Merge((saved, NGINX), "API", BOTH), saved, NGINX, friend))
    assert files[friend.path].agrees_with == (saved.path,)
    assert files[saved.path].agrees_with == ()


def test_a_duplicate_leaves_its_evidence_behind() -> None:
    files = entries(done(Drop(COPY, "duplicate_of", PORT), COPY, PORT))
    assert list(files) == [PORT.path]
    assert files[PORT.path].evidence == (*PORT.entry.evidence, *COPY.entry.evidence)


def test_a_superseded_one_moves_to_the_archive() -> None:
    new = store(entry("Hosting is Fly.io.", name="fly", day=9, quote="we no longer host on Vercel"))
    old = store(entry("Hosting is Vercel.", name="vercel"))
    files = entries(done(Drop(old, "superseded_by", new), new, old))
    gone = files[f"{SCOPE}/archive/project-vercel.md"]
    assert (gone.superseded_by, gone.superseded_at) == (new.path, said("", 9).at)


def test_an_expired_one_is_deleted_and_anything_else_archived() -> None:
    assert done(Drop(OVER, "expired"), OVER, PORT) == {PORT.path: PORT.text}
    files = entries(done(Drop(PORT, None)))
    assert files[f"{SCOPE}/archive/project-port.md"].body == PORT.entry.body
    assert PORT.path not in files


def test_a_flag_asks_the_user() -> None:
    (section,) = parse(done(Flag(FIFTY, FORTY))[PATH])
    assert [side.path for side in section.sides] == [FORTY.path, FIFTY.path]


def test_a_rewrite_touches_nothing_but_the_words() -> None:
    body = "Port 8080 is where the API listens."
    made = entries(done(Rewrite(PORT, "API on port 8080", body)))[PORT.path]
    assert made == PORT.entry._replace(description="API on port 8080", body=body)


def test_one_fact_in_three_languages_becomes_one_memory() -> None:
    bodies = (
        "Die Rechnungen gehen am 5. des Monats raus, um 8:00 Uhr, und der Rest mit Datev.",
        "Les factures partent le 5 du mois à 8:00, et le reste est fait avec Datev.",
        "The invoices go out on the 5 of the month at 8:00, and the rest is done with Datev.",
    )
    told = [store(entry(body, name=f"n{n}")) for n, body in enumerate(bodies)]
    made = entries(done(Merge(tuple(told), bodies[2], bodies[2]), *told))
    assert [one.body for one in made.values()] == [bodies[2]]
    without = bodies[2].replace(" with Datev", "")
    (refused,) = check([Merge(tuple(told), without, without)], view(*told)).refused
    assert (refused.rule, refused.detail) == ("loses-handle", "datev")


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("Run the linter before the tests.", "Run the linter after the tests."),
        ("Postgres runs in production and sqlite in the tests.", "Postgres runs in the tests."),
        ("Tickets are checked unless the ferry is late.", "Tickets are checked if the ferry is late."),
        ("Tickets are checked at the gate unless the ferry is late.", "Tickets are checked at the gate."),
        ("Tickets are never checked at the gate, unless it rains.", "Tickets are never checked at the gate."),
        (
            "Only the pilot may open the sluice of the harbour.",
            "The pilot may open the sluice of the harbour.",
        ),
        ("The pilot reads the tide tables.", "The pilot reads the tide tables and deletes them."),
        ("Agreed: “Store the nets in the shed.”", "The user rejected storing the nets in the shed."),
        ("Agreed: “Store the nets in the shed.”", "Turned down: “Store the nets in the shed.”"),
        (
            "The build runs on the harbour server.",
            "The build runs on the server: the cloud had become slow and expensive.",
        ),
    ],
)
def test_a_new_text_says_what_the_memory_says_and_no_more(said: str, new: str) -> None:
    kept = store(entry(said, name="kept", quote="yes, as said"))
    checked = check([Rewrite(kept, new, new)], view(kept))
    assert [item.rule for item in checked.refused] == ["says-otherwise"]


DENIED = "Turned down: “Store the nets in the shed.”"
ASKED = "Asked: “Should we drop the old tide tables?”\nThe user: “no, keep them for the harbour”"


@pytest.mark.parametrize(
    ("said", "new"),
    [
        (DENIED, "Store the nets in the shed."),
        (DENIED, "Agreed: “Store the nets in the shed.”"),
        (ASKED, "Drop the old tide tables for the harbour."),
        (ASKED, "Asked: “Should we drop the old tide tables?”"),
    ],
)
def test_what_was_asked_or_turned_down_stays_as_it_is(said: str, new: str) -> None:
    kept = store(entry(said, name="kept", quote="no"))
    checked = check([Rewrite(kept, new, new)], view(kept))
    assert [item.rule for item in checked.refused] == ["loses-handle"]
    nets = store(entry("Nets are dried on the quay at noon.", name="nets"))
    both = f"{said}\n{nets.entry.body}"
    assert check([Merge((kept, nets), described(said), both)], view(kept, nets)).refused == ()


def test_what_only_one_may_do_is_no_duplicate_of_what_others_may() -> None:
    one = store(entry("Only the pilot may open the sluice.", name="only", quote="only the pilot may open it"))
    other = store(entry("The pilot may open the sluice.", name="may"))
    (refused,) = check([Drop(one, "duplicate_of", other)], view(one, other)).refused
    assert refused.detail == f"{other.path}: “Only” is gone"


@pytest.mark.parametrize("other", ["Store the nets in the shed.", "Agreed: “Store the nets in the shed.”"])
def test_what_was_turned_down_is_no_duplicate_of_what_was_not(other: str) -> None:
    denied, agreed = store(entry(DENIED, name="denied")), store(entry(other, name="agreed"))
    for target, by in ((denied, agreed), (agreed, denied)):
        assert len(check([Drop(target, "duplicate_of", by)], view(denied, agreed)).refused) == 1


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("The user: “pls run the linter before the tests”", "Run the linter before the tests."),
        (
            "Agreed: “Tickets are checked unless the ferry is late.”",
            "Tickets are checked unless the ferry is late.",
        ),
        (
            "When the ferry is in, since this is a harbour without cranes, please load the crates first.",
            "When the ferry is in, the crates are loaded first.\nWhy: this is a harbour without cranes.",
        ),
        ("We deploy since last Monday from main.", "Deploys come from main since last Monday (2026-08-31)."),
    ],
)
def test_a_new_text_may_be_put_better(said: str, new: str) -> None:
    kept = store(entry(said, name="kept", day=3, quote="yes, as said"))
    assert check([Rewrite(kept, new, new)], view(kept)).refused == ()


RAMBLING = (
    "So what came out in the end, after a good while of looking, is that the courier service basically "
    "slows down and complains as soon as anybody calls too often, and therefore what one has to do is wait."
)


@table("compaction", "a_rambling_note_may_become_as_short_as_what_was_said")
def test_a_rambling_note_may_become_as_short_as_what_was_said(quote: str, refused: list[str]) -> None:
    note = store(entry(RAMBLING, name="courier", day=3, quote=quote))
    short = "The courier service slows down as soon as anybody calls too often: wait."
    checked = check([Rewrite(note, "The courier service slows down", short)], view(note))
    assert [item.rule for item in checked.refused] == refused


# what a person sees


def test_the_plan_reads_as_a_diff() -> None:
    ops: list[Op] = [
        Merge((PORT, NGINX), "API", BOTH),
        Drop(LEEDS, None),
        Flag(FORTY, FIFTY),
        Rewrite(store(entry("x", name="gone")), "y", "y"),
    ]
    checked = check(ops, view())
    text = checked.diff
    assert f"+ {BOTH}" in text
    assert f"- {LEEDS.entry.body}" in text
    assert "archive" in text
    assert "? Free shipping is from £50." in text
    assert f"refused  rewrite {SCOPE}/project-gone.md: changed ({SCOPE}/project-gone.md is gone)" in text
    assert checked.summary == "merge 1, archive 1, flag 1, refused 1"
    assert Checked((), ()).diff == "nothing to change"


# properties

MINE = store(entry("My note on 8080.", name="m"), user_written=True)
LINKS = store(entry("See [[port]] and [[leeds]].", name="linker"))
POOL = [PORT, NGINX, LEEDS, FORTY, FIFTY, COPY, TOOL, ABROAD, FROZEN, MINE, LINKS]
STORED = st.integers(0, len(POOL) - 1).map(lambda n: POOL[n])
TEXT = st.sampled_from(["", BOTH, "The API listens on port 8080.", "Free shipping £40 £50", "x [[port]]"])


def _merge(sources: list[Stored], text: str) -> Merge:
    whole = " ".join(source.entry.body for source in sources)
    return Merge(tuple(sources), f"d {whole}", text or whole)


WHY = st.sampled_from([None, "duplicate_of", "superseded_by", "expired", "over"])
OPS: st.SearchStrategy[Op] = st.one_of(
    st.builds(_merge, st.lists(STORED, min_size=2, max_size=3), TEXT),
    st.builds(Drop, STORED, WHY, st.none() | STORED, st.none() | st.just(ENDED)),
    st.builds(Rewrite, STORED, TEXT, TEXT),
    st.builds(Flag, STORED, STORED),
)


@given(st.lists(OPS, max_size=8), st.booleans())
@settings(max_examples=60, deadline=None)
def test_an_accepted_plan_loses_no_evidence_and_no_handle(ops: list[Op], force: bool) -> None:
    seen = view(*POOL, force=force)
    checked = check(ops, seen)
    assert len(checked.accepted) + len(checked.refused) >= len(ops)
    found = entries(applied(POOL, changes(checked.accepted, seen)))
    kept_evidence = {item for made in found.values() for item in made.evidence}
    everything = "\n".join(f"{made.description}\n{made.body}" for made in found.values())
    expired = {op.target.path for op in checked.accepted if isinstance(op, Drop) and op.because == "expired"}
    for stored in POOL:
        if stored.path not in expired:
            assert set(stored.entry.evidence) <= kept_evidence
            assert not lost(f"{stored.entry.description}\n{stored.entry.body}", everything)
        if stored.user_written:
            assert found[stored.path] == stored.entry


@given(st.lists(OPS, max_size=6))
@settings(max_examples=30, deadline=None)
def test_a_checked_plan_is_not_refused_again(ops: list[Op]) -> None:
    checked = check(ops, view(*POOL))
    assert check(checked.accepted, view(*POOL)) == Checked(checked.accepted, ())
