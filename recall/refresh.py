"""When a session gets a new block, and when the same bytes again (docs/recall.md has the order; D16–D20).

A provider caches a prompt for some minutes and charges little for it, as long as no byte before the end
changes. So a block stays as it is until a change is worth its price. "Changed" means that the block would
differ if it were made at the time of the old one: time alone (an age, a memory that fades) is no reason.
"""

from typing import NamedTuple

from siltstone.recall.settings import RecallSettings
from siltstone.store.state import Last


class Moment(NamedTuple):
    """The situation in which a block is asked for."""

    now: float
    usage: float = 0.0
    """Percent of the context in use."""
    answered: float = 0.0
    """When the agent last did anything; 0 when unknown."""
    forced: int = 0
    source: str = ""
    """What forced the last refresh."""
    compactions: int = 0


class Decision(NamedTuple):
    """Whether a new block is made, why, and the figures behind it (D20)."""

    reason: str
    """first, forced:<source>, pressure or ttl; "" when the same bytes are shown again."""
    hash_match: bool
    since: float
    """Seconds since the last answer, or since the block was last shown; 0 for the first."""
    usage: float
    ttl: float
    """Seconds."""
    age: float
    """Seconds since the block was made."""


def decide(cached: Last | None, same: bool, moment: Moment, settings: RecallSettings) -> Decision:
    """Whether to make a new block. `cached` is the one the session was shown last; `same`: made at that
    time, a new one would be the same."""
    ttl = settings.cache_ttl / 1000
    if cached is None:
        return Decision("first", same, 0.0, moment.usage, ttl, 0.0)
    since = max(moment.now - max(moment.answered, cached.served), 0.0)
    if moment.compactions != cached.compactions:
        reason = "forced:compaction"
    elif moment.forced != cached.forced:
        reason = f"forced:{moment.source}"
    elif same:
        reason = ""
    elif moment.usage >= settings.refresh_threshold_percentage:
        reason = "pressure"
    else:
        reason = "ttl" if since > ttl else ""
    return Decision(reason, same, since, moment.usage, ttl, max(moment.now - cached.at, 0.0))


def line(decision: Decision, chars: int) -> str:
    """A decision as a line of the log (D20)."""
    facts = f"usage={decision.usage:.1f}% chars={chars}"
    if decision.reason == "first":
        return f"refreshed reason=first {facts}"
    facts = (
        f"hash_match={str(decision.hash_match).lower()} age={decision.age:.0f}s "
        f"since_last_response={decision.since:.0f}s ttl={decision.ttl:.0f}s {facts}"
    )
    return f"refreshed reason={decision.reason} {facts}" if decision.reason else f"served cached {facts}"
