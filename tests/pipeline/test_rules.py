"""The embedded rules through their public functions, and scored on the sets of tests/data/rules.

A set is one JSON object a line. What must not be kept has no tolerance; of what should be found a small share
may be missed, so that a new hard case can be added before the rules know it.
"""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.windows import AT, LARKSPUR

from siltstone.pipeline.candidate import Candidate, RelatedEntry
from siltstone.pipeline.messages import Message, Role, Session, ToolCall
from siltstone.pipeline.proof.origin import locate
from siltstone.pipeline.proof.verdict import judge
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.candidates import dated, kind
from siltstone.pipeline.rules.extract import extract, saves
from siltstone.pipeline.rules.pasted import foreign_spans, own_words
from siltstone.pipeline.rules.refusals import corrects
from siltstone.pipeline.rules.saves import hear, wide
from siltstone.pipeline.rules.statements import amends, statements
from siltstone.store.redaction import redact

SETS = Path(__file__).parents[1] / "data" / "rules"
FOUND = 0.95
"""Share of what a set wants found that must be."""
OTHER = Session("claude", "another", LARKSPUR.cwd)


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text("utf-8").splitlines()]


def spoken(*said: tuple[Role, str] | str, session: Session = LARKSPUR, first: int = 1) -> tuple[Shown, ...]:
    """A conversation; a bare text is the user's."""
    shown = []
    for n, one in enumerate(said, first):
        role, text = ("user", one) if isinstance(one, str) else one
        tool = ToolCall("Bash", "{}", text, "make", 0) if role == "tool" else None
        message = Message(f"m{n}", f"m{n}", role, "" if tool else text, AT + timedelta(minutes=n), tool)  # type: ignore[arg-type]
        shown.append(Shown(n, session, message))
    return tuple(shown)


def kept(*said: tuple[Role, str] | str) -> list[Candidate]:
    """What the rules keep of a conversation."""
    window = Window("projects/larkspur", spoken(*said))
    return [one for one in extract(window) if judge(one, window, redact).outcome == "accept"]


def reasons(*said: tuple[Role, str] | str) -> list[str]:
    """What becomes of each thing that was heard."""
    window = Window("projects/larkspur", spoken(*said))
    return [judge(one, window, redact).reason for one in extract(window)]


# The sets


def test_requests_are_heard_and_nothing_else_is() -> None:
    wrong, missed, wanted = [], [], 0
    for row in rows("saves"):
        found = [one.body(row["text"]) for one in hear(row["text"]).kept]
        wanted += row["kept"] is not None
        if row["kept"] is not None and found != [row["kept"]]:
            missed.append((row["text"], found))
        elif row["kept"] is None and found:
            wrong.append((row["text"], found))
    assert wrong == []
    assert len(missed) <= (1 - FOUND) * wanted, missed


def test_a_request_quotes_its_message() -> None:
    for row in rows("saves"):
        for one in hear(row["text"]).requests:
            assert row["text"][one.start : one.end].strip().rstrip("?？") in one.body(row["text"])


def test_what_is_not_to_be_kept_is_heard_as_a_whole() -> None:
    for row in rows("refusals"):
        heard = hear(row["text"])
        told = [row["text"][start:end] for start, end in heard.refusals]
        assert (told == [row["text"]]) is row["refused"], (row["text"], told)
        assert not (row["refused"] and heard.kept), row["text"]


def test_words_are_the_users_or_not() -> None:
    wrong, missed = [], []
    cases = rows("pasted")
    for row in cases:
        found = row["quote"] in own_words(row["text"])
        if found and not row["own"]:
            wrong.append(row["id"])
        elif row["own"] and not found:
            missed.append(row["id"])
    assert wrong == []
    assert len(missed) <= (1 - FOUND) * sum(row["own"] for row in cases), missed


def test_proof_asks_the_same_of_whose_words_they_are() -> None:
    for row in rows("pasted"):
        (shown,) = spoken(row["text"])
        assert locate(shown, row["quote"]) == ("user-said" if row["own"] else "read-content"), row["id"]


def test_statements_are_found_with_type_and_scope_and_nothing_else_is() -> None:
    wrong, missed, wanted = [], [], 0
    for row in rows("statements"):
        window = Window("projects/larkspur", spoken(row["text"]))
        found = [(one.type, one.scope) for one in extract(window) if one.source == "extraction"]
        wanted += row["type"] is not None
        if row["type"] is None and found:
            wrong.append((row["text"], found))
        elif row["type"] is not None and found != [(row["type"], row["scope"])]:
            missed.append((row["text"], found))
    assert wrong == []
    assert len(missed) <= (1 - FOUND) * wanted, missed


# Requests


def test_a_request_in_the_middle_of_a_long_text_is_not_kept_and_at_its_end_it_is() -> None:
    filler = "The importer reads one file after the other and writes what it found. " * 30
    assert [one.reason for one in hear(f"{filler}\nRemember: use tabs in yaml.\n{filler}").requests] == [
        "inside-a-long-text"
    ]
    assert len(hear(f"{filler}\nRemember: use tabs in yaml.").kept) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("don't forget the changelog", "no-statement"),
        ("don't forget to close the ticket", "one-task"),
        ("remember: for now the port is 8042", "for-now"),
        ("remember this: later", "nothing-named"),
        ("remember this", "points-back"),
        ("Joost from the lab said to reboot at midnight, please remember that", "others-words"),
    ],
)
def test_what_is_heard_and_not_kept_has_a_reason(text: str, reason: str) -> None:
    assert [one.reason for one in hear(text).requests] == [reason]


def test_that_reason_stands_in_the_verdict() -> None:
    assert reasons("don't forget to close the ticket, please") == ["one-task"]


def test_a_keyword_of_the_users_own_asks_as_remember_does() -> None:
    keywords = (r"\bKEEPER\b", "^fyi agent")
    assert hear("KEEPER: the lab closes at six").requests == ()
    assert [
        one.body("KEEPER: the lab closes at six")
        for one in hear("KEEPER: the lab closes at six", keywords).kept
    ] == ["the lab closes at six"]
    window = Window(
        "projects/larkspur", spoken("The lab closes at six. KEEPER!", "fyi agent: Otto is the printer")
    )
    assert [one.body for one in saves(window, keywords)] == ["The lab closes at six.", "Otto is the printer"]


@pytest.mark.parametrize(
    ("text", "type_", "scope"),
    [
        ("remember that station ids are strings", "feedback", "project"),
        ("Remember this for all my projects: the why goes into the commit", "feedback", "global"),
        ("Amounts are in cents. Remember that for all my projects.", "feedback", "global"),
        ("I always use bun, not npm or yarn. Keep that in mind for future projects.", "user", "global"),
        ("don't forget I work from Utrecht", "user", "global"),
        ("remember: no recaps, everywhere", "feedback", "global"),
        ("remember: prices are pence everywhere in here", "feedback", "project"),
        ("remember: we chose Postgres over MySQL because of JSONB", "decision", "project"),
        ("remember the wiki is at https://wiki.example/mill", "reference", "project"),
        ("请记住：所有项目的提交信息都用英文写", "feedback", "global"),
    ],
)
def test_type_and_scope_of_what_is_asked_for(text: str, type_: str, scope: str) -> None:
    (found,) = kept(text)
    assert (found.type, found.scope, found.source) == (type_, scope, "explicit")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Porto", ("user", True)),
        ("We chose Postgres over MySQL because of JSONB", ("decision", False)),
        ("The dashboard is at https://grafana.example/d/1", ("reference", False)),
        ("station ids are strings", ("feedback", False)),
        ("never push to main, in none of my repositories", ("feedback", True)),
    ],
)
def test_the_same_types_what_a_person_types_into_a_command(text: str, expected: tuple[str, bool]) -> None:
    assert kind(text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("never push, in all my repos", True),
        ("所有项目都用英文提交", True),
        ("in allen meinen Projekten so", True),
        ("no emojis, en ningún repo", True),
        ("no summaries, everywhere, not only here", True),
        ("lot numbers are text everywhere, never ints", False),
        ("the list shows all projects of a user", False),
        ("never push in this repo", False),
    ],
)
def test_wide(text: str, said: bool) -> None:
    assert wide(text) is said


def test_a_pronoun_takes_the_sentence_before_it_along() -> None:
    (found,) = kept("The importer runs at night. Remember that it needs the VPN.")
    assert found.body == "The importer runs at night. it needs the VPN."
    assert [quote.text for quote in found.quotes] == ["The importer runs at night.", "it needs the VPN."]


def test_the_words_that_ask_are_no_part_of_the_memory() -> None:
    (found,) = kept("ok, please remember our release day is Friday")
    assert (found.body, found.description) == ("our release day is Friday", "our release day is Friday")
    assert found.name == "release-day-is-friday"


def test_days_are_told_in_full() -> None:
    said = datetime(2026, 9, 3, 12, 39, tzinfo=UTC)  # a Thursday
    assert dated("since last Monday it runs on Fly", said) == "since Monday 2026-08-31 it runs on Fly"
    assert dated("the freeze ends next Friday", said) == "the freeze ends on Friday 2026-09-04"
    assert dated("the demo is tomorrow", said) == "the demo is 2026-09-04"
    assert dated("we moved last month", said) == "we moved last month (said on 2026-09-03)"
    assert dated("部署昨天改了", said) == "部署2026-09-02改了"
    assert dated("closed on Mondays", said) == "closed on Mondays"


# Taking back and correcting


@pytest.mark.parametrize(
    "text",
    [
        "Actually no, don't remember that.",
        "forget that",
        "Oh sorry, on second thought please don't save that",
        "Never mind, forget it.",
        "Don't remember that. Now fix the login page",
        "Merk dir das bitte nicht",
        "Vergiss das wieder.",
        "不要记住这个",
        "算了，别记了",
        "やっぱり覚えなくていい",
        "아니, 그거 기억하지 마세요",
        "no lo recuerdes",
        "ne retiens pas ça finalement",
    ],
)
def test_what_names_nothing_takes_back_what_was_said(text: str) -> None:
    assert hear(text).retracts


@pytest.mark.parametrize(
    "text",
    [
        "don't remember that the gate is open",
        "our pin is long. don't remember that",
        "Don't forget that",
        "forget the changelog",
        "never save this in git",
        "I don't remember that",
        "fix the login",
        "",
        "\ud800" * 2_000,
    ],
)
def test_what_names_a_thing_or_asks_for_something_else_does_not(text: str) -> None:
    assert not hear(text).retracts


def test_a_statement_taken_back_at_once_is_not_kept_and_what_was_asked_for_stays_to_be_named() -> None:
    back = "actually no, don't remember that"
    assert reasons("we use pnpm for everything", ("assistant", "ok"), back) == ["taken-back"]
    assert reasons("remember: the port is 8042", ("assistant", "ok"), back) == ["accepted"]


def test_a_statement_corrected_at_once_is_not_kept() -> None:
    assert reasons(
        "we store amounts in minor units as BIGINT",
        ("assistant", "ok"),
        "hmm wait, actually let's do NUMERIC(20,6)",
    ) == ["corrected"]
    assert reasons("never push to main in this repo", "wait, let me think first") == ["corrected"]


def test_what_was_asked_for_is_not_dropped_for_a_correction() -> None:
    assert reasons("remember: never push to main", "wait, fix the login first") == ["accepted"]


def test_who_corrects_and_who_does_not() -> None:
    assert corrects("hmm wait, no")
    assert not corrects("the waiter is slow")
    assert amends("sorry, I meant the port 8043") is False  # "the port" is no value by itself
    assert amends("no wait, use Valkey")


def test_another_session_corrects_nothing() -> None:
    shown = (
        *spoken("we store amounts as BIGINT always"),
        *spoken("wait, use Valkey", session=OTHER, first=2),
    )
    window = Window("projects/larkspur", shown)
    assert [one.refused for one in extract(window)] == [""]


# What is looked at


def test_only_typed_text_is_looked_at() -> None:
    window = Window(
        "projects/larkspur",
        (
            *spoken(("tool", "never use tabs, remember this"), ("assistant", "I will never use tabs here.")),
            Shown(3, LARKSPUR, Message("c", "c", "user", "never use tabs in this repo", AT), context=True),
        ),
    )
    assert extract(window) == []


def test_a_message_with_a_paste_states_nothing_and_may_ask() -> None:
    paste = "INFO: one\nINFO: two\n\n"
    assert kept(f"{paste}we use pnpm for everything") == []
    (found,) = kept(f"{paste}please remember: we use pnpm for everything")
    assert found.body == "we use pnpm for everything"


def test_a_furnished_message_states_nothing() -> None:
    assert kept("## Plan\n\nwe use pnpm for everything") == []
    assert len(kept("we use pnpm for everything")) == 1


def shown_entry(number: int, text: str) -> RelatedEntry:
    return RelatedEntry(number, "project", "entry", text, text)


@pytest.mark.parametrize(
    ("text", "action", "target"),
    [
        ("we moved the ingest queue from Redis Streams to NATS JetStream", "supersede", 2),
        ("We switched card payments from Tollo to Mollo", "supersede", 3),
        ("we no longer use Tollo for card payments", "supersede", 3),
        ("remember: the fee is now 4 euros instead of 3 euros", "supersede", 1),
        ("remember: the fee is 5 euros for members", "contradict", 1),
        ("remember: the ingest queue is Redis Streams", "confirm", 2),
        ("remember: the printer is an Otto", "create", None),
    ],
)
def test_aim_at_shown_entries(text: str, action: str, target: int | None) -> None:
    related = [
        shown_entry(1, "The fee is 3 euros for members"),
        shown_entry(2, "The ingest queue is Redis Streams"),
        shown_entry(3, "Card payments go through Tollo"),
    ]
    (found,) = extract(Window("projects/larkspur", spoken(text)), related)
    assert (found.action, found.target) == (action, target)


# Any text


PIECES = (
    *("remember this", "don't remember that", "never use tabs here. ", "> quoted\n", "```\n", "Bo wrote:\n"),
    *("\n\n", "INFO: x\n", "$ make\n", "记住", "覚えておいて", "“", "‘", "`", "1. ", "\t", "ada: x\n"),
    *("Best,\n", "İ"),
)


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=12).map("".join))
@settings(max_examples=200)
def test_spans_lie_within_any_text(text: str) -> None:
    for start, end in foreign_spans(text):
        assert 0 <= start <= end <= len(text)
    assert len(own_words(text)) == len(text)
    heard = hear(text)
    for one in heard.requests:
        assert 0 <= one.start <= one.end <= len(text)
    for start, end in heard.refusals:
        assert 0 <= start < end <= len(text)
    for stated in statements(text):
        assert 0 <= stated.start < stated.end <= len(text)


@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
@settings(max_examples=100)
def test_every_quote_stands_where_it_says(text: str) -> None:
    window = Window("projects/larkspur", spoken(("assistant", text), f"{text} remember: use tabs in yaml"))
    for candidate in extract(window):
        for quote in candidate.quotes:
            assert locate(window.shown[quote.n - 1], quote.text) is not None


@pytest.mark.parametrize(
    "piece", ["remember ", "“", "'", "a:", "key=", "\n- ", "no, ", "记住", "wait, ", "never "]
)
def test_a_text_of_one_thing_over_and_over_is_gone_through(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    hear(text)
    statements(text[:400])
    assert len(own_words(text)) == len(text)
