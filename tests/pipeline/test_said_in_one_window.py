"""Two statements of one window, found by the rules: both go on, as what they are to each other."""

from datetime import UTC, datetime, timedelta

import pytest
from merge_support import applied, asked, entries
from support.table import table

from siltstone.pipeline.ledger import tally
from siltstone.pipeline.merging.merge import Merged, merge
from siltstone.pipeline.merging.working_copy import View
from siltstone.pipeline.messages import Message, Session
from siltstone.pipeline.proof.verdict import judge_all
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.rules.extract import extract
from siltstone.store.redaction import redact

AT = datetime(2026, 9, 3, 12, 39, tzinfo=UTC)
SCOPE = "projects/mill"


def window(*said: str, sessions: bool = False) -> Window:
    """One line of the user a day, in one session or in one each."""
    shown = [
        Shown(
            n,
            Session("claude", f"s{n if sessions else 1}", "/home/ada/src/mill"),
            Message(f"m{n}", f"m{n}", "user", text, AT + timedelta(days=n)),
        )
        for n, text in enumerate(said, 1)
    ]
    return Window(SCOPE, tuple(shown))


def learnt(told: Window) -> Merged:
    judgements = judge_all(extract(told), told, redact)
    merged = merge(judgements, View(SCOPE, AT))
    assert tally(merged.outcomes).total() == len(judgements)
    return merged


@pytest.mark.parametrize("sessions", [False, True], ids=["one session", "two sessions"])
@table("said_in_one_window", "pairs")
def test_in_one_window_both_go_on(first: str, second: str, kinds: list[str], sessions: bool) -> None:
    merged = learnt(window(first, second, sessions=sessions))
    assert [outcome.kind for outcome in merged.outcomes] == kinds
    assert len(asked(merged)) == kinds.count("conflicted")
    kept = entries(applied([], merged.changes))
    assert len(kept) == 2
    for one in kept.values():
        assert len(one.evidence) == 1
        assert one.body.rstrip(".") in one.evidence[0].quote
    gone = [one.body.rstrip(".") for path, one in kept.items() if "/archive/" in path]
    assert len(gone) == kinds.count("superseded")
    assert all(body in first for body in gone)


@pytest.mark.parametrize("order", [1, -1], ids=["short first", "long first"])
def test_a_reason_joins_and_the_fuller_text_stands_with_both_quotes(order: int) -> None:
    short = "Never use print for logging."
    full = "Never use print for logging because supervisord swallows stdout"
    merged = learnt(window(*(short, full)[::order]))
    assert [(one.kind, one.reason) for one in merged.outcomes] == [
        ("promoted", "accepted"),
        ("absorbed", "duplicate"),
    ]
    (kept,) = entries(applied([], merged.changes)).values()
    assert kept.body == full
    assert len(kept.evidence) == 2
