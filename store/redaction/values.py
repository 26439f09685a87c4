"""The value of a label: what ties it to the label, and where it begins and ends.

Every pattern here is bounded, so the work for a label is too.
"""

from functools import cache
from typing import Literal, NamedTuple

from siltstone.store.data import data
from siltstone.store.redaction.page import Page, compiled
from siltstone.store.redaction.randomness import JUDGED
from siltstone.store.redaction.vocabulary import PATTERNS, filled

Manner = Literal["assigned", "told", "called", "loose"]
"""assigned: `x = y`, `x: y`. told: "x is y". called: `x("y")`, `"x", "y"`. loose: `x y`, `x (y)`,
`| x | y |`: the looser the tie, the more the value has to look like a secret."""

_TIE_REACH = 1_000


class Tie(NamedTuple):
    """How a label is tied to the value that begins at `end`."""

    way: str
    manner: Manner
    end: int


@cache
def _ways() -> tuple[str, dict[str, Manner]]:
    """One pattern for all ways (ways.toml), and how close a tie each is. Read when a label is first met."""
    told = data(__file__, "ways.toml")
    pattern = "|".join(f"(?P<{way['name']}>{filled(way['pattern'], told['parts'])})" for way in told["way"])
    return f"(?ix){pattern}", {way["name"]: way["manner"] for way in told["way"]}


def tie(page: Page, at: int) -> Tie | None:
    """How what follows a label that ends here is tied to it."""
    pattern, manners = _ways()
    found = page.match(pattern, at, _TIE_REACH)
    way = found.lastgroup if found else None
    return Tie(way, manners[way], found.end()) if found and way else None


CJK = "\u2e80"
"""From here on scripts are written without spaces (and Korean, where a particle follows a word at once)."""
LONGEST = 4096
"""Characters of a value; what is longer is cut there and the rest judged as bare tokens."""
_LONGEST_WORD = 64
_OPEN = r"\s{0,2}[(\[]?(\\{0,8}[\"'`]{1,3}|[“‘„”「『《«])"
_PREFIX = (
    r"(?:[a-zA-Z]{1,2}(?=[\"'])|@(?=\")|!!(?:str|binary)[ \t]+|\|[+-]?[ \t]*\n[ \t]*"
    r"|>[+-]?[ \t]*\n[ \t]*|[>:][ \t]+)"
)
_CLOSERS = {"“": "”", "‘": "’", "„": "“”", "”": "”", "「": "」", "『": "』", "《": "》", "«": "»"}
_RUN = r"[^\s\"'`<>|「」『』“”‘’«»，。、；！？（）]{1,4096}"
_PARAMETER = r"[?&][\w.%\[\]-]{1,40}=$"


class Value(NamedTuple):
    """A value in a text: `text[start:end]`, without the quotes around it."""

    start: int
    end: int
    text: str
    quoted: bool
    rest: str
    """What follows on the line, up to 400 characters."""


def value_at(page: Page, at: int, reach: int = JUDGED) -> Value | None:
    """The value that begins at `at`, at most `reach` characters of it if it is unquoted; None when nothing
    stands there."""
    prefix = page.match(_PREFIX, at)
    at = prefix.end() if prefix else at
    opened = page.match(_OPEN, at)
    if opened:
        end = _closed(page, opened.end(), opened[1])
        if end >= 0:
            return _value(page, opened.end(), end, quoted=True)
        at = opened.end()
    # Scripts without spaces run on: no password in one of them is that long.
    run = page.match(_RUN, at, reach if page.text[at : at + 1].isascii() else _LONGEST_WORD)
    if run is None:
        return None
    raw = run[0]
    if page.text[at - 1 : at] == "=" and page.search(_PARAMETER, at - 44, at):
        raw = raw.split("&", 1)[0]
    stop = compiled(PATTERNS["value_end"]).search(raw)
    if stop and stop.start() == 0 and stop.end() < len(raw):
        return None
    cut = raw[: stop.start()] if stop else raw
    return _value(page, at, at + len(cut), quoted=False) if cut else None


def _closed(page: Page, start: int, quote: str) -> int:
    """Where a quotation ends that was opened before `start`, or -1."""
    text = page.text
    limit = min(len(text), start + LONGEST)
    if len(quote) < 3:
        limit = page.line_end(start, LONGEST)
    if quote in {'"', "'"}:
        # Past those that a backslash escapes.
        inside = page.match(rf"[^{quote}\\]*+(?:\\.[^{quote}\\]*+)*+", start, limit - start)
        end = inside.end() if inside else start
        return end if end < limit and text[end] == quote else text.rfind(quote, start, limit)
    closers = _CLOSERS.get(quote, (quote,))
    return min((end for closer in closers if (end := text.find(closer, start, limit)) >= 0), default=-1)


def _value(page: Page, start: int, end: int, quoted: bool) -> Value:
    after = end + (1 if quoted else 0)
    return Value(start, end, page.text[start:end], quoted, page.text[after : page.line_end(after, 400)])
