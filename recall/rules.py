"""What the user may set of showing, with the values that hold unless they do (docs/seeds.md D5, E19)."""

from siltstone.store.tuples import NamedTuple

_TTL = r"(\d{1,15}(?:\.\d{1,9})?)\s*(ms|s|m|h|d)"
_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


class Rules(NamedTuple):
    """The settings that a hot command needs; the fields of `Settings` have the same names."""

    cache_ttl: int = 300_000
    """Milliseconds after an agent's last answer from which on its provider has forgotten the prompt."""
    refresh_threshold_percentage: float = 65.0
    """Context usage from which on a changed block is shown at once."""
    similarity_threshold: float = 0.45
    """Least share of a question that a memory must cover (`relevance.py`)."""
    max_memories: int = 10
    """Memories that are shown as fitting a question, at most."""
    turn_summary_interval: int = 5
    """Turns after which a running session is summed up again (`session/summary.py`)."""


def milliseconds(said: object) -> int:
    """A span of time: "5m", "0.5s", "500ms", or a number of milliseconds. Raises ValueError."""
    if isinstance(said, (int, float)) and not isinstance(said, bool) and 0 <= said <= 10**15:
        return int(said)
    import re  # for the settings file alone: hot commands load this module

    found = re.fullmatch(_TTL, said.strip().lower()) if isinstance(said, str) else None
    if found is None:
        raise ValueError('wants a span of time like "5m", "30s" or "500ms", or a number of milliseconds')
    return int(float(found[1]) * _MS[found[2]])
