"""`undo`: a new commit that restores what nobody touched since, and lists the rest (invariant 10)."""

from store_support import by_hand, drop, put, save, status, text_of, tree
from support.git import git

from siltstone.store.history import tombstones, watermarks
from siltstone.store.history_index import session_trailer
from siltstone.store.store import Store
from siltstone.store.undo import CHANGED, undo

A, B, C = (f"global/project-{name}.md" for name in "abc")
ARCHIVED = "global/archive/project-a.md"


def test_a_run_of_several_commits_is_taken_back(store: Store) -> None:
    save(store, put(store, A, text_of("a")), put(store, B, text_of("b")), run="0001")
    before = tree(store.root)
    save(store, put(store, A, text_of("a 2")), put(store, C, text_of("c")), run="0002")
    save(
        store, drop(store, B), drop(store, A), put(store, ARCHIVED, text_of("a 2")), run="0002", op="compact"
    )

    undone = undo(store, None, store.clock)

    assert (undone.run, undone.left) == ("0002", ())
    assert undone.restored == (ARCHIVED, A, B, C)
    assert undone.commit == git(store.root, "rev-parse", "HEAD").strip()
    assert tree(store.root) == before
    assert status(store.root) == []
    assert git(store.root, "log", "-1", "--format=%B").split("\n") == [
        "memory: undo run 0002", "", "Silt-Op: undo", "Silt-Undoes: 0002", "", "",
    ]  # fmt: skip


def test_what_somebody_touched_since_is_left_and_listed(store: Store) -> None:
    save(store, *(put(store, path, text_of(path)) for path in (A, B)), run="0001")
    save(
        store,
        put(store, A, text_of("a 2")),
        put(store, B, text_of("b 2")),
        put(store, C, text_of("c")),
        run="0002",
    )
    by_hand(store.root, A, text_of("by hand"))
    save(store, drop(store, C), op="forget", run="0003")

    undone = undo(store, "0002", store.clock)

    assert (undone.restored, undone.left) == ((B,), ((A, CHANGED),))
    assert (store.root / A).read_text() == text_of("by hand")
    assert (store.root / B).read_text() == text_of(B)
    assert not (store.root / C).exists()


def test_undo_goes_back_run_by_run_and_can_itself_be_undone(store: Store) -> None:
    trees = []
    for n in range(3):
        save(store, put(store, A, text_of(str(n))), run=f"000{n}")
        trees.append(tree(store.root))
    assert undo(store, None, store.clock).run == "0002"
    assert tree(store.root) == trees[1]
    assert undo(store, None, store.clock).run == "0001"
    assert tree(store.root) == trees[0]
    last = git(store.root, "rev-parse", "HEAD").strip()
    assert undo(store, last[:12], store.clock).restored == (A,)
    assert tree(store.root) == trees[1]


def test_watermarks_stay_and_a_forgotten_fact_comes_back(store: Store) -> None:
    with store.locked():
        trailers = [("Silt-Run", "0001"), ("Silt-Op", "extract"), session_trailer("claude", "s", "m")]
        store.apply([put(store, A, text_of("a"))], "memory: learn", trailers)
    save(store, drop(store, A), op="forget", run="0002")
    assert [t.path for t in tombstones(store)] == [A]
    undo(store, "0002", store.clock)
    assert tombstones(store) == []
    undo(store, "0001", store.clock)
    assert watermarks(store) == {("claude", "s"): "m"}


def test_a_body_of_the_users_is_still_theirs_after_an_undo(store: Store) -> None:
    by_hand(store.root, A, text_of("theirs"))
    save(store, put(store, B, text_of("b")), run="0001")
    save(store, drop(store, A), op="forget", run="0002")
    undo(store, None, store.clock)
    assert [(s.path, s.user_written) for s in store.entries()] == [(A, True), (B, False)]
