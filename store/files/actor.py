"""Who changes files of the store (the user or an agent), in which session, and with what."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from siltstone.store import commits
from siltstone.store.entry import Change, Stored
from siltstone.store.errors import EntryError, Locked, Misuse, StateError
from siltstone.store.state import Usage
from siltstone.store.store import Store

MAX_SESSION = 200
"""Characters of "agent/session": every agent's ids are far shorter."""


class Session(NamedTuple):
    """Where somebody acts: an agent's session, or a terminal."""

    agent: str
    id: str

    def __str__(self) -> str:
        return f"{self.agent}/{self.id}"

    @classmethod
    def of(cls, text: str | None) -> "Session":
        """Out of "agent/session"; without it the terminal's. Raises Misuse for anything else."""
        if text is None:
            return cls("silt", "terminal")
        agent, slash, id = text.partition("/")
        if not (agent and slash and id and len(text) <= MAX_SESSION and text.isprintable()):
            raise Misuse(f"a session is AGENT/ID, for example claude/5bcef82b, not {text[:60]!r}.")
        return cls(agent, id)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads files, and of which store."""

    store: Store
    usage: Callable[[], Usage]
    """What each session has read; asked for only when it is needed."""
    clock: Callable[[], datetime]
    session: Session

    def saw(self, stored: Stored, read: bool = False) -> str:
        """Note that this session knows the file as it is now, having read or else written it.

        Returns why that could not be noted, "" if it was.

        Nobody is kept from reading by a state database that cannot be written.
        """
        try:
            usage = self.usage()
            note = usage.read if read else usage.note
            note(str(self.session), stored.path, stored.hash, self.clock())
        except (Locked, StateError) as error:
            return str(error)
        return ""


@dataclass(frozen=True, slots=True)
class Actor(Reader):
    """Who acts, and what they act on."""

    run: Callable[[], str]
    """The number of a new run, for a commit that is about to be made."""
    register: Callable[[str], Sequence[Change]]
    """The change that writes a scope's `project.yaml`, empty when it stands already."""
    follow: Callable[[], object]
    """Brings indexes and search up after a commit; called without the lock."""
    by: Literal["user", "agent"] = "user"
    """Whose words these are. An agent's own go to the inbox (invariant 6)."""

    def commit(self, changes: Sequence[Change], op: str, subject: str, says: bool = False) -> str:
        """One commit of ours, under the lock; `says`: its text is by this actor."""
        trailers = [(commits.RUN, self.run()), (commits.OP, op)]
        if says and self.by == "user":
            trailers.append((commits.BY, commits.USER))
        return self.store.apply(changes, f"memory: {subject}", trailers)


def writable(stored: Stored) -> Stored:
    """The same; raises EntryError for a readonly one, which no operation touches (invariant 9)."""
    if stored.entry.readonly:
        raise EntryError(
            f"{stored.path} is read-only: remove `readonly: true` from the file by hand if you mean it"
        )
    return stored


def changeable(stored: Stored) -> Stored:
    """The same; raises EntryError for a readonly or an archived one."""
    if writable(stored).archived:
        raise EntryError(
            f"{stored.path} is archived: it was superseded, and stays as it was; write a new memory instead"
        )
    return stored
