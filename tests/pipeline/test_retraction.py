"""Which typed words take back what was asked to be kept before, and which name what is meant."""

import pytest

from siltstone.pipeline.retraction import points_back, refuses

BACK = {
    "en": "Actually no, don't remember that.",
    "en forget": "forget that",
    "en curly": "don’t remember that after all",
    "en second thought": "Oh sorry, on second thought please don't save that",
    "en never mind": "Never mind, forget it.",
    "en and work": "Don't remember that. Now fix the login page",
    "en in two": "Wait. Don't remember this",
    "de": "Merk dir das bitte nicht",
    "de after all": "merk dir das doch nicht",
    "de forget": "Vergiss das wieder.",
    "de no": "Ach nein, das bitte nicht merken",
    "zh": "不要记住这个",
    "zh after all": "算了，别记了",
    "zh just now": "还是别记住刚才那个",
    "zh-hant": "不用記住了",
    "ja": "やっぱり覚えなくていい",
    "ja that": "それは覚えないでください",
    "ja forget": "さっきのは忘れて",
    "ko": "아니, 그거 기억하지 마세요",
    "ko just said": "방금 말한 거 기억하지 마",
    "es": "no lo recuerdes",
    "es forget": "olvida eso",
    "fr": "ne retiens pas ça finalement",
    "ru": "не запоминай это",
}


@pytest.mark.parametrize("text", BACK.values(), ids=BACK)
def test_what_points_back_takes_back(text: str) -> None:
    assert points_back(text)
    assert refuses(text)


@pytest.mark.parametrize(
    "text",
    [
        "don't remember that the gate is open",
        "don't remember this: the demo runs on staging",
        "our pin is 1234. don't remember that",
        "不要记住我们周五发布",
        "来週の予定は覚えないで",
        "The agent said: don't remember that",
    ],
)
def test_what_names_a_thing_does_not_point(text: str) -> None:
    assert not points_back(text)
    assert refuses(text)


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget that",
        "forget the changelog",
        "never save this in git",
        "do you remember that?",
        "I don't remember that",
        "fix the login",
        "",
        "\ud800" * 2_000,
    ],
)
def test_what_asks_for_something_else_takes_nothing_back(text: str) -> None:
    assert not points_back(text)
    assert not refuses(text)
