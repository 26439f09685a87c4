"""Word lists as patterns: only what a text may hold is compiled for it, and finds what all would."""

import re
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siltstone.pipeline import explicit_table, refusal_table, speech
from siltstone.pipeline.words import Late, Parts, Phrases, anyof, choices, keyword, late, pattern
from siltstone.store.late import fold

LISTS = [one for module in (explicit_table, speech) for one in vars(module).values() if type(one) is Phrases]
CHOICES = [
    part
    for module in (explicit_table, refusal_table, speech)
    for one in vars(module).values()
    if type(one) is Parts
    for part in one.parts
]
PHRASES = sorted({phrase for listed in LISTS for phrase in listed.phrases})
WORDS = [
    "keep",
    "bear",
    "in",
    "mind",
    "IN",
    "MİND",
    "note",
    "this",
    "not",
    "nots",
    "ab",
    "jetzt",
    "ſofort",
    "今后",
    "都",
    "ı",
]
SEVERAL = Phrases("(?:keep|bear)_in_mind; note_this; nots?", "ab_(?:jetzt|sofort); 今后(?:都)?")


@pytest.mark.parametrize(
    ("phrase", "word"),
    [
        ("for_the_record", "record"),
        ("(?:keep|bear)_(?:this_)?in_mind", "mind"),
        ("merk(?:e|t)?_(?:dir(?:_bitte)?|euch)(?!_(?:es|das))", "merk"),
        ("recu[eé]rda", "recu"),
        ("nots?", "not"),
        ("no{0,3}x", "n"),
        (r"\w+_ab\d+", "ab"),
        ("Straße", "strasse"),
        ("今后(?:都)?", "今后"),
        ("a(?:bcdef[)]|g)_hij", ""),
        ("yes|no", ""),
        ("(?:yes|no)", ""),
    ],
)
def test_the_keyword_of_a_phrase(phrase: str, word: str) -> None:
    assert keyword(phrase) == word


@settings(max_examples=100, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(st.sampled_from(PHRASES).flatmap(lambda one: st.tuples(st.just(one), st.from_regex(_alone(one)))))
def test_a_phrase_stands_nowhere_without_its_keyword(found: tuple[str, str]) -> None:
    phrase, text = found
    assert [*Phrases(phrase).sources(fold(text))] == [anyof(phrase)]


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("for_the_record", []),
        ("(?:is|are)_(?:off|down|flaky)", ["is are", "off down flaky"]),
        ("(?:is|are)_(?:off|down)?", ["is are"]),
        ("(?:is|are){0,2}_(?:off|down)", ["off down"]),
        ("(?:all|any)_(?:of_)?(?:repos?|projects)", ["all any", "repo projects"]),
        ("(?:is|a(?:re|m))", []),
        ("(?:yes|no)|x", []),
        (r"(?:\w+|yes)", [" yes"]),
    ],
)
def test_the_words_of_which_a_phrase_has_one(phrase: str, words: list[str]) -> None:
    assert [" ".join(each) for each in choices(phrase)] == words


def test_a_phrase_is_asked_of_texts_that_have_its_letters() -> None:
    listed = Phrases("(?:keep|bear)_in_mind; note_this; nots?; dos?; yes{0,2}; ab[nl]t; the_(?:time|day)")
    held = {
        text: [one for one in listed.phrases if anyof(one) in listed.sources(text)]
        for text in ("keep it in mind", "mind this", "not it", "do", "ye", "abl tip", "the day", "the week")
    }
    assert held == {
        "keep it in mind": ["(?:keep|bear)_in_mind"],
        "mind this": [],
        "not it": ["nots?"],
        "do": ["dos?"],
        "ye": ["yes{0,2}"],
        "abl tip": ["ab[nl]t"],
        "the day": ["the_(?:time|day)"],
        "the week": [],
    }


def test_phrases_begin_with_folded_letters() -> None:
    heads = [phrase[:3] for phrase in PHRASES]
    assert [*map(fold, heads)] == heads


@settings(max_examples=100, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(
    st.sampled_from(CHOICES).flatmap(lambda one: st.tuples(st.just(one[0]), st.from_regex(_whole(one[1]))))
)
def test_an_alternative_is_found_nowhere_without_a_word_of_its(found: tuple[tuple[str, ...], str]) -> None:
    words, text = found
    assert any(word in fold(text) for word in words)


def _whole(source: str) -> re.Pattern[str]:
    return pattern(source, "語")


def test_alternatives_that_a_text_may_hold_find_what_all_find() -> None:
    several = Parts(("ab,ss", r"(?:ab|ß|ss)\d"), ("c", "c+"), ("d", r"(?<!\w)d"))
    every = Late("|".join(source for _, source in several.parts))
    for text in ("", "ab1 cc d", "SS1 ſs2", "xd", "ß2CCCd", "nothing"):
        assert [one.span() for one in several.finditer(text)] == [one.span() for one in every.finditer(text)]


def _alone(phrase: str) -> re.Pattern[str]:
    return pattern(anyof(phrase), "語")


@pytest.mark.parametrize("listed", [explicit_table.SPACED, explicit_table.STANDING], ids=["ask", "stand"])
def test_every_trigger_has_a_keyword(listed: Phrases) -> None:
    assert all(map(keyword, listed.phrases))


@given(st.lists(st.sampled_from(WORDS)))
def test_the_phrases_a_text_may_hold_find_what_all_find(words: list[str]) -> None:
    text = " ".join(words)
    every = late(*SEVERAL.phrases)
    assert [one.span() for one in SEVERAL.finditer(text)] == [one.span() for one in every.finditer(text)]


def test_what_is_the_same_to_a_pattern_is_the_same_folded() -> None:
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, sys.maxunicode + 1)]))
    letters = {char for phrase in PHRASES for char in phrase if char.isalpha()}
    for letter in sorted(letters):
        same = re.findall(letter, everything, re.I)
        assert {fold(letter)} == set(map(fold, same))


def test_a_pattern_that_is_compiled_late_is_a_pattern() -> None:
    word = Late(r"\s*b+")
    whole = re.compile(r"\s*b+", re.I)
    text = "a B bb c"
    assert [one.span() for one in word.finditer(text)] == [one.span() for one in whole.finditer(text)]
    assert (word.split(text), word.split(text, 1)) == (whole.split(text), whole.split(text, 1))
    assert (word.sub("x", text), word.sub("x", text, 1)) == (whole.sub("x", text), whole.sub("x", text, 1))
    assert [word.search(text, 2, 3), word.search(text, 9), word.match(text), word.fullmatch(text)] != []
    assert str(word.search(text, 2, 3)) == str(whole.search(text, 2, 3))
    assert (word.match(text), word.fullmatch(text)) == (None, None)
    assert word.match(text, 1) is not None
    assert word.fullmatch(" bB") is not None


def test_no_phrases_find_nothing() -> None:
    assert re.search(anyof(), "anything") is None
