"""What is written down of a window: of what was not believed, where it was said, and in which words."""

import dataclasses
from pathlib import Path

from support.windows import AT, LARKSPUR

from siltstone.pipeline.bookkeeping import booked
from siltstone.pipeline.candidate import Candidate
from siltstone.pipeline.extraction.extract import Extraction
from siltstone.pipeline.extraction.saves import resembling
from siltstone.pipeline.ledger import Outcome
from siltstone.pipeline.messages import Message
from siltstone.pipeline.proof.verdict import judge
from siltstone.pipeline.reading.window import Mark, Shown, Window
from siltstone.store.redaction import redact
from siltstone.store.state import State

OTHER = dataclasses.replace(LARKSPUR, id="another-session")
WORDS = "the demo runs on heron"


def test_the_ledger_names_the_message_and_keeps_no_word_of_what_is_not_to_be_kept(tmp_path: Path) -> None:
    first = Message("m1", "m1", "user", "fix the demo", AT)
    second = Message("m7", "m7", "user", f"don't remember this: {WORDS}", AT)
    marks = tuple(
        Mark("source", session, message.id, None, (message.key,))
        for session, message in ((LARKSPUR, first), (OTHER, second))
    )
    shown = (Shown(1, LARKSPUR, first), Shown(2, OTHER, second))
    window = Window("projects/larkspur", shown, marks=marks)
    outcomes = [_outcome(candidate, window) for candidate in resembling(window)]
    with State.open(tmp_path) as state:
        (row,) = booked(window, state, "1", AT, "rules", Extraction(()), outcomes).rejected
    assert (row.reason, row.said) == ("negated_request", f"{OTHER.agent}/another-session@m7")
    assert WORDS not in repr(row)


def _outcome(candidate: Candidate, window: Window) -> Outcome:
    verdict = judge(candidate, window, redact)
    return Outcome("rejected", verdict.reason, candidate, verdict)
