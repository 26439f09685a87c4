"""Tokens that give themselves away, without a label: by a vendor's prefix, or by a prefix and chance.

The lists of prefixes make short or regular bodies sure; a token of a vendor that is not in them is found by
chance (`_prefixed`). Nobody has to keep them complete.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_letters, digits

from siltstone.store.redaction import benign
from siltstone.store.redaction.forms import FILE
from siltstone.store.redaction.page import Hit, Page, Rule, Span, compiled
from siltstone.store.redaction.randomness import is_hex, is_uuid, looks_random, shape, words
from siltstone.store.redaction.vocabulary import PATTERNS, listed, one_of

_OPEN = rf"""
    (?P<vendor>
        v1\.0-(?=[\w-]{{30}}) | (?:sl|t1)\.(?=[\w-]{{20}})
        | (?:sk|rk|tk|ak|uk|mk|pk(?!_(?:live|test)_))[-_](?!ecdsa|ssh)(?=[\w-]{{16}})
        | {one_of("joined")}(?=[\w.-]{{0,60}}?\d)(?=[A-Za-z0-9][\w.-]{{22}})
        | {one_of("parted")}[-_.](?=[\w.-]{{0,60}}?\d)(?=[\w.-]{{15}})
    )
    (?P<body>[\w.-]+)
    """
"""Prefixes that words have too ("npm-", "ops-"): within a name what follows has to be drawn by chance."""
_JOINT = r"(?: (?<![A-Za-z0-9]) | (?<=\\[nrt]) | (?<=%[0-9A-Fa-f]{2}) )"
"""Where a token may begin within a word: behind a sign, a line break written out, a sign of a URL."""
_WITHIN = rf"(?x) {_JOINT} (?: {FILE['sure']} | {_OPEN} )"
_WORDY = listed("wordy")
_PUBLIC_IDS = listed("public_ids")
_TELLING = listed("telling")
_DATA = listed("data_names")

_SHORTEST = 15
_BETWEEN = bytes(char if chr(char) in f"{ascii_letters}{digits}_.~-" else ord(" ") for char in range(256))
_LONGEST = 2000
"""A longer run is data (an image, a bundle), unless a vendor's prefix says otherwise."""
_PART = r"[-_.:~]"
_HOST = r"\.[a-z]{2,10}$"
_UUIDLIKE = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-"
_DIGIT = rb"[0-9]"
_TELEGRAM = rf"(?x){_JOINT} \d{{8,10}}:A[A-Za-z0-9_-]{{32,80}}"
_BEGINS = r"(?i)(?:init|client|config|setup)\w{0,12}\([ \t]{0,3}[\"']$"
_LICENCE = r"(?=.*[A-Z])[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}"
_SEALED = 64
_NAME = r"(?i)(?:^|[\s;\"'])([a-z_][\w-]{1,40})$"
_AWS = r"(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])"
_ACCESS_KEY = rf"(?x){_JOINT} A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{{16}} (?![A-Za-z0-9])"


def _bare(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Tokens known by their own form, or by the little that stands around it."""
    end = 0
    # Runs of letters, digits and `_.~-`. Without a digit only a long one in small letters and capitals may be
    # a token. (To cut all of a text takes a quarter of the time in which a pattern finds the long runs.)
    pieces = page.text.encode("utf-8", "replace").translate(_BETWEEN).split()
    for raw in [piece for piece in pieces if len(piece) >= _SHORTEST]:
        mixed = len(raw) >= 24 and raw.lower() != raw != raw.upper()
        run = raw.decode().rstrip(".")
        token = run.lstrip("._~-")
        if len(token) < _SHORTEST or not (mixed or compiled(_DIGIT).search(raw)):
            continue
        end = page.text.index(run, end) + len(run)
        start = end - len(token)
        told = _secret(token) or (len(token) >= 32 and _by_surroundings(page, token, start))
        joined = page.text[start - 1 : start] in {"_", "-"}
        if told and not (joined or page.search(PATTERNS["hashed"], start - 16, start)):
            padding = page.text[end : end + 2]
            yield Span(start, end + len(padding) - len(padding.lstrip("=")), "token")
            continue
        # Tokens of known vendors that are joined to other words: "backup-…", "log_….old".
        for found in page.every(_WITHIN, start, end):
            vendor = found["vendor"]
            if _vendors(found[0]) and (vendor is None or _by_chance(vendor[:-1], found["body"])):
                yield Span(*found.span(), "token")


def _by_chance(vendor: str, body: str) -> bool:
    core = max(compiled(_PART).split(body), key=len)
    if is_hex(core):
        return len(core) >= 32 and vendor not in _WORDY
    return looks_random(core, 16) or looks_random(body, 28 if len(vendor) < 3 or vendor in _WORDY else 16)


def _by_surroundings(page: Page, token: str, start: int) -> bool:
    """A long token without a vendor's prefix, by what stands around it."""
    end = start + len(token)
    # Behind any name: li_at=…, a cookie or a signed state.
    if _SEALED <= len(token) <= 600 and page.text[start - 1 : start] == "=" and "." not in token:
        name = page.search(_NAME, start - 42, start - 1)
        if name is not None and name[1].lower() not in _DATA and looks_random(token, _SEALED):
            return True
    # A client is begun with a key that looks like a hash: init("…").
    if len(token) in {32, 40, 64} and is_hex(token) and page.search(_BEGINS, start - 32, start):
        return True
    # Within a sentence or a command. Alone on its line such a word is data more often (a line of base64), so
    # two other words have to be there.
    alone = page.text[start - 1 : start].strip() or page.text[end : end + 1].strip(" \t\r\n.,;:!?)")
    word = len(token) <= 120 and token.isalnum() and not token.startswith("AAAA") and not alone
    if not word or not looks_random(token, 32):
        return False
    first, last = page.line_start(start, 300), page.line_end(start, 300)
    return len(page.text[first:start].split()) + len(page.text[end:last].split()) >= 2


def _telegram(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    for at, _ in hits:
        found = page.search(_TELEGRAM, at - 11, at + 90)
        if found:
            yield Span(*found.span(), "token")


def _aws(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Keys of AWS: identifiers, of which one in thirty holds no digit, and secret keys near one or near a
    name, since these have no form but their length."""
    until = 0
    for at, _ in hits:
        found = page.match(_ACCESS_KEY, at)
        if found and _vendors(found[0]):
            yield Span(*found.span(), "token")
        begin, until = max(until - 41, at - 200), at + 400
        for found in page.every(_AWS, begin, until):
            if not is_hex(found[0]) and looks_random(found[0]):
                yield Span(*found.span(), "aws-secret")


@lru_cache(maxsize=10_000)
def _secret(token: str) -> bool:
    """A token by its own form."""
    if is_uuid(token):
        return False
    if token.startswith(("pk_live_", "pk_test_")):
        return False
    vendor = compiled(_WITHIN).match(token)
    if vendor:
        # sk_X509_num is a name in code, uk-mt5-small that of a model, npm-error-404 that of a file.
        joint, body = (vendor["vendor"] or "")[2:], vendor["body"] or ""
        of_words = joint == "-" or (vendor["vendor"] or "")[:-1] in _WORDY
        named = joint == "_" or (of_words and "-" in body and body.islower())
        return (not named or _by_chance(vendor["vendor"][:-1], body)) and _vendors(vendor[0])
    if len(token) == 29 and compiled(_LICENCE).fullmatch(token):
        return True
    if len(token) > _LONGEST or compiled(_HOST).search(token):
        return False
    cut = 0  # where the body begins behind up to four short words: 9 in "prod_api_…"
    for _, separator in zip(range(4), compiled(_PART).finditer(token), strict=False):
        part = token[cut : separator.start()]
        if len(part) > 12 or not (part.isalpha() or (cut and part[1:].isdigit()) or len(part) <= 6):
            break
        cut = separator.end()
    if not (token[0].isalpha() and 0 < cut < len(token)):
        return False
    return _prefixed(token[:cut], token[cut:]) and not benign.placeholder(token)


def _vendors(token: str) -> bool:
    """A known prefix: the body may be regular, but not words and not a mask."""
    if benign.placeholder(token):
        return False
    seen = shape(token)
    if compiled(_ACCESS_KEY).fullmatch(token):
        return seen.digit > 0 or seen.wordlike < 0.9
    if seen.distinct < 6 or (seen.digit == 0 and (seen.upper == 0 or seen.lower == 0)):
        return False
    return seen.wordlike < 0.9 or seen.digit >= 4


def _prefixed(prefix: str, body: str) -> bool:
    """Some vendor's token: short words, a separator, then chance.

    A body of hexadecimal digits counts only behind a telling prefix, or a short one that means nothing:
    else it is the hash of a file, a bundle or a commit.
    """
    names = [name for name in words(prefix) if not name.isdigit() and name != "v"]
    telling = not _TELLING.isdisjoint(names)
    if not names or is_uuid(body) or sum(map(str.isdigit, prefix)) > 3:
        return False
    if compiled(_UUIDLIKE).match(body) or (names[0] in _PUBLIC_IDS and not telling):
        return False
    parts = compiled(_PART).split(body)
    core = max(parts, key=len)
    if "." in prefix and not telling:
        return looks_random(core, 28)
    if is_hex(core):
        odd = len(names) == 1 and 2 <= len(names[0]) <= 5 and names[0] not in benign.WORDS
        return len(core) >= 32 and (telling or (odd and len(core) in {32, 40, 48, 64}))
    least = 16 if telling else 20
    # PKIX_RSA_PKCS1V15_2048_SHA256 names a constant, llama-2-13b-chat-hf-w4-g128-awq a model.
    name = body.isupper() or (not telling and len(body) < 6 * len(parts))
    return looks_random(core, least) or (not name and looks_random(body, least))


RULES = (
    Rule(frozenset(), _bare),
    Rule(frozenset({":a"}), _telegram),
    Rule(frozenset({"akia", "asia", "abia", "acca", "aws_secret", "secret_access", "secretaccess"}), _aws),
)
