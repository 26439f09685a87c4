"""File names are safe, portable, readable and free."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.store.names import (
    MAX_BYTES,
    MAX_CHARS,
    Place,
    entry_path,
    is_scope,
    is_slug,
    place,
    slug,
    title,
)


@table("store", "slug", ("测" * 99, "测" * 40))
def test_slug(text: str, name: str) -> None:
    got = slug(text)
    assert got == name or (name.endswith("-") and got.startswith(name))


@settings(max_examples=100)
@given(text=st.text(st.characters()))
def test_a_slug_is_safe_everywhere(text: str) -> None:
    name = slug(text)
    assert is_slug(name)
    assert 0 < len(name) <= MAX_CHARS
    assert len(name.encode()) <= MAX_BYTES
    assert name == name.casefold() == unicodedata.normalize("NFKC", name)
    assert not name.startswith((".", "-"))
    assert not set(name) & set("/\\:*?\"<>|\0\n~$`' ")


@given(text=st.text("abAz09-é /.", max_size=MAX_CHARS + 2) | st.sampled_from(["nul", "com1", "con-1"]))
def test_a_slug_is_what_slugging_leaves_as_it_is(text: str) -> None:
    assert is_slug(text) is (slug(text) == text and text != "")


def test_clashing_names_are_numbered() -> None:
    taken: set[str] = set()
    for path in ("global/user-tea.md", "global/user-tea-2.md", "global/user-tea-3.md"):
        assert entry_path("global", "user", "Tea", taken) == path
        taken.add(path)


def test_a_name_that_differs_by_case_alone_clashes() -> None:
    assert entry_path("global", "user", "tea", ["global/user-Tea.md"]) == "global/user-tea-2.md"


def test_the_type_stands_in_a_name_once() -> None:
    assert entry_path("inbox", "feedback", "feedback-use-pnpm", ()) == "inbox/feedback-use-pnpm.md"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("global/user-tea.md", Place("global", "memory", "user-tea")),
        ("global/system/persona.md", Place("global", "pinned", "persona")),
        ("projects/larkspur/archive/a.md", Place("projects/larkspur", "archived", "a")),
        ("inbox/project-x.md", Place(None, "inbox", "project-x")),
        ("MEMORY.md", None),
        ("projects/larkspur/MEMORY.md", None),
        ("projects/larkspur/project.yaml", None),
        ("projects/system/x.md", Place("projects/system", "memory", "x")),
        ("projects/../x.md", None),
        ("projects/./x.md", None),
        ("inbox/system/x.md", None),
        ("global/.hidden.md", None),
        ("global/a/b/c.md", None),
        ("/global/a.md", None),
        ("global/a.md\n", None),
    ],
)
def test_place(path: str, expected: Place | None) -> None:
    assert place(path) == expected


@table("store", "a_file_name_says_type_and_name")
def test_a_file_name_says_type_and_name(stem: str, type: str | None, name: str) -> None:
    where = Place("global", "memory", stem)
    assert (where.type, where.name) == (type, name)


@table("store", "is_scope")
def test_is_scope(text: str, expected: bool) -> None:
    assert is_scope(text) is expected


def test_title() -> None:
    assert title("free-shipping-threshold") == "Free shipping threshold"
    assert title("api_conventions") == "Api conventions"
    assert title("提交前") == "提交前"
