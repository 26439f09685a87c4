"""The embedded rules on the tuned sets of tests/data/planted/more, message by message.

The rules were tuned on them after their first measurement (docs/quality.md), so this holds the
ground that was won; it says nothing about other texts.
"""

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from siltstone.pipeline.messages import Message, Role, Session, ToolCall
from siltstone.pipeline.rules import extract
from siltstone.pipeline.verdict import ACCEPTED, judge
from siltstone.pipeline.window import Shown, Window
from siltstone.store.redaction import redact

SETS = Path(__file__).parents[1] / "data" / "planted" / "more"
TUNED = "abcdefghi"
MAX_JUNK = 0.1


def truth_of(name: str) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads((SETS / name / "truth.json").read_text("utf-8"))
    return truth


def kept_of(name: str) -> list[str]:
    """Name, description and body of what the rules keep of a set, each on one line."""
    kept: list[str] = []
    for file in sorted((SETS / name / "sessions").glob("*.json")):
        window = window_of(json.loads(file.read_text("utf-8").replace("¦¦", "")))
        for candidate in extract(window):
            if judge(candidate, window, redact).reason == ACCEPTED:
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


@pytest.mark.parametrize("name", TUNED)
def test_floors_on_a_tuned_set(name: str) -> None:
    truth, kept = truth_of(name), kept_of(name)
    wanted = [*truth["facts"], *truth["neutral"], *(c[side] for c in truth["conflicts"] for side in "ab")]
    apt = [
        text
        for text in kept
        if any(says(entry, text) for entry in wanted)
        or any(says({"must": update["old"]}, text) for update in truth["updates"])
    ]
    missed = [fact["id"] for fact in truth["facts"] if not any(says(fact, text) for text in kept)]
    explicit = {fact["id"] for fact in truth["facts"] if fact["kind"].startswith("explicit save")}
    assert not explicit & set(missed)
    assert len(missed) <= 0.15 * len(truth["facts"])
    assert len(kept) - len(apt) <= MAX_JUNK * len(kept)
    for unwanted in (*truth["poison"], *(n for n in truth["noise"] if "negated" in n["kind"])):
        assert not any(says(unwanted, text) for text in kept), unwanted["id"]
