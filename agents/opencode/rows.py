"""What both storages of OpenCode hold: sessions, messages and their parts, in one shape.

The JSON files of era 1.1 and the rows of the database carry the same objects; `database.py` and
`files.py` only fetch them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from siltstone.agents.opencode.typed import is_headless
from siltstone.agents.records import Record, integer, obj, string
from siltstone.pipeline.messages import frozen


@frozen
class Part:
    """One piece of a message: text, a tool call, a compaction, …"""

    id: str
    data: Record
    """{} for bookkeeping, which nobody asks for."""


@frozen
class Row:
    """One message with its parts, in their order."""

    id: str
    created: int
    """Milliseconds since 1970. A fork copies it, so it is part of a message's identity."""
    data: Record
    parts: tuple[Part, ...]

    @property
    def role(self) -> str:
        """ "user", "assistant", or whatever stands there."""
        return string(self.data.get("role"))

    @property
    def ended(self) -> bool:
        """The agent is done with it: nothing in it will change in place any more."""
        if self.role != "assistant":
            return bool(self.parts)
        return integer(obj(self.data.get("time")).get("completed")) is not None or bool(
            self.data.get("error")
        )


@dataclass(frozen=True, slots=True)
class Talk:
    """One session as OpenCode keeps it."""

    id: str
    directory: str
    parent: str
    """The session whose task tool started this one; "" for a person's."""
    reverted: str = ""
    """From this message on everything is undone, and goes with the next prompt; "" = nothing is."""
    reverted_part: str = ""
    """Within that message, from this part on; "" = all of it."""
    headless: bool = False
    """It is one of `opencode run` (`typed.py`)."""


class Storage(Protocol):
    """Where sessions are kept. Raises SourceError when it cannot be read."""

    def talk(self, session: str) -> Talk | None:
        """The session, or None when there is none (any more)."""
        ...

    def order(self, session: str) -> list[str]:
        """Ids of its messages in reading order: by time of creation, then id (ids alone wrap)."""
        ...

    def row(self, session: str, message: str) -> Row | None:
        """One message, or None when it has gone."""
        ...

    def rows(self, session: str, messages: Sequence[str]) -> Iterator[Row | None]:
        """Many, one for each id; some are fetched ahead of being asked for."""
        ...


def created(data: Record, fallback: int) -> int:
    """Milliseconds since 1970 at which a message was made: the same in both storages."""
    at = integer(obj(data.get("time")).get("created"))
    return fallback if at is None else at


def talk(session: str, directory: object, parent: object, revert: Record, permission: object = None) -> Talk:
    """A session from outside values of any type."""
    return Talk(
        session,
        string(directory),
        string(parent),
        string(revert.get("messageID")),
        string(revert.get("partID")),
        is_headless(permission),
    )
