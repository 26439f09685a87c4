"""What history tells: watermarks, tombstones, authorship, moves, runs."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_support import BROKEN, OURS, by_hand, drop, open_store, put, save, text_of
from support.git import git

from siltstone.store import commits, history_index
from siltstone.store.errors import EntryError, StoreError
from siltstone.store.history import history, log, runs, tombstones, watermarks
from siltstone.store.history_index import session_of, session_trailer
from siltstone.store.store import Store

FACT = "global/project-fact.md"
OTHER = "global/project-other.md"
MOVED = "global/archive/project-fact.md"


def settle(store: Store) -> None:
    with store.locked():
        store.settle()


def read_to(store: Store, *marks: tuple[str, str, str]) -> str:
    with store.locked():
        return store.apply([], "memory: read", [*OURS, *(session_trailer(*mark) for mark in marks)])


def written(store: Store, archived: bool = False) -> dict[str, bool]:
    return {s.path: s.user_written for s in store.entries(archived=archived)}


# Watermarks


def test_the_last_committed_message_of_each_session_is_its_watermark(store: Store) -> None:
    assert watermarks(store) == {}
    first = read_to(store, ("claude", "s1", "m1"), ("codex", "s1", "x"))
    read_to(store, ("claude", "s1", "m2"))
    expected = {("claude", "s1"): "m2", ("codex", "s1"): "x"}
    assert watermarks(store) == expected
    assert watermarks(open_store(store.root)) == expected
    assert watermarks(store, since=first) == {("claude", "s1"): "m2"}


def test_a_watermark_quoted_in_a_body_is_none(store: Store) -> None:
    with store.locked():
        store.apply(
            [], "memory: x", OURS, body="Silt-Session: claude/s@forged\n\nSilt-Session: claude/t@forged"
        )
    git(store.root, "commit", "-q", "--allow-empty", "-m", "mine\nSilt-Session: claude/s@forged")
    assert watermarks(store) == {}


@given(st.sampled_from(["claude", "codex"]), st.text(max_size=40), st.text(max_size=40))
def test_any_ids_survive_the_trailer(agent: str, session: str, message: str) -> None:
    key, value = session_trailer(agent, session, message)
    text = commits.message("memory: x", "", [("Silt-Op", "extract"), (key, value)])
    trailers = dict(commits.trailers_of(text))
    clean = [part.encode("utf-8", "replace").decode() for part in (session, message)]
    assert session_of(trailers[key]) == (agent, *clean)


@pytest.mark.parametrize("value", ["", "claude", "claude/s", "/s@m", "s@m"])
def test_what_is_no_session_trailer_is_passed_over(value: str) -> None:
    assert session_of(value) is None


# Authorship (invariant 9)


def test_a_body_last_changed_by_the_user_is_the_users(store: Store) -> None:
    save(store, put(store, FACT, text_of("ours")), put(store, OTHER, text_of("other")))
    assert written(store) == {FACT: False, OTHER: False}
    by_hand(store.root, FACT, text_of("theirs"))
    assert written(store) == {FACT: True, OTHER: False}
    settle(store)
    assert written(store) == {FACT: True, OTHER: False}
    assert written(open_store(store.root)) == {FACT: True, OTHER: False}


def test_frontmatter_alone_does_not_make_the_body_the_users(store: Store) -> None:
    save(store, put(store, FACT, text_of("ours")))
    by_hand(store.root, FACT, text_of("ours", name="renamed"))
    settle(store)
    assert written(store) == {FACT: False}


def test_our_evidence_on_the_users_body_leaves_it_theirs(store: Store) -> None:
    by_hand(store.root, FACT, text_of("theirs"))
    settle(store)
    save(store, put(store, FACT, text_of("theirs", quote="again")))
    assert written(store) == {FACT: True}
    save(store, drop(store, FACT), put(store, MOVED, text_of("theirs", quote="again")))
    assert written(store, archived=True) == {MOVED: True}


def test_a_rename_by_the_user_leaves_our_body_ours(store: Store) -> None:
    save(store, put(store, FACT, text_of("ours")))
    (store.root / FACT).rename(store.root / OTHER)
    settle(store)
    assert written(store) == {OTHER: False}


def test_a_body_we_wrote_over_the_users_is_ours(store: Store) -> None:
    by_hand(store.root, FACT, text_of("theirs"))
    settle(store)
    save(store, put(store, FACT, text_of("ours")))
    assert written(store) == {FACT: False}


# Tombstones (invariant 9)


def buried(store: Store) -> list[tuple[str, str]]:
    return [(t.path, t.entry.body) for t in tombstones(store)]


@pytest.mark.parametrize("who", ["user", "forget"])
def test_a_deletion_on_purpose_is_a_tombstone(store: Store, who: str) -> None:
    save(store, put(store, FACT, text_of("gone", quote="q")))
    if who == "user":
        (store.root / FACT).unlink()
        settle(store)
    else:
        save(store, drop(store, FACT), op="forget")
    assert buried(store) == [(FACT, "gone")]
    assert tombstones(store)[0].deleted_at == store.clock()
    assert buried(open_store(store.root)) == [(FACT, "gone")]


@pytest.mark.parametrize(
    ("body", "quote"),
    [pytest.param("fact", "", id="same body"), pytest.param("edited", "q", id="same evidence")],
)
def test_a_rename_is_no_tombstone(store: Store, body: str, quote: str) -> None:
    save(store, put(store, FACT, text_of("fact", quote=quote)))
    (store.root / FACT).unlink()
    by_hand(store.root, "projects/a/project-new.md", text_of(body, quote=quote))
    settle(store)
    assert buried(store) == []


def test_a_deletion_beside_an_unlike_new_file_is_a_tombstone(store: Store) -> None:
    save(store, put(store, FACT, text_of("fact", quote="q")))
    (store.root / FACT).unlink()
    by_hand(store.root, OTHER, text_of("another", quote="r"))
    settle(store)
    assert buried(store) == [(FACT, "fact")]


def test_what_we_archive_or_merge_is_no_tombstone(store: Store) -> None:
    save(store, put(store, FACT, text_of("a")), put(store, OTHER, text_of("b")))
    save(store, drop(store, FACT), put(store, MOVED, text_of("a", quote="q")), op="compact")
    save(store, drop(store, OTHER), op="compact")
    assert buried(store) == []


def test_what_comes_back_is_no_tombstone_any_more(store: Store) -> None:
    save(store, put(store, FACT, text_of("a")))
    save(store, drop(store, FACT), op="forget")
    save(store, put(store, FACT, text_of("learnt anew")), op="extract")
    assert buried(store) == [(FACT, "a")]
    by_hand(store.root, FACT, text_of("by hand"))
    settle(store)
    assert buried(store) == []


def test_deletions_of_other_files_are_no_tombstones(store: Store) -> None:
    by_hand(store.root, "notes.txt", "x")
    by_hand(store.root, "global/project-bad.md", BROKEN)
    settle(store)
    (store.root / "notes.txt").unlink()
    (store.root / "global/project-bad.md").unlink()
    settle(store)
    assert buried(store) == []


# The pass is kept by HEAD


@pytest.mark.parametrize("spoil", ["kept", "torn", "another version", "head is gone", "missing"])
def test_the_index_are_rebuilt_when_they_do_not_fit(
    store: Store, monkeypatch: pytest.MonkeyPatch, spoil: str
) -> None:
    by_hand(store.root, FACT, text_of("theirs"))
    settle(store)
    for n in range(history_index.KEEP_AFTER):
        read_to(store, ("claude", "s", f"m{n}"))
    expected = open_store(store.root).history_index()
    path = store.git.dir / history_index.FILE
    value = json.loads(path.read_text())
    assert value["head"] == expected.head
    if spoil == "torn":
        path.write_text(path.read_text()[:40])
    if spoil == "another version":
        path.write_text(json.dumps(value | {"version": 99, "bodies": []}))
    if spoil == "head is gone":
        path.write_text(json.dumps(value | {"head": "1" * 40, "bodies": ["x"]}))
    if spoil == "missing":
        path.unlink()
    assert open_store(store.root).history_index() == expected


def test_one_commit_of_many_files_is_read_once(store: Store) -> None:
    files = [
        put(store, f"global/project-n{n}.md", text_of("x")) for n in range(history_index.KEEP_AFTER_FILES)
    ]
    save(store, *files)
    expected = open_store(store.root).history_index()
    assert json.loads((store.git.dir / history_index.FILE).read_text())["head"] == expected.head


def test_rewound_history_is_read_again(store: Store) -> None:
    read_to(store, ("claude", "s", "m1"))
    for n in range(history_index.KEEP_AFTER):
        read_to(store, ("claude", "s", f"late-{n}"))
    assert watermarks(store) == {("claude", "s"): f"late-{history_index.KEEP_AFTER - 1}"}
    git(store.root, "reset", "-q", "--hard", f"HEAD~{history_index.KEEP_AFTER}")
    assert watermarks(store) == {("claude", "s"): "m1"}
    assert watermarks(open_store(store.root)) == {("claude", "s"): "m1"}


def test_the_index_hold_no_content(store: Store) -> None:
    by_hand(store.root, FACT, text_of("very private words"))
    settle(store)
    (store.root / FACT).unlink()
    settle(store)
    for _ in range(history_index.KEEP_AFTER):
        read_to(store)
    open_store(store.root).history_index()
    assert "private" not in (store.git.dir / history_index.FILE).read_text()


def test_a_merge_by_hand_counts_as_the_users(store: Store, tmp_path: Path) -> None:
    save(store, put(store, FACT, text_of("base\n" * 3)))
    git(store.root, "checkout", "-q", "-b", "side")
    save(store, put(store, FACT, text_of("side")))
    git(store.root, "checkout", "-q", "main")
    save(store, put(store, FACT, text_of("main")))
    with pytest.raises(Exception, match="returned non-zero"):
        git(store.root, "merge", "-q", "side")
    by_hand(store.root, FACT, text_of("merged by hand"))
    git(store.root, "commit", "-q", "-a", "-m", "merge")
    assert written(store) == {FACT: True}


# Log, history, runs


def test_the_log_tells_who_and_what_for(store: Store) -> None:
    save(store, put(store, FACT, text_of("a")), run="0007", subject="learn 1 fact")
    git(store.root, "commit", "-q", "--allow-empty", "-m", "mine")
    found = log(store, 2)
    assert [(c.subject, c.author, c.op, c.trailer("Silt-Run")) for c in found] == [
        ("mine", "Ada", None, None),
        ("memory: learn 1 fact", "siltstone", "extract", "0007"),
    ]
    assert [t.path for t in found[1].touched] == [FACT]
    assert log(store, 9)[-1].op == "init"


@pytest.mark.parametrize("path", [FACT, MOVED, "global/project-renamed.md"])
def test_history_follows_moves_both_ways(store: Store, path: str) -> None:
    long = "\n".join(f"line {n} of a long note" for n in range(12))
    save(store, put(store, FACT, text_of(long)), put(store, OTHER, text_of("other")), subject="one")
    git(store.root, "mv", FACT, "global/project-renamed.md")
    settle(store)
    moved = put(store, MOVED, text_of(long, quote="later"))
    save(store, drop(store, "global/project-renamed.md"), moved, subject="three")
    found = history(store, path)
    assert [c.subject for c in found] == [
        "memory: three",
        f"memory: update {FACT}, global/project-renamed.md",
        "memory: one",
    ]
    assert [t.path for t in found[-1].touched] == [FACT]


def test_history_of_a_deleted_file_and_of_none(store: Store) -> None:
    save(store, put(store, FACT, text_of("a")), subject="one")
    save(store, drop(store, FACT), op="forget", subject="two")
    assert [c.subject for c in history(store, FACT)] == ["memory: two", "memory: one"]
    with pytest.raises(EntryError, match="was never in the store"):
        history(store, OTHER)
    with pytest.raises(StoreError):
        history(store, "../x.md")


def test_runs_group_commits_newest_first(store: Store) -> None:
    save(store, put(store, FACT, text_of("a")), run="0001")
    save(store, put(store, OTHER, text_of("b")), run="0001", op="compact")
    with store.locked():
        alone = store.apply([drop(store, OTHER)], "memory: forget", [("Silt-Op", "forget")])
    git(store.root, "commit", "-q", "--allow-empty", "-m", "mine")
    found = runs(store)
    assert [(r.id, r.ops, len(r.commits), r.undone) for r in found] == [
        (alone[:12], ("forget",), 1, False),
        ("0001", ("extract", "compact"), 2, False),
    ]
    assert found[0].at == store.clock()
