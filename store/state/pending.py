"""What is written about a window the moment its outcome is committed, kept from just before the commit on.

A run that dies between a commit in git and the commit in the database leaves it behind; whoever comes
next finds the commit in git and writes it, or finds none and drops it. So every window is counted once
(invariants 1 and 4), whenever its run was killed.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from siltstone.store.state.database import Database, moment, stamp
from siltstone.store.state.ledger import Rejected, WindowRow
from siltstone.store.state.sources import Watermark


@dataclass(frozen=True, slots=True)
class Dealt:
    """A window's watermarks, messages and rows of the ledger."""

    marks: Sequence[Watermark]
    seen: Mapping[tuple[str, str], Sequence[str]]
    """Keys of the messages by (agent, session)."""
    window: WindowRow
    rejected: Sequence[Rejected] = ()

    def committed(self, commit: str) -> "Dealt":
        """The same, with the commit that its outcome became."""
        return replace(self, window=replace(self.window, commit=commit))


@dataclass(frozen=True, slots=True)
class Left:
    """One that was left behind: `head` is the commit that the window's own was to come after."""

    dealt: Dealt
    head: str


class Pending:
    """Windows between their two commits, one a scope (windows of a scope run one after another)."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def put(self, dealt: Dealt, head: str) -> None:
        """Keep what is about to be committed on top of `head`."""
        body = {
            "head": head,
            "marks": [asdict(mark) | {"at": stamp(mark.at)} for mark in dealt.marks],
            "seen": [[agent, session, list(keys)] for (agent, session), keys in dealt.seen.items()],
            "window": asdict(dealt.window) | {"at": stamp(dealt.window.at)},
            "rejected": [asdict(one) | {"at": stamp(one.at)} for one in dealt.rejected],
        }
        self._db.write(
            "INSERT OR REPLACE INTO pending (scope, body) VALUES (?,?)",
            (dealt.window.scope, json.dumps(body)),
        )

    def scopes(self) -> list[str]:
        """Scopes with a window left behind."""
        return [str(row[0]) for row in self._db.rows("SELECT scope FROM pending ORDER BY scope")]

    def get(self, scope: str) -> Left | None:
        rows = self._db.rows("SELECT body FROM pending WHERE scope = ?", (scope,))
        return _left(json.loads(str(rows[0][0]))) if rows else None

    def forget_if(self, wanted: Callable[[Rejected], bool]) -> None:
        """Drop the rejected candidates that `wanted` picks from what was left behind."""
        for scope in self.scopes():
            left = self.get(scope)
            kept = [] if left is None else [one for one in left.dealt.rejected if not wanted(one)]
            if left is not None and len(kept) < len(left.dealt.rejected):
                self.put(replace(left.dealt, rejected=kept), left.head)

    def drop(self, scope: str) -> None:
        self._db.write("DELETE FROM pending WHERE scope = ?", (scope,))


def _left(body: Mapping[str, Any]) -> Left:
    return Left(
        Dealt(
            [Watermark(**_timed(mark)) for mark in body["marks"]],
            {(agent, session): keys for agent, session, keys in body["seen"]},
            WindowRow(**_timed(body["window"])),
            [Rejected(**_timed(one)) for one in body["rejected"]],
        ),
        str(body["head"]),
    )


def _timed(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {**fields, "at": moment(fields["at"])}
