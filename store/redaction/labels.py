"""Values behind the name of a secret: `DB_PASSWORD=…`, `--token …`, "the password is …", 密码：…"""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import phrase_end, secret_value, secretish
from siltstone.store.redaction.page import Hit, Page, Rule, Span, compiled
from siltstone.store.redaction.randomness import JUDGED, looks_random, words
from siltstone.store.redaction.values import CJK, LONGEST, Manner, Tie, Value, tie, value_at
from siltstone.store.redaction.vocabulary import LABELS, PATTERNS, Class, Label, listed, one_of

_NEAR = 70
"""Characters behind a label in which a bare random token is taken for its value."""
_DRAWN = r"(?<![\w/+.-])[A-Za-z0-9][\w+/.~-]{15,300}={0,2}"
_TAIL = r"[\w-]{0,40}"
_WORDCHARS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_.-$")
_WITH = r"(?i)(?:\bwith|\buse|\busing|\bmit|\bavec|\bcon|\bcom|(?<!\w)с)[ \t](?:the |dem |le |la |a )?$"
"""Before a label that a password of its own follows: "log in with password x"."""
_ALONE = rf"[ \t]*(?:$|\n|[^\w\s-]|{one_of('for')}\b)"
"""Behind "use x as the password", not "as the password hash"."""
_CAMEL = r"(?:[A-Z][a-z]+){2,}"
_ARN = r"arn:[\w-]{2,20}:\S{0,60}:$"
"""Before the kind of a resource: arn:aws:secretsmanager:…:secret:name"""
_UNPACKED = r"(?:^|\n)[ \t]*(?:[\w.]+,[ \t]*)+\w*$"
"""Before a label: other names to which values are given, `user, password = "otter", "x"`."""
_LISTED = r"[\"'],\s{0,4}[\"']$"
_PROMPT = r"[ \t]?[:=] "
"""Behind a label that asks for its value, or is a clause of a command: Enter password: x"""
_FUNCTION = r"\w+_\w|[\w.]*[a-z][A-Z]|[A-Z]{2}"
_HASHES = listed("hashes")
_NO_PASSWORD = tuple(listed("no_password"))
_QUALIFIERS = listed("qualifiers")
_PUBLIC_KEYS = listed("public_keys")
_ASKING = listed("asking")
_SUFFIXES = listed("suffixes")
_COUNTED = listed("counted")
_TURNS = listed("turns")


class _Place(NamedTuple):
    """A label as it stands in a text."""

    start: int
    """Of its whole identifier."""
    end: int
    means: Class
    asking: bool
    """The identifier asks or tells (`has_password`), so its value has to look like a secret."""
    flag: bool
    """It is an option of a command: `--password`."""
    verb: bool
    """It is the bare word "pass"."""


def _labelled(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Every value behind a label that reads as a secret."""
    begin = until = 0
    behind = cache(partial(tie, page))
    ends = {at: at + len(cue) for at, cue in reversed(hits)}
    for at, cue in hits:
        if begin <= at < until:  # within a value that was found
            continue
        place = _place(page, LABELS[cue], at)
        way = behind(place.end) if place else None
        following = behind(ends[way.end]) if way and way.end in ends else None
        if way and following and way.way == following.way:  # "密码是密码是…": the value is the next one's
            continue
        tied = _tied(page, place, way) if place and way else None
        spans = [tied] if tied else []
        if place and not tied and place.means in {"token", "password"} and not place.asking:
            spans = [*_near(page, place), *_behind_value(page, place)]
        for span in spans:
            begin, until = span.start, span.end
            yield span


def _tied(page: Page, place: _Place, tied: Tie) -> Span | None:
    """The value that is tied to a label by a sign, a word or its place, when it reads as a secret."""
    value = value_at(page, tied.end)
    option = tied.way == "space" or (place.flag and tied.way == "pair")
    if value is None or (option and value.text.startswith("-") and not benign.coined(value.text)):
        return None
    if named := page.search(_UNPACKED, place.start - 80, place.start):
        first = page.match(rf"(?:[\"'][^\"'\n]*[\"'],[ \t]*){{{named[0].count(',')}}}", tied.end)
        value = (first and value_at(page, first.end())) or value
    if tied.way in {"cjk", "renewed", "glued"} and not value.quoted:
        # In "パスワードはabc123です" the sentence goes on without a space.
        kept = next((at for at, char in enumerate(value.text) if char >= CJK), 0) or len(value.text)
        rest = value.text[kept:] + value.rest
        value = value._replace(end=value.start + kept, text=value.text[:kept], rest=rest)
    using = place.means == "password" and page.search(_WITH, place.start - 16, place.start)
    if using and tied.way == "space":
        told = secretish(value.text, quoted=True) or (value.quoted and not benign.harmless(value.text))
        return Span(value.start, value.end, place.means) if told else None
    name, between = page.text[place.start : place.end], page.text[place.end : tied.end]
    aside = page.text[place.start - 2 : place.start] == " ("
    if aside or (between == "=" and name.isupper()) or (between in {"=", " "} and place.flag):
        value = value._replace(rest="")  # (password: x), DB_PASS=x command, --password=x file
    manner = _manner(page, place, tied, value)
    if manner is None:
        return None
    end = phrase_end(value) if place.means == "phrase" else 0
    if end or secret_value(value, place.means, manner, place.asking):
        if len(value.text) == JUDGED and not value.quoted:
            value = value_at(page, tied.end, LONGEST) or value
        return Span(value.start, end or value.end, place.means)
    return None


def _manner(page: Page, place: _Place, tied: Tie, value: Value) -> Manner | None:
    """How close the tie is with what stands around it in view; None when it is none."""
    between = page.text[place.end : tied.end]
    broken = "\n" in between
    if place.flag and tied.way in {"space", "pair"}:
        return "assigned"
    bare = value.text.isascii() if tied.way == "space" else tied.way == "glued" and not value.quoted
    if bare and not page.text[place.start : place.end].isascii():
        return "told"
    if tied.way == "pair":
        # A call ends behind its second argument, a list of names goes on.
        name = compiled(_CAMEL).fullmatch(value.text)
        called = value.rest.lstrip().startswith(")") and not broken and not name
        if called and page.search(_LISTED, place.start - 6, place.start):
            return "loose"
        return "called" if called or looks_random(value.text) else None
    if tied.way == "bracket" and between == "(" and compiled(_FUNCTION).match(page.text, place.start):
        return None  # derive_token(key)
    if between == " = " and not value.quoted and page.search(_UNPACKED, place.start - 80, place.start):
        return "loose"
    if place.verb and not _named_by_verb(tied, between, value):
        return None
    if page.low[place.start : place.end] == "identified by":
        return "assigned" if tied.way == "space" and page.text[value.start - 1] in "'\"" else None
    if tied.way == "sign" and page.search(_ARN, place.start - 80, place.start):
        return None
    first = tied.way == "call" and value.rest.lstrip().startswith(",")
    if first or (tied.way == "sign" and page.text[place.start - 1 : place.start] == "/"):
        # set_password("service", user, password); docs/secrets: a branch.
        return "loose"
    change = PATTERNS["change"]
    changed = page.search(change, place.start - 40, place.start) or page.search(
        change, value.end, value.end + 20
    )
    unchanged = tied.way == "to" and not changed
    if tied.manner == "told" and (place.verb or unchanged):
        return "loose"
    if broken and tied.way != "expect":
        # Label and value on lines of their own are a form; else code goes on.
        before = page.text[max(0, place.start - 40) : place.start].rpartition("\n")[2]
        return "loose" if before.strip(" \t*_#>-") or value.rest.strip() else tied.manner
    return tied.manner


def _named_by_verb(tied: Tie, between: str, value: Value) -> bool:
    """The word "pass" names a secret, though it is a verb in prose: "pass x to y", "pass force_zip64"."""
    if tied.way == "space":
        return not (
            value.text.startswith("-") or value.text.isdigit() or {"_", "/"} & {*value.text} or "`" in between
        )
    if between.startswith(" ") and between.endswith(":"):
        return False  # :param x: pass :class:`Y`
    changed = tied.way == "renewed" and between.startswith(" ")
    return changed or (tied.way == "is" and len(between) < 6) or not any(map(str.isalpha, between))


def _near(page: Page, place: _Place) -> Iterator[Span]:
    """A random token a few words behind a label, on the same line."""
    limit = page.line_end(place.end, _NEAR)
    for token in page.every(_DRAWN, place.end, limit):
        gap = page.low[place.end : token.start()]
        if any(word in gap for word in _HASHES) or "://" in gap:
            return
        whole = page.match(_DRAWN, token.start())
        text = whole[0] if whole else token[0]
        if looks_random(text, 20) and not benign.placeholder(text) and "/" not in text:
            yield Span(token.start(), token.start() + len(text), place.means)
            return


def _behind_value(page: Page, place: _Place) -> Iterator[Span]:
    """The value stands first: "use x as the password", "x is my token", `x  # password`."""
    if page.text[place.start - 1 : place.start] not in {" ", "\t"}:
        return
    found = page.search(PATTERNS["value_first"], place.start - 160, place.start)
    if found is None:
        return
    value = found["value"].strip("\"'`")
    noted = "#" in page.text[found.end("value") : place.start]
    if noted and ("(" in value or "#" in page.text[page.line_start(found.start(), 160) : found.start()]):
        return  # code, or a comment already: "noqa: X101  # token"
    handed = page.search(PATTERNS["handed"], found.start() - 16, found.start()) and page.match(
        _ALONE, place.end
    )
    given = Value(0, 0, value, quoted=False, rest="")
    told = handed and secret_value(given, place.means, "told", asking=False)
    if (told or secretish(value, quoted=True)) and not benign.refers(value):
        yield Span(*found.span("value"), place.means)


def _place(page: Page, label: Label, at: int) -> _Place | None:
    """The label at `at`, if what stands around it leaves it the name of a secret."""
    end = at + len(label.needle)
    if label.needle.isascii():
        end = _suffix(page, end) if _begins(page, label, at) else -1
        if end < 0:
            return None
    start, least = at, max(0, at - 64)
    while start > least and page.low[start - 1] in _WORDCHARS:
        start -= 1
    before = _before(page, start, at)
    means = _means(page, label, before, at, start)
    verb = page.low[start:end] == "pass"
    if means is None or (verb and before and (before[-1] in _TURNS or before[-1].endswith("ing"))):
        return None
    flag = page.text[start] == "-" and start < at
    glued = label.whole and at > 0 and page.low[at - 1].isalpha() and not page.text[at].isupper()
    scoped = page.text[max(0, start - 2) : start] == "::"  # the name of a type: AWS::AppSync::ApiKey
    prompt = start == at and before[-1:] in (["enter"], ["with"]) and page.match(_PROMPT, end)
    asking = (glued and not flag) or scoped or (bool(before) and before[-1] in _ASKING and not prompt)
    return _Place(start, end, means, asking, flag, verb)


def _begins(page: Page, label: Label, at: int) -> bool:
    """The needle begins a word, or a part of an identifier ("compass" holds no pass)."""
    if not label.whole or at == 0 or not page.low[at - 1].isalpha():
        return True
    if page.text[at].isupper() and page.text[at - 1].islower():
        return True
    return label.needle in {"pass", "pwd"} and not page.low.endswith(_NO_PASSWORD, max(0, at - 6), at)


def _suffix(page: Page, end: int) -> int:
    """The end of the identifier, if what follows the needle leaves it a name of a secret; else -1."""
    tail = page.match(_TAIL, end)
    rest = tail[0].rstrip("-_") if tail else ""
    if not rest:
        return end
    if rest[0].islower() and rest not in {"s", "es"} and page.text[end - 1].isalpha():
        return end + len(rest) if rest in _SUFFIXES and len(rest) > 3 else -1
    parts = words(rest.replace("_", "-"))
    return end + len(rest) if all(part in _SUFFIXES or part.isdigit() for part in parts) else -1


def _before(page: Page, start: int, at: int) -> list[str]:
    """The words in front of the needle: those of its identifier, else up to three on the same line."""
    if start < at:
        return words(page.text[start:at].replace("_", "-"))
    line = page.low[max(0, start - 32) : start].rpartition("\n")[2]
    return words(line.replace(" ", "-"))[-3:] if line.endswith((" ", "-")) else []


def _means(page: Page, label: Label, before: list[str], at: int, start: int) -> Class | None:
    """What kind of value the words before a label leave it to name; None for no secret."""
    if label.needle == "pin":
        gpio = not {"gpio", "header", "board"}.isdisjoint(before)
        return None if gpio or (start < at and page.text[at : at + 3].islower() and not before) else "pin"
    if label.needle == "token" and start < at and not _COUNTED.isdisjoint(before[-2:]):
        return None
    if label.means != "key":
        return label.means
    last = before[-1] if before else ""
    if last in _PUBLIC_KEYS:
        return None
    if last in _QUALIFIERS:
        return "token"
    env = start < at and last.isalpha() and page.text[at : at + 3].isupper()
    return "named key" if env or page.text[start - 1 : start] in {"?", "&"} else "key"


RULE = Rule(frozenset(LABELS), _labelled)
