"""Merge and conflicts over a real store in git: the tail of docs/architecture.md."""

from pathlib import Path

from merge_support import NOW, SCOPE, judged

from siltstone.pipeline.conflicts import Standing, settle
from siltstone.pipeline.merging.merge import View, merge
from siltstone.store.conflicts import PATH, parse
from siltstone.store.entry import Change
from siltstone.store.store import Store


def view(store: Store) -> View:
    every = store.entries(archived=True)
    return View(
        SCOPE,
        NOW,
        [stored for stored in every if not stored.archived],
        archived=[stored for stored in every if stored.archived],
        inbox=store.inbox(),
        conflicts=store.text(PATH),
        taken=store.taken(SCOPE),
    )


def commit(store: Store, made: list[Change] | tuple[Change, ...], op: str) -> None:
    with store.locked():
        store.apply(made, f"memory: {op}", [("Silt-Run", "0001"), ("Silt-Op", op)])


def learn(store: Store, body: str, day: int = 0, name: str = "port") -> list[str]:
    made = merge([judged(body, name=name, day=day)], view(store))
    commit(store, made.changes, "extract")
    return [outcome.kind for outcome in made.outcomes]


def edit_by_hand(store: Store, old: str, new: str) -> Path:
    (path,) = (store.root / SCOPE).glob("*.md")
    path.write_text(path.read_text().replace(old, new))
    with store.locked():
        store.settle()
    return path


def test_from_two_statements_to_the_users_tick(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "memory", clock=lambda: NOW)
    assert learn(store, "Free shipping starts at £40", 2, "free-shipping-threshold") == ["promoted"]
    assert learn(store, "Free shipping is from £50", 35, "free-shipping-threshold") == ["conflicted"]
    one, two = (f"{SCOPE}/project-free-shipping-threshold{end}.md" for end in ("", "-2"))
    assert [stored.path for stored in store.entries()] == [two, one]

    text = store.text(PATH) or ""
    (section,) = parse(text)
    assert (section.id, [side.path for side in section.sides]) == ("a1cabb87", [one, two])

    (tmp_path / "memory" / PATH).write_text(text.replace("- [ ] 2", "- [x] 2"))
    with store.locked():
        store.settle()
    done = settle(Standing(NOW, store.entries(), text=store.text(PATH), before=text))
    commit(store, done.changes, "conflicts")
    assert store.text(PATH) is None
    assert [stored.path for stored in store.entries()] == [two]
    (gone,) = (stored for stored in store.entries(archived=True) if stored.archived)
    assert (gone.path, gone.entry.superseded_by) == (one.replace(SCOPE, f"{SCOPE}/archive"), two)
    assert not gone.user_written


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
