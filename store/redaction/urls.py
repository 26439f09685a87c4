"""Secrets inside URLs: passwords before the @, hooks whose path is the key, signed queries."""

import re
from collections.abc import Iterator

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.shape import is_hex, is_uuid, looks_random
from siltstone.store.redaction.wordlist import listed

_SPAN = re.compile(r"[^\s\"'`<>|]{1,2048}")
_AUTHORITY = re.compile(r"[^/?#\s]*")
_PORT = re.compile(r"\d{1,5}(?:$|[/?#])")
_PASSWORD_NAMES = listed(
    """
    pass password passwd pwd pw secret token key api_key apikey user_password mypassword yourpassword
    """
)
_SCHEMELESS = re.compile(
    r"(?<![\w@/.:=-])[\w.+-]{1,40}:(?P<secret>[^\s@:/\"'`<>,;=]{6,80})@(?:tcp\(|unix\(|(?:[\w-]+\.)+[a-z]{2,}|localhost|\d+\.\d+\.\d+\.\d+)"
)
_QUERY = re.compile(
    r"[?&;](?:amp;)?(?P<name>[\w.%-]{0,40}?(?:sig|signature|key|token|code|auth|secret|password|pwd|pass|sas|credential|hash|apikey|appid|jwt|ticket))"
    r"=(?P<value>[^&\s\"'`<>#;]{6,2048})"
)
_HOOK = re.compile(
    r"hook|/api/send|telegram\.org|ifttt|hc-ping|logic\.azure|/services/t|/integration/|/integrations/|script\.google|push\.|ntfy|bark|gotify|/triggers/|/workflows/"
)
_BOT = re.compile(r"/bot(?P<secret>\d{6,12}:[\w-]{20,})")
_SEGMENT = re.compile(r"(?<=[/=])[A-Za-z0-9_.~%-]{8,512}")


def urls(page: Page) -> Iterator[Span]:
    """Passwords, hook keys and signatures in every URL."""
    text, low = page.text, page.low
    for at in page.hits("://"):
        start = at + 3
        whole = _SPAN.match(text, start)
        if whole is None:
            continue
        yield from _userinfo(text, start, whole[0])
        if _HOOK.search(low, start, whole.end()):
            yield from _hook(text, start, whole.end())
        for query in _QUERY.finditer(text, start, whole.end()):
            if _signs(query["name"], query["value"]):
                yield Span(*query.span("value"), "url-key")
    if "@" in text:
        yield from _schemeless(text)


def _userinfo(text: str, start: int, url: str) -> Iterator[Span]:
    authority = _AUTHORITY.match(url)
    head = authority[0] if authority else ""
    cut = head.rfind("@")
    if cut < 0:
        user, colon, rest = head.partition(":")
        # A password with an unescaped slash: what follows the colon is no port.
        if not colon or "@" not in url or _PORT.match(rest) or "[" in user:
            return
        cut = url.rfind("@")
    user, colon, password = url[:cut].partition(":")
    if colon:
        if (
            password
            and not benign.refers(password)
            and password.lower() not in _PASSWORD_NAMES
            and not _filler(password)
        ):
            yield Span(start + len(user) + 1, start + cut, "url-password")
    elif len(user) >= 12 and (secretish(user, quoted=True) or is_hex(user) or is_uuid(user)):
        yield Span(start, start + cut, "url-token")


def _filler(password: str) -> bool:
    return (
        benign.placeholder(password)
        or re.fullmatch(r"(?i)[<{\[(].*[>}\])]|\.{2,}|\*+|x+", password) is not None
    )


def _hook(text: str, start: int, end: int) -> Iterator[Span]:
    bot = _BOT.search(text, start, end)
    if bot:
        yield Span(*bot.span("secret"), "webhook")
    for segment in _SEGMENT.finditer(text, start, end):
        piece = segment[0]
        if benign.placeholder(piece) or benign.refers(piece):
            continue
        if is_uuid(piece) or is_hex(piece) or looks_random(piece, 12) or _code(piece):
            yield Span(*segment.span(), "webhook")


def _code(piece: str) -> bool:
    """A short key of a hook: letters of both kinds, or letters among digits."""
    digits = sum(char.isdigit() for char in piece)
    return piece.isalnum() and digits >= 2 and not piece.isdigit() and len(piece) >= 10


def _signs(name: str, value: str) -> bool:
    if benign.refers(value) or benign.placeholder(value):
        return False
    sure = name.lower().endswith(
        ("sig", "signature", "token", "secret", "password", "pwd", "pass", "sas", "jwt")
    )
    return looks_random(value, 12) or (
        sure and (is_hex(value) or is_uuid(value) or "%" in value or secretish(value))
    )


def _schemeless(text: str) -> Iterator[Span]:
    for found in _SCHEMELESS.finditer(text):
        if secretish(found["secret"], quoted=True) and not benign.placeholder(found["secret"]):
            yield Span(*found.span("secret"), "url-password")
