"""What stands between the name of a secret and the secret: one pattern a way of writing it.

Every pattern is matched at the end of a label and is bounded, so the work per label is too.
"""

from siltstone.store.late import LatePattern
from siltstone.store.redaction.wordlist import one_of
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from typing import Literal

    Manner = Literal["assigned", "told", "called", "loose"]
else:
    Manner = str
"""assigned: `x = y`, `x: y`. told: "x is y". called: `x("y")`, `"x", "y"`. loose: `x y`, `x (y)`,
`| x | y |`: the looser the tie, the more the value has to look like a secret."""

_INK = r"(?:\x1b\[[\d;]{0,8}m|[*_`~]){0,6}"
"""Colours of a terminal, emphasis of markdown."""
_GAP = r"[ \t]{0,40}"
_QUOTE = r"\\{0,4}[\"'`]"
_END = rf"{_INK}(?:{_QUOTE}|[”’»」』])?{_INK}"
_FOR = (
    r"(?:[ \t]+"
    + one_of(
        "for, of, to, on, in, at, from, für, pour, para, de, per, di, do, da, du, des, del, della, "
        "dello, dell, dem, der, vom, von, zum, voor, dla, "
        "til, för, для, от, к, на, "
        "my, the, your, our, i, we"
    )
    + r"(?:[ \t]+(?:[^\s:=,;.!?]{1,40}|'[^'\n]{1,120}'|\"[^\"\n]{1,120}\")){1,5}?)"
)
_IS = one_of(
    """heißt, heisst, se llama, si chiama,
    is, was, are, will be, should be, become, becomes, equal, equals, ist, war, lautet, est,
    était, es, era, é, è, c'est, c’est, será, jest, är, er, este, là, adalah, это, теперь,
    είναι, is now, is still, is currently, is set to, was set to, has been set to, set to,
    changed to, reset to, was changed to, has been changed to, is called, remains, stays, هي,
    هو, है, คือ"""
)

_THUS = one_of("такой, такая, now, again, here, below, generated, created, issued, as follows, is, are, ist")
"""What may stand between a label and its colon."""
_CJK_IS = one_of("改成, 改为, 改為, 设为, 設為, 设成, 设置为, 叫做, 是, 为, 為, は")
_KO_IS = one_of("이, 가, 는, 은, 를, 을")

_WAYS: tuple[tuple[str, Manner, str], ...] = (
    # const password: string = "x", password string = "x", char pw[] = "x"
    (
        "typed",
        "assigned",
        rf"[?!]?{_GAP}(?:[:\[]|(?=[ \t][a-z]))[ \t]{{0,4}}"
        rf"[\w&*<>\[\]|.,? ]{{1,40}}?[ \t]{{0,4}}:?=[ \t]{{0,4}}(?={_QUOTE})",
    ),
    # - name: X / value: y, in YAML and JSON, on one line or two
    (
        "valued",
        "assigned",
        rf"{_END},?{_GAP}\n?{_GAP}{_END}(?:value|val|content|defaultvalue|default){_END}{_GAP}[:=]{_GAP}",
    ),
    # <add key="Password" value="x">, <key>Password</key><string>x</string>, <entry key="password">x</entry>
    ("attribute", "assigned", r"[\"'][ \t]{1,4}(?:value|content|val)[ \t]{0,3}=[ \t]{0,3}(?=[\"'])"),
    ("plist", "assigned", r"</(?:key|name|string)>\s{0,40}<(?:string|value)>"),
    ("element", "assigned", r"(?:[\"'][^<>\n]{0,40})?>(?=[^<>\n]{1,300}</)"),
    # terraform: variable "db_password" { default = "x" }
    ("block", "assigned", r"[\"'][ \t]{0,4}\{[^{}]{0,300}?\bdefault[ \t]{0,4}=[ \t]{0,4}(?=[\"'])"),
    # "x": y   x = y   ['x'] = y   x => y   x (staging): y   x for staging: y   **x:** y   x:\n y
    (
        "sign",
        "assigned",
        rf"{_END}[\])]?{_GAP}(?:\([^()\n]{{0,40}}\){_GAP})?{_FOR}?{_END}{_GAP}"
        rf"(?:[ \t]{{1,3}}{_THUS}{_GAP}(?=[:：=]))?"
        rf"(?:(?:\|\||\?\?|\bor)(?={_GAP}{_QUOTE})|:=|\?=|\+=|\|\|=|=>|->|[=!]={{1,2}}|:(?!:|//)|=(?!~)|：|＝|→|⇒|﹕|%3d|%3a){_INK}{_GAP}(?:\r?\n{_GAP}){{0,2}}",
    ),
    # getByLabel("Password").fill("x")
    ("filled", "called", rf"{_QUOTE}\)\.(?:fill|type|sendkeys|send_keys|setvalue)\((?={_QUOTE})"),
    # IDENTIFIED WITH mysql_native_password BY 'x'
    ("by", "assigned", rf"[ \t]{{1,3}}by[ \t]{{1,3}}(?={_QUOTE})"),
    ("pair", "called", rf"{_QUOTE}[ \t]{{0,4}},\s{{0,20}}(?={_QUOTE})"),
    ("call", "called", rf"\([ \t]{{0,4}}(?={_QUOTE})"),
    # the password is x, the password for staging is now x, changed the password to x, 密码是 x
    (
        "is",
        "told",
        rf"{_END}(?:[ \t]*\([^()\n]{{0,40}}\))?{_FOR}?(?:[’']s|[ \t]+{_IS})"
        rf"(?:[ \t]+(?:now|still|just|simply|currently))?"
        rf"(?:[ \t]*[:=—–-])?(?:[ \t]+|[ \t]*\r?\n[ \t]*(?=\S{{4,}}\s*(?:\n|$)))",
    ),
    # Пароль от стенда — x
    ("copula", "told", rf"{_FOR}[ \t]{{1,3}}[–—][ \t]{{1,3}}"),
    # changed the password to x
    ("to", "told", rf"{_END}{_FOR}?[ \t]+(?:to|auf|à|a|en|на|til|naar)[ \t]+(?:[:=]?[ \t]*)"),
    (
        "cjk",
        "told",
        rf"{_END}[ \t]{{0,3}}(?:[一-鿿ぁ-んァ-ヶ]{{0,6}}?{_CJK_IS}|{_KO_IS})[ \t:：]{{0,3}}",
    ),
    # the password root: x
    ("noun", "loose", rf"{_END}[ \t]+[\w-]{{1,20}}[ \t]{{0,2}}[:：=][ \t]{{1,3}}"),
    ("column", "loose", r"[ \t*`]{0,20}[|│┃\t][ \t*`]{0,20}"),
    ("bracket", "loose", r"[ \t]{0,3}[(（][ \t]{0,2}"),
    ("dash", "loose", r"[ \t]{1,3}(?:[-–—]|\.{2,4})[ \t]{1,3}"),
    ("space", "loose", rf"{_END}[ \t]{{1,8}}"),
    ("glued", "loose", r"(?=[「『“《])"),
)
_PATTERN = LatePattern("|".join(f"(?P<{name}>{way})" for name, _, way in _WAYS))
_MANNER: dict[str, Manner] = {name: manner for name, manner, _ in _WAYS}


class Tie(NamedTuple):
    """How a label is tied to the value that begins at `end`."""

    way: str
    manner: Manner
    end: int


def tie(low: str, at: int) -> Tie | None:
    """How what follows position `at` of the text (in small letters) is tied to what stands before it."""
    found = _PATTERN.match(low, at)
    if found is None or found.lastgroup is None:
        return None
    return Tie(found.lastgroup, _MANNER[found.lastgroup], found.end())
