"""Where a project says otherwise than what holds everywhere (invariant 11)."""

from dataclasses import replace

import pytest
from support.recalled import memory

from siltstone.pipeline.conflicts import overrides
from siltstone.store.entry import GLOBAL


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
def test_a_plain_contradiction_is_an_override(everywhere: str, project: str, differ: bool) -> None:
    mine, other = memory(project, "feedback"), memory(everywhere, "feedback", scope=GLOBAL)
    assert list(overrides([mine], [other])) == ([(mine, other)] if differ else [])


def test_the_one_it_speaks_of_is_found_among_many() -> None:
    many = [memory(f"Port {n} is for service number {n}", scope=GLOBAL) for n in range(200)]
    other = memory("Releases go out on Mondays every week", scope=GLOBAL)
    mine = memory("Lines are at most 110 characters long")
    wanted = memory("Lines are at most 80 characters long", scope=GLOBAL)
    assert list(overrides([mine], [*many, other, wanted])) == [(mine, wanted)]


def test_what_the_user_said_is_true_both_ways_is_none() -> None:
    mine = memory("Lines are at most 110 characters long")
    other = memory("Lines are at most 80 characters long", scope=GLOBAL)
    agreed = replace(mine, entry=replace(mine.entry, agrees_with=(other.path,)))
    assert list(overrides([agreed], [other])) == []
