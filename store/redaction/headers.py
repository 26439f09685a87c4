"""HTTP headers: Authorization and its schemes, headers of services, cookies."""

import re
from binascii import a2b_base64
from collections.abc import Iterator, Sequence

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Hit, Page, Rule, Span, compiled
from siltstone.store.redaction.randomness import is_hex, looks_random, machine_made, words
from siltstone.store.redaction.vocabulary import NAME_WORDS, PATTERNS, listed

_OPEN = PATTERNS["opened"]
_BASE64 = r"(?=.*[0-9=]|.*[a-z][A-Z])(?:[A-Za-z0-9+/]{4}){2,}[A-Za-z0-9+/]{2}[A-Za-z0-9+/=]{2}"
"""Of user:password."""
_SEALED = r"[\w-]{3,}\.[\w-]{3,}\.[\w-]{3,}"
"""Three parts, as a JWT has; a path through code names what it holds."""
_CALL = r"[A-Za-z_][\w.:]*!?\(|[A-Za-z]?[a-z_]+=$"
"""Code, or the name of what follows."""
_PUBLIC_HEADERS = listed("public_headers")
_SIGNED = r"(?i)(?:signature|response|credential)=\"?(?P<value>[A-Za-z0-9/+=_-]{16,200})"
_JAR = rf"{_OPEN}(?P<jar>[^\n\"'`\\]{{4,4096}})"
_COOKIE = rf"(?i)cookies?{_OPEN}\]?\s{{0,4}}(?::|=|,|is\b)\s{{0,4}}{_JAR}"
_COOKIE_FLAG = rf"(?i)(?: -b|--cookie)[ =]\s{{0,2}}{_JAR}"
_MAPPING = r"(?i:cookies?)[\"']?\s{0,3}[=:(]\s{0,3}\{"
_ENTRY = r"[\"'][\w.-]{1,60}[\"']\s{0,3}:\s{0,3}[\"'](?P<value>[^\"'\n]{6,4096})[\"']"
_CRUMB = r"(?P<name>[\w.$%~-]{1,80})=(?P<value>[^;\s,\"'`]{1,4096})"
_ATTRIBUTES = listed("cookie_attributes")
_SESSION = listed("cookie_sessions")
_UNNAMED = listed("unnamed")
_SESSION_ENDS = ("sid", "sess", "sessid", "sessionid", "token", "auth")
_LONGEST = 4_500
"""Characters of the longest header."""


def _authorization(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Credentials wherever the header is written: raw, in curl, in code, in JSON."""
    for at, cue in hits:
        if cue == "authorization":
            named = page.text[at - 1 : at].isalpha() and not page.low.endswith("proxy", 0, at)
            found = None if named else page.match(PATTERNS["authorization"], at, _LONGEST)
            if found:
                yield from _credentials(found, sure=found["scheme"] is not None)
                # The signature in a Digest or AWS header.
                begin = found.start("value")
                for signed in page.every(_SIGNED, begin, page.line_end(begin, 800)):
                    yield Span(*signed.span("value"), "authorization")
        elif not page.text[at - 1 : at].isalnum():
            found = page.match(PATTERNS["scheme"], at, _LONGEST)
            if found:
                yield from _credentials(found, sure=False)


def _services(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """A header of a service's own whose value is drawn by chance: X-Team: …, ACCESS-SIGN: …"""
    for at, cue in hits:
        start = at if cue == "x-" else page.line_start(at, 40)
        own = PATTERNS["own_header"]
        found = page.match(own, at, _LONGEST) if cue == "x-" else page.search(own, start, at + 200)
        if found is None or not _PUBLIC_HEADERS.isdisjoint(found["name"].lower().split("-")):
            continue
        signed = found["name"].lower().endswith(("-sign", "-signature")) and is_hex(found["value"])
        if (signed or looks_random(found["value"], 20)) and not benign.placeholder(found["value"]):
            yield Span(*found.span("value"), "header")


def _cookies(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Cookies in a header, behind an option, or as a mapping in code: cookies={"sid": "…"}."""
    until = 0
    for at, cue in hits:
        if at < until:
            continue
        jar = page.match(_COOKIE if cue == "cookie" else _COOKIE_FLAG, at, _LONGEST)
        if jar:
            until = jar.end()
        for crumb in page.every(_CRUMB, *jar.span("jar")) if jar else ():
            name, value = crumb["name"].lower(), crumb["value"]
            session = name.endswith(_SESSION_ENDS) or not _SESSION.isdisjoint(
                words(crumb["name"].replace("_", "-"))
            )
            random = _random_crumb(value) or (session and any(map(str.isdigit, value)))
            if random and not (name in _ATTRIBUTES or len(value) < 6 or benign.stands_in(value)):
                yield Span(*crumb.span("value"), "cookie")
        mapping = page.match(_MAPPING, at) if cue == "cookie" else None
        if mapping:
            closed = page.text.find("}", mapping.end(), mapping.end() + 1000)
            for crumb in page.every(_ENTRY, mapping.end(), closed if closed >= 0 else mapping.end() + 1000):
                if _random_crumb(crumb["value"]) and not benign.refers(crumb["value"]):
                    yield Span(*crumb.span("value"), "cookie")


def _credentials(found: re.Match[str], sure: bool) -> Iterator[Span]:
    start, value = found.start("value"), found["value"]
    if not value.endswith("..."):
        value = value.rstrip(".,:")
    shown = value.lower() in benign.EXAMPLES or value.startswith("realm=") or compiled(_CALL).match(value)
    if shown or benign.harmless(value):
        return
    parts = value.lower().split(".")
    sealed = (
        compiled(_SEALED).fullmatch(value) is not None
        and _UNNAMED.isdisjoint(parts)
        and NAME_WORDS.isdisjoint(parts)
        and benign.WORDS.isdisjoint(parts)
    )
    basic = found.groupdict().get("name", "").lower() == "basic" and ":" not in value
    if basic:
        packed = compiled(_BASE64).fullmatch(value) is not None
        marked = any(map(str.isdigit, value)) or value.endswith("=")
        if not (packed and (marked or b":" in a2b_base64(value))):  # "the basic C++ library"
            return
    if basic or sure or sealed or secretish(value) or machine_made(value) or benign.VENDOR.match(value):
        yield Span(start, start + len(value), "authorization")


def _random_crumb(value: str) -> bool:
    mixed = len(value) >= 16 and any(map(str.isalpha, value)) and any(map(str.isdigit, value))
    return mixed or machine_made(value, 12)


RULES = (
    Rule(frozenset({"authorization", "bearer", "basic"}), _authorization),
    Rule(frozenset({"x-", "-sign"}), _services),
    Rule(frozenset({"cookie", "--cookie", " -b"}), _cookies),
)
