"""HTTP headers: Authorization and its schemes, cookies."""

from siltstone.store.late import LatePattern
from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.shape import is_hex, is_uuid, looks_random, words
from siltstone.store.redaction.vocabulary import VOCABULARY
from siltstone.store.redaction.wordlist import listed, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_SCHEMES = one_of(
    """bearer, basic, token, apikey, api-key, key, bot, digest, negotiate, splunk, geniekey,
    sso-key, oauth, jwt, hmac, discogs, zoho-oauthtoken, aws4-hmac-sha256, klaviyo-api-key,
    ssws, client-id, access-token, secret"""
)
_OPEN = r"\\{0,4}[\"'`]?"
_AUTHORIZATION = LatePattern(
    rf"authorization{_OPEN}[\])]?\s{{0,4}}(?::|=>|=|,|\()\s{{0,4}}(?:[bf](?=[\"'\\]))?{_OPEN}\s?"
    rf"(?P<scheme>{_SCHEMES}[ \t=:]{{1,4}})?(?P<value>[^\s\"'`<>\\,;)]{{3,4096}})"
)
_SCHEME = LatePattern(
    r"(?P<name>bearer|basic)\s{1,4}(?:token\s{0,2}[:=]?\s{0,2})?\\{0,4}[\"'`]?(?P<value>[\w.~+/=:-]{4,4096})"
)
_BASE64 = LatePattern(r"(?=.*[0-9=]|.*[a-z][A-Z])(?:[A-Za-z0-9+/]{4}){2,}[A-Za-z0-9+/]{2}[A-Za-z0-9+/=]{2}")
_SEALED = LatePattern(r"[\w-]{3,}\.[\w-]{3,}\.[\w-]{3,}")
"""Three parts, as a JWT has; a path through code names what it holds."""
_CALL = LatePattern(r"[A-Za-z_][\w.:]*!?\(")
_OWN = LatePattern(
    rf"(?<![\w-])(?P<name>x-[a-z-]{{2,40}}|[a-z-]{{2,40}}-sign(?:ature)?){_OPEN}\s{{0,3}}[:=]\s{{0,3}}{_OPEN}(?P<value>[\w+/=.~-]{{20,2048}})"
)
_PUBLIC_HEADERS = listed(
    "id request trace correlation ray etag nonce hash digest cache version checksum content sha256 build"
)
_SIGNED = LatePattern(r"(?:signature|response|credential)=\"?(?P<value>[A-Za-z0-9/+=_-]{16,200})")
_JAR = rf"{_OPEN}(?P<jar>[^\n\"'`\\]{{4,4096}})"
_COOKIE = LatePattern(rf"cookies?{_OPEN}\]?\s{{0,4}}(?::|=|,|is\b)\s{{0,4}}{_JAR}")
_COOKIE_FLAG = LatePattern(rf"(?: -b|--cookie)[ =]\s{{0,2}}{_JAR}")
_MAPPING = LatePattern(r"(?i:cookies?)[\"']?\s{0,3}[=:(]\s{0,3}\{")
_ENTRY = LatePattern(r"[\"'][\w.-]{1,60}[\"']\s{0,3}:\s{0,3}[\"'](?P<value>[^\"'\n]{6,4096})[\"']")
_CRUMB = LatePattern(r"(?P<name>[\w.$%~-]{1,80})=(?P<value>[^;\s,\"'`]{1,4096})")
_ATTRIBUTES = listed("path domain expires max-age samesite secure httponly priority partitioned version")
_SESSION = listed(
    """
    session sess sid sessionid token auth jwt remember csrf xsrf csrftoken key secret id login user sso
    ssid hsid sapisid
    """
)
_UNNAMED = listed(
    "self this req request res response config cfg ctx app env process options opts com org net io dev www"
)
"""Parts of a path through code, or of a host."""
_SESSION_ENDS = ("sid", "sess", "sessid", "sessionid", "token", "auth")


def headers(page: Page) -> "Iterator[Span]":
    """Credentials in headers, wherever a header is written: raw, in curl, in code, in JSON."""
    low = page.low
    for at in page.hits("authorization"):
        found = _AUTHORIZATION.match(low, at)
        if found:
            yield from _credentials(page, found, sure=found["scheme"] is not None)
            yield from _signed(page, found.start("value"))
    for at in page.hits("bearer", "basic"):
        found = _SCHEME.match(low, at)
        if found and not low[at - 1 : at].isalnum():
            yield from _credentials(page, found, sure=False)
    for at in page.hits("x-"):
        yield from _own(page, _OWN.match(low, at))
    for at in page.hits("-sign"):
        start = page.line_at(at, 40)[0]
        yield from _own(page, _OWN.search(low, start, at + 200))
    until = 0
    for at in page.hits("cookie"):
        found = _COOKIE.match(low, at) if at >= until else None
        if found:
            until = found.end()
            yield from _cookies(page, found)
        yield from _jars(page, at)
    for at in page.hits(" -b", "--cookie"):
        found = _COOKIE_FLAG.match(low, at)
        if found:
            yield from _cookies(page, found)


def _own(page: Page, found: "re.Match[str] | None") -> "Iterator[Span]":
    """A header of a service's own whose value is drawn by chance: X-Team: …, ACCESS-SIGN: …"""
    if found is None or not _PUBLIC_HEADERS.isdisjoint(found["name"].split("-")):
        return
    value = page.text[slice(*found.span("value"))]
    signed = found["name"].endswith(("-sign", "-signature")) and is_hex(value)
    if (signed or looks_random(value, 20)) and not benign.placeholder(value):
        yield Span(*found.span("value"), "header")


def _jars(page: Page, at: int) -> "Iterator[Span]":
    """Cookies as a mapping in code: cookies={"sid": "…"}."""
    jar = _MAPPING.match(page.text, at)
    if jar is None:
        return
    closed = page.text.find("}", jar.end(), jar.end() + 1000)
    for crumb in _ENTRY.finditer(page.text, jar.end(), closed if closed >= 0 else jar.end() + 1000):
        if _random_crumb(crumb["value"]) and not benign.refers(crumb["value"]):
            yield Span(*crumb.span("value"), "cookie")


def _signed(page: Page, at: int) -> "Iterator[Span]":
    """The signature in a Digest or AWS header."""
    end = page.line_end(at, 800)
    yield from (
        Span(*signed.span("value"), "authorization") for signed in _SIGNED.finditer(page.low, at, end)
    )


def _credentials(page: Page, found: "re.Match[str]", sure: bool) -> "Iterator[Span]":
    start, end = found.span("value")
    value = page.text[start:end]
    if not value.endswith("..."):
        value = value.rstrip(".,:")
    if (
        benign.refers(value)
        or benign.placeholder(value)
        or benign.prose(value)
        or value.lower() in benign.NAMES
        or value.startswith("realm=")
        or _CALL.match(value)
    ):
        return
    basic = found.groupdict().get("name") == "basic" and _BASE64.fullmatch(value) is not None
    strong = secretish(value) or is_hex(value) or is_uuid(value) or looks_random(value)
    named = benign.VENDOR.match(value) is not None
    parts = value.lower().split(".")
    sealed = not basic and _SEALED.fullmatch(value) is not None and _UNNAMED.isdisjoint(parts)
    sealed = sealed and not any(part in VOCABULARY or part in benign.WORDS for part in parts)
    if sure or strong or named or basic or sealed:
        yield Span(start, start + len(value), "authorization")


def _cookies(page: Page, found: "re.Match[str]") -> "Iterator[Span]":
    for crumb in _CRUMB.finditer(page.text, *found.span("jar")):
        name, value = crumb["name"].lower(), crumb["value"]
        if name in _ATTRIBUTES or len(value) < 6 or benign.refers(value) or benign.placeholder(value):
            continue
        parts = words(crumb["name"].replace("_", "-"))
        session = name.endswith(_SESSION_ENDS) or not _SESSION.isdisjoint(parts)
        if _random_crumb(value) or (session and any(char.isdigit() for char in value)):
            yield Span(*crumb.span("value"), "cookie")


def _random_crumb(value: str) -> bool:
    mixed = (
        len(value) >= 16 and any(char.isalpha() for char in value) and any(char.isdigit() for char in value)
    )
    return mixed or looks_random(value, 12) or is_hex(value) or is_uuid(value)
