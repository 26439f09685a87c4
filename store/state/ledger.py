"""What every run read, kept, rejected and cost (invariant 4). Details are kept 90 days."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from siltstone.store.state.database import Database, Row, moment, moment_or_none, stamp

KEPT = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class RunRow:
    """One `silt run` (or `extract`, `compact`) as a whole. Kept for good."""

    id: str
    started: datetime
    ended: datetime | None = None
    report: Mapping[str, object] = field(default_factory=dict)
    """What `--json` printed."""


@dataclass(frozen=True, slots=True)
class WindowRow:
    """One window that was dealt with."""

    id: str
    run: str
    at: datetime
    scope: str
    agent: str
    session: str
    model: str
    commit: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    """messages, candidates, promoted, "rejected:<reason>", "filtered:<reason>" …"""
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = None
    """US dollars; None when the model has no price."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that was not believed, and why. `text` and `evidence` come in redacted."""

    run: str
    window: str
    at: datetime
    reason: str
    type: str
    text: str
    """ "" of what the user asked not to keep, and of what was purged since."""
    evidence: str
    said: str = ""
    """Where it was said: `agent/session@message`; "" where nobody can tell."""


class Ledger:
    """Runs, windows, rejected candidates."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def put_run(self, run: RunRow) -> None:
        """Write a run, or write it again when it has ended."""
        ended = None if run.ended is None else stamp(run.ended)
        self._db.write(
            "INSERT OR REPLACE INTO run (id, started, ended, report) VALUES (?,?,?,?)",
            (run.id, stamp(run.started), ended, json.dumps(run.report, ensure_ascii=True, sort_keys=True)),
        )

    def runs(self, limit: int = 20) -> list[RunRow]:
        """The last runs, newest first."""
        rows = self._db.rows(
            "SELECT id, started, ended, report FROM run ORDER BY started DESC, id DESC LIMIT ?", (limit,)
        )
        return [
            RunRow(str(row[0]), moment(row[1]), moment_or_none(row[2]), json.loads(str(row[3])))
            for row in rows
        ]

    def put_window(self, row: WindowRow) -> None:
        counts = json.dumps(row.counts, ensure_ascii=True, sort_keys=True)
        self._db.write(
            "INSERT OR REPLACE INTO window (id, run, at, scope, agent, session, model, commit_id, counts, "
            "prompt, completion, cached, cost) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                *(row.id, row.run, stamp(row.at), row.scope, row.agent, row.session, row.model, row.commit),
                *(counts, row.prompt, row.completion, row.cached, row.cost),
            ),
        )

    def windows(self, run: str | None = None, since: datetime | None = None) -> list[WindowRow]:
        """Windows (of one run, or since a time), oldest first."""
        rows = self._db.rows(
            "SELECT id, run, at, scope, agent, session, model, commit_id, counts, prompt, "
            "completion, cached, cost FROM window WHERE (?1 IS NULL OR run = ?1) "
            "AND (?2 IS NULL OR at >= ?2) ORDER BY at, run, id",
            (run, None if since is None else stamp(since)),
        )
        return [_window(row) for row in rows]

    def reject(self, rejected: Iterable[Rejected]) -> None:
        self._db.write_all(
            "INSERT INTO rejected (run, window, at, reason, type, text, evidence, said) "
            "VALUES (?,?,?,?,?,?,?,?)",
            [(r.run, r.window, stamp(r.at), r.reason, r.type, r.text, r.evidence, r.said) for r in rejected],
        )

    def rejected(self, run: str | None = None, reason: str | None = None, limit: int = 200) -> list[Rejected]:
        """Rejected candidates, newest first."""
        rows = self._db.rows(
            "SELECT run, window, at, reason, type, text, evidence, said FROM rejected "
            "WHERE (?1 IS NULL OR run = ?1) AND (?2 IS NULL OR reason = ?2) "
            "ORDER BY at DESC, n DESC LIMIT ?3",
            (run, reason, limit),
        )
        return [_rejected(row) for row in rows]

    def forget(self, scope: str) -> int:
        """Drop the rejected candidates of a scope's windows (`silt purge --project`); how many."""
        return self._db.write(
            "DELETE FROM rejected WHERE window IN (SELECT id FROM window WHERE scope = ?)", (scope,)
        )

    def forget_if(self, wanted: Callable[[Rejected], bool]) -> int:
        """Drop the rejected candidates that `wanted` picks (`silt purge NAME`); how many."""
        with self._db.transaction():
            rows = self._db.rows(
                "SELECT run, window, at, reason, type, text, evidence, said, n FROM rejected"
            )
            gone = [(row[-1],) for row in rows if wanted(_rejected(row))]
            self._db.write_all("DELETE FROM rejected WHERE n = ?", gone)
        return len(gone)

    def prune(self, now: datetime) -> int:
        """Drop windows and rejected candidates older than 90 days; how many rows went."""
        before = (stamp(now - KEPT),)
        with self._db.transaction():
            gone = self._db.write("DELETE FROM window WHERE at < ?", before)
            return gone + self._db.write("DELETE FROM rejected WHERE at < ?", before)


def _rejected(row: Row) -> Rejected:
    run, window, at, *rest = row[:8]
    return Rejected(str(run), str(window), moment(at), *map(str, rest))


def _window(row: Row) -> WindowRow:
    prompt, completion, cached = (int(cell or 0) for cell in row[9:12])
    return WindowRow(
        id=str(row[0]),
        run=str(row[1]),
        at=moment(row[2]),
        scope=str(row[3]),
        agent=str(row[4]),
        session=str(row[5]),
        model=str(row[6]),
        commit=None if row[7] is None else str(row[7]),
        counts=json.loads(str(row[8])),
        prompt=prompt,
        completion=completion,
        cached=cached,
        cost=None if row[12] is None else float(row[12]),
    )
