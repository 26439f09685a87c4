"""From window to candidates: what is asked, how often, and what a bad reply costs."""

import json
from datetime import UTC, datetime

import pytest
from support.fake_model import FakeModel
from support.windows import talk

from siltstone.pipeline.candidate import Quote, RelatedEntry
from siltstone.pipeline.extraction.extract import ModelExtractor
from siltstone.pipeline.extraction.reply import Extraction, WireReply
from siltstone.pipeline.model.asking import (
    MAX_REPLY_TOKENS,
    QUOTED_BACK,
    THINKING_TOKENS,
    ReplyCut,
    Unread,
)
from siltstone.pipeline.model.port import Reply, Usage
from siltstone.pipeline.proof.coverage import understood
from siltstone.pipeline.proof.verdict import judge_all
from siltstone.store.errors import Overflow, ReplyError, Unavailable
from siltstone.store.redaction import redact

NOW = datetime(2026, 11, 20, tzinfo=UTC)
WINDOW = talk("hosting is Vercel. free shipping starts at £40")
FACT = {
    "quotes": ["1: free shipping starts at £40"],
    "type": "project",
    "body": "Free shipping starts at £40.",
}
GOOD = {"memories": [FACT]}
BAD = "I am afraid I cannot do that."


def ask(model: FakeModel, *related: RelatedEntry) -> Extraction:
    return ModelExtractor(model, lambda: NOW)(WINDOW, related)


def test_one_window_is_one_call_and_one_more_to_look_again() -> None:
    model = FakeModel([GOOD])
    extraction = ask(model)
    (found,), (asked,), (again,) = extraction.candidates, model.asked, model.looked
    assert found.quotes == (Quote(1, "free shipping starts at £40"),)
    assert (extraction.calls, extraction.usage.prompt) == (
        2,
        model.count(asked.turns) + model.count(again.turns),
    )
    assert (asked.schema, asked.max_tokens) == (WireReply, MAX_REPLY_TOKENS)
    assert [turn.role for turn in asked.turns] == ["system", "user"]
    assert "[1] user: hosting is Vercel" in asked.turns[1].content


def test_a_window_without_typed_text_is_no_call_and_an_empty_list_is_an_answer() -> None:
    extract = ModelExtractor(FakeModel(), lambda: NOW)
    assert extract(talk(("assistant", "Done.")), ()) == Extraction(())
    assert ask(FakeModel(['{"memories": []}'])).candidates == ()
    cut = Reply('{"memories": []}', Usage(), cut=True)
    assert ask(FakeModel([cut])).calls == 1, "whole, also at the token limit"


KEPT = RelatedEntry(1, "project", "free-shipping", "Free shipping starts at £40", "From £40.", path="p.md")
UPDATE = {"quotes": FACT["quotes"], "action": "update", "target": 1, "body": "Shipping is free from £40."}


def test_targets_are_the_numbers_shown_and_no_others() -> None:
    model = FakeModel(
        [{"memories": [UPDATE, UPDATE | {"target": 2}]}, {"memories": [UPDATE | {"target": 3}]}]
    )
    extraction = ask(model, KEPT)
    assert [candidate.target for candidate in extraction.candidates] == [1]
    assert extraction.refused == {"unknown-number": 1}


@pytest.mark.parametrize(
    ("item", "why"),
    [
        (FACT | {"type": "preference"}, "unknown type"),
        (UPDATE | {"target": 7}, "unknown number"),
        (FACT | {"quotes": ["1: shipping is free above £40"]}, "no evidence"),
        (FACT | {"quotes": []}, "no evidence"),
    ],
)
def test_items_wrong_in_form_are_asked_about_once_more_together(item: dict[str, object], why: str) -> None:
    model = FakeModel([{"memories": [UPDATE, item, item]}, GOOD])
    extraction = ask(model, KEPT)
    assert [one.action for one in extraction.candidates] == ["update", "create"]
    assert (extraction.scraps, extraction.calls) == ((), 3)
    calls = (*model.asked, *model.looked)
    assert extraction.usage.prompt == sum(model.count(asked.turns) for asked in calls)
    mend = model.asked[1].turns[3].content
    assert mend.startswith("siltstone-internal: mend")
    assert f"- item 2: {why}\n- item 3: {why}\n" in mend


@pytest.mark.parametrize("answer", [BAD, Unavailable("nobody there"), {"memories": []}], ids=str)
def test_what_cannot_be_mended_costs_no_other_item(answer: str | Unavailable | dict[str, object]) -> None:
    extraction = ask(FakeModel([{"memories": [FACT, FACT | {"type": "poem"}]}, answer]))
    assert [one.body for one in extraction.candidates] == [FACT["body"]]


def final(*bodies: str, use: int = 2) -> dict[str, object]:
    """The reply of a second look: what items 1, 2 … are good for, and their texts; "" is good for nothing."""
    return {
        "bodies": [
            {"item": n, "when": "at the ferries" if body else "", "use": use if body else 0, "body": body}
            for n, body in enumerate(bodies, 1)
        ]
    }


BEYOND = FACT | {"body": "Gold members pay no shipping from £50."}


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        (
            final("Free shipping starts at £40 for the shop."),
            "Free shipping starts at £40 for the shop.",
        ),
        (final("It starts at £40."), BEYOND["body"]),
        (final("Gold members pay nothing from £50."), BEYOND["body"]),
        ({"bodies": []}, BEYOND["body"]),
        ({"bodies": ["="]}, BEYOND["body"]),
        ({"bodies": [{"item": 1, "body": "Free shipping starts at £40 for the shop."}]}, BEYOND["body"]),
        (Unavailable("nobody there"), BEYOND["body"]),
    ],
    ids=str,
)
def test_what_says_more_than_its_quotes_is_written_again(
    answer: Unavailable | dict[str, object], body: str
) -> None:
    """In a call of its own, which shows the quoted messages alone. What is not proved changes nothing."""
    model = FakeModel([{"memories": [UPDATE, BEYOND]}], reconsidered=answer)
    assert [one.body for one in ask(model, KEPT).candidates] == [UPDATE["body"], body]
    asked = model.looked[0].turns[1].content
    assert "[1] user: hosting is Vercel. free shipping starts at £40\n" in asked
    assert "1. Gold members pay no shipping from £50.\n quoted: [1], not said: Gold, members" in asked
    assert "2. " not in asked


@pytest.mark.parametrize(
    ("agent", "said", "body", "unsaid"),
    [
        (
            "Bells of the harbour?",
            "they ring until noon",
            "The bells of the harbour ring at noon.",
            "bells, harbour",
        ),
        ("仓库里晚上响铃。", "一直响铃，直到中午", "在仓库里一直响铃，直到晚上。", "仓库里, 晚上"),
        ("Three bells.", "ring the bell twice", "Ring the bell 3 times.", "3"),
    ],
)
def test_the_words_that_nobody_said_are_named(agent: str, said: str, body: str, unsaid: str) -> None:
    """In Chinese too, where no space parts them."""
    item = {"quotes": [f"4: {said}"], "type": "project", "body": body}
    model = FakeModel([{"memories": [item]}], reconsidered=final("="))
    window = talk(("assistant", agent), "later", ("assistant", "Fine."), said)
    ModelExtractor(model, lambda: NOW)(window, ())
    assert f"1. {body}\n quoted: [4], not said: {unsaid}\n" in model.looked[0].turns[1].content


@pytest.mark.parametrize("place", [0, 150, 300])
def test_of_a_long_message_the_quoted_part_is_shown(place: int) -> None:
    fact = "the harbour closes at noon on Fridays."
    talked = [f"Then lorry {n} came by." for n in range(300)]
    talked.insert(place, fact)
    item = {"quotes": [f"1: {fact}"], "type": "project", "body": "The harbour closes at noon on Fridays."}
    model = FakeModel([{"memories": [item]}], reconsidered=final("="))
    ModelExtractor(model, lambda: NOW)(talk(" ".join(talked)), ())
    asked = model.looked[0].turns[1].content
    assert fact in asked
    assert "lorry 75 " not in asked
    assert asked.count("[…]") == (2 if place == 150 else 1)


def test_of_an_adopted_plan_the_quoted_part_is_shown() -> None:
    plan = (
        "# Plan: ferry\n\n## Context\n\nLorries queue in the street.\n\n- Lorries book at the harbour office."
    )
    quotes = ["1: Implement the following plan:", "1: Lorries book at the harbour office."]
    item = {"quotes": quotes, "type": "decision", "body": "Lorries book at the harbour office."}
    model = FakeModel([{"memories": [item]}], reconsidered=final("="))
    ModelExtractor(model, lambda: NOW)(talk(f"Implement the following plan:\n\n{plan}"), ())
    asked = model.looked[0].turns[1].content
    assert "[1] user: Implement the following plan:\n" in asked
    assert "[1] pasted: # Plan: ferry\n" in asked
    assert " - Lorries book at the harbour office.\n" in asked


BOOKED = "Lorries have to book the ferry at the harbour office."
FERRIES = "The ferries take no lorries on Sundays."
WAITING = "We are still waiting for the review of the ferry ports."
AS_SAID = f"The user: “on Sundays the ferries take no lorries at all. {WAITING}”"
MANY = "On Sundays the ferries take 9 lorries."
IN_SHORT = f"No lorries on Sundays.\n{FERRIES}"


@pytest.mark.parametrize(
    ("body", "answer", "reason", "text"),
    [
        pytest.param(BOOKED, FERRIES, "accepted", FERRIES, id="proved"),
        pytest.param("They take no lorries on Sundays.", FERRIES, "accepted", FERRIES, id="named"),
        pytest.param(BOOKED, IN_SHORT, "accepted", IN_SHORT, id="proved, in a short and a long sentence"),
        pytest.param(
            f"{FERRIES[:-1]}: two days before, they book at the office.",
            BOOKED,
            "accepted",
            AS_SAID,
            id="half of it unproved",
        ),
        pytest.param(MANY, "Lorries need a ticket.", "accepted", AS_SAID, id="unproved"),
        pytest.param(
            MANY,
            f"{FERRIES[:-1]}: since 12 of the ports are closed.",
            "accepted",
            AS_SAID,
            id="only its beginning proved",
        ),
        pytest.param(MANY, f"For the rest, {FERRIES}", "accepted", AS_SAID, id="points back"),
        pytest.param(BOOKED, "=", "beyond-quote", BOOKED, id="unproved, and of something else"),
        pytest.param(BOOKED, "", "of-no-use", BOOKED, id="of no use"),
        pytest.param(BOOKED, WAITING, "temporary_status", WAITING, id="refused by the gate"),
        pytest.param(FERRIES, "=", "accepted", FERRIES, id="right already"),
        pytest.param(FERRIES, "", "of-no-use", FERRIES, id="proved and of no use"),
        pytest.param(FERRIES, "Lorries need a ticket.", "accepted", FERRIES, id="proved before, not after"),
        pytest.param(
            "The lorries take no ferries on Sundays.",
            FERRIES,
            "accepted",
            FERRIES,
            id="proved and turned round",
        ),
        pytest.param(
            FERRIES,
            "Only on Sundays the ferries take no lorries.",
            "accepted",
            "Only on Sundays the ferries take no lorries.",
            id="proved, and not only then",
        ),
        pytest.param(
            FERRIES, "The ferries take no lorries.", "accepted", FERRIES, id="proved before and after"
        ),
        pytest.param(FERRIES, WAITING, "accepted", FERRIES, id="proved before, then refused by the gate"),
    ],
)
def test_a_second_look_drops_a_memory_or_gives_it_a_better_text(
    body: str, answer: str, reason: str, text: str
) -> None:
    """Where the new text is not proved either, one beyond its quotes is kept as it was said, or waits."""
    assert looked_at(body, answer, "=") == (reason, text or body)


@pytest.mark.parametrize(
    ("use", "reason"), [(0, "of-no-use"), (1, "of-no-use"), (2, "accepted"), (3, "accepted")]
)
def test_what_is_of_little_use_is_not_kept(use: int, reason: str) -> None:
    assert looked_at(FERRIES, "=", use=use) == (reason, FERRIES)


@pytest.mark.parametrize(
    "slip", [{"body": None}, {"when": None}, {"why": "old"}, {"use": 0.5}, {"use": "0"}], ids=str
)
def test_a_slip_in_the_form_keeps_nothing_of_little_use(slip: dict[str, object]) -> None:
    item = {"quotes": ["1: the ferries take no lorries at all"], "type": "project", "body": FERRIES}
    reply = {"bodies": [{"item": 1, "when": "", "use": 0, "body": "="} | slip]}
    model = FakeModel([{"memories": [item]}], reconsidered=reply)
    found = ModelExtractor(model, lambda: NOW)(talk("on Sundays the ferries take no lorries at all"), ())
    assert [one.refused for one in found.candidates] == ["of-no-use"]


def test_a_quotation_of_little_use_is_not_kept_either() -> None:
    assert looked_at(MANY, "Lorries need a ticket.", "=", use=1) == ("of-no-use", MANY)


def looked_at(body: str, *answers: str, use: int = 2) -> tuple[str, str]:
    """Why and how a text is kept, or not, after these answers of a second look: to it, and to its quotation
    if that is asked about."""
    said = "on Sundays the ferries take no lorries at all"
    item = {"quotes": [f"1: {said}"], "type": "project", "body": body}
    model = FakeModel([{"memories": [item]}], reconsidered=final(*answers, use=use))
    window = talk(f"{said}. {WAITING}")
    found = ModelExtractor(model, lambda: NOW)(window, ())
    (judged,) = judge_all(found.candidates, window, redact)
    return judged.verdict.reason, judged.candidate.body


@pytest.mark.parametrize(
    ("answers", "reason", "text"),
    [
        pytest.param(["Lorries need a ticket.", ""], "beyond-quote", MANY, id="says nothing by itself"),
        pytest.param(["Lorries need a ticket."], "beyond-quote", MANY, id="no answer"),
        pytest.param(["Lorries need a ticket.", "drop it"], "beyond-quote", MANY, id="no yes"),
        pytest.param(["", "="], "accepted", AS_SAID, id="says more than the text"),
        pytest.param(["", ""], "of-no-use", MANY, id="neither is of use"),
        pytest.param([FERRIES, ""], "accepted", FERRIES, id="not needed"),
        pytest.param(
            [f"{FERRIES[:-1]}: since 12 of the ports are closed.", ""],
            "accepted",
            FERRIES[:-1],
            id="nor is a reason that nobody gave",
        ),
        pytest.param(
            [f"{FERRIES[:-1]} and 12 of the ports are closed.", ""],
            "beyond-quote",
            MANY,
            id="what is cut is no aside",
        ),
    ],
)
def test_a_quotation_is_kept_in_place_of_a_text_if_it_says_enough(
    answers: list[str], reason: str, text: str
) -> None:
    assert looked_at(MANY, *answers) == (reason, text)


@pytest.mark.parametrize("answer", ["", "The ferry office opens on Mondays."], ids=["dropped", "blurred"])
def test_a_second_look_settles_no_contradiction(answer: str) -> None:
    """Both sides stay, for the user to be asked."""
    said = ("the ferry office opens at 7 on Mondays", "the ferry office opens at 9 on Mondays")
    items = [
        {"quotes": [f"{n}: {one}"], "type": "project", "body": f"{one.capitalize()}."}
        for n, one in enumerate(said, 1)
    ]
    model = FakeModel([{"memories": items}], reconsidered=final(answer, "="))
    found = ModelExtractor(model, lambda: NOW)(talk(*said), ())
    assert [(one.body, one.refused) for one in found.candidates] == [(one["body"], "") for one in items]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('`make tide` says "nothing to round"; `make clean tide` works.', True),
        ("The user said to round the tide to the full hour.", True),
        ("Mo says the tide is rounded to the full hour.", False),
        ("Another user said to round the tide to the full hour.", False),
        ("`TIDES.md` says the tide is rounded to the full hour.", False),
    ],
)
def test_what_a_command_or_the_user_says_is_nobody_elses_word(text: str, told: bool) -> None:
    assert understood(text) is told


def test_a_quote_under_the_number_of_another_message_is_put_where_it_stands() -> None:
    window = talk("hosting is Vercel", ("assistant", "Noted."), "free shipping starts at £40")
    extraction = ModelExtractor(FakeModel([GOOD]), lambda: NOW)(window, ())
    assert extraction.candidates[0].quotes == (Quote(3, "free shipping starts at £40"),)


def test_a_bad_reply_is_repaired_once() -> None:
    model = FakeModel([BAD, GOOD])
    extraction = ask(model)
    assert len(extraction.candidates) == 1
    first, second = model.asked
    assert second.turns[:2] == first.turns
    assert [(turn.role, turn.content) for turn in second.turns[2:3]] == [("assistant", BAD)]
    assert 'could not be used: it holds no JSON object with a list "memories"' in second.turns[3].content
    (again,) = model.looked
    assert extraction.calls == 3
    assert extraction.usage.prompt == sum(model.count(one.turns) for one in (first, second, again))


def test_two_bad_replies_are_an_error_that_says_what_was_spent() -> None:
    model = FakeModel([BAD, Reply(BAD, Usage(70, 7, 3, None))])
    with pytest.raises(Unread, match="fake/one: the reply could not be read, even after a repair") as caught:
        ask(model)
    assert isinstance(caught.value, ReplyError)
    assert caught.value.calls == 2
    assert caught.value.usage == Usage(model.count(model.asked[0].turns) + 70, len(BAD) // 4 + 7, 3, None)


def test_of_a_reply_cut_off_the_whole_items_stay_and_the_rest_is_asked_for() -> None:
    cut = Reply(f'{{"memories": [{json.dumps(FACT)}, {{"quotes": ["1: hos', Usage(10, 8_000), cut=True)
    rest = {"quotes": ["1: hosting is Vercel"], "type": "project", "body": "Hosting is Vercel."}
    model = FakeModel([cut, {"memories": [rest]}])
    extraction = ask(model)
    assert [one.body for one in extraction.candidates] == [FACT["body"], rest["body"]]
    assert json.loads(model.asked[1].turns[2].content) == GOOD
    assert "The 1 items that stood whole are above" in model.asked[1].turns[3].content


def test_a_model_that_thinks_to_the_limit_gets_more_room_from_then_on() -> None:
    thought = Reply("", Usage(10, 8_000), cut=True)
    model = FakeModel([thought, GOOD, GOOD])
    extract = ModelExtractor(model, lambda: NOW)
    assert len(extract(WINDOW, ()).candidates) == 1
    extract(WINDOW, ())
    assert [asked.max_tokens for asked in model.asked] == [8_000, THINKING_TOKENS, THINKING_TOKENS]


def test_two_replies_cut_off_ask_for_a_smaller_window() -> None:
    cut = Reply('{"memories": [{"body": "fr', Usage(10, 8_000), cut=True)
    model = FakeModel([cut, cut])
    with pytest.raises(ReplyCut, match="cut off twice") as caught:
        ask(model)
    assert isinstance(caught.value, Overflow)
    assert caught.value.usage == Usage(20, 16_000)
    assert "it was cut off at the token limit" in model.asked[1].turns[3].content


@pytest.mark.parametrize(
    "reply", ["", "  \n", "\0", "\ud800"], ids=["empty", "blank", "control", "surrogate"]
)
def test_an_empty_reply_is_sent_back_as_something(reply: str) -> None:
    model = FakeModel([reply, GOOD])
    assert ask(model).calls == 3
    assert model.asked[1].turns[2].content.strip().encode("utf-8")


def test_ten_megabytes_are_neither_read_nor_sent_back() -> None:
    model = FakeModel(["[" * 10_000_000, GOOD])
    assert ask(model).calls == 3
    assert len(model.asked[1].turns[2].content) == QUOTED_BACK
    assert "10,000,000 characters" in model.asked[1].turns[3].content


@pytest.mark.parametrize(
    "error", [Overflow("too large"), Unavailable("nobody there")], ids=["overflow", "away"]
)
def test_what_the_model_raises_goes_through(error: Overflow | Unavailable) -> None:
    with pytest.raises(type(error)) as caught:
        ask(FakeModel([error]))
    assert caught.value is error


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Elle arrondit la marée à l'heure entière du matin.", False),
        ("Il faut arrondir la marée à l'heure entière du matin.", True),
        ("Das soll auf volle Stunden der Tide gerundet werden.", False),
        ("Das Boot soll auf volle Stunden der Tide runden.", True),
        ("Eso redondea la marea a la hora completa.", False),
        ("Ese barco redondea la marea a la hora completa.", True),
        ("To wszystko zaokrągla pływy do pełnej godziny.", False),
        ("它会把潮汐时间四舍五入到整点。", False),
        ("这个项目把潮汐时间四舍五入到整点。", True),
        ("Dieses Projekt rundet die Tide auf volle Stunden.", True),
        ("Il est recommandé d'arrondir la marée à l'heure entière.", True),
    ],
)
def test_a_text_that_begins_with_what_stood_before_it_is_not_understood(text: str, told: bool) -> None:
    assert understood(text) is told
