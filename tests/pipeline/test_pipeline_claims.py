"""Claims: a sentence beside its neighbours, and as the answer to what the agent offered."""

import pytest

from siltstone.pipeline.claims import find_claims

CHOICE = "I can a) keep one file per map, or b) keep one big database."


def bodies(text: str, options: str = "") -> list[str]:
    return [text[claim.start : claim.end] for claim in find_claims(text, [], options)]


def test_the_reason_behind_a_letter_stays_with_the_choice() -> None:
    said = "a. People delete maps all the time and get their space back"
    [claim] = find_claims(said, [], CHOICE)
    assert (claim.kind, said[claim.start : claim.end]) == ("decision", said)


def test_a_choice_named_by_its_words_takes_its_reason_along() -> None:
    said = "one file per map, then a deletion frees the disk. The tablets only have 8 GB"
    [claim] = find_claims(said, [], CHOICE)
    assert (claim.kind, said[claim.start : claim.end]) == ("decision", said)


@pytest.mark.parametrize(
    "answer",
    ["b", "yes please, and the gem", "the first one sounds good. Please go ahead", "ok, stays as it is"],
    ids=["letter", "yes", "sounds-good", "as-it-is"],
)
def test_a_choice_without_a_reason_is_none(answer: str) -> None:
    assert bodies(answer, CHOICE) == []


@pytest.mark.parametrize(
    "text",
    [
        "Uploads block the web process while the OCR runs. What could we put in between?",
        "run 31 is through, F1 is at 0.94. Is that better than 30?",
        "The API returns 12 rows for Bakker. Any idea?",
    ],
    ids=["what", "is", "idea"],
)
def test_a_statement_that_opens_a_question_is_its_scene(text: str) -> None:
    assert bodies(text) == []


def test_a_statement_beside_a_problem_is_kept() -> None:
    text = "jobs get lost when two workers start. The job queue is Redis. Please find out why"
    assert bodies(text) == ["The job queue is Redis."]


def test_a_claim_that_leans_on_the_sentence_before_takes_it_along() -> None:
    text = "You have used `!important` there. Please avoid this in our styles, as the themes must win"
    assert bodies(text) == [text]


def test_what_was_said_before_makes_a_rule_of_the_sentence_before_it() -> None:
    assert bodies("the fixtures come from the generator. I told you that already") == [
        "the fixtures come from the generator."
    ]


def test_a_sentence_in_quotation_marks_is_somebody_elses() -> None:
    assert bodies('Femke sees it another way; "always sign exports, note that down". I will ask') == []


def test_a_rule_and_its_reason_are_one_claim_and_a_task_behind_is_none() -> None:
    text = "never log names. The works council forbids it. Add a test for that"
    assert bodies(text) == ["never log names. The works council forbids it."]
