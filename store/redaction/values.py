"""The value of a label: what ties it to the label, and where it begins and ends.

Every pattern here is bounded, so the work for a label is too.
"""

from typing import Literal, NamedTuple

from siltstone.store.redaction.page import PATTERNS, Page, compiled
from siltstone.store.redaction.randomness import JUDGED
from siltstone.store.redaction.vocabulary import one_of

Manner = Literal["assigned", "told", "called", "loose"]
"""assigned: `x = y`, `x: y`. told: "x is y". called: `x("y")`, `"x", "y"`. loose: `x y`, `x (y)`,
`| x | y |`: the looser the tie, the more the value has to look like a secret."""

_INK = r"(?:\x1b\[[\d;]{0,8}m|[*_`~]){0,6}"
"""Colours of a terminal, emphasis of markdown."""
_GAP = r"[ \t]{0,40}"
_QUOTE = r"\\{0,4}[\"'`]"
_END = rf"{_INK}(?:{_QUOTE}|[”’»」』])?{_INK}"
_FOR = (
    rf"(?:[ \t]+{one_of('for')}"
    r"(?:[ \t]+(?:[^\s:=,;.!?]{1,40}|'[^'\n]{1,120}'|\"[^\"\n]{1,120}\")){1,5}?)"
)


_WAYS: dict[str, tuple[Manner, str]] = {
    # const password: string = "x", password string = "x", char pw[] = "x"
    "typed": (
        "assigned",
        rf"[?!]?[ \t]{{0,2}}(?:[:\[]|(?=[ \t][a-z]))[ \t]{{0,2}}"
        rf"[\w&*<>\[\]|.,? ]{{1,40}}?[ \t]{{0,4}}:?=[ \t]{{0,4}}(?={_QUOTE})",
    ),
    # - name: X / value: y, in YAML and JSON, on one line or two
    "valued": (
        "assigned",
        rf"{_END},?{_GAP}(?:\n{_GAP})?{_END}(?:value|val|content|defaultvalue|default){_END}{_GAP}[:=]{_GAP}",
    ),
    # <add key="Password" value="x">, <key>Password</key><string>x</string>, <entry key="password">x</entry>
    "attribute": ("assigned", r"[\"'][ \t]{1,4}(?:value|content|val)[ \t]{0,3}=[ \t]{0,3}(?=[\"'])"),
    "plist": ("assigned", r"</(?:key|name|string)>\s{0,40}<(?:string|value)>"),
    "element": ("assigned", r"(?:[\"'][^<>\n]{0,40})?>(?=[^<>\n]{1,300}</)"),
    # terraform: variable "db_password" { default = "x" }
    "block": ("assigned", r"[\"'][ \t]{0,4}\{[^{}]{0,300}?\bdefault[ \t]{0,4}=[ \t]{0,4}(?=[\"'])"),
    # "x": y   x = y   ['x'] = y   x => y   x (staging): y   x for staging: y   **x:** y   x:\n y
    "sign": (
        "assigned",
        rf"{_END}[\])]?(?:{_GAP}\([^()\n]{{0,40}}\))?(?:{_FOR}(?!=))?(?:[ \t]{{0,3}}{_END})?{_GAP}"
        rf"(?:[ \t]{{1,3}}{one_of('thus')}{_GAP}(?=[:：=]))?"
        rf"(?:(?:\|\||\?\?|\bor)(?={_GAP}\\{{0,4}}[\"'])|:=|\?=|\+=|\|\|=|=>|->|[=!]={{1,2}}|:(?!:|//)|=(?!~)"
        rf"|：|＝|→|⇒|﹕|%3d|%3a){_INK}{_GAP}(?:\r?\n{_GAP}){{0,2}}",
    ),
    # getByLabel("Password").fill("x")
    "filled": ("called", rf"{_QUOTE}\)\.(?:fill|type|sendkeys|send_keys|setvalue)\((?={_QUOTE})"),
    # IDENTIFIED WITH mysql_native_password BY 'x'
    "by": ("assigned", rf"[ \t]{{1,3}}by[ \t]{{1,3}}(?={_QUOTE})"),
    "pair": ("called", rf"{_QUOTE}[ \t]{{0,4}},\s{{0,20}}(?={_QUOTE})"),
    "call": ("called", rf"\([ \t]{{0,4}}(?={_QUOTE})"),
    # the password is x, the password for staging is now x
    "is": (
        "told",
        rf"{_END}(?:[ \t]*\([^()\n]{{0,40}}\))?{_FOR}?(?:[’']s|[ \t]+{one_of('is')})"
        rf"(?:[ \t]+(?:now|still|just|simply|currently))?"
        rf"(?:[ \t]*[:=—–-])?(?:[ \t]+|[ \t]*\r?\n[ \t]*(?=\S{{4,}}\s*(?:\n|$)))",
    ),
    # Пароль от стенда — x
    "copula": ("told", rf"{_FOR}[ \t]{{1,3}}[–—][ \t]{{1,3}}"),
    # changed the password to x
    "to": ("told", rf"{_END}{_FOR}?[ \t]+(?:to|auf|à|a|en|на|til|naar)[ \t]+(?:[:=]?[ \t]*)"),
    # 密码是 x
    "cjk": (
        "told",
        rf"{_END}[ \t]{{0,3}}(?:[^\W\da-zA-Z_]{{0,6}}?{one_of('cjk_is')}|{one_of('ko_is')})[ \t:：]{{0,3}}",
    ),
    # the password root: x
    "noun": ("loose", rf"{_END}[ \t]+[\w-]{{1,20}}[ \t]{{0,2}}[:：=][ \t]{{1,3}}"),
    "column": ("loose", r"[ \t*`]{0,20}[|│┃\t][ \t*`]{0,20}"),
    "bracket": ("loose", r"[ \t]{0,3}[(（][ \t]{0,2}"),
    "dash": ("loose", r"[ \t]{1,3}(?:[-–—]|\.{2,4})[ \t]{1,3}"),
    "space": ("loose", rf"{_END}[ \t]{{1,8}}"),
    "glued": ("loose", r"(?=[「『“《])"),
}
"""Ways to write a value behind a label: how close the tie is, what stands between. The first that fits."""
_TIE = "(?i)" + "|".join(f"(?P<{way}>{pattern})" for way, (_, pattern) in _WAYS.items())
_TIE_REACH = 1_000


class Tie(NamedTuple):
    """How a label is tied to the value that begins at `end`."""

    way: str
    manner: Manner
    end: int


def tie(page: Page, at: int) -> Tie | None:
    """How what follows a label that ends here is tied to it."""
    found = page.match(_TIE, at, _TIE_REACH)
    way = found.lastgroup if found else None
    return Tie(way, _WAYS[way][0], found.end()) if found and way else None


_ASCII = "".join(map(chr, range(33, 127)))
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

    def ascii_part(self) -> "Value":
        """The value up to its first character that is not ASCII, when it begins with one that is.

        In "パスワードはabc123です" the sentence goes on without a space.
        """
        kept = len(self.text) - len(self.text.lstrip(_ASCII))
        if kept in {0, len(self.text)}:
            return self
        return self._replace(end=self.start + kept, text=self.text[:kept], rest=self.text[kept:] + self.rest)


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
        return _unescaped(page, start, limit, quote)
    closers = _CLOSERS.get(quote, (quote,))
    return min((end for closer in closers if (end := text.find(closer, start, limit)) >= 0), default=-1)


def _unescaped(page: Page, start: int, limit: int, quote: str) -> int:
    """Where the quote closes, past those that a backslash escapes."""
    inside = page.match(rf"[^{quote}\\]*+(?:\\.[^{quote}\\]*+)*+", start, limit - start)
    end = inside.end() if inside else start
    return end if end < limit and page.text[end] == quote else page.text.rfind(quote, start, limit)


def _value(page: Page, start: int, end: int, quoted: bool) -> Value:
    after = end + (1 if quoted else 0)
    return Value(start, end, page.text[start:end], quoted, page.text[after : page.line_end(after, 400)])
