"""Tool output cut by context pressure: error lines stay, and each cut is marked (docs/seeds.md B6–B9).

Lines are never changed: each line of the result is a line of the output, or one of ours that begins with
`[silt: `. Pruning pruned output changes nothing.
"""

import re
from typing import NamedTuple

from siltstone.recall.session.event import ESCAPES
from siltstone.store.data import data
from siltstone.store.errors import Misuse

_WORDS = data(__file__, "words.toml")


class Rule(NamedTuple):
    """What is cut at a level of pressure."""

    most: int
    """Longest output that stays whole, in lines."""
    ends: int
    """First and last lines that stay."""
    kinds: frozenset[str]
    """Kinds of output that are cut."""
    repetition: frozenset[str]
    """Kinds in which a repetition is shown once, also among the first and last lines."""


_LISTS = frozenset({"listing", "tree", "log"})
_ALL = _LISTS | {"text"}
_REPEATING = frozenset({"log", "text"})
"""Rows of a listing or a tree are names, and no repetition."""
_NORMAL = Rule(50, 30, _LISTS, frozenset())
RULES = {
    "safe": _NORMAL,
    "moderate": _NORMAL,
    "high": Rule(30, 20, _ALL, _REPEATING),
    "critical": Rule(15, 10, _ALL, _REPEATING),
}
"""By level of pressure (docs/seeds.md B6–B8). To add a kind, teach `kind` and name it here (B28)."""
AROUND = 1
"""Lines kept before and after an error line, at the levels below critical."""
ALIKE = 3
"""Number of similar lines in a row that make a repetition: the first and the last stay."""
MARK = "[silt: "
_CHANGING = re.compile(r"0x[0-9a-fA-F]+|[0-9a-fA-F]{7,}|\d+(?:[.,:]\d+)*|[█▓▒░#=>.\-]{3,}")
_COUNTED, _TOTAL = (re.compile("|".join(_WORDS[name]), re.I) for name in ("counted", "totals"))
"""Lines that sum up are key information (docs/seeds.md B6): the second stand at a line's beginning."""

_HINT = re.compile("|".join(_WORDS["errors"]))
"""Signs of an error in a line in small letters."""
LISTING_TOOLS = frozenset({"ls", "glob", "find", "list", "list_directory", "list_dir", "list_files", "fd"})
_SAMPLE = 200
"""Lines by which the kind is judged, half of them from either end."""
_MAJORITY = 0.6
"""Share of lines that makes a text one of a kind."""
_LISTED = re.compile(
    r"^\s*(?:[-dlbcps][rwxsStT-]{9}[.+@]?\s+\d+\s.*|total \d+"
    r"|(?:\.{0,2}/)?[\w@.+~ ()\[\]-]+(?:/[\w@.+~ ()\[\]-]*)*/?|(?:/[\w@.+~ ()\[\]-]+)+/?)\s*$"
)
_PATHLIKE = re.compile(r"/|\.[A-Za-z]\w{0,7}\s*$|^\s*[-dl][rwxsStT-]{9}|^total \d+$")
_TREE = re.compile(r"^\s*(?:[│├└|`+]|[│|]\s|\d+ director)")
_LOG = re.compile(
    r"^\s*\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d\b|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)"
    r"|^\s*\[?(?:DEBUG|INFO|WARN|WARNING|TRACE|NOTICE|ERROR|FATAL)\b[\]:| ]"
    r"|^\s+at \S.*\(.*:\d+|^\s*File \".*\", line \d+"
)


def prune(output: str, tool: str, level: str, synthetic: bool = False) -> str:
    """The output as it is shown at a level of pressure ("safe", "moderate", "high", "critical").

    `tool` is the agent's own name of the tool. `synthetic` output was made by the agent itself and is kept
    (docs/seeds.md B9). Raises Misuse for an unknown level.
    """
    if level not in RULES:
        raise Misuse(f"there is no level {level[:40]!r}; there are {', '.join(RULES)}.")
    rule = RULES[level]
    if synthetic or output.count("\n") < rule.most:
        return output
    rows = output.split("\n")
    ending = [""] if rows[-1] == "" else []
    rows = rows[: len(rows) - len(ending)]
    found = kind(rows, tool)
    if found not in rule.kinds or len(rows) <= rule.most:
        return output
    keep = _kept(rows, rule, level, found in rule.repetition)
    return "\n".join(_marked(rows, keep, found, level) + ending)


def kind(lines: list[str], tool: str) -> str:
    """ "listing", "tree", "log" or "text" (docs/seeds.md B9). `tool` is the agent's name of the tool."""
    if len(lines) > _SAMPLE:
        lines = lines[: _SAMPLE // 2] + lines[-_SAMPLE // 2 :]
    lines = [line[:400] for line in lines if line.strip()]
    if not lines:
        return "text"
    enough = _MAJORITY * len(lines)
    if sum(_TREE.match(line) is not None for line in lines) >= enough:
        return "tree"
    if sum(_LOG.match(line) is not None for line in lines) >= enough:
        return "log"
    if tool.lower().rsplit("__", 1)[-1] in LISTING_TOOLS:
        return "listing"
    listed = sum(bool(_LISTED.match(line) and _PATHLIKE.search(line)) for line in lines)
    return "listing" if listed >= enough else "text"


def _kept(rows: list[str], rule: Rule, level: str, repeats: bool) -> list[bool]:
    last = len(rows) - rule.ends
    keep = [n < rule.ends or n >= last for n in range(len(rows))]
    for start, end in _runs(rows) if repeats else ():
        keep[start + 1 : end - 1] = [False] * (end - start - 2)
    around = 0 if level == "critical" else AROUND
    for n, row in enumerate(rows):
        if row.startswith(MARK) or _COUNTED.search(row[:400]) or _TOTAL.match(row[:400]):
            keep[n] = True
        elif row.startswith("E  ") or _HINT.search(row.lower()):
            for near in range(max(0, n - around), min(len(rows), n + around + 1)):
                keep[near] = True
    return keep


def _runs(rows: list[str]) -> list[tuple[int, int]]:
    """Start and end of each run of ALIKE or more lines that differ in numbers and bars only."""
    runs: list[tuple[int, int]] = []
    start, before = 0, None
    for n, row in enumerate([*rows, None]):
        form = None if row is None else _CHANGING.sub("0", ESCAPES.sub("", row[:400])).strip()
        if n and form == before:
            continue
        if n - start >= ALIKE and before:
            runs.append((start, n))
        start, before = n, form
    return runs


def _marked(rows: list[str], keep: list[bool], kind: str, level: str) -> list[str]:
    """The kept rows, with a mark in place of each gap. A gap of one row stays, as a mark saves nothing."""
    shown: list[str] = []
    gap: list[str] = []
    for row, kept in zip([*rows, None], [*keep, True], strict=True):
        if not kept and row is not None:
            gap.append(row)
            continue
        if len(gap) > 1:
            shown.append(f"{MARK}{len(gap):,} lines of this {kind} cut, pressure {level}]")
        else:
            shown += gap
        gap = []
        if row is not None:
            shown.append(row)
    return shown
