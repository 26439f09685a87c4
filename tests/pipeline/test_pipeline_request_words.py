"""Words that tell whether a text may ask for something: none is missed that the rules would find, and what
everybody says loads no rules."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_pipeline_explicit import REFUSED, SAVED

from siltstone.pipeline import explicit_table, refusal_table, request_words
from siltstone.pipeline.request_words import LONG, asking, folded, refusing
from siltstone.pipeline.words import anyof, pattern, split

ASIAN = "語"
"""Stands for a text with Asian letters, of which the bounds of words take note."""
PHRASES = (*explicit_table.SPACED.phrases, *explicit_table.STANDING.phrases)
_REFUSALS = "|".join(source for _, source in explicit_table.REFUSAL.parts)
_REFUSING = split(phrase for phrases in refusal_table.BY_WORDS.values() for phrase in phrases)
REFUSES = st.one_of(
    st.from_regex(pattern(_REFUSALS, ASIAN)),
    st.sampled_from(_REFUSING).flatmap(lambda one: st.from_regex(pattern(anyof(one), ASIAN))),
)
"""Whatever the rules take for a request not to keep something."""
CODE = 'def load(path):\n    """It never waits for what is not there; notes later."""\n    return rows\n\n'
"""With common words of requests."""
PASTED = CODE * (LONG // len(CODE) + 1)


@settings(max_examples=100, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(
    st.one_of(
        st.sampled_from(PHRASES).flatmap(lambda one: st.from_regex(pattern(anyof(one), ASIAN))),
        st.sampled_from(explicit_table.CJK.parts).flatmap(lambda one: st.from_regex(pattern(one[1], ASIAN))),
    )
)
def test_whatever_asks_to_keep_is_heard(text: str) -> None:
    assert asking(text).any


@pytest.mark.parametrize(
    "text",
    [
        "It writes another port to the output often enough, guarding the memory that it retains.",
        "The preferred order of memories is not for everybody; see the notation of later releases.",
        "メモリの設定と、从容器里备份配置。지금 테스트를 고쳐 주세요.",
    ],
)
def test_what_everybody_says_all_day_loads_no_rules(text: str) -> None:
    assert not asking(text).any
    assert not refusing(text).any


@settings(max_examples=50)
@given(st.lists(st.sampled_from([*SAVED.values(), *((text, "") for text in REFUSED.values())]), max_size=6))
def test_pieces_of_a_text_are_heard_as_they_are_alone(told: list[tuple[str, object]]) -> None:
    text = "\n".join(one for one, _ in told)
    for signs in (asking, refusing):
        for piece, _ in told:
            assert signs(text).may(piece) == signs(piece).any


@settings(max_examples=100, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(REFUSES)
def test_whatever_is_refused_is_heard(text: str) -> None:
    assert refusing(text).any


@pytest.mark.parametrize("text", ["Plant the garden “as is”…", "It’s 5 £ – naïve, 日本語です"])
def test_letters_alone_ask_nothing(text: str) -> None:
    assert not asking(text).any


@pytest.mark.parametrize("text", [text for text, _ in SAVED.values()], ids=SAVED)
def test_what_is_asked_to_be_kept_is_heard_between_pastes(text: str) -> None:
    whole = f"{PASTED}\n{text}\n{PASTED}"
    assert asking(text).any
    assert [whole[start:end] for start, end in asking(whole).lines.values()] == [
        line for line in text.split("\n") if asking(line).any and not line.startswith(">")
    ]


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_heard_between_pastes(text: str) -> None:
    assert refusing(f"{PASTED}\n{text}\n{PASTED}").any


@pytest.mark.parametrize("words", ["_ASKS", "_MAY_ASK", "_REFUSES", "_NEGATES"])
def test_each_word_is_known_in_a_long_text(words: str) -> None:
    for word in getattr(request_words, words).split(","):
        told = folded(f"{PASTED}\n“{word} {word}”")
        assert word in told.held(word)
        assert told.text.count("\n") in told.lines_with([word])


@pytest.mark.parametrize(
    "line",
    [
        "Don’t `ever` save this.",
        'Never "please" remember that: it is over.',
        "请不要“再”记住这个。",
        "Do  not\tremember this.",
    ],
)
def test_marks_and_blanks_in_a_line_hide_no_refusal(line: str) -> None:
    assert refusing(f"{PASTED}\n{line}\n{PASTED}").any


@pytest.mark.parametrize(
    "text",
    [
        PASTED,
        f"Why does it fail?\n\n```\nremember: use tabs. Don't save this.\n{CODE}```\n{PASTED}",
        f"{PASTED}\n> remember: use tabs. Don't save this.\n",
        f"{PASTED}\nSee `remember: use tabs`, and “don't save this”.\n",
        "The writer never waits for what is not stored, and makes no record later.\n" * (LONG // 70),
    ],
    ids=["code", "fenced", "quoted", "in marks", "prose"],
)
def test_what_was_pasted_loads_no_rules(text: str) -> None:
    assert len(text) > LONG
    assert not asking(text).any
    assert not refusing(text).any
