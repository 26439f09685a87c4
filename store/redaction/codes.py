"""Secrets of a fixed form behind a word: recovery codes, cards, Wi-Fi codes, private JWKs, wallets."""

from collections.abc import Iterator, Sequence

from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Hit, Page, Rule, Span, listed
from siltstone.store.redaction.shape import looks_random, shape

_RECOVERY = listed("recovery backup rescue scratch emergency wiederherstellungs ersatz")
_CODES_ARE = (
    r"(?i)[ -]?codes?"
    r"[\"'*`]{0,3}(?:[ \t]{1,3}(?:are|is|sind|lauten?))?[ \t]{0,3}[:=]?"
)
_CODE = (
    r"(?i)(?:[\s,;|*\"'\[-]|\d{1,2}[.)][ \t]){0,12}"
    r"(?P<code>(?=[a-z-]{0,12}\d)[a-z0-9]{4,12}(?:[- ]\d{4}|-[a-z0-9]{3,12}){0,4})"
    r"(?![\w%])"
)
_CODES = 24
_GROUPS = (
    r"(?i)(?:key|code|secret|password|passwort)(?:\s{1,2}(?:is|ist)\s|\s?[:=]\s?|\s)[\"'`]?"
    r"(?P<v>[a-z2-7]{4}(?:[ -][a-z2-7]{4}){3,7})(?![\w-])"
)
_WORDS = 0.85
"""Share of letter pairs usual in words from which on groups of four letters are words."""
_CARD = (
    r"(?i)(?:card|karte|kartę|carte|carta|cartão|tarjeta|карта|карты)"
    r"(?:[ -]?(?:number|no\.?|nr\.?|nummer))?\W{1,4}(?:is )?"
    r"(?P<v>\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,7})(?!\d)"
)
_CVV = r"(?i)cv[vc]2?\W{1,4}(?:is )?(?P<v>\d{3,4})(?!\d)"
_WIFI = r"(?i)wifi:(?:[a-or-z]\w{0,3}:[^;\n]{0,63};){0,4}p:(?P<v>[^;\n]{4,63});"
_ACCOUNTS = r"(?i)accounts\W{1,8}(?P<v>(?:0x)?[0-9a-f]{64})(?![0-9a-f])"
_SIMPLE = {
    **dict.fromkeys(("card", "kart", "carte", "carta", "cartão", "tarjeta", "карт"), ("card", _CARD)),
    **dict.fromkeys(("cvv", "cvc"), ("card", _CVV)),
    "wifi:": ("password", _WIFI),
    "accounts": ("private-key", _ACCOUNTS),
}
"""By cue: the kind of secret, and the pattern whose group `v` it is."""
_JWK = r"[\"'](?:d|p|q|dp|dq|qi|k)\\?[\"']\s{0,3}:\s{0,3}\\?[\"'](?P<v>[\w-]{16,1400})\\?[\"']"
_JWK_REACH = 4000
_ECHOED = r"<\((?:echo|printf)\s{1,3}[\"']?(?P<user>[\w.@-]{1,60}\\n)?(?P<v>[^\s\"'\\$)]{6,300})"


def _simple(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Numbers and keys that the word before them and their own form tell."""
    for at, cue in hits:
        kind, pattern = _SIMPLE[cue]
        found = page.match(pattern, at)
        if found:
            yield Span(*found.span("v"), kind)


def _recovery(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Every code of a list of recovery codes."""
    for at, cue in hits:
        label = page.match(_CODES_ARE, at + len(cue))
        end = label.end() if label else 0
        for _ in range(_CODES if label else 0):
            found = page.match(_CODE, end)
            if found is None:
                break
            yield Span(*found.span("code"), "recovery-code")
            end = found.end()


def _groups(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """A key in groups of four letters: setup keys of authenticators."""
    for at, _ in hits:
        found = page.match(_GROUPS, at)
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


def _echoed(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """A key that a shell hands over as a file: <(echo …)."""
    for at, _ in hits:
        found = page.match(_ECHOED, at)
        if found and (looks_random(found["v"], 20) or (found["user"] and secretish(found["v"], True))):
            yield Span(*found.span("v"), "command")


RULES = (
    Rule(frozenset(_SIMPLE), _simple),
    Rule(_RECOVERY, _recovery),
    Rule(frozenset({"key", "code", "secret", "passwor"}), _groups),
    Rule(frozenset({"kty"}), _jwk),
    Rule(frozenset({"<(echo ", "<(printf "}), _echoed),
)
