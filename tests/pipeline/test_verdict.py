"""The verdict: evidence, origin policy, redaction, gate, in that order."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from support.windows import LARKSPUR, talk

from siltstone.pipeline import detector
from siltstone.pipeline.candidate import Candidate, Quote
from siltstone.pipeline.messages import Message, Session, ToolCall
from siltstone.pipeline.proof.verdict import judge, judge_all
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.extract import saves
from siltstone.store import redaction
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


RULE = "Every release has to be approved by the operations team before noon"
OWN = "The sync job retries three times with a growing pause."


@pytest.mark.parametrize(
    ("answer", "body", "source", "outcome"),
    [
        pytest.param(f"I see: {RULE}.", RULE, "extraction", "reject", id="read out"),
        pytest.param("Releases wait for the operations team.", RULE, "extraction", "reject", id="claim"),
        pytest.param(f"I see: {RULE}.", RULE, "explicit", "quarantine", id="asked to keep"),
        pytest.param(OWN, OWN, "extraction", "quarantine", id="its own"),
    ],
)
def test_what_an_agent_reads_out_is_read_content(
    answer: str, body: str, source: Source, outcome: str
) -> None:
    """What an agent reads out of a file is no claim of its own and does not wait in the inbox."""
    call = ToolCall("Bash", "{}", f"# Notes\n{RULE}.\n", "cat NOTES.md", exit=0)
    messages = (
        Message("m1", "m1", "user", "have a look at the notes", AT),
        Message("m2", "m2", "tool", "", AT, call),
        Message("m3", "m3", "assistant", answer, AT, final=True),
    )
    window = Window("projects/larkspur", tuple(Shown(n, LARKSPUR, m) for n, m in enumerate(messages, 1)))
    verdict = judge(candidate(3, answer, body=body, source=source), window, redact)
    assert verdict.outcome == outcome
    assert verdict.reason == ("read-content" if outcome == "reject" else "assistant-inferred")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The bot token is [REDACTED] ok", False),
        ("use the token [REDACTED] for the bot", False),
        ("[REDACTED]", False),
        ("机器人的令牌是[REDACTED]", False),
        ("das Passwort ist [REDACTED]", False),
        ("the deploy key [REDACTED] belongs to the staging cluster", True),
        ("the password is [REDACTED], it is rotated every month", True),
        ("the database is postgres://app:[REDACTED]@db.example:5432/mill", True),
        ("部署令牌是[REDACTED]，每个月都会轮换一次", True),
    ],
)
def test_a_secret_alone_tells_nothing(text: str, told: bool) -> None:
    """What a person asks to keep is kept where something is said beside the secret that was taken out."""
    window = talk(f"please remember: {text}")
    reasons = [judge(one, window, redaction.redact).reason for one in saves(window)]
    assert reasons == ["accepted" if told else "only-secret"]
    assert bool(detector.announced("user", f"please remember: {text}")) is told


def test_a_secret_before_a_bare_request_is_refused_and_the_answer_before_it_not_proposed() -> None:
    window = talk("the bot token is [REDACTED], remember that")
    assert [judge(one, window, redaction.redact).reason for one in saves(window)] == ["only-secret"]
