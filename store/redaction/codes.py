"""Secrets of a fixed form: recovery codes, cards, Wi-Fi codes, private JWKs, wallets."""

from siltstone.store.late import LatePattern
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.shape import looks_random, shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_RECOVERY = LatePattern(
    r"(?:recovery|backup|rescue|scratch|emergency|wiederherstellungs|ersatz)[ -]?codes?"
    r"[\"'*`]{0,3}(?:[ \t]{1,3}(?:are|is|sind|lauten?))?[ \t]{0,3}[:=]?"
)
_CODE = LatePattern(
    r"(?:[\s,;|*\"'\[-]|\d{1,2}[.)][ \t]){0,12}"
    r"(?P<code>(?=[a-z-]{0,12}\d)[a-z0-9]{4,12}(?:[- ]\d{4}|-[a-z0-9]{3,12}){0,4})"
    r"(?![\w%])"
)
_CODES = 24
_WORDS = 0.85
"""Share of letter pairs usual in words from which on groups of four letters are words."""
_CARD = LatePattern(
    r"(?:card|karte|kartę|carte|carta|cartão|tarjeta|карта|карты)"
    r"(?:[ -]?(?:number|no\.?|nr\.?|nummer))?\W{1,4}(?:is )?"
    r"(?P<v>\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,7})(?!\d)"
)
_CVV = LatePattern(r"(?:cv[vc]2?)\W{1,4}(?:is )?(?P<v>\d{3,4})(?!\d)")
_WIFI = LatePattern(r"wifi:(?:[a-or-z]\w{0,3}:[^;\n]{0,63};){0,4}p:(?P<v>[^;\n]{4,63});")
_JWK = LatePattern(r"[\"'](?:d|p|q|dp|dq|qi|k)\\?[\"']\s{0,3}:\s{0,3}\\?[\"'](?P<v>[\w-]{16,1400})\\?[\"']")
_JWK_REACH = 4000
_ACCOUNTS = LatePattern(r"accounts\W{1,8}(?P<v>(?:0x)?[0-9a-f]{64})(?![0-9a-f])")
_ECHOED = LatePattern(r"<\((?:echo|printf)\s{1,3}[\"']?(?P<user>[\w.@-]{1,60}\\n)?(?P<v>[^\s\"'\\$)]{6,300})")
_GROUPS = LatePattern(
    r"(?:key|code|secret|password|passwort)(?:\s{1,2}(?:is|ist)\s|\s?[:=]\s?|\s)[\"'`]?"
    r"(?P<v>[a-z2-7]{4}(?:[ -][a-z2-7]{4}){3,7})(?![\w-])"
)


def codes(page: Page) -> "Iterator[Span]":
    """What is a secret by the form of its letters and the word in front of it."""
    for at in page.hits("code"):
        if page.low[at - 1 : at] in {" ", "-", "s", "z", "y", "p", "e", "h"}:
            yield from _recovery(page, at)
    for kind, needles, pattern in (
        ("card", ("card", "kart", "cart", "tarjeta", "карт"), _CARD),
        ("card", ("cvv", "cvc"), _CVV),
        ("password", ("wifi:",), _WIFI),
        ("private-key", ("accounts",), _ACCOUNTS),
    ):
        for at in page.hits(*needles):
            found = pattern.match(page.low, at)
            if found:
                yield Span(*found.span("v"), kind)
    yield from _keys(page)
    for at in page.hits("key", "code", "secret", "passwor"):
        groups = _GROUPS.match(page.low, at)
        seen = shape(groups["v"].replace(" ", "").replace("-", "")) if groups else None
        if groups and seen and (seen.digit or seen.wordlike < _WORDS):
            yield Span(*groups.span("v"), "code")


def _recovery(page: Page, at: int) -> "Iterator[Span]":
    """Every code of a list of recovery codes."""
    label = _RECOVERY.search(page.low, max(0, at - 20), at + 24)
    if label is None:
        return
    end = label.end()
    for _ in range(_CODES):
        found = _CODE.match(page.low, end)
        if found is None:
            return
        yield Span(*found.span("code"), "recovery-code")
        end = found.end()


def _keys(page: Page) -> "Iterator[Span]":
    """The private members of a JWK; a key that a shell hands over as a file: <(echo …)."""
    until = 0
    for at in page.hits("kty"):
        begin, until = max(until, at - _JWK_REACH), at + _JWK_REACH
        for member in _JWK.finditer(page.text, begin, until):
            yield Span(*member.span("v"), "private-key")
    for at in page.hits("echo ", "printf "):
        echoed = _ECHOED.match(page.text, at - 2) if page.low[at - 2 : at] == "<(" else None
        if echoed and (looks_random(echoed["v"], 20) or (echoed["user"] and secretish(echoed["v"], True))):
            yield Span(*echoed.span("v"), "command")
