"""How full the agent's context is, and the advice about it (docs/seeds.md B16–B20, and "Source" of B).

Where the agent reports tokens: tokens / (limit − reserve). Elsewhere: visible characters / 180,000.
"""

from siltstone.recall.session.state import Pressure, SessionState
from siltstone.store.data import data

_WORDS = data(__file__, "words.toml")

VISIBLE = 180_000
"""Characters that count as a full context where no tokens are known."""
LEVELS = (("critical", 95.0), ("high", 85.0), ("moderate", 70.0), ("safe", 0.0))
"""Level and the percentage at which it begins."""
ADVICE = _WORDS["advice"]


def percent(pressure: Pressure) -> float:
    """How full the context is, 0 to 100."""
    used, of, _ = measure(pressure)
    return max(0.0, min(100.0 * used / of, 100.0))


def measure(pressure: Pressure) -> tuple[int, int, str]:
    """What is used, of how much (above 0), and the unit."""
    limit = pressure.limit or 0
    if pressure.tokens is not None and limit > 0:
        usable = limit - (pressure.reserve or 0)
        return pressure.tokens, usable if usable > 0 else limit, "tokens"
    return pressure.chars, VISIBLE, "chars"


def level(at: float) -> str:
    return next(name for name, least in LEVELS if at >= least)


def moved(pressure: Pressure) -> Pressure:
    """The pressure with its current level.

    Reaching critical counts one intervention. Right after a change of model it counts none, since the
    figures are those of another context window.
    """
    new = level(percent(pressure))
    escalated = new == "critical" != pressure.level and not pressure.hushed
    return pressure._replace(
        level=new, hushed=False, interventions=pressure.interventions + (1 if escalated else 0)
    )


def line(state: SessionState) -> str:
    """`[Memory Pressure: 87% (high) - 156,600/180,000 chars]` and three lines of advice; "" when safe."""
    pressure = state.pressure
    advice = ADVICE.get(pressure.level)
    if advice is None:
        return ""
    used, of, unit = measure(pressure)
    # Rounded down, as the levels are: 84.6% is not yet 85%. An agent may report all that it ever sent.
    at = f"{int(percent(pressure))}%{', over its window' if used > of else ''}"
    head = f"[Memory Pressure: {at} ({pressure.level}) - {used:,}/{of:,} {unit}]"
    return "\n".join([head, *(f"- {one}" for one in advice)])


def intervention(before: SessionState, after: SessionState) -> str:
    """What to say to the agent after an event: the line, once each time critical is reached; else ""."""
    return line(after) if after.pressure.interventions > before.pressure.interventions else ""
