"""What stays: text that looks like a secret, speaks of one or points at one (invariant 8)."""

import pytest
from support.redaction_corpus import FOLDER

from siltstone.store.redaction import redact

LINES = (FOLDER / "stays.txt").read_text("utf-8").replace("¦", "").splitlines()


@pytest.mark.parametrize("line", LINES)
def test_benign_text_stays_as_it_is(line: str) -> None:
    assert redact(line).text == line


def test_benign_lines_stay_together_too() -> None:
    text = "\n".join(LINES)
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "忘记密码ForgotPassword，然后再登录。",
        "密码SHA-256+salt，不用明文。",
        "密码minLength:8，至少一个数字。",
        "密码6-20characters。",
    ],
)
def test_what_stands_behind_a_chinese_password_may_be_code(text: str) -> None:
    assert redact(text).text == text
