"""What an agent reads out of a file is no claim of its own and does not wait in the inbox (invariant 6)."""

from datetime import UTC, datetime
from typing import Literal

import pytest

from siltstone.pipeline.candidate import Candidate, Quote
from siltstone.pipeline.messages import Message, Session, ToolCall
from siltstone.pipeline.proof.verdict import judge
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.store.redaction import redact

AT = datetime(2026, 9, 3, 12, 39, 23, tzinfo=UTC)
SESSION = Session("claude", "5bcef82b", "/home/marit/src/larkspur")
RULE = "Every release has to be approved by the operations team before noon"


def window(command: str, answer: str) -> Window:
    """The user asks, the agent runs a command that prints the rule, and answers."""
    call = ToolCall("Bash", "{}", f"# Notes\n{RULE}.\n", command, exit=0)
    messages = (
        Message("m1", "m1", "user", "have a look at the notes", AT),
        Message("m2", "m2", "tool", "", AT, call),
        Message("m3", "m3", "assistant", answer, AT, final=True),
    )
    return Window("projects/larkspur", tuple(Shown(n, SESSION, m) for n, m in enumerate(messages, 1)))


@pytest.mark.parametrize(
    ("command", "answer", "body", "source", "outcome"),
    [
        pytest.param("cat NOTES.md", f"I see: {RULE}.", RULE, "extraction", "reject", id="read out"),
        pytest.param(
            "cat NOTES.md", "Releases wait for the operations team.", RULE, "extraction", "reject", id="claim"
        ),
        pytest.param("cat NOTES.md", f"I see: {RULE}.", RULE, "explicit", "quarantine", id="asked to keep"),
        pytest.param(
            "cat NOTES.md",
            "The sync job retries three times with a growing pause.",
            "The sync job retries three times with a growing pause.",
            "extraction",
            "quarantine",
            id="its own",
        ),
    ],
)
def test_what_an_agent_reads_out_is_read_content(
    command: str, answer: str, body: str, source: Literal["explicit", "extraction"], outcome: str
) -> None:
    candidate = Candidate(
        "create", "project", "project", "a-fact", body, body, (Quote(3, answer),), source=source
    )
    verdict = judge(candidate, window(command, answer), redact)
    assert verdict.outcome == outcome
    assert verdict.reason == ("read-content" if outcome == "reject" else "assistant-inferred")
