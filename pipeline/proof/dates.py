"""Relative time words, and the dates that may stand beside them (DESIGN.md "Extraction": dates absolute)."""

import re
from collections.abc import Iterable
from datetime import date, timedelta

from siltstone.pipeline.words import anyof

REACH = timedelta(days=31)
"""How far from the day it was said a relative word can lie: "last month" at most."""

_DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_TAG = "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
_RELATIVE = re.compile(
    anyof(
        "yesterday; today; tonight; tomorrow; the other day; (last|this|next|past|coming) "
        f"(night|week|month|{_DAY}); (since|until|by|on|from) ({_DAY}); (days?|weeks?|month) ago"
        "; in (a|two|three|\\d+) (days?|weeks?)",
        "gestern; vorgestern; heute; morgen; übermorgen; (letzt|vorig|dies|nächst|kommend)\\w+ "
        f"(woche|monat|{_TAG}); (seit|bis|ab|am) ({_TAG})",
        "hier; avant-hier; aujourd'hui; demain; (la semaine|le mois) (dernière?|prochaine?)",
        "ayer; anteayer; hoy; mañana; la semana (pasada|que viene|próxima); el mes (pasado|que viene)",
        "ontem; hoje; amanhã; (semana|mês) passad[ao]; ieri; oggi; domani; (settimana|mese) scors[ao]",
        "gisteren; vandaag; morgen; (vorige|volgende|deze) (week|maand); вчера; сегодня; завтра",
        "昨天; 今天; 明天; 前天; 后天; 後天; 上周; 上週; 本周; 本週; 下周; 下週"
        "; 上个月; 上個月; 下个月; 下個月",
        "昨日; 今日; 明日; 先週; 今週; 来週; 先月; 来月"
        "; 어제; 오늘; 내일; 지난주; 이번 ?주; 다음 ?주; 지난달",
    ),
    re.I,
)
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def relative(text: str) -> re.Match[str] | None:
    """The first time in a text that has a date only by the day on which it was said: "since last Monday"."""
    return _RELATIVE.search(text)


def near(identifier: str, days: Iterable[date]) -> bool:
    """Whether an identifier is a full date (2026-09-07) within `REACH` of one of the days."""
    if not _ISO.fullmatch(identifier):
        return False
    try:
        day = date.fromisoformat(identifier)
    except ValueError:
        return False
    return any(abs(day - known) <= REACH for known in days)
