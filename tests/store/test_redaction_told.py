"""Passwords as people make them up, in the places where they are told."""

from support.told_passwords import PLACES, told

from siltstone.store.redaction import MARK, redact

PASSWORDS = 25
LEFT = 5
"""Characters in a row of a password that may not be left."""


def test_of_five_hundred_told_passwords_none_survives() -> None:
    rows = list(told(PASSWORDS))
    assert len(rows) == PASSWORDS * len(PLACES) == 500
    left = []
    for place, text, password in rows:
        hidden = redact(text).text
        pieces = {password[at : at + LEFT] for at in range(len(password) - LEFT + 1)}
        if any(piece in hidden for piece in pieces if piece not in PLACES[place]):
            left.append((place, hidden))
    assert left == []


def test_what_stands_around_a_told_password_stays() -> None:
    """But for the user, who goes where both are labelled."""
    for place, text, password in told(PASSWORDS):
        hidden = text.replace(password, MARK)
        if password[-1].isalnum():  # a mark at the end may be the sentence's
            assert redact(text).text in {hidden, hidden.replace("deploy", MARK)}, place
