"""Passwords as people make them up, in the places where they are told."""

from support.told_passwords import PLACES, told

from siltstone.store.redaction import MARK, redact

PASSWORDS = 25
LEFT = 5
"""Characters in a row of a password that may not be left."""


def test_of_five_hundred_told_passwords_none_survives_and_the_words_around_them_stay() -> None:
    """But for the user, who goes where both are labelled."""
    rows = list(told(PASSWORDS))
    assert len(rows) == PASSWORDS * len(PLACES) == 500
    for place, text, password in rows:
        hidden = redact(text).text
        pieces = {password[at : at + LEFT] for at in range(len(password) - LEFT + 1)}
        assert not [piece for piece in pieces if piece in hidden and piece not in PLACES[place]], place
        if password[-1].isalnum():  # a mark at the end may be the sentence's
            marked = text.replace(password, MARK)
            assert hidden in {marked, marked.replace("deploy", MARK)}, place
