"""What is left of a sentence whose secret was taken out."""

import pytest

from siltstone.pipeline.explicit import find_saves
from siltstone.pipeline.hollow import hollow

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
    assert find_saves(f"please remember: {text}") == []


@pytest.mark.parametrize("text", TOLD)
def test_what_is_told_beside_it_stays(text: str) -> None:
    assert not hollow(text)
    assert find_saves(f"please remember: {text}")
