"""When a session's block is made anew, and when the same bytes are shown again (docs/seeds.md D16–D20).

A provider keeps a prompt for some minutes and takes little for what it knows already, as long as not a
byte changes before it. So a block stays as it is until something makes the change worth its price.

    nothing shown yet                                          → first
    the user decided something since, or asked for it, or the
    session compacted its context (store/decided.py)           → forced:<source>
    nothing to show has changed                                → the same bytes
    context used to 65% and more                               → pressure
    last answer longer ago than the provider remembers (5m)    → ttl
    else                                                       → the same bytes

"Changed" means: made as of the moment when the old block was made, it would be another. So the passing of
time alone (an age, a memory that fades) changes nothing until there is another reason.
"""

from siltstone.recall.rules import Rules
from siltstone.store.tuples import NamedTuple


class Cached(NamedTuple):
    """What a session was shown last. Times are epoch seconds."""

    text: str
    at: float
    """When it was made."""
    served: float
    """When it was last shown."""
    forced: int
    """How often anything had asked for new blocks by then."""
    compactions: int
    """How often the session had compacted its context by then."""


class Moment(NamedTuple):
    """What is known when a block is asked for."""

    now: float
    usage: float = 0.0
    """Percent of the context that are used."""
    answered: float = 0.0
    """When the agent last did anything; 0 when that is not known."""
    forced: int = 0
    source: str = ""
    """What asked for new blocks last."""
    compactions: int = 0


class Decision(NamedTuple):
    """Whether a block is made anew, why, and what it was decided by (D20)."""

    reason: str
    """first, forced:<source>, pressure or ttl; "" when the same bytes are shown again."""
    hash_match: bool
    since: float
    """Seconds since the last answer, or since it was last shown; 0 for the first."""
    usage: float
    ttl: float
    """Seconds."""
    age: float
    """Seconds since the block was made."""


def decide(cached: Cached | None, same: bool, moment: Moment, rules: Rules) -> Decision:
    """What to do with what was shown last; `same`: made as of its own time it would be so again."""
    last = 0.0 if cached is None else max(moment.answered, cached.served)
    since = 0.0 if cached is None else max(moment.now - last, 0.0)
    ttl = rules.cache_ttl / 1000
    reason = _reason(cached, same, moment, rules, since > ttl)
    age = 0.0 if cached is None else max(moment.now - cached.at, 0.0)
    return Decision(reason, same, since, moment.usage, ttl, age)


def line(decision: Decision, chars: int) -> str:
    """A decision as a line of a log (D20)."""
    facts = f"usage={decision.usage:.1f}% chars={chars}"
    if decision.reason == "first":
        return f"refreshed reason=first {facts}"
    facts = (
        f"hash_match={str(decision.hash_match).lower()} age={decision.age:.0f}s "
        f"since_last_response={decision.since:.0f}s ttl={decision.ttl:.0f}s {facts}"
    )
    return f"refreshed reason={decision.reason} {facts}" if decision.reason else f"served cached {facts}"


def _reason(cached: Cached | None, same: bool, moment: Moment, rules: Rules, forgotten: bool) -> str:
    if cached is None:
        return "first"
    if moment.compactions != cached.compactions:
        return "forced:compaction"
    if moment.forced != cached.forced:
        return f"forced:{moment.source}"
    if same:
        return ""
    if moment.usage >= rules.refresh_threshold_percentage:
        return "pressure"
    return "ttl" if forgotten else ""
