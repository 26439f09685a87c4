"""Windows of a few words, for tests that need one."""

from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from siltstone.pipeline.messages import Message, Role, Session, ToolCall
from siltstone.pipeline.reading.window import Shown, Window

AT = datetime(2026, 9, 3, 12, 39, 23, tzinfo=UTC)
LARKSPUR = Session("claude", "5bcef82b", "/home/marit/src/larkspur")

Said = str | tuple[Role | Literal["asks"], str] | list[Any]
"""A text of the user's, or what another said: a tool's is what `make` printed, the agent "asks" and waits."""


def shown(n: int, text: str = "", role: Role = "user", tool: ToolCall | None = None, **more: Any) -> Shown:
    """A message, a minute after the last; or a call of a tool."""
    at, final = AT + timedelta(minutes=n), more.pop("final", False)
    message = Message(f"m{n}", f"m{n}", "tool" if tool else role, text, at, tool, final)
    return Shown(n, more.pop("session", LARKSPUR), message, **more)


def heard(*said: Said, session: Session = LARKSPUR, first: int = 1) -> tuple[Shown, ...]:
    """A conversation, numbered from `first`."""
    roles = [("user", one) if isinstance(one, str) else tuple(one) for one in said]
    return tuple(
        shown(n, tool=ToolCall("Bash", "{}", text, "make", 0), session=session)
        if role == "tool"
        else shown(n, text, "assistant" if role == "asks" else role, session=session, final=role == "asks")
        for n, (role, text) in enumerate(roles, first)
    )


def talk(*said: Said, session: Session = LARKSPUR) -> Window:
    """A window of one session, numbered from 1."""
    return Window("projects/larkspur", heard(*said, session=session))
