"""Undoing a run on which later ones have built: no memory is left pointing at nothing unsaid."""

from dataclasses import replace

from merge_support import NOW, SCOPE, asked, entry, judged, view_of
from merge_support import store as stored

from siltstone.pipeline.conflicts import settle
from siltstone.pipeline.merging.merge import merge
from siltstone.pipeline.merging.working_copy import View
from siltstone.store.conflicts import Tick, conflict_id
from siltstone.store.entry import GLOBAL, Change, Entry, Write
from siltstone.store.store import Store
from siltstone.store.undo import CHANGED, undo

OLD, NEW = f"{SCOPE}/project-old.md", f"{SCOPE}/project-new.md"
SHELVED = f"{SCOPE}/archive/project-old.md"


def save(store: Store, run: str, *made: Change) -> None:
    with store.locked():
        store.apply(made, "memory: x", [("Silt-Run", run), ("Silt-Op", "extract")])


def write(store: Store, run: str, of: Entry) -> str:
    file = stored(of)
    save(store, run, Write(file.path, file.text, None))
    return file.path


def contradicted(store: Store) -> str:
    """Run 1 learns one side, run 2 the other, with a question to the user; its id."""
    write(store, "0001", entry("The limit is 40 requests a minute", name="old"))
    shown = replace(view_of(store), shown={1: OLD})
    said = judged("The limit is 50 requests a minute", action="contradict", target=1, name="new", day=9)
    merged = merge([said], shown)
    save(store, "0002", *merged.changes)
    one, other = asked(merged)[0]
    return conflict_id(one, other)


def tick(store: Store, conflict: str, keep: Tick) -> None:
    view = View(GLOBAL, NOW, store.entries(), conflicts=store.conflicts_file())
    save(store, "0003", *settle(view, None, {conflict: keep}).changes)


def paths(store: Store) -> list[str]:
    return [one.path for one in store.entries(archived=True)]


def test_what_a_ticked_conflict_points_to_stays_and_is_listed(store: Store) -> None:
    tick(store, contradicted(store), 2)
    undone = undo(store, "0002", store.clock)
    assert undone.restored == ()
    assert undone.left == ((NEW, f"{SHELVED} has pointed to it since; undo the run that wrote that first"),)
    assert store.read(SHELVED).entry.superseded_by == NEW
    assert NEW in paths(store)

    assert undo(store, "0003", store.clock).left == ()
    assert undo(store, "0002", store.clock).left == ()
    assert paths(store) == [OLD]
    assert store.conflicts_file() is None


def test_a_side_that_was_archived_since_is_listed(store: Store) -> None:
    tick(store, contradicted(store), 1)
    undone = undo(store, "0002", store.clock)
    assert undone.left == ((NEW, f"it has been moved to {SCOPE}/archive/project-new.md since"),)


def test_sides_that_agree_by_the_users_word_were_changed(store: Store) -> None:
    tick(store, contradicted(store), "both")
    assert undo(store, "0002", store.clock).left == ((NEW, CHANGED),)
    assert store.read(OLD).entry.agrees_with == (NEW,)


def test_whose_a_folder_is_stays_while_memories_stand_in_it(store: Store) -> None:
    owner = f"{SCOPE}/project.yaml"
    file = stored(entry("The limit is 40 requests a minute", name="old"))
    save(store, "0001", Write(file.path, file.text, None), Write(owner, "identities:\n  - path: /x\n", None))
    write(store, "0002", entry("Raise it in the gateway", name="gateway"))
    undone = undo(store, "0001", store.clock)
    assert (undone.restored, [path for path, _ in undone.left]) == ((OLD,), [owner])
    undo(store, "0002", store.clock)
    assert undo(store, "0001", store.clock).restored == (owner,)
