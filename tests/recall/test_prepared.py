"""What is prepared: fits the store, however it came about, and is read in moments from any size."""

import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.recalled import BOTH, LARKSPUR, NOTHING, block, conflict, memory, prepare, view_of
from support.snapshots import snapshot_of

from siltstone.recall.prepared import FILE, Hit, Prepared
from siltstone.recall.prepared_writer import Differ, Facts, PreparedWriter
from siltstone.recall.selection import CAPS
from siltstone.store.entry import GLOBAL, TYPES, Stored
from siltstone.store.errors import Locked, StateError
from siltstone.store.frontmatter import parse
from siltstone.store.identity import Identity

SHIPPING = memory("Free shipping starts at £40")
PNPM = memory("Use pnpm", "feedback", scope=GLOBAL, repeats=2, source="explicit")
COPY = memory("Copy is British English", "feedback", body="Every word of it.\nAlso alt texts.", hot=True)
OTHER = memory("Somewhere else", scope="projects/heron")
ALL = [SHIPPING, PNPM, COPY, OTHER]


def test_a_view_holds_its_scopes_and_no_others(tmp_path: Path) -> None:
    prepare(tmp_path, ALL)
    view = view_of(tmp_path)
    assert {one.path for one in view.candidates} == {SHIPPING.path, PNPM.path}
    assert [one.path for one in view.hot] == [COPY.path]
    assert [scope.totals for scope in view.scopes] == [{"feedback": 1}, {"project": 1}]
    assert view_of(tmp_path, ["projects/unknown"]).candidates == ()


def test_a_fragment_carries_what_showing_needs(tmp_path: Path) -> None:
    prepare(tmp_path, [PNPM, COPY])
    view = view_of(tmp_path)
    (pnpm,), (copy,) = view.candidates, view.hot
    assert (pnpm.repeats, pnpm.initial, pnpm.more, pnpm.body) == (2, 4.5, 0, "")
    assert pnpm.clock == PNPM.entry.updated.timestamp()
    assert copy.body == "  Every word of it.\n  Also alt texts."
    assert (copy.chars, copy.limit, copy.more) == (33, 5000, 1)


@pytest.mark.parametrize(("key", "factor"), [("high", 1.5), ("low", 0.7), ("normal", 1.0), ("gigantic", 1.0)])
def test_importance_is_an_optional_key_of_the_frontmatter(tmp_path: Path, key: str, factor: float) -> None:
    """A26: other keys, such as `safetyCritical`, do nothing."""
    text = f"---\nname: x\nimportance: {key}\nsafetyCritical: true\n---\nFree shipping\n"
    entry = SHIPPING.entry._replace(importance=parse(SHIPPING.path, text).importance)
    prepare(tmp_path, [SHIPPING._replace(entry=entry)])
    assert view_of(tmp_path).candidates[0].initial == pytest.approx(1.25 * factor)


def test_what_was_superseded_is_counted_and_not_shown(tmp_path: Path) -> None:
    old = memory("Free shipping starts at £30", superseded_by=SHIPPING.path)
    prepare(tmp_path, [old._replace(hash="before", entry=old.entry._replace(superseded_by=None))])
    prepare(tmp_path, [SHIPPING, old], Facts(archived={LARKSPUR: 2}))
    view = view_of(tmp_path)
    assert [one.path for one in view.candidates] == [SHIPPING.path]
    assert block(view).receipt.left == {"superseded": 3}


def test_conflicts_and_unreadable_files_are_told_where_they_stand(tmp_path: Path) -> None:
    facts = Facts(
        [conflict(SHIPPING.path, f"{LARKSPUR}/project-b.md"), conflict(OTHER.path, OTHER.path)],
        unreadable={f"{LARKSPUR}/bad.md": "bad.md, line 3: no", "projects/heron/x.md": "elsewhere"},
    )
    prepare(tmp_path, ALL, facts)
    view = view_of(tmp_path)
    assert view.conflicts == 1
    assert [one.path for one in view.candidates if one.in_conflict] == [SHIPPING.path]
    assert view.unreadable == ("bad.md, line 3: no",)
    prepare(tmp_path, ALL)
    assert view_of(tmp_path).conflicts == 0


def test_identities_lead_to_scopes(tmp_path: Path) -> None:
    facts = Facts(
        projects={LARKSPUR: [Identity("remote", "github.com/acme/larkspur"), Identity("path", "/l")]}
    )
    prepare(tmp_path, [], facts)
    with Prepared(str(tmp_path)) as prepared:
        assert prepared.scope_of("path", "/l") == LARKSPUR
        assert prepared.scope_of("git", "/l") is None
        assert prepared.scope_of("path", "/\udcff") is None


def disagree(mine: Stored, others: Sequence[Stored]) -> Differ:
    """A stand-in for the pipeline's judgement: a memory and each of the others differ."""

    def differ(changed: Collection[str]) -> list[tuple[Stored, Stored]]:
        return [(mine, other) for other in others if mine.path in changed or other.path in changed]

    return differ


def test_a_project_fact_stands_in_for_a_global_one(tmp_path: Path) -> None:
    npm = memory("Use npm", "feedback")
    differ = disagree(npm, [PNPM])
    prepare(tmp_path, [npm, PNPM, OTHER], differ=differ)
    assert [one.path for one in view_of(tmp_path).candidates] == [npm.path]
    assert [one.path for one in view_of(tmp_path, [GLOBAL, "projects/heron"]).candidates] == [
        PNPM.path,
        OTHER.path,
    ]
    assert block(view_of(tmp_path)).receipt.left == {"overridden": 1}


def test_a_hidden_memory_takes_no_others_place(tmp_path: Path) -> None:
    npm = memory("Use npm", "feedback")
    hidden = [memory(f"Hidden {n}", "reference", scope=GLOBAL, source="explicit") for n in range(6)]
    shown = [memory(f"Shown {n}", "reference", scope=GLOBAL) for n in range(6)]

    prepare(tmp_path, [npm, *hidden, *shown], differ=disagree(npm, hidden))
    view = view_of(tmp_path)
    assert {one.name for one in view.candidates} == {"use-npm", *(f"shown-{n}" for n in range(6))}
    with Prepared(str(tmp_path)) as prepared:
        found = prepared.fragments([hidden[0].path, "global/none.md"])
    assert list(found) == [hidden[0].path]
    made = block(view, hits=[Hit(found[hidden[0].path], 90)])
    assert "Hidden" not in made.text


@pytest.mark.parametrize("changes", ["mine", "other"])
def test_an_override_is_judged_again_when_either_side_changes(tmp_path: Path, changes: str) -> None:
    npm = memory("Use npm", "feedback")
    differ = disagree(npm, [PNPM])
    prepare(tmp_path, [npm, PNPM], differ=differ)
    prepare(tmp_path, [npm, PNPM])
    assert view_of(tmp_path).overridden == (PNPM.path,)
    new = [npm._replace(hash="new"), PNPM] if changes == "mine" else [npm, PNPM._replace(hash="new")]
    prepare(tmp_path, new)
    assert view_of(tmp_path).overridden == ()
    prepare(tmp_path, [npm, PNPM], differ=differ)
    assert view_of(tmp_path).overridden == (PNPM.path,)
    prepare(tmp_path, [PNPM])
    assert view_of(tmp_path).overridden == ()


MEMORIES = st.lists(
    st.builds(
        memory,
        st.sampled_from([f"Fact number {n}" for n in range(40)]),
        st.sampled_from(TYPES),
        scope=st.sampled_from([*BOTH, "projects/heron"]),
        days=st.integers(0, 400),
        repeats=st.integers(0, 6),
        source=st.sampled_from(["explicit", "extraction", "manual"]),
        hot=st.booleans(),
    ),
    max_size=60,
    unique_by=lambda one: one.path,
)


@given(MEMORIES, MEMORIES)
def test_however_it_came_about_it_says_the_same(
    tmp_path_factory: pytest.TempPathFactory, before: list[Stored], after: list[Stored]
) -> None:
    """Invariant 12: what was synced step by step, and what is made anew, are one."""
    grown, fresh = tmp_path_factory.mktemp("grown"), tmp_path_factory.mktemp("fresh")
    prepare(grown, before)
    prepare(grown, after)
    prepare(fresh, reversed(after))
    assert view_of(grown) == view_of(fresh)


@given(MEMORIES)
def test_the_best_of_each_class_are_enough(
    tmp_path_factory: pytest.TempPathFactory, all: list[Stored]
) -> None:
    """Reading a few rows of each class shows the same block as reading them all."""
    folder = tmp_path_factory.mktemp("prepared")
    prepare(folder, all)
    with Prepared(str(folder)) as prepared:
        few = prepared.view(BOTH, dict.fromkeys(TYPES, 3))
        some, whole = prepared.view(BOTH, CAPS), prepared.view(BOTH, dict.fromkeys(TYPES, 1000))
    assert block(some).text == block(whole).text
    assert len(few.candidates) <= len(BOTH) * len(TYPES) * 7 * 3


def test_a_sync_that_changes_nothing_writes_no_memory(tmp_path: Path) -> None:
    with PreparedWriter(tmp_path) as preparation:
        assert preparation.sync(snapshot_of(ALL), *NOTHING) == 4
        assert preparation.sync(snapshot_of(ALL), *NOTHING) == 0
        assert preparation.sync(snapshot_of([*ALL[1:], SHIPPING._replace(hash="new")]), *NOTHING) == 1
        assert preparation.sync(snapshot_of([]), *NOTHING) == 4


def filled_anew(folder: Path) -> bool:
    """Whether the next sync makes the file good: whole, private and with all that is to be shown."""
    prepare(folder, ALL)
    with closing(sqlite3.connect(folder / FILE)) as db:
        whole = db.execute("pragma integrity_check").fetchall() == [("ok",)]
    private = (folder / FILE).stat().st_mode & 0o777 == 0o600
    return whole and private and len(view_of(folder).candidates) == 2


def changed(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute(sql)


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 99, b"SQLite format 3\0" + bytes(3000)])
def test_a_damaged_file_is_thrown_away_and_filled_anew(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE).write_bytes(damage)
    with pytest.raises(StateError, match="silt rebuild"):
        Prepared(str(tmp_path))
    assert filled_anew(tmp_path)


def test_damage_that_is_met_late_is_thrown_away_too(tmp_path: Path) -> None:
    prepare(tmp_path, [memory(f"Fact {n} {'x' * 200}") for n in range(400)])
    data = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(data[: len(data) // 2] + b"\xff" * (len(data) // 2))
    assert filled_anew(tmp_path)


@pytest.mark.parametrize("name", ["override", "overridden", "overriding", "best", "facts", "fragment"])
def test_damage_that_writing_passes_over_is_thrown_away_too(tmp_path: Path, name: str) -> None:
    prepare(tmp_path, ALL)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        (page,) = db.execute("select rootpage from sqlite_master where name = ?", (name,)).fetchone()
        (size,) = db.execute("pragma page_size").fetchone()
        db.execute("pragma wal_checkpoint(truncate)")
    data = bytearray((tmp_path / FILE).read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    (tmp_path / FILE).write_bytes(data)
    assert filled_anew(tmp_path)


@pytest.mark.parametrize("name", ["fragment", "override", "facts"])
def test_a_file_that_lacks_a_table_is_made_anew(tmp_path: Path, name: str) -> None:
    prepare(tmp_path, ALL)
    changed(tmp_path, f"drop table {name}")
    assert filled_anew(tmp_path)


def test_what_was_taken_out_is_nowhere_in_the_file(tmp_path: Path) -> None:
    prepare(tmp_path, [*ALL, memory("Marmalade", body="x")])
    assert any(b"Marmalade" in file.read_bytes() for file in tmp_path.iterdir())
    prepare(tmp_path, ALL)
    assert not any(b"Marmalade" in file.read_bytes() for file in tmp_path.iterdir())


def test_a_file_of_another_version_is_made_anew(tmp_path: Path) -> None:
    prepare(tmp_path, ALL)
    changed(tmp_path, "pragma user_version = 99")
    with pytest.raises(StateError, match="another version of siltstone"):
        Prepared(str(tmp_path))
    assert filled_anew(tmp_path)


def test_who_shows_does_not_wait_for_who_writes_unless_the_file_is_held_altogether(tmp_path: Path) -> None:
    prepare(tmp_path, ALL)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        db.execute("begin immediate")
        db.execute("delete from fragment")
        assert len(view_of(tmp_path).candidates) == 2
        db.execute("rollback")
        db.execute("pragma locking_mode = exclusive")
        db.execute("begin exclusive")
        with pytest.raises((Locked, StateError)):
            view_of(tmp_path)


def test_a_clipped_description_is_shown_with_its_exception(tmp_path: Path) -> None:
    rule = f"Use `pnpm e2e:stub` for everything {'that runs in a browser ' * 6}but the real one when I ask."
    prepare(tmp_path, [memory(f"{rule[:139]}…", body=rule)])
    assert "but the real one when I ask." in block(view_of(tmp_path)).text
    prepare(
        tmp_path, [memory(f"Use `pnpm e2e:stub`, {'in a browser or a shell, ' * 12}unless I ask for more.")]
    )
    (line,) = [line for line in block(view_of(tmp_path)).text.splitlines() if "e2e" in line]
    assert "in a … unless I ask for more. [+" in line
    assert len(line) < 340
