"""Secrets inside URLs: passwords before the @, hooks whose path is the key, signed queries."""

from siltstone.store.late import LatePattern
from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.shape import is_hex, is_uuid, looks_random
from siltstone.store.redaction.wordlist import listed, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_URL = LatePattern(r"[^\s\"'`<>|]{1,2048}")
_NEAR = 300
"""Characters in which a URL's user and password have to stand."""
_AUTHORITY = LatePattern(r"[^/?#\s]*")
_PORT = LatePattern(r"\d{1,5}(?:$|[/?#])")
_SCHEMELESS = LatePattern(
    r"(?:^|(?<![\w@/.:-]))[\w.+-]{1,40}:(?P<secret>[^\s@:/\"'`<>,;=]{6,80})@"
    r"(?:tcp\(|unix\(|(?:[\w-]+\.)+[a-z]{2,}|localhost|\d+\.\d+\.\d+\.\d+)"
)
_QUERY = LatePattern(
    r"[?&;#](?:amp;)?(?P<name>[\w.%-]{0,40}?"
    + one_of(
        """sig, signature, key, token, code, auth, secret, password, pwd, pass, sas, credential,
    hash, hmac, apikey, appid, jwt, ticket, otp, session, sid"""
    )
    + r")=(?P<value>[^&\s\"'`<>#;]{6,2048})"
)
_SEALED = 64
"""Characters from which on a random value in a query is taken for a secret."""
_ANY_QUERY = LatePattern(rf"[?&;#](?:amp;)?(?P<name>[\w.%-]{{1,40}})=(?P<value>[\w%~.-]{{{_SEALED},2048}})")
_DATA = listed("cursor page next after before data body image img content payload src q d diff patch code")
_SURE = (
    "sig",
    "signature",
    "token",
    "secret",
    "password",
    "pwd",
    "pass",
    "sas",
    "jwt",
    "credential",
    "hmac",
    "appid",
    "apikey",
)
_HOOK = LatePattern(
    one_of(
        """hook, /api/send, telegram.org, ifttt, hc-ping, logic.azure, /services/t, /integration/,
    /integrations/, script.google, push., ntfy, gotify, /triggers/, /workflows/, heartbeat,
    /bot/, infura.io, alchemy.com, quiknode.pro, ankr.com, api.day.app, sctapi, /webtask"""
    )
)
_BOT = LatePattern(r"/bot(?P<secret>\d{6,12}:[\w-]{20,})")
_WORD_END = LatePattern(r"/[a-z]{3,12}")
"""After an identifier in a path of one's own: /webhook/<uuid>/edit."""
_SEGMENT = LatePattern(r"(?<=[/=@])[A-Za-z0-9_.~%-]{7,512}")


def urls(page: Page) -> "Iterator[Span]":
    """Passwords, hook keys and signatures in every URL."""
    text, low = page.text, page.low
    until = 0
    for at in page.hits("://"):
        start = at + 3
        whole = _URL.match(text, start)
        if whole is None:
            continue
        yield from _userinfo(text, start, whole[0][:_NEAR])
        if at < until:  # a URL within a URL: its path and query have been looked at
            continue
        until = whole.end()
        if _HOOK.search(low, start, whole.end()):
            yield from _hook(text, start, whole.end())
        for query in _QUERY.finditer(low, start, whole.end()):
            value = text[slice(*query.span("value"))]
            if _signs(query["name"], value):
                yield Span(*query.span("value"), "url-key")
        if whole.end() - start > _SEALED:
            yield from _long(text, start, whole.end())
    for at in page.hits("sig=", "signature=", "&code="):
        signed = _QUERY.search(low, max(0, at - 40), at + 2100)
        if signed and signed.start("value") <= at + 10:
            value = text[slice(*signed.span("value"))]
            if _signs(signed["name"], value):
                yield Span(*signed.span("value"), "url-key")
    for at in page.hits("@"):
        for found in _SCHEMELESS.finditer(text, max(0, at - 125), at + 60):
            secret = found["secret"]
            if (
                found.end("secret") == at
                and secretish(secret, quoted=True)
                and not benign.placeholder(secret)
            ):
                yield Span(*found.span("secret"), "url-password")


def _long(text: str, start: int, end: int) -> "Iterator[Span]":
    """Long values drawn by chance, whatever they are called: signed policies, sealed states."""
    for query in _ANY_QUERY.finditer(text, start, end):
        if query["name"].lower() not in _DATA and looks_random(query["value"], _SEALED):
            yield Span(*query.span("value"), "url-key")


def _userinfo(text: str, start: int, url: str) -> "Iterator[Span]":
    authority = _AUTHORITY.match(url)
    head = authority[0] if authority else ""
    cut = head.rfind("@")
    if cut < 0:
        user, colon, rest = head.partition(":")
        # An unescaped slash within: what follows the colon is no port, or the user is a token.
        if (
            "@" not in url
            or "[" in user
            or not (looks_random(user, 12) if not colon else not _PORT.match(rest))
        ):
            return
        cut = url.rfind("@")
    user, colon, password = url[:cut].partition(":")
    if colon:
        if password and not _shown(password):
            yield Span(start + len(user) + 1, start + cut, "url-password")
    elif len(user) >= 12 and (
        secretish(user, quoted=True) or is_hex(user) or is_uuid(user) or looks_random(user)
    ):
        yield Span(start, start + cut, "url-token")


def _shown(password: str) -> bool:
    """A password that a document puts there to show the form."""
    bare = password.lower().strip("[]{}<>()")
    return benign.refers(password) or benign.placeholder(password) or bare in benign.NAMES


def _hook(text: str, start: int, end: int) -> "Iterator[Span]":
    bot = _BOT.search(text, start, end)
    if bot:
        yield Span(*bot.span("secret"), "webhook")
    for segment in _SEGMENT.finditer(text, start, end):
        piece = segment[0]
        if benign.placeholder(piece) or benign.refers(piece):
            continue
        last = end - segment.end() <= 1
        if is_uuid(piece) and _WORD_END.fullmatch(text, segment.end(), end):
            continue
        if is_uuid(piece) or is_hex(piece) or looks_random(piece, 12) or _code(piece, last):
            yield Span(*segment.span(), "webhook")


def _code(piece: str, last: bool) -> bool:
    """A short key of a hook: letters among digits; fewer are enough at the end of the path."""
    digits = sum(char.isdigit() for char in piece)
    return (
        piece.isalnum()
        and not piece.isdigit()
        and digits >= (1 if last else 2)
        and len(piece) >= (7 if last else 10)
    )


def _signs(name: str, value: str) -> bool:
    if benign.refers(value) or benign.placeholder(value):
        return False
    sure = name.endswith(_SURE) and (is_hex(value) or is_uuid(value) or "%" in value or secretish(value))
    return sure or looks_random(value, 12)
