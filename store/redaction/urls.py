"""Secrets inside URLs: passwords before the @, hooks whose path is the key, signed queries."""

from collections.abc import Iterator, Sequence

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish, strong
from siltstone.store.redaction.page import Hit, Page, Rule, Span, compiled
from siltstone.store.redaction.randomness import is_hex, is_uuid, looks_random, machine_made
from siltstone.store.redaction.vocabulary import PATTERNS, listed, one_of

_LONGEST = 2048
_URL = rf"[^\s\"'`<>|]{{1,{_LONGEST}}}"
_NEAR = 300
"""Characters in which a URL's user and password have to stand."""
_AUTHORITY = r"[^/?#\s]*"
_PORT = r"\d{1,5}(?:$|[/?#])"
_USER = r"(?:^|(?<=[^\w@/.:-]))(?=[\d.+-]{0,39}[^\W\d])[\w.+-]{1,40}$"
_ENDS = r"[\s@:/\"'`<>,;=]"
_HOST = r"(?i)@(?:tcp\(|unix\(|(?:[\w-]+\.)+[a-z]{2,}|localhost|\d+\.\d+\.\d+\.\d+)"
_PARAMETER = r"[?&;#](?:amp;)?[\w.%-]{0,40}$"
_SEALED = 64
"""Characters from which on a random value in a query is taken for a secret."""
_ANY_QUERY = rf"[?&;#](?:amp;)?(?P<name>[\w.%-]{{1,40}})=(?P<value>[\w%~.-]{{{_SEALED},2048}})"
_DATA = listed("data_names")
_SURE = tuple(listed("sure_query_names"))
_HOOK = "(?i)" + one_of("hooks")
_BOT = r"(?i)/bot(?P<secret>\d{6,12}:[\w-]{20,})"
_WORD_END = r"/[a-z]{3,12}"
"""After an identifier in a path of one's own: /webhook/<uuid>/edit."""
_SOURCE = r"/(?:blob|tree|commit|raw)/$"
"""Before the hash of a commit."""
_SEGMENT = r"(?<=[/=@])[A-Za-z0-9_.~%-]{7,512}"


def _urls(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Passwords, hook keys and signatures in every URL."""
    until = 0
    for at, _ in hits:
        start = at + len("://")
        whole = page.match(_URL, start, _LONGEST)
        if whole is None:
            continue
        yield from _userinfo(start, whole[0][:_NEAR])
        if at < until:  # a URL within a URL: its path and query have been looked at
            continue
        until = end = whole.end()
        if page.search(_HOOK, start, end):
            yield from _hook(page, start, end)
        for query in page.every(PATTERNS["query"], start, end):
            if _signs(query["name"], query["value"]):
                yield Span(*query.span("value"), "url-key")
        if end - start > _SEALED:
            # Long values drawn by chance, whatever they are called: signed policies, sealed states.
            for query in page.every(_ANY_QUERY, start, end):
                if query["name"].lower() not in _DATA and looks_random(query["value"], _SEALED):
                    yield Span(*query.span("value"), "url-key")


def _queries(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Signatures in a query that stands without its host."""
    until = 0
    for at, cue in hits:
        begin = page.search(_PARAMETER, at - 40, at + 1) if at >= until else None
        signed = page.match(PATTERNS["query"], begin.start(), _LONGEST) if begin else None
        if signed and signed.start("value") == at + len(cue):
            until = signed.end()
            if _signs(signed["name"], signed["value"]):
                yield Span(*signed.span("value"), "url-key")


def _schemeless(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """user:password@host without a scheme before it."""
    for at, _ in hits:
        before, colon, secret = page.text[max(0, at - 125) : at].rpartition(":")
        if (
            colon
            and 6 <= len(secret) <= 80
            and not compiled(_ENDS).search(secret)
            and compiled(_USER).search(before)
            and page.match(_HOST, at, 80)
            and secretish(secret, quoted=True)
            and not benign.placeholder(secret)
        ):
            yield Span(at - len(secret), at, "url-password")


def _userinfo(start: int, url: str) -> Iterator[Span]:
    authority = compiled(_AUTHORITY).match(url)
    head = authority[0] if authority else ""
    cut = head.rfind("@")
    if cut < 0:
        user, colon, rest = head.partition(":")
        # An unescaped slash within: what follows the colon is no port, or the user is a token.
        if (
            "@" not in url
            or "[" in user
            or not (looks_random(user, 12) if not colon else not compiled(_PORT).match(rest))
        ):
            return
        cut = url.rfind("@")
    user, colon, password = url[:cut].partition(":")
    if colon:
        bare = password.lower().strip("[]{}<>()")  # what a document shows: user:<password>@host
        if password and bare not in benign.EXAMPLES and not benign.stands_in(password):
            yield Span(start + len(user) + 1, start + cut, "url-password")
    elif len(user) >= 12 and strong(user):
        yield Span(start, start + cut, "url-token")


def _hook(page: Page, start: int, end: int) -> Iterator[Span]:
    bot = page.search(_BOT, start, end)
    if bot:
        yield Span(*bot.span("secret"), "webhook")
    for segment in page.every(_SEGMENT, start, end):
        piece = segment[0]
        if benign.stands_in(piece) or (
            is_hex(piece) and page.search(_SOURCE, segment.start() - 8, segment.start())
        ):
            continue
        if is_uuid(piece) and compiled(_WORD_END).fullmatch(page.text, segment.end(), end):
            continue
        # A short key is letters among digits; fewer are enough at the end of the path.
        digits, length = (1, 7) if end - segment.end() <= 1 else (2, 10)
        mixed = piece.isalnum() and not piece.isdigit() and sum(map(str.isdigit, piece)) >= digits
        if machine_made(piece, 12) or (mixed and len(piece) >= length):
            yield Span(*segment.span(), "webhook")


def _signs(name: str, value: str) -> bool:
    if benign.stands_in(value):
        return False
    sure = name.lower().endswith(_SURE) and (
        is_hex(value) or is_uuid(value) or "%" in value or secretish(value)
    )
    return sure or looks_random(value, 12)


RULES = (
    Rule(frozenset({"://"}), _urls),
    Rule(frozenset({"sig=", "signature=", "&code="}), _queries),
    Rule(frozenset({"@"}), _schemeless),
)
