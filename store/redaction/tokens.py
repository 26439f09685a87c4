"""Tokens that give themselves away, without a label: by a vendor's prefix, or by a prefix and chance."""

from siltstone.store.late import IGNORECASE, LatePattern
from siltstone.store.redaction import benign
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.shape import is_hex, is_uuid, looks_random, shape, words
from siltstone.store.redaction.vendors import JOINT, PUBLIC_IDS, TELLING, VENDORS, WITHIN, WORDY
from siltstone.store.redaction.wordlist import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = LatePattern(r"(?<![A-Za-z0-9_-])[_-]*[A-Za-z0-9][A-Za-z0-9_.~-]{14,}[=]{0,2}")
"""Runs of 15 characters or more that a token may be made of."""
_LONGEST = 2000
"""A longer run is data (an image, a bundle), unless a vendor's prefix says otherwise."""
_PART = LatePattern(r"[-_.:~]")
_HOST = LatePattern(r"\.[a-z]{2,10}$")
_UUIDLIKE = LatePattern(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-")
_DIGITS = LatePattern(r"\d")
_HASHED = LatePattern(
    r"(?:sha\d{0,3}|md5|h1|integrity|hash|digest|checksum|etag|base64,|fingerprint|blake\w{0,4})"
    r"[-:=\s\"']{0,4}(?:w/\\?\")?$",
    IGNORECASE,
)
_TELEGRAM = LatePattern(rf"(?x){JOINT} \d{{8,10}}:A[A-Za-z0-9_-]{{32,80}}")
_CRYPT = LatePattern(r"\$(?:2[abxy]?|apr1|1|5|6|7|y|argon2\w{1,2}|scrypt|pbkdf2[\w-]*)\$[\w./$,=+-]{16,200}")
_BEGINS = LatePattern(r"(?:init|client|config|setup)\w{0,12}\([ \t]{0,3}[\"']$")
_LICENCE = LatePattern(r"(?=.*[A-Z])[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}")
_SEALED = 64
_NAME = LatePattern(r"(?:^|[\s;\"'])([a-z_][\w-]{1,40})$")
_DATA = listed("d data body image img content payload src cursor page next after before diff patch code")
_AWS = LatePattern(r"(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])")
_ACCESS_KEY = LatePattern(rf"(?x){JOINT} A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{{16}} (?![A-Za-z0-9])")
"""One in thirty holds no digit."""
_GOOGLE_REFRESH = LatePattern(r"1//0[\w-]{20,200}")


def bare_tokens(page: Page) -> "Iterator[Span]":
    """Tokens known by their own form."""
    text = page.text
    for run in _RUN.finditer(text):
        found = run[0].rstrip(".")
        plain = (found.islower() or found.isupper() or len(found) < 24) and not _DIGITS.search(found)
        start, end = run.start(), run.start() + len(found)
        if plain and not _ACCESS_KEY.search(text, start, end):
            continue
        hashed = _HASHED.search(text, max(0, start - 16), start)
        if found[0].isalnum() and not hashed and _telling(page, found, start):
            yield Span(start, end, "token")
        else:
            yield from _within(text, start, end)


def _within(text: str, start: int, end: int) -> "Iterator[Span]":
    """Tokens of known vendors that are joined to other words: "backup-…", "log_….old"."""
    for found in WITHIN.finditer(text, start, end):
        if _vendors(found[0]) and (
            found["vendor"] is None or _by_chance(found["vendor"][:-1], found["body"])
        ):
            yield Span(*found.span(), "token")


def _by_chance(vendor: str, body: str) -> bool:
    core = max(_PART.split(body), key=len)
    if is_hex(core):
        return len(core) >= 32 and vendor not in WORDY
    return looks_random(core, 16) or looks_random(body, 28 if len(vendor) < 3 or vendor in WORDY else 16)


def _telling(page: Page, text: str, start: int) -> bool:
    """A token by its own form, or by the little that stands around it."""
    if _secret(text):
        return True
    if len(text) < 32:
        return False
    return _random_word(page, text, start) or _sealed(page, text, start) or _begins_client(page, text, start)


def _random_word(page: Page, text: str, start: int) -> bool:
    """A word drawn by chance within a sentence or a command, of a vendor that uses no separator.

    Alone on its line such a word is data more often (a line of base64), so two other words have to be there.
    """
    end = start + len(text)
    if (
        not (32 <= len(text) <= 120 and text.isalnum())
        or text.startswith("AAAA")
        or not looks_random(text, 32)
    ):
        return False
    if page.text[start - 1 : start].strip() or page.text[end : end + 1].strip(" \t\r\n.,;:!?)"):
        return False
    first, last = page.line_at(start, 300)
    return len(page.text[first:start].split()) + len(page.text[end:last].split()) >= 2


def _begins_client(page: Page, text: str, start: int) -> bool:
    """A client is begun with a key that looks like a hash: init("…")."""
    if len(text) not in {32, 40, 64} or not is_hex(text):
        return False
    return _BEGINS.search(page.low, max(0, start - 32), start) is not None


def _sealed(page: Page, text: str, start: int) -> bool:
    """A long value drawn by chance behind any name: li_at=…, a cookie or a signed state."""
    if not (_SEALED <= len(text) <= 600 and page.text[start - 1 : start] == "=") or "." in text:
        return False
    name = _NAME.search(page.low, max(0, start - 42), start - 1)
    return name is not None and name[1] not in _DATA and looks_random(text, _SEALED)


def marked_tokens(page: Page) -> "Iterator[Span]":
    """Tokens with signs in them that the run above does not hold: Telegram, crypt hashes, Google, AWS."""
    text = page.text
    for at in page.hits(":a"):
        telegram = _TELEGRAM.search(text, max(0, at - 11), at + 50)
        if telegram:
            yield Span(*telegram.span(), "token")
    if "$" in text:
        yield from (Span(*found.span(), "password-hash") for found in _CRYPT.finditer(text))
    for at in page.hits("1//0"):
        refresh = _GOOGLE_REFRESH.match(text, at)
        if refresh:
            yield Span(*refresh.span(), "token")
    for at in page.hits("akia", "asia", "aws_secret", "secret_access", "secretaccess"):
        for found in _AWS.finditer(text, max(0, at - 200), at + 400):
            if not is_hex(found[0]) and looks_random(found[0]):
                yield Span(*found.span(), "aws-secret")


def _secret(token: str) -> bool:
    if is_uuid(token):
        return False
    vendor = VENDORS.match(token)
    if vendor:
        return _vendors(vendor[0])
    if len(token) == 29 and _LICENCE.fullmatch(token):
        return True
    if len(token) > _LONGEST or _HOST.search(token):
        return False
    cut = _prefix_end(token)
    return cut > 0 and _prefixed(token[:cut], token[cut:]) and not benign.placeholder(token)


def _prefix_end(token: str) -> int:
    """Where the body begins behind up to four short words: 9 in "prod_api_…"; 0 when there are none."""
    end = 0
    for _, separator in zip(range(4), _PART.finditer(token), strict=False):
        part = token[end : separator.start()]
        if len(part) > 12 or not (part.isalpha() or (end and part[1:].isdigit()) or len(part) <= 6):
            break
        end = separator.end()
    return end if token[0].isalpha() and end < len(token) else 0


def _vendors(token: str) -> bool:
    """A known prefix: the body may be regular, but not words and not a mask."""
    if benign.placeholder(token):
        return False
    seen = shape(token)
    if _ACCESS_KEY.fullmatch(token):
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
    telling = not TELLING.isdisjoint(names)
    if not names or is_uuid(body) or len(_DIGITS.findall(prefix)) > 3:
        return False
    if _UUIDLIKE.match(body) or (names[0] in PUBLIC_IDS and not telling):
        return False
    core = max(_PART.split(body), key=len)
    if "." in prefix and not telling:
        return looks_random(core, 28)
    if is_hex(core):
        odd = len(names) == 1 and 2 <= len(names[0]) <= 5 and names[0] not in benign.WORDS
        return len(core) >= 32 and (telling or (odd and len(core) in {32, 40, 48, 64}))
    least = 16 if telling else 20
    return looks_random(body, least) or looks_random(core, least)
