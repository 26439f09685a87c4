"""What a run did, in counts that add up: printed by `silt run`, kept in the ledger."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from siltstone.pipeline.archiving import Archived
from siltstone.pipeline.compaction.compact import Compacted
from siltstone.pipeline.learn import Learned
from siltstone.pipeline.ledger import KINDS
from siltstone.store.errors import SiltError


@dataclass(slots=True)
class Report(Learned):
    """One batch. Messages read = in windows + filtered (invariant 4)."""

    archived: Archived = field(default_factory=Archived)
    sessions: int = 0
    messages: int = 0
    """Read, those filtered included."""
    filtered: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    """Windows that failed; they stay unread and are tried again."""
    why_failed: list[str] = field(default_factory=list)
    """One sentence for each of them."""
    left: int = 0
    """Sessions that a run which ended early did not come to."""
    waiting: int = 0
    pooled: int = 0
    """Sessions that wait until there is enough to ask a model about."""
    backing_off: int = 0
    excluded: int = 0
    busy: int = 0
    """Scopes that another run is working on."""
    compactions: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By scope: what was done and why it was due."""
    expired: int = 0
    """Inbox items deleted because nobody repeated them for 60 days."""
    summaries: list[str] = field(default_factory=list)
    """One line for each session that was summarised: by whom, and why not by the model (E22)."""
    notes: list[str] = field(default_factory=list)
    """What the user's ticks did."""
    stopped: str | None = None
    """Why the run ended early: a ceiling, the lock, a full disk."""
    status: int = 0
    """Exit status of the error that stopped it (store/errors.py)."""

    def stop(self, error: SiltError) -> None:
        """End the run early. The first reason counts."""
        if self.stopped is None:
            self.stopped, self.status = str(error), error.exit_code

    def compacted(self, scope: str, why: str, done: Compacted) -> None:
        self.compactions[scope] = compaction_json(why, done)
        self.calls += done.asked.calls
        self.usage += done.asked.usage
        self.commits += [done.commit] if done.commit else []
        self.complaints += [*done.asked.failed, *done.asked.missed]

    def as_json(self) -> dict[str, Any]:
        """The document of `silt run --json` (docs/architecture.md)."""
        tokens = asdict(self.usage)
        cost = tokens.pop("cost")
        return {
            "archived": {"sessions": self.archived.sessions, "messages": self.archived.messages},
            "sessions": self.sessions,
            "messages": self.messages,
            "filtered": dict(sorted(self.filtered.items())),
            "windows": self.windows,
            "calls": self.calls,
            "candidates": self.kinds.total() + self.refused.total(),
            "outcome": {kind: self.kinds[kind] for kind in KINDS if kind != "rejected"},
            "rejected": dict(sorted((self.rejected + self.refused).items())),
            "failed": self.failed,
            "tokens": tokens,
            "cost": cost,
            "compaction": self.compactions or None,
            "expired": self.expired,
            "notes": self.notes,
            "summaries": self.summaries,
            "taken_back": self.taken_back,
            "commits": self.commits,
            "left": self.left,
            "waiting": self.waiting,
            "pooled": self.pooled,
            "backing_off": self.backing_off,
            "complaints": self.complaints,
            "stopped": self.stopped,
        }


def compaction_json(why: str, done: Compacted) -> dict[str, Any]:
    """A compaction as `--json` prints it."""
    return {
        "why": why,
        "summary": done.checked.summary,
        "accepted": len(done.checked.accepted),
        "refused": [{"rule": refused.rule, "detail": refused.detail} for refused in done.checked.refused],
        "groups": done.asked.groups,
        "calls": done.asked.calls,
        "commit": done.commit,
        "checkpoint": done.checkpoint,
        "failed": done.asked.failed,
        "busy": done.busy,
    }
