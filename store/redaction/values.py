"""Where a value begins and ends, and how it is written."""

from siltstone.store.late import LatePattern
from siltstone.store.tuples import NamedTuple

_ASCII = "".join(map(chr, range(33, 127)))
LONGEST = 4096
"""Characters of a value; what is longer is cut there and the rest judged as bare tokens."""
_LONGEST_WORD = 64
_OPEN = LatePattern(r"\s{0,2}[(\[]?(\\{0,8}[\"'`]{1,3}|[“‘„”「『《«])")
_PREFIX = LatePattern(
    r"(?:[a-zA-Z]{1,2}(?=[\"'])|@(?=\")|!!(?:str|binary)[ \t]+|\|[+-]?[ \t]*\n[ \t]*"
    r"|>[+-]?[ \t]*\n[ \t]*|[>:][ \t]+)"
)
_CLOSERS = {"“": "”", "‘": "’", "„": "“”", "”": "”", "「": "」", "『": "』", "《": "》", "«": "»"}
_RUN = LatePattern(r"[^\s\"'`<>|「」『』“”‘’«»，。、；！？（）]{1,4096}")
_PARAMETER = LatePattern(r"[?&][\w.%\[\]-]{1,40}=$")
_STOP = LatePattern(
    r"""(?x)
    [,;](?=$|[\\"'}\]),;]|\ ?[\w.\ -]{1,30}[:=])   # the next field begins
    | &(?:amp;)?(?=[a-zA-Z_][a-zA-Z_.%-]{1,39}\d{0,2}(?:\[\w*\])?=)  # the next query parameter
    | \\(?:[nrt](?:$|[^a-z])|["'])                  # an escaped line end or quote
    | [)}\]]+[;,.:]*$ | (?<!\.)[.,;:!?]{1,2}$ | \\+$ | \x1b
    """
)


class Value(NamedTuple):
    """A value in a text: `text[start:end]`, without the quotes around it."""

    start: int
    end: int
    text: str
    quoted: bool
    rest: str
    """What follows on the line, up to 400 characters."""

    def ascii_part(self) -> "Value":
        """The value up to its first character that is not ASCII, when it begins with one that is.

        In "パスワードはabc123です" the sentence goes on without a space.
        """
        kept = len(self.text) - len(self.text.lstrip(_ASCII))
        if kept in {0, len(self.text)}:
            return self
        return self._replace(end=self.start + kept, text=self.text[:kept], rest=self.text[kept:] + self.rest)


def value_at(text: str, at: int) -> Value | None:
    """The value that begins at `at`; None when nothing stands there."""
    prefix = _PREFIX.match(text, at)
    at = prefix.end() if prefix else at
    opened = _OPEN.match(text, at)
    if opened:
        quoted = _quoted(text, opened.end(), opened[1])
        if quoted is not None:
            return quoted
        at = opened.end()
    # Scripts without spaces run on: no password in one of them is that long.
    reach = LONGEST if text[at : at + 1].isascii() else _LONGEST_WORD
    run = _RUN.match(text, at, at + reach)
    if run is None:
        return None
    raw = run[0]
    if _PARAMETER.search(text, max(0, at - 44), at):
        raw = raw.split("&", 1)[0]
    stop = _STOP.search(raw)
    while stop and stop.start() == 0 and stop.end() < len(raw):
        return None
    cut = raw[: stop.start()] if stop else raw
    return _value(text, at, at + len(cut), quoted=False) if cut else None


def _quoted(text: str, start: int, quote: str) -> Value | None:
    limit = min(len(text), start + LONGEST)
    line = text.find("\n", start, limit)
    if line >= 0 and len(quote) < 3:
        limit = line
    ends = (
        [end for closer in _CLOSERS.get(quote, quote) if (end := text.find(closer, start, limit)) >= 0]
        if (quote in _CLOSERS)
        else [text.find(quote, start, limit)]
    )
    end = min(ends, default=-1)
    if quote in {'"', "'"}:
        end = _unescaped(text, start, limit, quote)
    return _value(text, start, end, quoted=True) if end >= 0 else None


def _unescaped(text: str, start: int, limit: int, quote: str) -> int:
    """Where the quote closes, past those that a backslash escapes."""
    end = text.find(quote, start, limit)
    while end > start and text[end - 1] == "\\" and not text[:end].endswith("\\\\"):
        later = text.find(quote, end + 1, limit)
        if later < 0:
            break
        end = later
    return end


def _value(text: str, start: int, end: int, quoted: bool) -> Value:
    after = end + (1 if quoted else 0)
    line = text.find("\n", after, after + 400)
    rest = text[after : line if line >= 0 else after + 400]
    return Value(start, end, text[start:end], quoted, rest)
