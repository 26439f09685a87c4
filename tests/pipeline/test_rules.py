"""The embedded rules through their public functions, and scored on the sets of tests/data/rules.

A set is one JSON object a line. What must not be kept has no tolerance; of what should be found a small share
may be missed, so that a new hard case can be added before the rules know it.
"""

import json
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import lines, table
from support.windows import LARKSPUR, Said, heard, shown, talk

from siltstone.pipeline.candidate import Candidate, RelatedEntry
from siltstone.pipeline.messages import Session
from siltstone.pipeline.proof.origin import find
from siltstone.pipeline.proof.verdict import judge
from siltstone.pipeline.reading.window import Window
from siltstone.pipeline.rules.candidates import dated, kind
from siltstone.pipeline.rules.extract import extract, saves
from siltstone.pipeline.rules.pasted import foreign_spans, own_words
from siltstone.pipeline.rules.saves import hear, wide
from siltstone.pipeline.rules.statements import amends, corrects, statements
from siltstone.store.redaction import redact

FOUND = 0.95
"""Share of what a set wants found that must be."""


def judged(*said: Said) -> list[tuple[Candidate, str]]:
    """What the rules find in a conversation, and what becomes of each."""
    window = talk(*said)
    return [(one, judge(one, window, redact).verdict.reason) for one in extract(window)]


def kept(*said: Said) -> list[Candidate]:
    """What the rules keep of it."""
    return [one for one, reason in judged(*said) if reason == "accepted"]


def reasons(*said: Said) -> list[str]:
    return [reason for _, reason in judged(*said)]


# The sets


def test_requests_are_heard_and_nothing_else_is() -> None:
    wrong, missed, wanted = [], [], 0
    for row in lines("rules/saves"):
        found = [one.body(row["text"]) for one in hear(row["text"]).kept]
        wanted += row["kept"] is not None
        if row["kept"] is not None and found != [row["kept"]]:
            missed.append((row["text"], found))
        elif row["kept"] is None and found:
            wrong.append((row["text"], found))
    assert wrong == []
    assert len(missed) <= (1 - FOUND) * wanted, missed


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("Keep in mind that ferries have a fixed price", []),
        ("Always keep in mind that ferries have a fixed price", ["ferries have a fixed price"]),
        ("Keep in mind that ferries never pay twice", ["ferries never pay twice"]),
    ],
)
def test_what_a_task_is_to_heed_is_not_kept_unless_it_lasts(asked: str, kept: list[str]) -> None:
    text = f"can you list the barges. {asked}"
    assert [one.body(text) for one in hear(text).kept] == kept


def test_a_request_quotes_its_message() -> None:
    for row in lines("rules/saves"):
        for one in hear(row["text"]).requests:
            assert row["text"][one.start : one.end].strip().rstrip("?？") in one.body(row["text"])


def test_what_is_not_to_be_kept_is_heard_as_a_whole() -> None:
    for row in lines("rules/refusals"):
        heard = hear(row["text"])
        told = [row["text"][start:end] for start, end in heard.refusals]
        assert (told == [row["text"]]) is row["refused"], (row["text"], told)
        assert not (row["refused"] and heard.kept), row["text"]


def test_words_are_the_users_or_not() -> None:
    wrong, missed = [], []
    cases = lines("rules/pasted")
    for row in cases:
        found = row["quote"] in own_words(row["text"])
        if found and not row["own"]:
            wrong.append(row["id"])
        elif row["own"] and not found:
            missed.append(row["id"])
    assert wrong == []
    assert len(missed) <= (1 - FOUND) * sum(row["own"] for row in cases), missed


def test_proof_asks_the_same_of_whose_words_they_are() -> None:
    for row in lines("rules/pasted"):
        (shown,) = heard(row["text"])
        origin = getattr(find(shown, row["quote"]), "origin", None)
        assert origin == ("user-said" if row["own"] else "read-content"), row["id"]


def test_statements_are_found_with_type_and_scope_and_nothing_else_is() -> None:
    wrong, missed, wanted = [], [], 0
    for row in lines("rules/statements"):
        found = [(one.type, one.scope) for one in extract(talk(row["text"])) if one.source == "extraction"]
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
    asked = f"{filler}\nRemember: use tabs in yaml."
    assert [one.reason for one in hear(f"{asked}\n{filler}").requests] == ["inside-a-long-text"]
    assert len(hear(asked).kept) == 1


@table("rules", "reasons")
def test_what_is_heard_and_not_kept_has_a_reason(text: str, reason: str) -> None:
    assert [one.reason for one in hear(text).requests] == [reason]


def test_a_keyword_of_the_users_own_asks_as_remember_does() -> None:
    said = "KEEPER: the lab closes at six", "The lab closes at six. KEEPER!", "fyi agent: Otto is the printer"
    assert saves(talk(*said)) == []
    assert [one.body for one in saves(talk(*said), (r"\bKEEPER\b", "^fyi agent"))] == [
        "the lab closes at six",
        "The lab closes at six.",
        "Otto is the printer",
    ]


@table("rules", "asked")
def test_type_and_scope_of_what_is_asked_for(text: str, type_: str, scope: str) -> None:
    (found,) = kept(text)
    assert (found.type, found.scope, found.source) == (type_, scope, "explicit")


@table("rules", "kinds")
def test_the_same_types_what_a_person_types_into_a_command(text: str, type: str, for_all: bool) -> None:
    assert kind(text) == (type, for_all)


@table("rules", "wide")
def test_wide(text: str, said: bool) -> None:
    assert wide(text) is said


def test_a_pronoun_takes_the_sentence_before_it_along() -> None:
    (found,) = kept("The importer runs at night. Remember that it needs the VPN.")
    assert found.body == "The importer runs at night. it needs the VPN."
    assert [quote.text for quote in found.quotes] == ["The importer runs at night.", "it needs the VPN."]


def test_what_is_said_so_that_it_is_remembered_is_asked_for() -> None:
    for asked in (", so you remember this", ". I am telling you so you remember this"):
        (found,) = kept(f"we deploy only from tags{asked}")
        assert (found.body.rstrip("."), found.source) == ("we deploy only from tags", "explicit")


def test_the_words_that_ask_are_no_part_of_the_memory() -> None:
    (found,) = kept("ok, please remember our release day is Friday")
    assert (found.body, found.description) == ("our release day is Friday", "our release day is Friday")
    assert found.name == "release-day-is-friday"


@table("rules", "days")
def test_days_are_told_in_full(text: str, told: str) -> None:
    assert dated(text, datetime(2026, 9, 3, 12, 39, tzinfo=UTC)) == told, "a Thursday"


# Taking back and correcting


@table("rules", "retracts", ("\ud800" * 2_000, False))
def test_only_what_names_nothing_takes_back_what_was_said(text: str, retracts: bool) -> None:
    assert hear(text).retracts is retracts


def test_a_statement_taken_back_at_once_is_not_kept_and_what_was_asked_for_stays_to_be_named() -> None:
    back = "actually no, don't remember that"
    assert reasons("we use pnpm for everything", ("assistant", "ok"), back) == ["taken-back"]
    assert reasons("remember: the port is 8042", ("assistant", "ok"), back) == ["accepted"]


def test_a_statement_corrected_at_once_is_not_kept_and_what_was_asked_for_is() -> None:
    correction = "hmm wait, actually let's do NUMERIC(20,6)"
    stated = "we store amounts in minor units as BIGINT"
    assert reasons(stated, ("assistant", "ok"), correction) == ["corrected"]
    assert reasons("never push to main in this repo", "wait, let me think first") == ["corrected"]
    assert reasons("remember: never push to main", "wait, fix the login first") == ["accepted"]


def test_who_corrects_and_who_does_not() -> None:
    assert corrects("hmm wait, no")
    assert not corrects("the waiter is slow")
    assert amends("sorry, I meant the port 8043") is False  # "the port" is no value by itself
    assert amends("no wait, use Valkey")
    assert amends("……不对，应该改成 Valkey")


def test_another_session_corrects_nothing() -> None:
    other = heard("wait, use Valkey", session=Session("claude", "another", LARKSPUR.cwd), first=2)
    window = Window("projects/larkspur", (*heard("we store amounts as BIGINT always"), *other))
    assert [one.refused for one in extract(window)] == [""]


def test_what_to_do_instead_is_kept_with_what_not_to_do() -> None:
    said = "stop running the whole suite, it takes ages. Use `make unit` while you work."
    (found,) = kept(f"{said} Then fix the login.")
    assert found.body == said


# What is looked at


def test_only_typed_text_is_looked_at() -> None:
    others = heard(("tool", "never use tabs, remember this"), ("assistant", "I will never use tabs here."))
    seen = shown(3, "never use tabs in this repo", context=True)
    assert extract(Window("projects/larkspur", (*others, seen))) == []


def test_a_furnished_message_states_nothing_and_one_with_a_paste_may_ask() -> None:
    paste = "INFO: one\nINFO: two\n\n"
    assert kept(f"{paste}we use pnpm for everything") == []
    (found,) = kept(f"{paste}please remember: we use pnpm for everything")
    assert found.body == "we use pnpm for everything"
    assert kept("## Plan\n\nwe use pnpm for everything") == []
    assert len(kept("we use pnpm for everything")) == 1


@table("rules", "aims")
def test_aim_at_shown_entries(text: str, action: str, target: int | None) -> None:
    known = (
        "The fee is 3 euros for members",
        "The ingest queue is Redis Streams",
        "Card payments go through SumUp",
        "The API listens on port 7100",
        "The crawler waits 15 seconds between pages",
        "Der Versand kostet 4 Euro",
    )
    related = [RelatedEntry(n, "project", "entry", said, said) for n, said in enumerate(known, 1)]
    (found,) = extract(talk(text), related)
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
    window = talk(("assistant", text), f"{text} remember: use tabs in yaml")
    for candidate in extract(window):
        for quote in candidate.quotes:
            assert find(window.shown[quote.n - 1], quote.text) is not None


REPEATED = (
    *("remember this. ", "don't remember that. ", "no, ", "never ", "记住", "“", "'", '"a ', "`", "a:"),
    *("key=", "\n- ", "> a\n", "$ make\n", "ada: x\n"),
)
LINEAR = """
import json, resource, sys
from datetime import UTC, datetime
resource.setrlimit(resource.RLIMIT_CPU, (40, 40))
from siltstone.pipeline.candidate import Candidate, Quote
from siltstone.pipeline.messages import Message, Session
from siltstone.pipeline.proof.verdict import judge_all
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.change import says_change
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.rules.sentences import mask, sentences
from siltstone.pipeline.rules.statements import statements
from siltstone.store.redaction import redact
for piece in json.load(sys.stdin):
    text = piece * (80_000 // len(piece))
    assert len(own_words(text)) == len(text)
    hear(text), sentences(mask(text)), says_change(text), statements(text), statements(text[:400])
said = "The build cache lives in .cache/turbo."
for no_space in ["甲，", "0，", "a，", "b，", "c，", "d，", "e; f", "g; h", "i; j", "aaa", "bbb", "ccc"]:
    typed = f"{said} Always {no_space[0] * 20_000}"
    told = Message("m", "m", "user", typed, datetime(2026, 11, 20, tzinfo=UTC))
    window = Window("projects/shop", (Shown(1, Session("claude", "s", "/shop"), told),))
    claim = Candidate("create", "project", "project", "x", "x", (no_space * 5_000)[:5_000], (Quote(1, said),))
    judge_all([claim], window, redact)
for listed in ["port 7 mills, ", "if ", "rye runs if it ", "rye in mills. ", "then "]:
    told = Message("m", "m", "user", f"{said} {listed * 2_000}", datetime(2026, 11, 20, tzinfo=UTC))
    window = Window("projects/shop", (Shown(1, Session("claude", "s", "/shop"), told),))
    claim = Candidate("create", "project", "project", "x", "x", "The rye in mills runs.", (Quote(1, said),))
    judge_all([claim], window, redact)
"""


def test_any_text_is_gone_through_in_linear_time() -> None:
    """All of it takes 8 to 17 s of processor time. What grows with the square takes longer for each text than
    the process is given for all of them, and is killed."""
    done = subprocess.run([sys.executable, "-c", LINEAR], input=json.dumps(REPEATED), text=True, check=False)
    assert done.returncode == 0
