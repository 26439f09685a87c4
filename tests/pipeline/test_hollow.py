"""What is left of a sentence whose secret was taken out."""

from datetime import UTC, datetime

import pytest

from siltstone.pipeline import hearing
from siltstone.pipeline.messages import Message, Session
from siltstone.pipeline.proof.hollow import hollow
from siltstone.pipeline.proof.verdict import judge
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.extract import extract, saves
from siltstone.store.redaction import redact

HOLLOW = [
    "The bot token is [REDACTED] ok",
    "there I use my token [REDACTED]",
    "use the token [REDACTED] for the bot",
    "[REDACTED]",
    "机器人的令牌是[REDACTED]",
    "トークンは[REDACTED]です",
    "봇 토큰은 [REDACTED]입니다",
    "das Passwort ist [REDACTED]",
]
TOLD = [
    "the deploy key [REDACTED] belongs to the staging cluster",
    "the password is [REDACTED], it is rotated every month",
    "the database is postgres://app:[REDACTED]@db.example:5432/mill",
    "no secret in here",
    "部署令牌是[REDACTED]，每个月都会轮换一次",
]


@pytest.mark.parametrize("text", HOLLOW)
def test_a_secret_alone_tells_nothing(text: str) -> None:
    assert hollow(text)
    assert verdicts(f"please remember: {text}") == ["only-secret"]
    assert hearing.announced("user", f"please remember: {text}") == []


@pytest.mark.parametrize("text", TOLD)
def test_what_is_told_beside_it_stays(text: str) -> None:
    assert not hollow(text)
    assert verdicts(f"please remember: {text}") == ["accepted"]


def test_a_secret_before_a_bare_request_is_refused_and_the_answer_before_it_not_proposed() -> None:
    assert verdicts("the bot token is [REDACTED], remember that") == ["only-secret"]


def verdicts(text: str) -> list[str]:
    """What becomes of each thing the message asks to keep."""
    said = Message("m", "m", "user", text, datetime(2026, 9, 3, 12, 39, tzinfo=UTC))
    window = Window("projects/mill", (Shown(1, Session("claude", "s1", "/home/ada/src/mill"), said),))
    assert [one for one in extract(window) if one.source == "explicit"] == saves(window)
    return [judge(one, window, redact).reason for one in saves(window)]
