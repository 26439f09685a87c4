"""Merge: what becomes of candidates, told as tables and as properties (invariants 4, 9, 11; A13–A18)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from merge_support import DAY, NOW, SCOPE, applied, entries, entry, judged, only, said, store, view_of

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.conflicts import flag
from siltstone.pipeline.ledger import Outcome, tally
from siltstone.pipeline.merging.merge import Merged, merge
from siltstone.pipeline.merging.working_copy import View
from siltstone.store.conflicts import PATH, conflict_id, parse, render
from siltstone.store.entry import Entry, Stored, Write
from siltstone.store.store import Store


def view(*current: Stored, **more: object) -> View:
    shown = {n: stored.path for n, stored in enumerate(current, 1)}
    return View(SCOPE, NOW, current, shown=shown, **more)  # type: ignore[arg-type]


def kinds(merged: Merged) -> list[str]:
    return [outcome.kind for outcome in merged.outcomes]


def the(merged: Merged) -> Outcome:
    assert len(merged.outcomes) == 1
    return merged.outcomes[0]


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
    merged = merge([judged(PORT, name="note"), judged("The client lives in Leeds.", name="note")], view())
    assert kinds(merged) == ["promoted", "promoted"]
    assert sorted(entries(applied([], merged.changes))) == [
        f"{SCOPE}/project-note-2.md",
        f"{SCOPE}/project-note.md",
    ]


def test_what_the_gate_rejected_is_counted_by_its_reason() -> None:
    merged = merge([judged(PORT, outcome="reject", reason="read-content")], view())
    assert merged.changes == ()
    assert tally(merged.outcomes).rejected == {"read-content": 1}


@pytest.mark.parametrize("action", ["update", "confirm", "supersede", "contradict"])
def test_an_unknown_number_refuses_the_item_and_no_other(action: str) -> None:
    merged = merge([judged(PORT, action=action, target=7), judged("The client lives in Leeds.")], view())  # type: ignore[arg-type]
    assert sorted(kinds(merged)) == ["promoted", "rejected"]
    assert tally(merged.outcomes).rejected == {"unknown-target": 1}


SAME = {
    "form only (A13)": ("Use NPM CACHE for plugins!!", "decision", "use npm cache for plugins.", "decision"),
    "another type": (PORT, "project", PORT, "reference"),
    "one path (A14)": (
        "Config location: .opencode/opencode.json",
        "reference",
        "OpenCode config path `.opencode/opencode.json`",
        "reference",
    ),
    "full-width letters": ("用 pnpm 安装依赖", "feedback", "用 ｐｎｐｍ 安装依赖。", "feedback"),
    "a path at home": (
        "Storage folder: ~/.local/share/quarry",
        "reference",
        "Storage lives in `~/.local/share/quarry/`",
        "reference",
    ),
    "one URL (A14)": (
        "Docs: https://example.com/memory?version=1#install",
        "reference",
        "Docs: https://EXAMPLE.com/memory?version=1",
        "reference",
    ),
}


@pytest.mark.parametrize("case", SAME.values(), ids=SAME.keys())
def test_a_repeat_is_absorbed_and_reinforces(case: tuple[str, str, str, str]) -> None:
    old = store(entry(case[0], type=case[1]))  # type: ignore[arg-type]
    merged = merge([judged(case[2], type=case[3], day=5)], view(old))  # type: ignore[arg-type]
    assert (the(merged).kind, the(merged).reason, the(merged).path) == ("absorbed", "duplicate", old.path)
    (made,) = entries(applied([old], merged.changes)).values()
    assert [item.at for item in made.evidence] == [DAY, said("", 5).at]
    assert made.updated == said("", 5).at


APART = {
    "a path and two facts": (
        "config/app.yml holds the rate limits",
        "Never edit config/app.yml by hand",
        "project",
    ),
    "one file, two facts": (
        "Settings in src/a.ts: retries 3",
        "Settings in src/a.ts: timeout 40",
        "reference",
    ),
    "two languages": (
        "This repo uses the quarry plugin system",
        "此 repo 使用 quarry 插件系统",
        "project",
    ),
    "another query": ("Docs: https://x.test/m?version=1", "Docs: https://x.test/m?version=2", "reference"),
    "alike decisions (A15)": (
        "Plugin loading uses the config's plugin array for registration",
        "Plugin loading uses the config's plugin folder for registration",
        "decision",
    ),
    "alike feedback (A15)": (
        "Text issue resolved by using plain labels instead of markup",
        "Text issue resolved by replacing the template instead of markup",
        "feedback",
    ),
}


@pytest.mark.parametrize("case", APART.values(), ids=APART.keys())
def test_near_duplicates_stay_apart(case: tuple[str, str, str]) -> None:
    old = store(entry(case[0], type=case[2], name="old"))  # type: ignore[arg-type]
    merged = merge([judged(case[1], type=case[2], name="new", day=5)], view(old))  # type: ignore[arg-type]
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
    assert merged.conflicts == ()


CHANGES = {
    "named by the model": ("supersede", 1, "We no longer host on Vercel, the shop runs on Fly.io"),
    "called a contradiction": ("contradict", 1, "We no longer host on Vercel, the shop runs on Fly.io"),
    "called an update": ("update", 1, "Hosting is Fly.io now, we moved off Vercel"),
    "missed by the model": ("create", None, "We no longer host on Vercel, the shop runs on Fly.io"),
}


@pytest.mark.parametrize("case", CHANGES.values(), ids=CHANGES.keys())
def test_the_users_word_of_change_supersedes(case: tuple[str, int | None, str]) -> None:
    old = store(entry(HOSTING, name="hosting"))
    new = judged("Hosting is Fly.io.", action=case[0], target=case[1], quote=case[2], name="fly", day=9)  # type: ignore[arg-type]
    merged = merge([new], view(old))
    assert kinds(merged) == ["superseded"]
    files = entries(applied([old], merged.changes))
    assert sorted(files) == [f"{SCOPE}/archive/project-hosting.md", f"{SCOPE}/project-fly.md"]
    gone = files[f"{SCOPE}/archive/project-hosting.md"]
    assert (gone.superseded_by, gone.superseded_at) == (f"{SCOPE}/project-fly.md", said("", 9).at)


NO_CHANGE = {
    "no word of change": ({"quote": "free shipping is from £50"}, {}),
    "not the user's words": ({"quote": "switched to £50 for free shipping", "origin": "tool-observed"}, {}),
    "older than the old": ({"quote": "switched to £50 for free shipping", "day": -9}, {}),
    "the old one is the user's own": (
        {"quote": "switched to £50 for free shipping"},
        {"user_written": True},
    ),
    "the old one is pinned": ({"quote": "switched to £50 for free shipping"}, {"folder": "system"}),
}


@pytest.mark.parametrize("case", NO_CHANGE.values(), ids=NO_CHANGE.keys())
def test_without_it_both_stay_and_the_user_is_asked(
    case: tuple[dict[str, object], dict[str, object]],
) -> None:
    old = store(entry("Free shipping starts at £40.", name="threshold"), **case[1])  # type: ignore[arg-type]
    asked = {"day": 9, **case[0]}
    new = judged("Free shipping is from £50.", action="supersede", target=1, name="threshold", **asked)  # type: ignore[arg-type]
    merged = merge([new], view(old))
    assert kinds(merged) == ["conflicted"]
    files = applied([old], merged.changes)
    assert files[old.path] == old.text
    (section,) = parse(files[PATH])
    assert section.id == conflict_id(old.path, the(merged).path or "")
    assert merged.conflicts == (section,)
    assert {side.path for side in section.sides} == {old.path, the(merged).path}
    assert section.sides[0].day <= section.sides[1].day


def test_a_conflict_is_asked_once_and_repeats_are_absorbed() -> None:
    old = store(entry("Free shipping starts at £40.", name="threshold"))
    new = judged("Free shipping is from £50.", action="contradict", target=1, name="other", day=9)
    first = applied([old], merge([new], view(old)).changes)
    stored = [store(found) for found in entries(first).values()]
    again = judged("Free shipping is from £50!", action="contradict", target=1, name="other", day=12)
    shown = {1: old.path}
    merged = merge([again], View(SCOPE, NOW, stored, conflicts=first[PATH], shown=shown))
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
    merged = merge([new], view(forty, fifty, conflicts=render(sections)))
    assert kinds(merged) == ["superseded"]
    (written,) = (c for c in merged.changes if isinstance(c, Write) and c.path == PATH)
    left, asked = parse(written.text)
    assert left == sections[1]
    assert [side.path for side in asked.sides] == [fifty.path, the(merged).path]


def test_a_fact_from_before_the_change_is_absorbed_as_older() -> None:
    new = store(entry("Hosting is Fly.io.", name="fly", day=9, quote="we switched to Fly.io"))
    gone = entry(HOSTING, name="hosting")
    old = store(replace(gone, superseded_by=new.path, superseded_at=said("", 9).at), folder="archive")
    late = judged(HOSTING, name="vercel", day=4)
    merged = merge([late], View(SCOPE, NOW, [new], archived=[old]))
    assert (the(merged).kind, the(merged).reason, the(merged).path) == ("absorbed", "older", new.path)
    assert merged.changes == ()
    after = judged(HOSTING, name="vercel", day=12)
    assert kinds(merge([after], View(SCOPE, NOW, [new], archived=[old]))) == ["conflicted"]


def test_an_older_contradiction_of_an_announced_change_is_absorbed() -> None:
    new = store(entry("Hosting is Fly.io.", name="fly", day=9, quote="we switched from Vercel to Fly.io"))
    late = judged(HOSTING, action="contradict", target=1, day=4)
    assert (the(merge([late], view(new))).reason) == "older"


UPDATES = {
    "nothing lost: rewritten": (
        "Run tests with `uv run pytest`.",
        "Run all tests with `uv run pytest`, with 4 workers.",
        "Run all tests with `uv run pytest`, with 4 workers.",
    ),
    "a handle lost: appended": (
        "The API listens on port 8080.",
        "The API is behind nginx.",
        "The API listens on port 8080.\nThe API is behind nginx.",
    ),
    "another text: appended": (
        "Ask before adding a dependency to the project.",
        "Ask the client in writing.",
        "Ask before adding a dependency to the project.\nAsk the client in writing.",
    ),
    "the why is carried": (
        "Run tests with `uv run pytest`.\nWhy: the system Python lacks them.",
        "Run tests with `uv run pytest` and 4 workers.",
        "Run tests with `uv run pytest` and 4 workers.\nWhy: the system Python lacks them.",
    ),
}


@pytest.mark.parametrize("case", UPDATES.values(), ids=UPDATES.keys())
def test_an_update_loses_nothing(case: tuple[str, str, str]) -> None:
    old = store(entry(case[0], description="About it"))
    new = judged(case[1], action="update", target=1, day=5, description="About it, again")
    merged = merge([new], view(old))
    assert (the(merged).kind, the(merged).path) == ("updated", old.path)
    (made,) = entries(applied([old], merged.changes)).values()
    assert made.body == case[2]
    assert len(made.evidence) == 2


def test_an_older_update_never_rewrites() -> None:
    old = store(entry("Run tests with `uv run pytest -n 4`.", day=9))
    new = judged("Run tests with `uv run pytest -n 4` slowly.", action="update", target=1, day=2)
    (made,) = entries(applied([old], merge([new], view(old)).changes)).values()
    assert made.body.splitlines()[0] == old.entry.body


def test_an_update_that_outgrows_the_file_is_refused() -> None:
    old = store(entry("Port 8080. " + "word " * 950))
    new = judged("Ninety " * 90, action="update", target=1, day=5)
    assert the(merge([new], view(old))).reason == "over-limit"


GUARDED = {"readonly": {"readonly": True}, "the user's own": {}, "better proven": {}}


@pytest.mark.parametrize("case", GUARDED)
def test_an_update_of_what_may_not_be_rewritten_stands_beside_it(case: str) -> None:
    old = store(
        entry("The API listens on port 8080.", readonly=case == "readonly"),
        user_written=case == "the user's own",
    )
    origin = "tool-observed" if case == "better proven" else "user-said"
    new = judged("The API is behind nginx.", action="update", target=1, day=5, origin=origin)  # type: ignore[arg-type]
    merged = merge([new], view(old))
    assert kinds(merged) == ["promoted"]
    assert applied([old], merged.changes)[old.path] == old.text


def test_readonly_is_not_even_reinforced() -> None:
    old = store(entry(PORT, readonly=True))
    assert merge([judged(PORT, day=4)], view(old)).changes == ()


def test_worse_proof_adds_nothing_to_a_better_proven_memory() -> None:
    old = store(entry(PORT))
    merged = merge([judged(PORT, day=4, origin="tool-observed")], view(old))
    assert (the(merged).kind, merged.changes) == ("absorbed", ())


def test_the_users_words_raise_what_a_tool_showed() -> None:
    old = store(entry(PORT, origin="tool-observed"))
    made = only(applied([old], merge([judged(PORT, day=4)], view(old)).changes), "8080")
    assert made.origin == "user-said"


class Grave:
    """A tombstone as store/history.py gives it."""

    def __init__(self, entry: Entry, day: int) -> None:
        self.path = f"{entry.scope}/{entry.type}-{entry.name}.md"
        self.entry = entry
        self.deleted_at = said("", day).at


GRAVES = {
    "the same words, told before": (PORT, 3, "s3", "tombstone"),
    "nearly the same, told before": ("The API listens on port 8080, nginx.", 3, "s3", "tombstone"),
    "of the same message": ("Something else that was in it.", 0, "s0", "tombstone"),
    "another fact, told before": ("The client lives in Leeds.", 3, "s3", "accepted"),
    "told after the deletion": (PORT, 8, "s8", "accepted"),
}


@pytest.mark.parametrize("case", GRAVES.values(), ids=GRAVES.keys())
def test_what_the_user_deleted_does_not_come_back(case: tuple[str, int, str, str]) -> None:
    body, day, session, reason = case
    new = judged(body, evidence=[said(body, day, session)])
    merged = merge([new], view(tombstones=[Grave(entry(PORT), 5)]))
    assert the(merged).reason == reason


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
    assert counts.candidates == len(batch)
    assert sum(counts.outcome().values()) + counts.rejected.total() == len(batch)
    files = applied(OLD, merged.changes)
    made = entries(files)
    assert not [path for path in files if ".." in path]
    for old in OLD:
        assert any(set(old.entry.evidence) <= set(now.evidence) for now in made.values()), (
            "evidence of an entry is gone"
        )
    assert files[OLD[2].path] == OLD[2].text or made[OLD[2].path].body == OLD[2].entry.body
    for outcome in merged.outcomes:
        assert (outcome.path is None) == (outcome.kind == "rejected")
        assert (
            outcome.path is None
            or outcome.path in made
            or outcome.kind in ("absorbed", "promoted", "updated", "conflicted", "superseded")
        )


@given(st.lists(candidates(), max_size=3))
@settings(max_examples=50, deadline=None)
def test_the_order_in_which_a_reply_lists_them_does_not_matter(batch: list[Judged]) -> None:
    results = {_tree(batch_, OLD) for batch_ in permutations(batch)}
    assert len(results) == 1


def _tree(batch: Sequence[Judged], stored: Sequence[Stored]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(applied(stored, merge(batch, view(*stored)).changes).items()))


# over a real store in git


def learn(store: Store, body: str, day: int = 0) -> list[str]:
    made = merge([judged(body, name="port", day=day)], view_of(store))
    with store.locked():
        store.apply(made.changes, "memory: learn", [("Silt-Run", "0001"), ("Silt-Op", "extract")])
    return [outcome.kind for outcome in made.outcomes]


def edit_by_hand(store: Store, old: str, new: str) -> Path:
    (path,) = (store.root / SCOPE).glob("*.md")
    path.write_text(path.read_text().replace(old, new))
    with store.locked():
        store.settle()
    return path


def test_a_hand_edited_file_keeps_its_comments_when_it_is_reinforced(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "memory", clock=lambda: NOW)
    learn(store, "The API listens on port 8080.")
    path = edit_by_hand(store, "limit: 5000", "mine: yes  # keep this\nlimit: 5000")
    assert learn(store, "The API listens on port 8080!", day=5) == ["absorbed"]
    assert "mine: yes  # keep this" in path.read_text()
    (stored,) = store.entries()
    assert len(stored.entry.evidence) == 2


def test_a_body_of_the_users_stays_the_users_when_it_is_reinforced(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "memory", clock=lambda: NOW)
    learn(store, "The API listens on port 8080.")
    edit_by_hand(store, "\nThe API", "\nOur API")
    assert learn(store, "our API listens on port 8080", day=5) == ["absorbed"]
    (stored,) = store.entries()
    assert stored.user_written
    assert len(stored.entry.evidence) == 2
