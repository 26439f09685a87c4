# ruff: noqa: E501
"""HTTP headers: Authorization and its schemes, cookies."""

import re
from collections.abc import Iterator

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.shape import is_hex, is_uuid, looks_random, words
from siltstone.store.redaction.wordlist import listed

_AUTHORIZATION = re.compile(
    r"authorization\\*[\"']?\]?\s{0,4}(?::|=>|=|,|\()\s{0,4}[bf]?\\*[\"'`]?\s?"
    r"(?P<scheme>(?:bearer|basic|token|apikey|api-key|key|bot|digest|negotiate|splunk|genie\w*|sso-key|oauth|jwt|hmac|discogs|zoho-\w+|aws4-hmac-sha256|klaviyo-api-key|ssws)[ \t=:]+)?"
    r"(?P<value>[^\s\"'`<>\\,;)]{3,4096})"
)
_SCHEME = re.compile(
    r"(?<![\w-])(?P<name>bearer|basic)\s{1,4}(?:token\s{0,2}[:=]?\s{0,2})?\\*[\"'`]?(?P<value>[\w.~+/=:-]{4,4096})"
)
_SIGNED = re.compile(r"(?:signature|response|credential)=\"?(?P<value>[A-Za-z0-9/+=_-]{16,200})")
_COOKIE = re.compile(
    r"(?<![\w])(?P<set>set-)?cookies?\\*[\"']?\]?\s{0,4}(?::|=|,|\bis\b)\s{0,4}\\*[\"'`]?(?P<jar>[^\n\"'`\\]{4,8192})"
    r"|(?:\s-b|--cookie)[ =]\s{0,2}\\*[\"']?(?P<flag>[^\n\"'`\\]{4,8192})"
)
_CRUMB = re.compile(r"(?P<name>[\w.$%~-]{1,80})=(?P<value>[^;\s,\"'`]{1,4096})")
_ATTRIBUTES = listed(
    """
    path domain expires max-age samesite secure httponly priority partitioned version
    """
)
_SESSION = listed(
    """
    session sess sid sessionid token auth jwt remember csrf xsrf csrftoken key secret id login user sso
    li ssid hsid sapisid
    """
)


def headers(page: Page) -> Iterator[Span]:
    """Credentials in headers, wherever a header is written: raw, in curl, in code, in JSON."""
    if "authorization" in page.low:
        for found in _AUTHORIZATION.finditer(page.low):
            yield from _credentials(page, found, sure=found["scheme"] is not None)
            line = page.line_at(found.end(), 600)[1]
            for signed in _SIGNED.finditer(page.low, found.start(), line):
                yield Span(*signed.span("value"), "authorization")
    if "bearer" in page.low or "basic" in page.low:
        for found in _SCHEME.finditer(page.low):
            yield from _credentials(page, found, sure=False)
    if "cookie" in page.low or " -b" in page.low:
        for found in _COOKIE.finditer(page.low):
            yield from _cookies(page, found)


def _credentials(page: Page, found: re.Match[str], sure: bool) -> Iterator[Span]:
    start, end = found.span("value")
    value = page.text[start:end].rstrip(".,:")
    if benign.refers(value) or benign.placeholder(value) or benign.prose(value):
        return
    if (
        (
            sure
            and value.lower() not in {"token", "auth", "realm", "scheme", "header"}
            and not value.startswith("realm=")
        )
        or (
            secretish(value, quoted=False)
            or is_hex(value)
            or looks_random(value)
            or ("_" in value and _vendor(value))
        )
        or (
            found.groupdict().get("name") == "basic"
            and len(value) >= 12
            and len(value) % 4 == 0
            and not value.isalpha()
        )
    ):
        yield Span(start, start + len(value), "authorization")


def _vendor(value: str) -> bool:
    return benign.VENDOR.match(value) is not None


def _cookies(page: Page, found: re.Match[str]) -> Iterator[Span]:
    jar = "jar" if found["jar"] is not None else "flag"
    start, end = found.span(jar)
    for crumb in _CRUMB.finditer(page.text, start, end):
        name, value = crumb["name"], crumb["value"]
        if name.lower() in _ATTRIBUTES or benign.refers(value) or benign.placeholder(value) or len(value) < 6:
            continue
        sessionlike = any(
            part in _SESSION for part in words(name.replace("_", "-"))
        ) or name.lower().endswith(("sid", "sess", "sessid", "sessionid", "token"))
        strong = (
            looks_random(value, 12)
            or is_hex(value)
            or is_uuid(value)
            or (len(value) >= 16 and not value.isalpha() and not value.isdigit())
        )
        if strong or (sessionlike and any(char.isdigit() for char in value)):
            yield Span(*crumb.span("value"), "cookie")
