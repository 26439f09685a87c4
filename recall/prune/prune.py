"""Tool output cut by the level of pressure; what tells an error stays, what was cut is said.

Lines are never changed: a line of the result is a line of the output, or one of ours that begins with
`[silt: `. Pruning what is pruned changes nothing.
"""

from siltstone.recall.prune.shapes import kind
from siltstone.recall.telling import ESCAPES, tells
from siltstone.store.errors import Misuse
from siltstone.store.late import LatePattern
from siltstone.store.tuples import NamedTuple


class Rule(NamedTuple):
    """What a level cuts."""

    most: int
    """Lines above which an output is cut."""
    ends: int
    """First and last lines that stay."""
    kinds: frozenset[str]
    """Kinds of output that are cut."""
    repetition: frozenset[str]
    """Kinds of which a repetition is told once, also among the first and last lines."""


_LISTS = frozenset({"listing", "tree", "log"})
_ALL = _LISTS | {"text"}
_REPEATING = frozenset({"log", "text"})
"""Of a listing or a tree rows are no repetition of each other: each is a name."""
_NORMAL = Rule(50, 30, _LISTS, frozenset())
RULES = {
    "safe": _NORMAL,
    "moderate": _NORMAL,
    "high": Rule(30, 20, _ALL, _REPEATING),
    "critical": Rule(15, 10, _ALL, _REPEATING),
}
"""By level of pressure (docs/seeds.md B6–B8). To add a kind, teach `shapes.kind` and name it here (B28)."""
AROUND = 1
"""Lines kept on either side of one that tells an error, at the levels below critical."""
ALIKE = 3
"""So many similar lines in a row are a repetition: the first and the last of them stay."""
MARK = "[silt: "
_CHANGING = LatePattern(r"0x[0-9a-fA-F]+|[0-9a-fA-F]{7,}|\d+(?:[.,:]\d+)*|[█▓▒░#=>.\-]{3,}")
_COUNTED = LatePattern(
    r"(?i)\d (?:passed|failed|skipped|errors?|warnings?|tests?|files? changed|problems?|director(?:y|ies))\b"
)
_HEAD = LatePattern(r"(?i)\s*(?:Tests?|Test Suites|Summary|Results?|Total|Exit code|Found)\b.{0,80}\d")
"""Lines that sum up: key information (docs/seeds.md B6). Two patterns: one that may begin with anything
is tried at every character, not at digits alone."""


def prune(output: str, tool: str, level: str, synthetic: bool = False) -> str:
    """The output as it is shown at a level of pressure ("safe", "moderate", "high", "critical").

    `tool` is the agent's own name of the tool. What is `synthetic`, made by the agent and no tool's, is
    kept (docs/seeds.md B9). Raises Misuse for a level there is none of.
    """
    if level not in RULES:
        raise Misuse(f"there is no level {level[:40]!r}; there are {', '.join(RULES)}.")
    rule = RULES[level]
    if synthetic or output.count("\n") < rule.most:
        return output
    rows = output.split("\n")
    ending = [""] if rows[-1] == "" else []
    rows = rows[: len(rows) - len(ending)]
    what = kind(rows, tool)
    if what not in rule.kinds or len(rows) <= rule.most:
        return output
    keep = _kept(rows, rule, level, what in rule.repetition)
    return "\n".join(_said(rows, keep, what, level) + ending)


def _kept(rows: list[str], rule: Rule, level: str, repeats: bool) -> list[bool]:
    """Which rows stay."""
    last = len(rows) - rule.ends
    keep = [n < rule.ends or n >= last for n in range(len(rows))]
    for start, end in _runs(rows) if repeats else ():
        keep[start + 1 : end - 1] = [False] * (end - start - 2)
    around = 0 if level == "critical" else AROUND
    for n, row in enumerate(rows):
        if row.startswith(MARK) or _COUNTED.search(row[:400]) or _HEAD.match(row[:400]):
            keep[n] = True
        elif tells(row):
            for near in range(max(0, n - around), min(len(rows), n + around + 1)):
                keep[near] = True
    return keep


def _runs(rows: list[str]) -> list[tuple[int, int]]:
    """Start and end of each run of ALIKE or more lines that differ in numbers and bars alone."""
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


def _said(rows: list[str], keep: list[bool], what: str, level: str) -> list[str]:
    """The kept rows, with a line of ours wherever rows were cut; a gap of one row is no gain: it stays."""
    shown: list[str] = []
    gap: list[str] = []
    for row, kept in zip([*rows, None], [*keep, True], strict=True):
        if not kept and row is not None:
            gap.append(row)
            continue
        if len(gap) > 1:
            shown.append(f"{MARK}{len(gap):,} lines of this {what} cut, pressure {level}]")
        else:
            shown += gap
        gap = []
        if row is not None:
            shown.append(row)
    return shown
