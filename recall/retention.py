"""How present a memory still is: strength that decays with age, slower where it was told again.

The numbers are those of docs/seeds.md A20–A26 and its Source notes. Retention chooses what is shown and
deletes nothing (A19). Times are epoch seconds; ages are days. `safetyCritical` and any other unknown
key of the frontmatter does nothing here (A26).

    strength = initial · 2^(−effective age / half-life)          initial = type · source · importance
"""

from math import log2

from siltstone.store.reinforcement import MAX_COUNT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

DAY = 86_400.0
TYPES: "Mapping[str, float]" = {
    "user": 2.25,  # not in the Source, which has no such type: kept as long as feedback
    "feedback": 2.25,
    "project": 1.25,
    "decision": 2.5,
    "reference": 1.0,
}
SOURCES: "Mapping[str, float]" = {"extraction": 1.0, "manual": 1.4, "explicit": 2.0}
"""`extraction` stands for the Source's `compaction`: both are found by a machine in what was said."""
IMPORTANCE: "Mapping[str, float]" = {"low": 0.7, "normal": 1.0, "high": 1.5}
"""By the optional frontmatter key `importance`."""
HALF_LIFE = 45.0
SLOWED = 0.85
"""Each of up to six repeats divides the speed of decay by this (A25)."""
DORMANT_AFTER = 14.0
DORMANT_SHARE = 0.25
"""What a day counts once nothing has happened in its scope for a fortnight (A24)."""
STALE_AFTER: "Mapping[str, int]" = {"decision": 45, "project": 60, "reference": 90}
"""Days; feedback and what is said of the user never go stale."""


def end_of_day(now: float) -> float:
    """The end of the UTC day of `now`: strength is taken there, so that a day's calls agree."""
    return (now // DAY + 1) * DAY


def initial(type: str, source: str, importance: str = "normal") -> float:
    """Strength of a memory that was told just now (A21)."""
    return TYPES[type] * SOURCES[source] * IMPORTANCE[importance]


def half_life(count: int) -> float:
    """Days in which strength halves, for a memory told again `count` times."""
    return HALF_LIFE / SLOWED ** min(max(count, 0), MAX_COUNT)


def effective_age(age: float, idle: float) -> float:
    """Days that count, of a memory `age` days old in a scope where nothing happened for `idle` days.

    `idle` is measured from what happened before this look at the scope: evidence in the store, which
    looking does not change. (The system we learn from sets its last activity as it loads, and so
    never sees a dormant one.)
    """
    age = max(age, 0.0)
    dormant = min(max(idle - DORMANT_AFTER, 0.0), age)
    return age - (1 - DORMANT_SHARE) * dormant


def strength(initial: float, count: int, clock: float | None, now: float, activity: float | None) -> float:
    """Strength at `now` of a memory last told at `clock`; None, a note without any date, does not fade.

    `activity` is when anything was last told in its scope; None when that is not known.
    """
    if clock is None:
        return initial
    idle = 0.0 if activity is None else (now - activity) / DAY
    age = effective_age((now - clock) / DAY, idle)
    return float(initial * 2.0 ** (-age / half_life(count)))


def rank(initial: float, count: int, clock: float | None) -> float:
    """Order of memories of one scope and one `count` by strength, the same at every time.

    log2(strength) = log2(initial) − (age − what dormancy takes off)/half-life, and the dormant days
    are one number for a scope: so clock + half-life · log2(initial) orders a class once and for all,
    and the best of each class can be kept ready. Seconds; undated ones come first.
    """
    if clock is None:
        return 1e15 + initial
    return clock + half_life(count) * DAY * log2(initial)


def days_old(clock: float | None, now: float) -> int:
    """Whole UTC days between two times, so that a day's calls say the same; 0 when undated."""
    return 0 if clock is None else max(int(now // DAY) - int(clock // DAY), 0)


def is_stale(type: str, days: int) -> bool:
    """Whether a memory of this type should be verified before it is relied on."""
    return days >= STALE_AFTER.get(type, days + 1)


def stale_suffix(type: str, days: int) -> str:
    """What a stale line ends with: " [45d old, verify]"; "" for a fresh one."""
    return f" [{days}d old, verify]" if is_stale(type, days) else ""
