"""Secrets of a fixed form (forms.toml): in commands and their files, cards, hashed passwords; options."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import strong
from siltstone.store.redaction.page import REACH, Hit, Page, Rule, Span, compiled
from siltstone.store.redaction.vocabulary import data

FILE = data("forms.toml")


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
    pattern: str
    test: str
    paired: bool
    """The value is user:password."""


_OPTIONS: dict[str, list[_Option]] = {}
"""By program."""
for _told in FILE["option"]:
    _paired = _told.get("paired", False)
    _option = _Option(
        rf"\s{_told['flag']}{_PAIR if _paired else _VALUE}", _told.get("test", "given"), _paired
    )
    for _program in _told["programs"].split():
        _OPTIONS.setdefault(_program, []).append(_option)


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
            for found in page.every(option.pattern, at, end + REACH):
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


RULES = (
    Rule(frozenset(_OPTIONS), _options),
    Rule(frozenset(_FORMS), _forms),
    Rule(frozenset(), _pgpass),
)
