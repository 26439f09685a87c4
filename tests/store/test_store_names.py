"""File names are safe, portable, readable and free."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("Package manager: pnpm!", "package-manager-pnpm", id="words"),
        pytest.param("  --a__b..c/d\\e--  ", "a-b-c-d-e", id="separators"),
        pytest.param("../../etc/passwd", "etc-passwd", id="climbing"),
        pytest.param("/root/.ssh/id_rsa", "root-ssh-id-rsa", id="absolute"),
        pytest.param("提交前先跑测试", "提交前先跑测试", id="Chinese stays readable"),
        pytest.param("データベース移行", "データベース移行", id="Japanese keeps its voicing"),
        pytest.param("한국어 문서", "한국어-문서", id="Korean stays composed"),
        pytest.param("Café Ünïted", "cafe-united", id="Latin accents go"),
        pytest.param("Cafe\u0301", "cafe", id="decomposed is the same name"),
        pytest.param("ＦＵＬＬ　width ﬁ", "full-width-fi", id="compatibility forms fold"),
        pytest.param("ℋello 🄰🄱", "hello-ab", id="letters that unfold to capitals"),
        pytest.param("Straße STRASSE", "strasse-strasse", id="case folds"),
        pytest.param("हिन्दी में", "हिन्दी-में", id="vowel signs stay"),
        pytest.param("NUL", "nul-ae6d", id="device name"),
        pytest.param("", "note-e3b0c442", id="nothing"),
        pytest.param("🙂!!", "note-a25f1fa6", id="no letter"),
        pytest.param("\ud800\x00", "note-", id="not text at all"),
        pytest.param("word " * 30, "-".join(["word"] * 12), id="long, cut between words"),
        pytest.param("x" * 99, "x" * 60, id="long word"),
        pytest.param("测" * 99, "测" * 40, id="long in bytes"),
    ],
)
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


@pytest.mark.parametrize("text", ["", "A", "a--b", "-a", "a b", "a/b", "..", "é", "nul", "a" * 61])
def test_what_is_no_slug(text: str) -> None:
    assert not is_slug(text)


@given(text=st.text("abz09-é", max_size=MAX_CHARS + 2) | st.sampled_from(["nul", "com1", "con-1", "lpt0"]))
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


@pytest.mark.parametrize(
    ("stem", "type", "name"),
    [
        ("user-tea", "user", "tea"),
        ("persona", None, "persona"),
        ("my-tea", None, "my-tea"),
        ("user", "user", "user"),
    ],
)
def test_a_file_name_says_type_and_name(stem: str, type: str | None, name: str) -> None:
    where = Place("global", "memory", stem)
    assert (where.type, where.name) == (type, name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("global", True),
        ("projects/larkspur", True),
        ("projects/..", False),
        ("projects/A", False),
        ("x", False),
    ],
)
def test_is_scope(text: str, expected: bool) -> None:
    assert is_scope(text) is expected


def test_title() -> None:
    assert title("free-shipping-threshold") == "Free shipping threshold"
    assert title("api_conventions") == "Api conventions"
    assert title("提交前") == "提交前"
