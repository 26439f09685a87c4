"""Which messages told a memory that was purged: only their hashes, since a purge is there to remove words.

A memory that is forgotten leaves a tombstone in git; a purged one must leave nothing that tells what
it said. A hash of the message's id is enough not to learn it from that message again (invariant 9).
"""

import hashlib
from collections.abc import Iterable
from datetime import datetime

from siltstone.store.entry import HEARD, Evidence
from siltstone.store.state.database import Database, stamp


def message_hash(said: Evidence) -> str:
    """The hash of the message that a piece of evidence names."""
    return named_hash(said.agent, said.session, said.message)


def named_hash(agent: str, session: str, message: str) -> str:
    """sha256 hex of a message's agent, session and id."""
    named = "\0".join((agent, session, message))
    return hashlib.sha256(named.encode("utf-8", "replace")).hexdigest()


def words_hash(said: Evidence) -> str:
    """The same for the words alone: all that is known of a message which only a hook has heard so far."""
    return named_hash(said.agent, said.session, f"{HEARD}{said.quote}")


class PurgedMessages:
    """Hashes of messages."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, told: Iterable[Evidence], now: datetime) -> None:
        """Remember the messages of a memory that is purged."""
        at = stamp(now)
        hashes = {words_hash(said) if said.message.startswith(HEARD) else message_hash(said) for said in told}
        self._db.write_all(
            "INSERT OR IGNORE INTO purged (message, at) VALUES (?,?)", [(one, at) for one in sorted(hashes)]
        )

    def all(self) -> frozenset[str]:
        return frozenset(str(row[0]) for row in self._db.rows("SELECT message FROM purged"))
