"""Where a project says otherwise than what holds everywhere (invariant 11)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.recalled import memory

from siltstone.pipeline.conflicts import overrides
from siltstone.store.entry import GLOBAL, Snapshot, Stored
from siltstone.store.search import Search
from siltstone.store.seek import FILE


def found(folder: Path, stored: Sequence[Stored], changed: Sequence[Stored]) -> list[tuple[Stored, Stored]]:
    snapshot = Snapshot.of(stored)
    with Search(folder / FILE) as search:
        search.sync(snapshot)
        return list(overrides({one.path for one in changed}, search, snapshot.read))


@pytest.mark.parametrize(
    ("everywhere", "project", "differ"),
    [
        ("Lines are at most 80 characters long", "Lines are at most 110 characters long", True),
        ("Use npm for installs and scripts", "Use pnpm for installs and scripts", True),
        ("Never commit generated files here", "Commit generated files here", True),
        ("Lines are at most 80 characters long", "Lines are at most 80 characters long", False),
        ("Lines are at most 80 characters long", "Free shipping starts at £40", False),
        ("Tests run with pytest", "Tests run in parallel", False),
        ("Commit messages are at most 72 characters", "Log messages are at most 200 characters", False),
        ("Keep functions under 40 lines", "Keep React components under 150 lines", False),
        ("Reviews need 2 approvals", "Reviews of docs need 1 approval", False),
    ],
    ids=[
        "number",
        "name",
        "polarity",
        "the same",
        "something else",
        "no contradiction",
        "of another thing",
        "of another part",
        "of a special case",
    ],
)
def test_a_plain_contradiction_is_an_override(
    tmp_path: Path, everywhere: str, project: str, differ: bool
) -> None:
    mine, other = memory(project, "feedback"), memory(everywhere, "feedback", scope=GLOBAL)
    for changed in ([mine], [other]):
        assert found(tmp_path, [mine, other], changed) == ([(mine, other)] if differ else [])


def test_the_one_it_speaks_of_is_found_among_many(tmp_path: Path) -> None:
    many = [memory(f"Port {n} is for service number {n}", scope=GLOBAL) for n in range(200)]
    other = memory("Releases go out on Mondays every week", scope=GLOBAL)
    mine = memory("Lines are at most 110 characters long")
    wanted = memory("Lines are at most 80 characters long", scope=GLOBAL)
    assert found(tmp_path, [mine, *many, other, wanted], [mine]) == [(mine, wanted)]
    assert found(tmp_path, [mine, *many, other, wanted], [other]) == []


def test_what_the_user_said_is_true_both_ways_is_none(tmp_path: Path) -> None:
    mine = memory("Lines are at most 110 characters long")
    other = memory("Lines are at most 80 characters long", scope=GLOBAL)
    agreed = replace(mine, entry=replace(mine.entry, agrees_with=(other.path,)))
    assert found(tmp_path, [agreed, other], [agreed]) == []


def test_what_was_superseded_overrides_nothing(tmp_path: Path) -> None:
    mine = memory("Lines are at most 110 characters long", superseded_by="projects/larkspur/project-new.md")
    other = memory("Lines are at most 80 characters long", scope=GLOBAL)
    assert found(tmp_path, [mine, other], [other]) == []
