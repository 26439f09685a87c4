"""How strong a memory still is: strength decays with age, and slower for memories that were confirmed.

The numbers are those of docs/seeds.md A20–A26 and its Source notes. Retention chooses what is shown and
deletes nothing (A19). Times are epoch seconds, ages are days. Unknown keys of the frontmatter, such as
`safetyCritical`, have no effect here (A26).

    strength = initial · 2^(−effective age / half-life)          initial = type · source · importance
"""

from collections.abc import Mapping
from math import log2
from time import gmtime, strftime

from siltstone.store.entry import MAX_COUNT

DAY = 86_400.0
TYPES: Mapping[str, float] = {
    "user": 2.25,  # the Source has no such type: kept as long as feedback
    "feedback": 2.25,
    "project": 1.25,
    "decision": 2.5,
    "reference": 1.0,
}
SOURCES: Mapping[str, float] = {"extraction": 1.0, "manual": 1.4, "explicit": 2.0}
"""`extraction` is the Source's `compaction`: both are found in a conversation by a machine."""
IMPORTANCE: Mapping[str, float] = {"low": 0.7, "normal": 1.0, "high": 1.5}
"""By the optional frontmatter key `importance`."""
HALF_LIFE = 45.0
SLOWED = 0.85
"""Each of up to six repeats divides the speed of decay by this (A25)."""
DORMANT_AFTER = 14.0
DORMANT_SHARE = 0.25
"""How much a day counts once nothing has happened in the scope for a fortnight (A24)."""
STALE_AFTER: Mapping[str, int] = {"decision": 45, "project": 60, "reference": 90}
"""Days, for statements that can age (`prepared_writer.ages`). Feedback and user facts never go stale."""


def day(at: float) -> str:
    """The UTC day of a time, as it is shown."""
    return strftime("%Y-%m-%d", gmtime(at))


def initial(type: str, source: str, importance: str = "normal") -> float:
    """Strength of a memory with evidence of just now (A21)."""
    return TYPES[type] * SOURCES[source] * IMPORTANCE[importance]


def half_life(count: int) -> float:
    """Days in which strength halves, for a memory confirmed `count` times."""
    return HALF_LIFE / SLOWED ** min(max(count, 0), MAX_COUNT)


def strength(initial: float, count: int, clock: float | None, now: float, activity: float | None) -> float:
    """Strength at `now` of a memory whose newest evidence is of `clock`; an undated one does not fade.

    `activity` is the time of the newest evidence in its scope, which reading does not change; None when
    unknown. (The Source sets its last activity while loading, and so never sees a dormant scope.)
    """
    if clock is None:
        return initial
    idle = 0.0 if activity is None else (now - activity) / DAY
    age = max((now - clock) / DAY, 0.0)
    age -= (1 - DORMANT_SHARE) * min(max(idle - DORMANT_AFTER, 0.0), age)
    return float(initial * 2.0 ** (-age / half_life(count)))


def rank(initial: float, count: int, clock: float | None) -> float:
    """A sort key for memories of one scope and one `count`: their order by strength at any time.

    log2(strength) = log2(initial) − (age − dormant days)/half-life, and the dormant days are the same
    for a whole scope. So clock + half-life · log2(initial) orders such a class once and for all, and an
    index can hold the best of each class ready. In seconds; undated memories come first.
    """
    if clock is None:
        return 1e15 + initial
    return clock + half_life(count) * DAY * log2(initial)


def days_old(clock: float | None, now: float) -> int:
    """Whole UTC days between two times, which is constant for a day; 0 when undated."""
    return 0 if clock is None else max(int(now // DAY) - int(clock // DAY), 0)


def is_stale(type: str, days: int) -> bool:
    """Whether a memory of this type and age, one that can age, should be verified before use."""
    return days >= STALE_AFTER.get(type, days + 1)
