"""Contradictions that nobody named: the merge finds them, and the user is asked at once (invariant 11)."""

from dataclasses import replace

from merge_support import NOW, SCOPE, applied, entries, entry, judged, store

from siltstone.pipeline.inbox import accept
from siltstone.pipeline.ledger import Outcome, tally
from siltstone.pipeline.merging.merge import Merged, View, merge
from siltstone.store.conflicts import PATH, parse
from siltstone.store.entry import GLOBAL, Stored


def view(*current: Stored) -> View:
    return View(SCOPE, NOW, current)


def kinds(merged: Merged) -> list[str]:
    return [outcome.kind for outcome in merged.outcomes]


def the(merged: Merged) -> Outcome:
    (outcome,) = merged.outcomes
    return outcome


API = "The API listens on port 7100."
OTHERWISE = "The API listens on port 8200."


def test_nobody_need_see_the_contradiction_for_the_user_to_be_asked() -> None:
    """An explicit save, and a model that saw no target: neither names what it stands against."""
    old = store(entry(API, name="api"))
    merged = merge([judged(OTHERWISE, name="port", day=9, source="explicit")], view(old))
    assert (the(merged).kind, the(merged).other) == ("conflicted", old.path)
    assert [{side.path for side in one.sides} for one in merged.conflicts] == [{old.path, the(merged).path}]
    assert len(entries(applied([old], merged.changes))) == 2


def test_in_one_window_the_later_is_set_against_the_earlier() -> None:
    merged = merge([judged(OTHERWISE, name="new", day=9), judged(API, name="old")], view())
    assert kinds(merged) == ["promoted", "conflicted"]
    assert tally(merged.outcomes).candidates == 2


def test_a_third_value_stands_against_both() -> None:
    both = [store(entry(API, name="one")), store(entry(OTHERWISE, name="two", day=1))]
    merged = merge([judged("The API listens on port 9300.", name="three", day=9)], view(*both))
    assert kinds(merged) == ["conflicted"]
    assert {side.path for one in merged.conflicts for side in one.sides} == {
        *(one.path for one in both),
        the(merged).path,
    }


def test_what_the_user_called_true_beside_the_other_is_not_asked_again() -> None:
    one = store(entry(API, name="one"))
    two = store(replace(entry(OTHERWISE, name="two", day=1), agrees_with=(one.path,)))
    again = judged("Our API listens on port 8200.", name="again", day=9)
    assert kinds(merge([again], view(one, two))) == ["promoted"]
    assert kinds(merge([again], view(one))) == ["conflicted"]


def test_an_update_that_contradicts_a_third_is_asked_about() -> None:
    other = store(entry(API, name="api"))
    target = store(entry("The API is written in Go.", name="notes"))
    more = judged(OTHERWISE, action="update", target=1, name="notes", day=9)
    merged = merge([more], View(SCOPE, NOW, [target, other], shown={1: target.path}))
    assert kinds(merged) == ["updated"]
    assert [{side.path for side in one.sides} for one in merged.conflicts] == [{target.path, other.path}]


def test_a_change_of_something_else_replaces_nothing() -> None:
    old = store(entry(API, name="api"))
    for subject, kind in (("the checkout server", "promoted"), ("the API", "superseded")):
        now = f"{subject} listens on port 9300"
        told = judged(now, quote=f"since Monday {now}", name="new", day=9)
        assert kinds(merge([told], view(old))) == [kind]


def test_what_differs_from_what_holds_everywhere_is_no_conflict() -> None:
    everywhere = store(entry(API, name="api", scope=GLOBAL))
    merged = merge([judged(OTHERWISE, name="port", day=9)], view(everywhere))
    assert kinds(merged) == ["promoted"]
    assert merged.conflicts == ()


def test_what_a_second_session_lifts_out_of_the_inbox_is_asked_about() -> None:
    old = store(entry(API, name="api"))
    item = store(entry(OTHERWISE, name="port", origin="assistant-inferred"), folder="inbox")
    seen = View(SCOPE, NOW, [old], inbox=[item])
    told = judged(OTHERWISE, name="port", day=9, origin="assistant-inferred", outcome="quarantine")
    merged = merge([told], seen)
    assert (the(merged).kind, the(merged).reason) == ("conflicted", "second-session")


def test_what_the_user_accepts_from_the_inbox_is_asked_about() -> None:
    old = store(entry(API, name="api"))
    item = store(entry(OTHERWISE, name="port", origin="assistant-inferred"), folder="inbox")
    accepted = accept(item.path, View(SCOPE, NOW, [old], inbox=[item]))
    (section,) = parse(applied([old, item], accepted.changes)[PATH])
    assert {side.path for side in section.sides} == {old.path, accepted.path}
