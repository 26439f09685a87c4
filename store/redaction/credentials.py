"""Credentials that are told together or have a fixed form.

LOGINS: users and passwords, "user: a, password: b", "basic auth is a / b". CODES: recovery codes, keys in
groups, private JWKs behind a word that names them.
"""

import re
from collections.abc import Iterator, Sequence

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import is_code, secretish
from siltstone.store.redaction.page import Hit, Page, Rule, Span, compiled
from siltstone.store.redaction.randomness import shape
from siltstone.store.redaction.vocabulary import PATTERNS, listed

_ACCOUNT = r"(?:istrator)?[ \t]?[/:][ \t]?(?P<secret>[^\s\"'`,，。/:]{6,128}+)(?!/)"
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
    """A usual account and its password: admin/…"""
    for at, cue in hits:
        if at == 0 or not (page.text[at - 1].isalnum() or page.text[at - 1] in "_/.@-"):
            yield from _secret(page.match(_ACCOUNT, at + len(cue)))


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
