"""Keys by which wordings of one memory are recognised."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.pipeline.canonical import canonical, identity_key, is_path
from siltstone.store.entry import Type

WORDINGS = [
    "Keep the CHANGELOG short!!",
    "keep the changelog  short.",
    "Keep the `changelog` short",
    "keep—the changelog: short",
    "Ｋｅｅｐ　the changelog short。",
    "keep the\ud800changelog\x00short",
]


@pytest.mark.parametrize("text", WORDINGS)
def test_wordings_that_differ_in_form_are_one(text: str) -> None:
    assert canonical(text) == "keep the changelog short"


@pytest.mark.parametrize(
    ("one", "other"),
    [("shipping from £40", "shipping from £50"), ("use C++ here", "use C here"), ("a > b", "a < b")],
    ids=["numbers", "symbols", "comparison"],
)
def test_what_carries_meaning_stays(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


@given(st.text())
@settings(max_examples=100)
def test_canonical_is_idempotent_and_takes_any_text(text: str) -> None:
    once = canonical(text)
    assert identity_key("project", text).startswith("project:")
    assert canonical(once) == once
    assert "  " not in once
    assert once == once.strip()


@pytest.mark.parametrize(
    ("type_", "text", "key"),
    [
        ("reference", "Run: https://Ops.Example.org/run/book/#top", "reference:url:https://ops.example.org/run/book"),
        ("reference", "Runbook (https://ops.example.org/run?x=1#y).", "reference:url:https://ops.example.org/run?x=1"),
        ("reference", "see https://en.example/wiki/Silt_(rock).", "reference:url:https://en.example/wiki/Silt_(rock)"),
        ("project", "The schema is in `db/schema.sql`, by hand", "project:path:db/schema.sql"),
        ("project", r"Settings are read from .\conf\app.toml", "project:path:conf/app.toml"),
        ("project", "Settings are in config.yml", "project:path:config.yml"),
        ("project", "See 1.md", "project:see 1 md"),
        ("reference", "Logs: ~/.local/share/quarry/log/", "reference:path:~/.local/share/quarry/log"),
        ("reference", "Look at https://a.example and src/x.py", "reference:url:https://a.example"),
        ("project", "The client and/or server talks TCP/IP", "project:the client and or server talks tcp ip"),
        ("project", "The shop is a Next.js app", "project:the shop is a next js app"),
        ("feedback", "Never edit src/gen.ts", "feedback:never edit src gen ts"),
    ],
)  # fmt: skip
def test_identity(type_: Type, text: str, key: str) -> None:
    assert identity_key(type_, text) == key


@pytest.mark.parametrize(
    "word", ["1/2", "I/O", "and/or", "CI/CD", "client/server", "Node.js", "3.11", "e.g.", "/", "..."]
)
def test_is_no_path(word: str) -> None:
    assert not is_path(word)
