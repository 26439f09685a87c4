"""Credentials of a fixed form, or told together.

FORMS (forms.toml): in commands and their files, cards, hashed passwords; options. LOGINS: users and
passwords, "user: a, password: b", "basic auth is a / b". CODES: recovery codes, keys in groups, private
JWKs behind a word that names them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from siltstone.store.data import data
from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import is_code, secretish, strong
from siltstone.store.redaction.page import REACH, Hit, Page, Rule, Span, compiled
from siltstone.store.redaction.randomness import shape
from siltstone.store.redaction.vocabulary import PATTERNS, listed

FILE = data(__file__)


class _Form(NamedTuple):
    cues: Sequence[str]
    pattern: str
    kind: str = "command"
    test: str = "given"


_VALUE = r"(?:\\{0,3}[\"'](?P<q>[^\"'\n]{1,256})\\{0,3}[\"']|(?P<v>(?:[^\s\"';|&<>()]|&(?=[^\s&])){1,256}))"
_PAIR = (
    r"(?:[^\s\"';|&<>():]{1,100}:\\{0,3}(?P<quote>[\"'])(?P<p>(?:(?!(?P=quote))[^\n]){1,256})(?P=quote)"
    rf"|{_VALUE})"
)
"""user:password, the password perhaps in quotation marks of its own."""
_CALL = r"\w\("
_PORTISH = r"\d{1,5}(?:[:-]\d{1,5}){0,3}(?:/\w+)?|[\d.]+:\d+:\d+"
_NEXT_COMMAND = r"(?<!\\)\n|&&|;|(?<![\w\"'])\|"
_PGPASS = r":(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?P<v>(?:[^\s:\\]|\\.){3,255})(?=\s|$)"
_PGPASS_HOST = r"\s{0,12}(?:\d{1,6}[\t:]\s{0,4})?[\w.*-]{1,253}"

_FORMS: dict[str, list[_Form]] = {}
"""By cue."""
for _form in FILE["form"]:
    for _cue in _form["cues"]:
        _FORMS.setdefault(_cue, []).append(_Form(**_form))


class _Option(NamedTuple):
    programs: str
    flag: str
    test: str = "given"
    paired: bool = False
    """The value is user:password."""


_OPTIONS: dict[str, list[_Option]] = {}
"""By program."""
for _row in FILE["option"]:
    for _program in _row["programs"].split():
        _OPTIONS.setdefault(_program, []).append(_Option(**_row))


def _forms(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Secrets behind a cue, known by what stands around them."""
    for at, cue in hits:
        for form in _FORMS[cue]:
            found = page.match(form.pattern, at)
            if found and _passes(page, found.start("v"), found["v"], form.test):
                yield Span(*found.span("v"), form.kind)


def _options(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Passwords and tokens handed to a program by an option."""
    until: dict[str, int] = {}
    for at, program in hits:
        whole = rf"(?i)(?<![\w.-]){re.escape(program)}(?:\.exe)?(?=[\s\"'])"
        if at < until.get(program, 0) or not page.match(whole, at):
            continue
        cut = page.search(_NEXT_COMMAND, at, at + REACH)
        end = until[program] = cut.start() if cut else at + REACH
        for option in _OPTIONS[program]:
            value_form = _PAIR if option.paired else _VALUE
            for found in page.every(rf"\s{option.flag}{value_form}", at, end + REACH):
                group = found.lastgroup or "v"
                start, value = found.start(group), found[group]
                if option.paired and group != "p":
                    user, colon, value = value.partition(":")
                    start += len(user) + len(colon)
                told = value and not (value.startswith("-") or compiled(_PORTISH).fullmatch(value))
                if told and found.start() < end and _passes(page, start, value, option.test):
                    yield Span(start, start + len(value), "command")


def _pgpass(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Lines of a .pgpass file: host:port:database:user:password."""
    for found in page.every(_PGPASS, 0, len(page.text)):
        start = page.line_start(found.start(), 300)
        host = page.match(_PGPASS_HOST, start, found.start() - start)
        if host and host.end() == found.start() and _passes(page, found.start("v"), found["v"], "given"):
            yield Span(*found.span("v"), "password")


def _passes(page: Page, start: int, value: str, test: str) -> bool:
    if test == "":
        return True
    if len(value) < 3 or benign.harmless(value):
        return False
    if test == "strong":
        return strong(value)
    code = compiled(_CALL).search(value) is not None or value[0] in "=:.,"
    return (not code or page.text[start - 1] in "\"'") and value.lower() not in benign.EXAMPLES


FORMS = (
    Rule(frozenset(_OPTIONS), _options),
    Rule(frozenset(_FORMS), _forms),
    Rule(frozenset(), _pgpass),
)


_ACCOUNT = r"(?:istrator)?[ \t]?[/:][ \t]?(?P<secret>[^\s\"'`,，。/:]{6,128}+)(?!/)"
DRAWN = r"[A-Za-z0-9!@#$%^&*+?]"
"""A sign of a password, and of hardly any name, path or version."""
_PLAIN = rf"(?P<secret>{DRAWN}{{6,128}}+)"
_ACCOUNT_MARKED = rf"(?:istrator)?`[ \t]?/[ \t]?`{_PLAIN}`"
_ACCOUNT_LINE = rf"(?:istrator)?[ \t\r]*\n[ \t]*{_PLAIN}(?=[ \t\r]*(?:\n|\Z))"
_ADDRESS_LINE = r"(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?[ \t\r]*\n[ \t]*\Z"
_ADDRESS = 40
"""Characters in which an address ends, before an account."""
_KEBAB = r"[a-z]+(?:-[a-z]+)*-\d{1,2}[a-z]?"


def _labelled(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Both labels in words: the user goes too (docs/seeds.md A "Redaction there")."""
    for at, cue in hits:
        found = page.match(PATTERNS["user_and_password"], at + len(cue))
        if found and _given(found["secret"]) and _given(found["user"]) and not is_code(found["secret"]):
            yield Span(*found.span("user"), "user")
        yield from _secret(page.match(PATTERNS["told_user_and_password"], at + len(cue)), kebab=True)


def _told(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    for at, cue in hits:
        found = page.match(PATTERNS["login"], at + len(cue))
        given = found is not None and " / " in found[0] and (found["are"] or ": " in found[0])
        yield from _secret(found, sure=bool(given))


def _accounts(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """A usual account and its password: admin/…; below an address also line by line."""
    for at, cue in hits:
        if at == 0 or not (page.text[at - 1].isalnum() or page.text[at - 1] in "_/.@-"):
            forms = [_ACCOUNT, _ACCOUNT_MARKED]
            if page.search(_ADDRESS_LINE, at - _ADDRESS, at):
                forms.append(_ACCOUNT_LINE)
            yield from _secret(next(filter(None, (page.match(one, at + len(cue)) for one in forms)), None))


def _secret(found: re.Match[str] | None, kebab: bool = False, sure: bool = False) -> Iterator[Span]:
    if found is None:
        return
    secret = found["secret"].rstrip(".,;:)!?")
    name = not (kebab or sure) and (
        compiled(_KEBAB).fullmatch(secret) or compiled(PATTERNS["code"]).match(secret)
    )
    user = found.groupdict().get("user", "")
    told = not user or not benign.prose(user)  # "allow the user to pass x"
    strong = sure or "@" in user or secretish(secret, quoted=True)
    if told and strong and _given(found["secret"]) and not name:
        yield Span(found.start("secret"), found.start("secret") + len(secret), "password")


def _given(value: str) -> bool:
    """It is given, not only spoken of."""
    spoken_of = value.lower().rstrip(").,;") in benign.EXAMPLES or "://" in value
    return not spoken_of and not benign.harmless(value)


LOGINS = (
    Rule(listed("users"), _labelled),
    Rule(listed("logins"), _told),
    Rule(listed("accounts"), _accounts),
)


_CODES_ARE = (
    r"(?i)[ -]?codes?"
    r"[\"'*`]{0,3}(?:[ \t]{1,3}(?:are|is|sind|lauten?))?[ \t]{0,3}[:=]?"
)
_MOST_CODES = 24
_WORDS = 0.85
"""Share of letter pairs usual in words from which on groups of four letters are words."""
_JWK = r"[\"'](?:d|p|q|dp|dq|qi|k)\\?[\"']\s{0,3}:\s{0,3}\\?[\"'](?P<v>[\w-]{16,1400})\\?[\"']"
_JWK_REACH = 4000


def _recovery(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Every code of a list of recovery codes."""
    for at, cue in hits:
        label = page.match(_CODES_ARE, at + len(cue))
        end = label.end() if label else 0
        for _ in range(_MOST_CODES if label else 0):
            found = page.match(PATTERNS["recovery_code"], end)
            if found is None:
                break
            yield Span(*found.span("code"), "recovery-code")
            end = found.end()


def _groups(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """A key in groups of four letters: setup keys of authenticators."""
    for at, _ in hits:
        found = page.match(PATTERNS["grouped_key"], at)
        if found:
            seen = shape(found["v"].replace(" ", "").replace("-", ""))
            if seen.digit or seen.wordlike < _WORDS:
                yield Span(*found.span("v"), "code")


def _jwk(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """The private members of a JWK, around its "kty"."""
    until = 0
    for at, _ in hits:
        begin, until = max(until, at - _JWK_REACH), at + _JWK_REACH
        for member in page.every(_JWK, begin, until):
            yield Span(*member.span("v"), "private-key")


CODES = (
    Rule(listed("recovery"), _recovery),
    Rule(frozenset({"key", "code", "secret", "passwor"}), _groups),
    Rule(frozenset({"kty"}), _jwk),
)
