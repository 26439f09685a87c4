"""A purge takes along what else quotes the memory, nothing more, and is not undone by a re-reading."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from merge_support import NOW, SCOPE, entry, judged, said
from merge_support import store as stored
from support.table import table

from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.merging.merge import merge
from siltstone.pipeline.merging.working_copy import View
from siltstone.pipeline.purging import erase, repeats_of
from siltstone.pipeline.words import letters
from siltstone.store.entry import Entry, Write
from siltstone.store.state import Rejected, State, WindowRow
from siltstone.store.store import Store

FACT = "The build cache lives in .cache/turbo and is safe to delete."
OTHER = "Production runs in Frankfurt."


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with State.open(tmp_path / "state") as opened:
        yield opened


def write(store: Store, of: Entry, folder: str = "") -> str:
    file = stored(of, folder=folder)
    with store.locked():
        store.apply([Write(file.path, file.text, None)], "memory: learn", [("Silt-Op", "extract")])
    return file.path


def reject(state: State, text: str, quotes: str = "", scope: str = SCOPE) -> None:
    window = f"claude/s@{text}"
    row = WindowRow(window, "0001", NOW, scope, "claude", "s", "rules")
    state.advance([], {}, row, [Rejected("0001", window, NOW, "not-user-said", "project", text, quotes)])


def left(state: State) -> set[str]:
    return {row.text for row in state.ledger.rejected()}


@pytest.mark.parametrize("folder", ["inbox", ""])
def test_of_the_ledger_only_what_speaks_of_the_entry_goes(store: Store, state: State, folder: str) -> None:
    path = write(store, entry(FACT, quote="you may delete .cache/turbo"), folder)
    reject(state, FACT.upper(), scope="global")
    reject(state, "Something else", '[4] "you may delete .cache/turbo"')
    reject(state, OTHER, scope="global")
    reject(state, "The CI box has 4 cores", scope=SCOPE)
    erase(store, state, [path], None, lambda: NOW)
    assert left(state) == {OTHER, "The CI box has 4 cores"}


def test_an_older_wording_goes_too(store: Store, state: State) -> None:
    old = entry(FACT, name="cache")
    path = write(store, old)
    with store.locked():
        now = stored(old._replace(body=OTHER, description=OTHER))
        store.apply([Write(path, now.text, store.read(path).hash)], "memory: x", [("Silt-Op", "extract")])
    reject(state, FACT)
    erase(store, state, [path], None, lambda: NOW)
    assert left(state) == set()


def test_of_a_project_everything_goes_and_of_others_nothing(store: Store, state: State) -> None:
    write(store, entry(FACT))
    reject(state, OTHER, scope="global")
    reject(state, "The CI box has 4 cores", scope=SCOPE)
    erase(store, state, [f"{SCOPE}/"], SCOPE, lambda: NOW)
    assert left(state) == {OTHER}


def test_the_same_message_does_not_bring_it_back_and_another_does(store: Store, state: State) -> None:
    path = write(store, entry(FACT, day=1))
    erase(store, state, [path], None, lambda: NOW)
    view = View(SCOPE, NOW, purged=state.purged.all())
    (again,) = merge([judged("Delete .cache/turbo whenever you like", day=1)], view).outcomes
    assert (again.kind, again.reason) == ("rejected", "tombstone")
    (later,) = merge([judged(FACT, day=2)], view).outcomes
    assert later.kind == "promoted"


@table("purging", "repeats")
def test_what_tells_of_it(text: str, told: bool) -> None:
    assert repeats_of([entry(FACT)], [f"{SCOPE}/project-build-cache.md"])(text) == told


@given(st.text("abc xyz", min_size=60, max_size=90), st.text("abc ", max_size=20), st.data())
def test_any_long_piece_of_it_tells(body: str, around: str, data: st.DataObject) -> None:
    said = canonical(body)
    assume(letters(said) >= 12 and len(said) >= 31)
    at = data.draw(st.integers(0, len(said) - 31))
    piece = f"{around}{said[at : at + 31]}{around}"
    assume(said[at : at + 31] in canonical(piece))
    assert repeats_of([entry(said)], [])(piece)


def test_only_a_hash_of_the_message_is_kept(store: Store, state: State, tmp_path: Path) -> None:
    told = entry("Marit lives at Storgata 4", quote="I live at Storgata 4")
    erase(store, state, [write(store, told)], None, lambda: NOW)
    assert state.purged.all() == {said("", 0).message_hash}
    state.close()
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"Storgata" not in kept


def test_a_session_of_an_older_shape_goes_when_a_key_of_it_quotes_the_memory(state: State) -> None:
    for session, body in (("old", {"notes": {FACT: 1}}), ("other", {"notes": {OTHER: 1}})):
        state.sessions.put("claude", session, NOW.timestamp(), json.dumps(body))
    state.purged.forget_if(lambda text: FACT in text, lambda folder: False)
    assert [state.sessions.get("claude", one) is None for one in ("old", "other")] == [True, False]
