"""What a typed sentence does: ask, order one thing, put off."""

import pytest

from siltstone.pipeline import speech

ORDERS = {
    "plain": ("Run the tests", True),
    "any case": ("RUN the tests", True),
    "a part of a word": ("Runs are on Fridays", False),
    "led in": ("Ok, yes — now then: please run it", True),
    "led in by more than five": ("ok, yes, so, now, then, please run it", False),
    "two words that lead in": ("Thank you. Add it to the list", True),
    "a word that begins as another": ("Nope, run it", True),
    "nothing but a lead": ("Thanks!", False),
    "a lead inside a word": ("Okra is green", False),
    "asked": ("I'd like you to wait", True),
    "two ways of spelling": ("optimise it", True),
    "German": ("Kannst du das ändern", True),
    "Chinese": ("帮我改一下", True),
    "Japanese": ("テストを実行してください", True),
    "no order": ("提交信息都用英文写", False),
    "nothing": ("", False),
}


@pytest.mark.parametrize(("sentence", "ordered"), ORDERS.values(), ids=ORDERS)
def test_what_is_an_order(sentence: str, ordered: bool) -> None:
    assert speech.orders(sentence) is ordered


@pytest.mark.parametrize(
    ("sentence", "asked"),
    [
        ("ok, so is it green", True),
        ("是不是绿色的吗", True),
        ("Whatever it is, it is green", False),
        ("please, why", True),
        ("It is", False),
    ],
)
def test_what_is_a_question(sentence: str, asked: bool) -> None:
    assert speech.asks(sentence) is asked
