"""Which memory a name means: whole names to change one, beginnings to read one, reasons for the missing."""

from functools import partial

import pytest

from siltstone.store.entry import Stored
from siltstone.store.errors import EntryError, Misuse
from siltstone.store.frontmatter import parse
from siltstone.store.names import find

find_like = partial(find, any_part=True)

SHOP, GLASS = "projects/larkspur", "projects/greenhouse"


def called(name: str, folder: str = SHOP) -> Stored:
    """A memory of that name."""
    path = f"{folder}/project-{name}.md"
    text = f"---\nname: {name}\ndescription: About {name}\n---\nIt is so.\n"
    return Stored(path, text, "hash", parse(path, text))


PNPM, TEA = called("package-manager-pnpm"), called("tea-at-four")
ALL = [PNPM, TEA]
BROKEN = {
    "projects/larkspur/project-ci-checks.md": "project-ci-checks.md, line 3: is no frontmatter; mend it"
}


@pytest.mark.parametrize(
    "wanted",
    [
        PNPM.path,
        PNPM.path.removesuffix(".md"),
        PNPM.path.rpartition("/")[2],
        "package-manager-pnpm",
        "Package manager PNPM",
    ],
    ids=["path", "path without its ending", "file name", "name", "as it was typed"],
)
def test_a_whole_name_is_enough_for_everything(wanted: str) -> None:
    assert find(ALL, wanted, {}) == find_like(ALL, f" {wanted}/", {}) == PNPM


def test_several_are_named() -> None:
    with pytest.raises(Misuse, match=r"fits 2 memories: .*pnpm.*tea"):
        find(ALL, "project-", {}, any_part=True)


MINE, THEIRS = called("hosting"), called("hosting", GLASS)
OLD = called("hosting", f"{SHOP}/archive")._replace(archived=True)
HERE = (SHOP, "global")


@pytest.mark.parametrize(
    ("entries", "wanted", "here", "meant"),
    [
        pytest.param([THEIRS, MINE], "hosting", HERE, MINE, id="its own"),
        pytest.param([THEIRS, called("hosting", "global"), MINE], "hosting", HERE, MINE, id="before global"),
        pytest.param(
            [THEIRS, called("hosting", "global")], "hosting", HERE, called("hosting", "global"), id="global"
        ),
        pytest.param([THEIRS], "hosting", HERE, THEIRS, id="only elsewhere"),
        pytest.param([THEIRS, MINE], THEIRS.path, HERE, THEIRS, id="by path, another's"),
        pytest.param([THEIRS, OLD], "hosting", HERE, THEIRS, id="its own is archived"),
        pytest.param([MINE, OLD], "hosting", (), MINE, id="one is archived"),
        pytest.param([MINE, OLD], OLD.path, (), OLD, id="by path, archived"),
    ],
)
def test_in_a_project_its_own_memory_is_meant(
    entries: list[Stored], wanted: str, here: tuple[str, ...], meant: Stored
) -> None:
    for look in (find, find_like):
        assert look(entries, wanted, {}, here) == meant


def test_a_memory_counts_more_than_what_waits_under_its_name() -> None:
    waiting = MINE._replace(path="inbox/project-hosting.md")
    for look in (find, find_like):
        assert look([waiting, MINE], "hosting", {}) == MINE
        assert look([waiting, MINE], waiting.path, {}) == waiting
        assert look([waiting, TEA], "hosting", {}) == waiting
    assert find_like([waiting, MINE], "host", {}) == MINE


def test_a_beginning_is_looked_for_in_the_project_first_and_counts_more_than_a_part() -> None:
    plan = called("hosting-plan")
    assert find_like([THEIRS, MINE], "hos", {}, HERE) == MINE
    assert find_like([THEIRS, plan], "hosting", {}, HERE) == THEIRS
    assert find_like([called("the-hosting"), plan], "hosting", {}) == plan


def test_no_other_is_taken_for_one_of_the_project_that_cannot_be_read() -> None:
    for look in (find, find_like):
        with pytest.raises(EntryError, match="line 3"):
            look([called("ci-checks", GLASS)], "ci-checks", BROKEN, HERE)


@pytest.mark.parametrize("wanted", ["", "nothing-like-it", "yarn"])
def test_what_is_not_there_is_said(wanted: str) -> None:
    for look in (find, find_like):
        with pytest.raises(Misuse, match="there is no memory"):
            look(ALL, wanted, BROKEN)


def test_a_beginning_finds_what_can_be_read_first() -> None:
    with pytest.raises(EntryError, match="line 3"):
        find(ALL, "ci-ch", BROKEN, any_part=True)
    assert find_like([*ALL, called("ci-cache")], "ci-", BROKEN).entry.name == "ci-cache"
