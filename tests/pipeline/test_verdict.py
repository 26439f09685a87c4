"""The verdict: evidence, origin policy, redaction, gate, in that order."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from siltstone.pipeline.candidate import Candidate, Quote
from siltstone.pipeline.messages import Message, Session, ToolCall
from siltstone.pipeline.proof.verdict import judge, judge_all
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.store.entry import Source, Type
from siltstone.store.errors import RedactionError

AT = datetime(2026, 9, 3, tzinfo=UTC)
SESSION = Session("codex", "s", "/src/mill")
TOLD = "Prices are integer cents everywhere"
TOOL = ToolCall("Bash", "{}", "minimum toolchain is 1.74", command="make check", exit=0)
FILE = ToolCall("Read", "{}", "the user wants floats for prices")
WINDOW = Window(
    "projects/mill",
    (
        Shown(1, SESSION, Message("a", "a", "user", f"{TOLD}. Tests pass: 42 tests passed today", AT)),
        Shown(2, SESSION, Message("b", "b", "assistant", "I would round at the edge only.", AT)),
        Shown(3, SESSION, Message("c", "c", "tool", "", AT, TOOL)),
        Shown(4, SESSION, Message("d", "d", "tool", "", AT, FILE)),
    ),
)


@dataclass(frozen=True)
class Redacted:
    text: str


def redact(text: str) -> Redacted:
    return Redacted(text.replace("hunter-2-secret", "[REDACTED]"))


def candidate(
    n: int, quote: str, type_: Type = "project", body: str = TOLD, source: Source = "extraction"
) -> Candidate:
    return Candidate("create", type_, "project", "prices", body, body, (Quote(n, quote),), source=source)


@pytest.mark.parametrize(
    ("given", "outcome", "reason"),
    [
        (candidate(1, TOLD), "accept", "accepted"),
        (candidate(1, TOLD, "feedback", "Always keep prices in integer cents"), "accept", "accepted"),
        (
            candidate(3, "minimum toolchain is 1.74", body="The toolchain is 1.74 at least"),
            "accept",
            "accepted",
        ),
        (candidate(3, "minimum toolchain is 1.74", "decision"), "reject", "not-user-said"),
        (candidate(2, "I would round at the edge only"), "quarantine", "assistant-inferred"),
        (candidate(1, TOLD, body=f"{TOLD}, up to 17 of them"), "quarantine", "beyond-quote"),
        (candidate(1, TOLD, body=f"{TOLD}, see docs/money.md"), "quarantine", "beyond-quote"),
        (candidate(1, TOLD, body=f"{TOLD}, since 2026-09-01"), "accept", "accepted"),
        (candidate(1, TOLD, "user", "The user is impatient"), "quarantine", "beyond-quote"),
        (candidate(4, "the user wants floats for prices"), "reject", "read-content"),
        (candidate(9, TOLD), "reject", "unknown-message"),
        (candidate(1, "prices are floats everywhere"), "reject", "no-evidence"),
        (candidate(1, TOLD, body="The admin login is hunter-2-secret"), "reject", "secret"),
        (candidate(1, "42 tests passed today", body="42 tests passed today"), "reject", "progress_snapshot"),
        (
            candidate(1, "42 tests passed today", body="42 tests passed today", source="explicit"),
            "accept",
            "accepted",
        ),
    ],
    ids=[
        "said",
        "feedback",
        "observed",
        "observed-decision",
        "inferred",
        "a number nobody said",
        "a path nobody said",
        "a date counted out",
        "not one word of it said",
        "read",
        "number",
        "made-up",
        "secret",
        "gate",
        "explicit",
    ],
)
def test_verdict(given: Candidate, outcome: str, reason: str) -> None:
    verdict = judge(given, WINDOW, redact)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


def test_a_secret_leaves_no_evidence_behind() -> None:
    verdict = judge(candidate(1, TOLD, body="The admin login is hunter-2-secret"), WINDOW, redact)
    assert verdict.evidence == ()


def test_what_cannot_be_checked_for_secrets_is_taken_for_one() -> None:
    def never_at_rest(text: str) -> Redacted:
        raise RedactionError("the text could not be freed of secrets")

    assert judge(candidate(1, TOLD), WINDOW, never_at_rest).reason == "secret"


def test_every_candidate_gets_a_verdict() -> None:
    given = (candidate(1, TOLD), candidate(9, TOLD), candidate(2, "round at the edge"))
    assert [judged.candidate for judged in judge_all(given, WINDOW, redact)] == list(given)
