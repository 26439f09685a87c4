"""Windows of a few words, for tests that need one."""

from collections.abc import Sequence
from datetime import UTC, datetime

from siltstone.pipeline.messages import Message, Role, Session
from siltstone.pipeline.reading.window import Shown, Window

AT = datetime(2026, 9, 3, 12, 39, 23, tzinfo=UTC)
LARKSPUR = Session("claude", "5bcef82b", "/home/marit/src/larkspur")


def talk(*texts: str, roles: Sequence[Role] = ("user",), session: Session = LARKSPUR) -> Window:
    """A window of one session, numbered from 1; `roles` are repeated as often as needed."""
    shown = tuple(
        Shown(n, session, Message(f"m{n}", f"m{n}", roles[(n - 1) % len(roles)], text, AT))
        for n, text in enumerate(texts, 1)
    )
    return Window("projects/larkspur", shown)
