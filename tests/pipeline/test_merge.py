"""Merge: what becomes of candidates, told as tables and as properties (invariants 4, 9, 11; A13–A18)."""

from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from merge_support import (
    DAY,
    NOW,
    SCOPE,
    applied,
    asked,
    entries,
    entry,
    judged,
    kinds,
    only,
    said,
    store,
    text_file,
    the,
    view,
    view_of,
)
from support.table import table

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.conflicts import flag
from siltstone.pipeline.ledger import rejections, tally
from siltstone.pipeline.merging.merge import merge
from siltstone.pipeline.merging.working_copy import View
from siltstone.store.conflicts import PATH, conflict_id, parse, render
from siltstone.store.entry import Anchor, Write
from siltstone.store.store import Store

PORT = "The API listens on port 8080 behind nginx."
HOSTING = "Hosting is Vercel, so server actions are fine there."


def test_a_new_fact_becomes_a_file_with_the_dates_of_its_evidence() -> None:
    merged = merge([judged(PORT, name="API port", day=3)], view())
    assert kinds(merged) == ["promoted"]
    files = entries(applied([], merged.changes))
    assert list(files) == [f"{SCOPE}/project-api-port.md"]
    made = files[f"{SCOPE}/project-api-port.md"]
    assert made.created == made.updated == said("", 3).at
    assert made.evidence == (said(PORT, 3),)


def test_a_second_fact_of_one_name_gets_a_number() -> None:
    merged = merge([judged(PORT), judged("The client lives in Leeds.")], view())
    assert kinds(merged) == ["promoted", "promoted"]
    assert sorted(applied([], merged.changes)) == [f"{SCOPE}/project-note{n}.md" for n in ("-2", "")]


def test_what_the_gate_rejected_is_counted_by_its_reason() -> None:
    merged = merge([judged(PORT, outcome="reject", reason="read-content")], view())
    assert merged.changes == ()
    assert rejections(merged.outcomes) == {"read-content": 1}


@pytest.mark.parametrize("action", ["update", "confirm", "supersede", "contradict"])
def test_an_unknown_number_refuses_the_item_and_no_other(action: str) -> None:
    merged = merge([judged(PORT, action=action, target=7), judged("The client lives in Leeds.")], view())
    assert sorted(kinds(merged)) == ["promoted", "rejected"]
    assert rejections(merged.outcomes) == {"unknown-target": 1}


@table("merge", "same")
def test_a_repeat_is_absorbed_and_reinforces(
    known: str, known_type: str, said_again: str, again_type: str
) -> None:
    old = store(entry(known, type=known_type))
    merged = merge([judged(said_again, type=again_type, day=5)], view(old))
    assert (the(merged).kind, the(merged).reason, the(merged).path) == ("absorbed", "duplicate", old.path)
    (made,) = entries(applied([old], merged.changes)).values()
    assert [item.at for item in made.evidence] == [DAY, said("", 5).at]
    assert made.updated == said("", 5).at


@table("merge", "apart")
def test_near_duplicates_stay_apart(known: str, told: str, type: str) -> None:
    old = store(entry(known, type=type, name="old"))
    merged = merge([judged(told, type=type, name="new", day=5)], view(old))
    assert kinds(merged) == ["promoted"]
    assert len(applied([old], merged.changes)) == 2


def test_a_saved_duplicate_takes_the_place_of_a_found_one_and_keeps_it() -> None:
    old = store(entry("Docs: https://x.test/guide", type="reference"))
    body = "Docs of the shop: https://x.test/guide"
    saved = judged(body, type="reference", source="explicit", day=2, name="guide")
    made = only(applied([old], merge([saved], view(old)).changes), "guide")
    assert (made.source, made.body) == ("explicit", body)

    again = judged("Docs: https://x.test/guide", type="reference", day=9, name="docs")
    kept = only(applied([store(made)], merge([again], view(store(made))).changes), "guide")
    assert (kept.source, kept.body) == ("explicit", body)


def test_what_everywhere_says_is_not_repeated_in_a_project() -> None:
    old = store(entry(PORT, scope="global"))
    assert the(merge([judged(PORT, day=4)], view(old))).path == old.path


def test_a_project_fact_that_differs_from_a_global_one_is_an_override() -> None:
    old = store(entry("Use npm for installs in every repository.", scope="global", type="feedback"))
    new = judged(
        "Use pnpm for installs in this repository.", action="contradict", target=1, type="feedback", day=4
    )
    merged = merge([new], view(old))
    assert kinds(merged) == ["promoted"]
    assert asked(merged) == []


NO_LONGER = "We no longer host on Vercel, the shop runs on Fly.io"


@pytest.mark.parametrize(
    ("action", "quote"),
    [
        ("supersede", NO_LONGER),
        ("contradict", NO_LONGER),
        ("update", "Hosting is Fly.io now, we moved off Vercel"),
        ("create", NO_LONGER),
    ],
    ids=["named by the model", "called a contradiction", "called an update", "missed by the model"],
)
def test_the_users_word_of_change_supersedes(action: str, quote: str) -> None:
    old = store(entry(HOSTING, name="hosting"))
    target = None if action == "create" else 1
    new = judged("Hosting is Fly.io.", action=action, target=target, quote=quote, name="fly", day=9)
    merged = merge([new], view(old))
    assert kinds(merged) == ["superseded"]
    files = entries(applied([old], merged.changes))
    assert sorted(files) == [f"{SCOPE}/archive/project-hosting.md", f"{SCOPE}/project-fly.md"]
    gone = files[f"{SCOPE}/archive/project-hosting.md"]
    assert (gone.superseded_by, gone.superseded_at) == (f"{SCOPE}/project-fly.md", said("", 9).at)


@pytest.mark.parametrize(
    ("minutes", "session", "kind"),
    [(2, "s0", "superseded"), (90, "s0", "promoted"), (2, "another", "promoted")],
    ids=["the next message", "much later", "another session"],
)
def test_a_correction_a_moment_later_leaves_the_second_value_only(
    minutes: int, session: str, kind: str
) -> None:
    old = judged("Amounts are stored in minor units as BIGINT.", name="amounts")
    wait = said("hmm wait, actually let's do NUMERIC(20,6)", session=session, message="m2")
    wait = wait._replace(at=DAY + timedelta(minutes=minutes))
    new = judged("Amounts are stored as NUMERIC(20,6).", action="create", evidence=[wait], name="amounts")
    merged = merge([old, new], view())
    assert kinds(merged) == ["promoted", kind]
    standing = store(entry("Amounts are stored in minor units as BIGINT.", name="amounts"))
    named = new._replace(candidate=replace(new.candidate, action="supersede", target=1))
    assert (kinds(merge([named], view(standing))) == ["superseded"]) is (kind == "superseded")


@table("merge", "without_it_both_stay_and_the_user_is_asked")
def test_without_it_both_stay_and_the_user_is_asked(told: dict[str, Any], standing: dict[str, Any]) -> None:
    old = store(entry("Free shipping starts at £40.", name="threshold"), **standing)
    how: dict[str, Any] = {"day": 9, "quote": "switched to £50 for free shipping", "name": "threshold"} | told
    merged = merge([judged("Free shipping is from £50.", action="supersede", target=1, **how)], view(old))
    assert kinds(merged) == ["conflicted"]
    files = applied([old], merged.changes)
    assert files[old.path] == old.text
    (section,) = parse(files[PATH])
    assert section.id == conflict_id(old.path, the(merged).path or "")
    assert {side.path for side in section.sides} == {old.path, the(merged).path}
    assert section.sides[0].day <= section.sides[1].day


def test_a_conflict_is_asked_once_and_repeats_are_absorbed() -> None:
    old = store(entry("Free shipping starts at £40.", name="threshold"))
    new = judged("Free shipping is from £50.", action="contradict", target=1, name="other", day=9)
    first = applied([old], merge([new], view(old)).changes)
    stored = [store(found) for found in entries(first).values()]
    again = judged("Free shipping is from £50!", action="contradict", target=1, name="other", day=12)
    shown = {1: old.path}
    merged = merge([again], View(SCOPE, NOW, stored, conflicts=text_file(first[PATH]), shown=shown))
    assert (the(merged).kind, the(merged).reason) == ("absorbed", "duplicate")
    assert [change.path for change in merged.changes] == [f"{SCOPE}/project-other.md"]


def test_a_side_that_is_superseded_closes_its_conflict_and_no_other() -> None:
    forty = store(entry("Free shipping starts at £40.", name="forty"))
    fifty = store(entry("Free shipping is from £50.", name="fifty", day=3))
    abroad = [store(entry(f"Port {n}.", name=f"n{n}", scope="projects/quern")) for n in (1, 2)]
    live = {stored.path: stored.entry for stored in (forty, fifty, *abroad)}
    sections = flag([], live, forty.path, fifty.path)
    sections = flag(sections, live, abroad[0].path, abroad[1].path)
    quote = "free shipping is no longer from £40, it is £60 now"
    new = judged("Free shipping is £60.", action="supersede", target=1, quote=quote, name="sixty", day=9)
    merged = merge([new], view(forty, fifty, conflicts=text_file(render(sections))))
    assert kinds(merged) == ["superseded"]
    (written,) = (c for c in merged.changes if isinstance(c, Write) and c.path == PATH)
    left, opened = parse(written.text)
    assert left == sections[1]
    assert [side.path for side in opened.sides] == [fifty.path, the(merged).path]


def test_a_fact_from_before_the_change_is_absorbed_as_older() -> None:
    new = store(entry("Hosting is Fly.io.", name="fly", day=9, quote="we switched to Fly.io"))
    gone = entry(HOSTING, name="hosting")
    old = store(gone._replace(superseded_by=new.path, superseded_at=said("", 9).at), folder="archive")
    late = judged(HOSTING, name="vercel", day=4)
    merged = merge([late], View(SCOPE, NOW, [new], archived=[old]))
    assert (the(merged).kind, the(merged).reason, the(merged).path) == ("absorbed", "older", new.path)
    assert merged.changes == ()
    after = judged(HOSTING, name="vercel", day=12)
    assert kinds(merge([after], View(SCOPE, NOW, [new], archived=[old]))) == ["conflicted"]


def test_what_its_session_went_on_to_drop_is_not_kept_again_from_words_before_that() -> None:
    """Else reading a session again would bring it back. What is said later, or elsewhere, counts anew."""
    gone = store(entry(HOSTING, name="hosting")._replace(superseded_at=said("", 9).at), folder="archive")
    view = View(SCOPE, NOW, archived=[gone])
    again = merge([judged(HOSTING, name="vercel")], view)
    assert (the(again).reason, the(again).path, again.changes) == ("older", gone.path, ())
    for day in (4, 12):
        assert kinds(merge([judged(HOSTING, name="vercel", day=day)], view)) == ["promoted"]


def test_an_older_contradiction_of_an_announced_change_is_absorbed() -> None:
    new = store(entry("Hosting is Fly.io.", name="fly", day=9, quote="we switched from Vercel to Fly.io"))
    late = judged(HOSTING, action="contradict", target=1, day=4)
    assert (the(merge([late], view(new))).reason) == "older"


@table("merge", "updates")
def test_an_update_loses_nothing(known: str, told: str, whole: str) -> None:
    old = store(entry(known, description="About it"))
    new = judged(told, action="update", target=1, day=5, description="About it, again")
    merged = merge([new], view(old))
    assert (the(merged).kind, the(merged).path) == ("updated", old.path)
    (made,) = entries(applied([old], merged.changes)).values()
    assert made.body == whole
    assert len(made.evidence) == 2


@table("merge", "an_update_replaces_what_it_changes_and_is_described_anew")
def test_an_update_replaces_what_it_changes_and_is_described_anew(
    told: str, quote: str, body: str, headline: str
) -> None:
    text = "Uploads go to S3. Thumbnails are made by the worker."
    old = store(entry(text, description="How files are kept"))
    new = judged(told, action="update", target=1, day=5, quote=quote)
    (made,) = entries(applied([old], merge([new], view(old)).changes)).values()
    assert (made.body, made.description) == (body, headline)


def test_an_older_update_never_rewrites() -> None:
    old = store(entry("Run tests with `uv run pytest -n 4`.", day=9))
    new = judged("Run tests with `uv run pytest -n 4` slowly.", action="update", target=1, day=2)
    (made,) = entries(applied([old], merge([new], view(old)).changes)).values()
    assert (made.body.splitlines()[0], made.description) == (old.entry.body, old.entry.description)


def test_an_update_that_outgrows_the_file_is_refused() -> None:
    old = store(entry("Port 8080. " + "word " * 950))
    new = judged("Ninety " * 90, action="update", target=1, day=5)
    assert the(merge([new], view(old))).reason == "over-limit"


@pytest.mark.parametrize("why", ["readonly", "enforce", "the user's own", "better proven"])
def test_an_update_of_what_may_not_be_rewritten_stands_beside_it(why: str) -> None:
    old = store(
        entry(PORT, readonly=why == "readonly", enforce=why == "enforce"),
        user_written=why == "the user's own",
    )
    origin = "tool-observed" if why == "better proven" else "user-said"
    merged = merge([judged("Behind Caddy.", action="update", target=1, day=5, origin=origin)], view(old))
    assert kinds(merged) == ["promoted"]
    assert applied([old], merged.changes)[old.path] == old.text


def test_readonly_is_not_even_reinforced() -> None:
    old = store(entry(PORT, readonly=True))
    assert merge([judged(PORT, day=4)], view(old)).changes == ()


@table("merge", "the_users_later_words_alone_take_a_memorys_anchors")
def test_the_users_later_words_alone_take_a_memorys_anchors(again: dict[str, Any], stays: bool) -> None:
    anchors = (Anchor("shop/cart.py", blob="8503c1126780"),)
    origin = again.get("origin", "user-said")
    old = store(entry("Carts live in shop/cart.py.", anchors=anchors, origin=origin))
    merged = merge([judged("Carts live in shop/cart.py.", **again)], view(old))
    kept = only(applied([old], merged.changes), "shop/cart.py")
    assert kept.anchors == (anchors if stays else ())


def test_proof_rises_by_the_users_words_and_is_not_joined_by_worse() -> None:
    said_already, observed = store(entry(PORT)), store(entry(PORT, origin="tool-observed"))
    merged = merge([judged(PORT, day=4, origin="tool-observed")], view(said_already))
    assert (the(merged).kind, merged.changes) == ("absorbed", ())
    made = only(applied([observed], merge([judged(PORT, day=4)], view(observed)).changes), "8080")
    assert made.origin == "user-said"


@pytest.mark.parametrize(
    ("body", "day", "session", "reason"),
    [
        pytest.param(PORT, 3, "s3", "tombstone", id="the same words, told before"),
        pytest.param("The API listens on port 8080, nginx.", 3, "s3", "tombstone", id="nearly the same"),
        pytest.param("Something else that was in it.", 0, "s0", "tombstone", id="of the same message"),
        pytest.param("The client lives in Leeds.", 3, "s3", "accepted", id="another fact, told before"),
        pytest.param(PORT, 8, "s8", "accepted", id="told after the deletion"),
        pytest.param(PORT, 8, "s0", "tombstone", id="the same message, in a file that was touched since"),
    ],
)
def test_what_the_user_deleted_does_not_come_back(body: str, day: int, session: str, reason: str) -> None:
    deleted = store(entry(PORT))
    grave = SimpleNamespace(path=deleted.path, entry=deleted.entry, deleted_at=said("", 5).at)
    told = judged(body, evidence=[said(body, day, session)])
    assert the(merge([told], view(tombstones=[grave]))).reason == reason


def test_links_to_a_superseded_memory_name_the_new_one() -> None:
    old = store(entry(HOSTING, name="hosting"))
    linking = store(entry("Deploys are by hand.\nRelated: [[hosting]]", name="deploys"))
    mine = store(entry("My own note on [[hosting]].", name="mine"), user_written=True)
    quote = "We no longer host on Vercel"
    new = judged("Hosting is Fly.io.", action="supersede", target=1, quote=quote, name="fly", day=9)
    files = applied([old, linking, mine], merge([new], view(old, linking, mine)).changes)
    assert "[[fly]]" in files[linking.path]
    assert files[mine.path] == mine.text


BODIES = [
    PORT,
    "the API listens on port 8080 behind NGINX",
    HOSTING,
    "Free shipping starts at £40.",
    "Free shipping is from £50.",
    "Docs: https://x.test/guide",
    "The docs: https://x.test/guide/",
    "Use pnpm for installs.",
]


@st.composite
def candidates(draw: st.DrawFn) -> Judged:
    body = draw(st.sampled_from(BODIES))
    change = draw(st.sampled_from(["", "we switched: ", "no longer the old one, "]))
    return judged(
        body,
        action=draw(st.sampled_from(["create", "update", "confirm", "supersede", "contradict"])),
        target=draw(st.sampled_from([None, 1, 2, 9])),
        type=draw(st.sampled_from(["project", "decision", "reference"])),
        scope=draw(st.sampled_from(["project", "global"])),
        day=draw(st.integers(-3, 6)),
        quote=change + body,
        name=draw(st.sampled_from(["note", "x", "../../etc"])),
        origin=draw(st.sampled_from(["user-said", "tool-observed", "assistant-inferred"])),
        source=draw(st.sampled_from(["extraction", "explicit"])),
        outcome=draw(st.sampled_from(["accept", "accept", "accept", "quarantine", "reject"])),
    )


OLD = [
    store(entry("Free shipping starts at £40.", name="threshold")),
    store(entry(HOSTING, name="hosting")),
    store(entry("Use npm for installs.", name="npm", type="decision"), user_written=True),
]


@given(st.lists(candidates(), max_size=7))
@settings(max_examples=100, deadline=None)
def test_counts_add_up_and_nothing_that_stood_is_lost(batch: list[Judged]) -> None:
    merged = merge(batch, view(*OLD))
    counts = tally(merged.outcomes)
    assert counts.total() == len(batch)
    assert counts["rejected"] == rejections(merged.outcomes).total()
    files = applied(OLD, merged.changes)
    made = entries(files)
    assert not [path for path in files if ".." in path]
    for old in OLD:
        assert any(set(old.entry.evidence) <= set(now.evidence) for now in made.values())
    assert files[OLD[2].path] == OLD[2].text or made[OLD[2].path].body == OLD[2].entry.body
    for outcome in merged.outcomes:
        assert (outcome.path is None) == (outcome.kind == "rejected")
        assert outcome.kind != "quarantined" or outcome.path in made


@given(st.lists(candidates(), max_size=3))
@settings(max_examples=50, deadline=None)
def test_the_order_in_which_a_reply_lists_them_does_not_matter(batch: list[Judged]) -> None:
    results = [applied(OLD, merge(order, view(*OLD)).changes) for order in permutations(batch)]
    assert all(result == results[0] for result in results)


# over a real store in git


def learn(store: Store, body: str, day: int = 0) -> list[str]:
    made = merge([judged(body, name="port", day=day)], view_of(store))
    with store.locked():
        store.apply(made.changes, "memory: learn", [("Silt-Run", "0001"), ("Silt-Op", "extract")])
    return kinds(made)


@pytest.mark.parametrize(
    ("old", "new", "written"),
    [("limit: 5000", "mine: yes  # keep this\nlimit: 5000", False), ("\nThe API", "\nOur API", True)],
    ids=["a comment", "the body"],
)
def test_what_the_user_wrote_stays_when_it_is_reinforced(
    tmp_path: Path, old: str, new: str, written: bool
) -> None:
    store = Store.open(tmp_path / "memory", clock=lambda: NOW)
    learn(store, "The API listens on port 8080.")
    (path,) = (store.root / SCOPE).glob("*.md")
    path.write_text(path.read_text().replace(old, new))
    with store.locked():
        store.settle()
    assert learn(store, f"{'our' if written else 'The'} API listens on port 8080!", day=5) == ["absorbed"]
    assert new in path.read_text()
    (stored,) = store.entries()
    assert (stored.user_written, len(stored.entry.evidence)) == (written, 2)
