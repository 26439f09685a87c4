"""The embedded rules on the planted sets of tests/data/planted/more, message by message: what they keep is
nearly all worth keeping, and what the user asked for is kept (docs/quality.md)."""

import json
import re
import subprocess
import sys
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from siltstone.pipeline.messages import Message, Role, Session, ToolCall
from siltstone.pipeline.proof.verdict import ACCEPTED, judge
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.extract import extract
from siltstone.store.redaction import redact

SETS = Path(__file__).parents[1] / "data" / "planted" / "more"
NAMES = "abcdefghij"
MAX_JUNK = 0.05
MIN_FOUND = 0.2
OTHER_LANGUAGES = {"c16"}
"""Requests in languages that the rules do not know."""


def truth_of(name: str) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads((SETS / name / "truth.json").read_text("utf-8"))
    return truth


@cache
def kept_of(name: str) -> list[str]:
    """Name, description and body of what the rules keep of a set, each on one line."""
    kept: list[str] = []
    for file in sorted((SETS / name / "sessions").glob("*.json")):
        window = window_of(json.loads(file.read_text("utf-8").replace("¦¦", "")))
        for candidate in extract(window):
            if judge(candidate, window, redact).verdict.reason == ACCEPTED:
                text = f"{candidate.name} {candidate.description} {candidate.body}"
                kept.append(" ".join(text.replace("`", "").replace("’", "'").split()))
    return kept


def window_of(planted: dict[str, Any]) -> Window:
    session = Session(planted["agent"], planted["id"], planted["cwd"])
    typed = (message for message in planted["messages"] if not message.get("injected"))
    return Window("projects/x", tuple(shown(n, session, message) for n, message in enumerate(typed, 1)))


def shown(n: int, session: Session, planted: dict[str, Any]) -> Shown:
    text = redact(planted["text"]).text
    role: Role = planted["role"]
    tool = ToolCall(planted["tool"]["name"], "{}", text, exit=planted.get("exit")) if role == "tool" else None
    at = datetime.fromisoformat(planted["at"])
    return Shown(n, session, Message(str(n), str(n), role, "" if tool else text, at, tool))


def says(entry: dict[str, Any], text: str, key: str = "must") -> bool:
    matches = all(re.search(pattern, text, re.I) for pattern in entry[key])
    return matches and not any(re.search(pattern, text, re.I) for pattern in entry.get("unless", []))


def test_little_is_found_and_nearly_none_of_it_is_junk() -> None:
    found = facts = kept_in_all = junk = 0
    for name in NAMES:
        truth, kept = truth_of(name), kept_of(name)
        wanted = [*truth["facts"], *truth["neutral"], *(c[side] for c in truth["conflicts"] for side in "ab")]
        wanted += [{"must": update["old"]} for update in truth["updates"]]
        junk += sum(not any(says(entry, text) for entry in wanted) for text in kept)
        kept_in_all += len(kept)
        facts += len(truth["facts"])
        found += sum(any(says(fact, text) for text in kept) for fact in truth["facts"])
    assert junk <= MAX_JUNK * kept_in_all
    assert found >= MIN_FOUND * facts


@pytest.mark.parametrize("name", NAMES)
def test_what_was_asked_for_is_kept_and_what_must_not_be_is_not(name: str) -> None:
    truth, kept = truth_of(name), kept_of(name)
    asked = [fact for fact in truth["facts"] if fact["kind"].startswith("explicit save")]
    missed = {fact["id"] for fact in asked if not any(says(fact, text) for text in kept)}
    assert missed <= OTHER_LANGUAGES
    for unwanted in (*truth["poison"], *(n for n in truth["noise"] if "negated" in n["kind"])):
        assert not any(says(unwanted, text) for text in kept), unwanted["id"]


def test_the_scorer_knows_a_perfect_store_from_a_bad_one() -> None:
    subprocess.run([sys.executable, str(SETS.parent / "score.py"), "--self-test"], check=True)
