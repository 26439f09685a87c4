"""What kind of text a tool printed: a listing, a tree, a log, or anything else (docs/seeds.md B9)."""

from siltstone.store.late import LatePattern

_LOOKED_AT = 200
"""Lines that are looked at, half of them from either end."""
_MOST_OF = 0.6
"""Share of the lines that make a text one of a kind."""

LISTING_TOOLS = frozenset({"ls", "glob", "find", "list", "list_directory", "list_dir", "list_files", "fd"})
_LISTED = LatePattern(
    r"^\s*(?:[-dlbcps][rwxsStT-]{9}[.+@]?\s+\d+\s.*|total \d+"
    r"|(?:\.{0,2}/)?[\w@.+~ ()\[\]-]+(?:/[\w@.+~ ()\[\]-]*)*/?|(?:/[\w@.+~ ()\[\]-]+)+/?)\s*$"
)
_PATHLIKE = LatePattern(r"/|\.[A-Za-z]\w{0,7}\s*$|^\s*[-dl][rwxsStT-]{9}|^total \d+$")
_TREE = LatePattern(r"^\s*(?:[│├└|`+]|[│|]\s|\d+ director)")
_LOG = LatePattern(
    r"^\s*\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d\b|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)"
    r"|^\s*\[?(?:DEBUG|INFO|WARN|WARNING|TRACE|NOTICE|ERROR|FATAL)\b[\]:| ]"
    r"|^\s+at \S.*\(.*:\d+|^\s*File \".*\", line \d+"
)


def kind(lines: list[str], tool: str) -> str:
    """ "listing", "tree", "log" or "text". `tool` is the agent's own name of the tool that printed it."""
    some = [line[:400] for line in _some(lines) if line.strip()]
    if not some:
        return "text"
    if _share(some, _TREE) >= _MOST_OF:
        return "tree"
    if _share(some, _LOG) >= _MOST_OF:
        return "log"
    listed = [line for line in some if _LISTED.match(line) and _PATHLIKE.search(line)]
    known = tool.lower().rsplit("__", 1)[-1] in LISTING_TOOLS
    return "listing" if known or len(listed) >= _MOST_OF * len(some) else "text"


def _some(lines: list[str]) -> list[str]:
    if len(lines) <= _LOOKED_AT:
        return lines
    return lines[: _LOOKED_AT // 2] + lines[-_LOOKED_AT // 2 :]


def _share(lines: list[str], form: LatePattern) -> float:
    return sum(form.match(line) is not None for line in lines) / len(lines)
