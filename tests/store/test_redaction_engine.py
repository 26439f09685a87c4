"""Redaction as a whole: what it promises whatever the rules are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.store.errors import RedactionError
from siltstone.store.redaction import Finding, findings, redact
from siltstone.store.redaction.engine import LONGEST

SECRET = "gl" + "pat-" + "x9Kq2mV7" + "bT4wZ8nR1cLp"
PIECES = st.sampled_from(
    [
        *("password", "token", "secret", "api key", ":", "=", " is ", "\n", " ", '"', "'", "`", "-p "),
        *("https://", "@", "hunter2", "Bearer ", "Cookie: sid=", "<private>", "</private>", "[REDACTED]"),
        *("-----BEGIN " + "PRIVATE KEY-----", "machine a login b password ", "--password ", "curl -u a:"),
        *(SECRET, ",", "/", "eyJ", "密码：", "$2b$10$", "AKIA", "\x00", "\ud800", "İ", "é", "..."),
    ]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES | st.text(max_size=6), max_size=30).map("".join))
def test_redacting_again_changes_nothing(text: str) -> None:
    once = redact(text)
    again = redact(once.text)
    assert again.text == once.text
    assert again.found == ()


@pytest.mark.parametrize("before", ["", "nothing of note\n" * 600], ids=["short", "long"])
def test_what_hiding_one_secret_lays_open_is_hidden_too(before: str) -> None:
    done = redact(before + 'pass trawler92| "' + "K9mW2nR5tY8u" + "P1oL4jH6")
    assert done.text == before + 'pass [REDACTED]| "[REDACTED]'
    assert len(done.found) == 2


def test_private_text_goes_before_any_rule_looks() -> None:
    assert redact("<private>password: trawler92</private>").found[0].kind == "private"


def test_a_secret_in_a_file_is_named_by_its_line() -> None:
    text = f"---\nname: x\n---\nDeploys use {SECRET}.\n"
    assert findings(text) == (Finding(4, "token"),)
    assert [found.line for found in findings(f"{text}\n<private>\n{text}</private>\nPIN: 4711")] == [4, 6, 12]


def test_a_text_too_long_to_check_is_refused() -> None:
    with pytest.raises(RedactionError, match="cannot be checked"):
        redact("a" * (LONGEST + 1))
