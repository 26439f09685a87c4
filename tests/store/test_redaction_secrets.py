"""What is hidden: one row a way of writing a secret (tests/data/redaction/hidden.toml)."""

import re
import tomllib
from itertools import product

import pytest
from support.redaction_corpus import FOLDER
from support.table import table
from support.told_passwords import told
from support.vendor_shapes import SHAPES, draw

from siltstone.store.redaction import MARK, redact

ROWS: dict[str, str] = tomllib.loads((FOLDER / "hidden.toml").read_text("utf-8"))
SECRET = re.compile("⟦(.*?)⟧", re.DOTALL)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_exactly_the_secret_is_hidden(row: str) -> None:
    marked = row.replace("¦", "")
    assert redact(SECRET.sub(r"\1", marked)).text == SECRET.sub(MARK, marked)


PEM = ["b3BlbnNzaC1rZXkt", "AAAAMwus8GesZnye", "yjw484mcWFjaQCZt="]
BEGIN, END = "-----BEGIN OPENSSH PRI" + "VATE KEY-----", "-----END OPENSSH PRI" + "VATE KEY-----"


@pytest.mark.parametrize("between", ["\n", "\n    ", "\\n"], ids=["plain", "indented", "in-json"])
@pytest.mark.parametrize("last", [[END, "after"], ["... after"]], ids=["whole", "torn"])
def test_private_keys_are_hidden_whole(between: str, last: list[str]) -> None:
    hidden = redact(between.join([BEGIN, *PEM, *last])).text
    assert not [line for line in PEM if line in hidden]
    assert "after" in hidden
    assert hidden.startswith(BEGIN)


@table("store", "private_text_is_gone")
def test_private_text_is_gone(text: str, hidden: str) -> None:
    assert redact(text).text == hidden


def test_a_private_key_whose_beginning_was_cut_away_is_hidden() -> None:
    text = "\n".join(["[… 900 characters cut …]", *PEM, END, "after"])
    assert redact(text).text == "\n".join(["[… 900 characters cut …]", "[REDACTED]", END, "after"])


BEFORE = ["", "x-", "name-", "x.", "x_", "x/", "x=", "x:", "__", "--", "a.b-key_", "https://h.example/a-"]
ESCAPES = ["log\\n", "a\\t", "a%3D", "a%2F"]
AFTER = ["", "-x", ".x", "_x", ".txt", "/x", ":x"]
LEFT = 8
"""Characters in a row of a token that may not be left."""


def survives(token: str, text: str) -> bool:
    return any(token[at : at + LEFT] in text for at in range(len(token) - LEFT + 1))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_token_is_hidden_whatever_it_is_joined_to(shape: str) -> None:
    for before, after in product(BEFORE + ESCAPES, AFTER):
        token = draw(shape, f"{before} {after}")
        hidden = redact(f"see {before}{token}{after} there").text
        assert not survives(token, hidden), (before, after)
        if before in BEFORE:
            assert hidden.startswith("see ")
            assert hidden.endswith(" there")
            assert redact(hidden).text == hidden


def test_two_tokens_joined_are_both_hidden() -> None:
    one, two = draw("aws-key-id", 1), draw("github", 2)
    hidden = redact(f"a-{one}-{two}").text
    assert not survives(one, hidden)
    assert not survives(two, hidden)


PASSWORDS = 20


def test_no_told_password_survives_and_the_words_around_it_stay() -> None:
    """But for the user, who goes where both are labelled."""
    rows = list(told(PASSWORDS))
    assert len(rows) >= 1_000
    for row in rows:
        hidden = redact(row.text).text
        assert not row.left(hidden), row.place
        if row.password.isalnum():  # the same in a shell, in JSON and in a URL, and with no mark at its end
            marked = row.text.replace(row.password, MARK)
            assert hidden.replace(MARK, "deploy") == marked.replace(MARK, "deploy"), row.place
