"""What is plain enough to be kept without asking the rules for secrets (invariant 8)."""

import pytest
from support.redaction_corpus import cases
from test_redaction_secrets import ROWS

from siltstone.store.plain import cleaned, plain
from siltstone.store.redaction import redact
from siltstone.store.redaction.engine import LONGEST

PLAIN = {
    "compiler": "src/index.ts(10,3): error TS2345: Argument of type 'string' is not assignable to 'number'",
    "runtime": "TypeError: Cannot read property 'x' of undefined",
    "test": "FAILED tests/test_cart.py::test_total - assert 3 == 4",
    "summary": "1 failed, 11 passed in 0.32s",
    "module": "ModuleNotFoundError: No module named 'requests'",
    "path": "src/app/main.py",
    "decision": "We decided to use Postgres instead of MySQL",
    "runner": "● totals › adds VAT",
    "linter": "✖ 3 problems (3 errors, 0 warnings)",
    "missing key": "KeyError: 'total'",
    "npm": "npm ERR! code ELIFECYCLE",
    "status": "the process ended with exit code 137",
    "letters inside": "error: the instance considers the shopping outside",
}
HARMLESS = ("KeyError", "npm ERR! code", "exit code", "status code", "● totals ›", "✖")
TAILS = (
    "hunter2",
    ": hunter2",
    " = 'hunter2'",
    " velvet-2271",
    " 4821",
    ": 4821",
    ": correct horse battery staple",
)


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_what_sessions_are_full_of_is_plain(text: str) -> None:
    assert plain(text)
    assert cleaned(text) == text


def test_no_text_that_a_rule_would_change_is_plain() -> None:
    texts = {line for case in cases(2) for line in (case.text, *case.text.split("\n"))}
    texts |= {row.translate(dict.fromkeys(map(ord, "⟦⟧¦"))) for row in ROWS.values()}
    changed = [text for text in sorted(texts) if redact(text).text != text]
    assert len(changed) > 1000
    assert [text for text in changed if plain(text)] == []


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("words", HARMLESS)
def test_harmless_words_name_no_secret(words: str, tail: str) -> None:
    text = f"{words}{tail}"
    assert redact(text).text == text or not plain(text)


@pytest.mark.parametrize("name", ["userPin", "myPinNumber", "PIN", "my_tan", "tanList", "otp", "connect.sid"])
def test_a_short_name_of_a_secret_is_never_plain(name: str) -> None:
    assert not plain(f"{name} 4821")


def test_a_secret_is_hidden() -> None:
    assert "velvet" not in cleaned("the password is " + "velvet-2271")


def test_what_cannot_be_checked_is_dropped() -> None:
    assert cleaned("a" * (LONGEST + 1)) == ""
