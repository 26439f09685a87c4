"""Tokens that give themselves away, without a label: by a vendor's prefix, or by a prefix and chance.

The list of prefixes makes short or regular bodies sure; a token of a vendor that is not in it is found by
chance (`_prefixed`). Nobody has to keep it complete.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_letters, digits

from siltstone.store.redaction import benign
from siltstone.store.redaction.page import Hit, Page, Rule, Span, compiled, listed, one_of
from siltstone.store.redaction.randomness import is_hex, is_uuid, looks_random, shape, words

_PARTED = one_of(
    """ghp, gho, ghu, ghs, ghr, github_pat, glpat, gldt, glrt, glcbt, glptt, glft, glimt,
    glagent, glsoat, glffct, npm, pypi, hf, gsk, xai, tvly, shpat, shpss, shpca, shppa,
    dop_v1, doo_v1, dor_v1, rubygems, lin_api, lin_oauth, ntn, nvapi, r8, sntrys, sntryu,
    figd, phc, phx, sbp, sb_secret, nfp, dckr_pat, dckr_oat, pul, glc, glsa, whsec,
    pscale_tkn, pscale_pw, pscale_oauth, rdme, xkeysib, xsmtpsib, fm1, fm2, fo1, tskey, PMAK,
    PMAT, NRAK, NRJS, NRII, NRIQ, CCIPAT, CFPAT, HRKU, pplx, pcsk, lsv2, napi, sgp, squ, sqp,
    sqa, tfp, cfut, jina, e2b, fc, fw, ops, pat, ddp, bkua, rnd, cal_live, csk, re"""
)
_JOINED = one_of(
    "GR1348941, ABSK, ATATT, ATCTT, ATBB, ATTA, AKCp, BSA, HRKU-AA, EZAK, EZTK, FLWSECK, CLOJARS_, "
    "Mg, dapi, cio"
)

_END = "(?![A-Za-z0-9])"
_SURE = rf"""
    (?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AROA|AIDA|LTAI|AKID)[A-Za-z0-9]{{12,40}}{_END}
    | pat[A-Za-z0-9]{{14}}\.[\w]{{30,}}
    | AIza[\w-]{{30,}} | ya29\.[\w-]{{10,}} | GOCSPX-[\w-]{{10,}} | EAA[A-Za-z0-9]{{20,}}{_END}
    | eyJ[\w-]{{8,1000}}+(?:\.[\w-]{{4,}}){{1,4}} | oy2[a-z0-9]{{43}}{_END}
    | SG\.[\w-]{{10,}}\.[\w-]{{10,}} | hv[sbr]\.[\w-]{{20,}}
    | AGE-SECRET-KEY-1[0-9A-Z]{{20,}} | [xyztuv]prv[A-Za-z0-9]{{100,110}}{_END}
    | 5[HJK][1-9A-HJ-NP-Za-km-z]{{49}}{_END}
    | (?:sdk|pat-[a-z]{{2}}\d)-[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{2}}-[0-9a-f-]*
    | gh[pousr]_[A-Za-z0-9]{{36}} | github_pat_\w{{50,}} | (?:glpat-|dckr_[po]at_)[\w-]{{20,}}
    | glsa_[A-Za-z0-9]{{32}}_[0-9a-f]{{8}} | whsec_[A-Za-z0-9]{{32,}}
    | lin_(?:api|oauth)_[A-Za-z0-9]{{32,}}
    | (?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{{16,}} | sk-(?:ant|proj|svcacct|or-v1)-[\w-]{{20,}}
    | sq0[a-z]{{3}}-[\w-]{{16,}} | xox[a-z](?:\.xox[a-z])?-[\w-]{{8,}} | xapp-\d-[\w-]{{8,}}
    | dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{{16,}} | dt0[a-z]\d\d\.[\w.]{{20,}}
    | AQVN[\w-]{{30,}} | [\w~.-]{{2,5}}8Q~[\w~.-]{{30,36}}{_END}
    | (?:key|fc)-[0-9a-f]{{32}}{_END} | (?:SK|AC)[0-9a-f]{{32}}{_END} | [0-9a-f]{{32}}-us\d{{1,2}}{_END}
    | \d{{8,10}}:A[A-Za-z0-9_-]{{32,}} | [MNO][A-Za-z\d]{{22,27}}\.[\w-]{{5,7}}\.[\w-]{{25,}}
    | [A-Za-z0-9]{{14}}\.atlasv1\.[\w-]{{40,}} | sha256~[\w-]{{40,}}
    """
"""Forms that nothing else has: sure wherever they stand."""
_OPEN = rf"""
    (?P<vendor>
        v1\.0-(?=[\w-]{{30}}) | (?:sl|t1)\.(?=[\w-]{{20}}) | (?:sk|pk|rk|tk|ak|uk|mk)[-_](?=[\w-]{{16}})
        | {_JOINED}(?=[\w.-]{{0,60}}?\d)(?=[A-Za-z0-9][\w.-]{{22}})
        | {_PARTED}[-_.](?=[\w.-]{{0,60}}?\d)(?=[\w.-]{{15}})
    )
    (?P<body>[\w.-]+)
    """
"""Prefixes that words have too ("npm-", "ops-"): within a name what follows has to be drawn by chance."""

_VENDORS = rf"(?x) {_SURE} | {_OPEN}"
_JOINT = r"(?: (?<![A-Za-z0-9]) | (?<=\\[nrt]) | (?<=%[0-9A-Fa-f]{2}) )"
"""Where a token may begin within a word: behind a sign, a line break written out, a sign of a URL."""
_WITHIN = rf"(?x) {_JOINT} (?: {_SURE} | {_OPEN} )"
_WORDY = listed("npm pypi pat re ops fc fw v1.0")
"""Vendors' prefixes that stand before the hash of a file or a commit as well: "linux-npm-…"."""

_PUBLIC_IDS = listed(
    """
    msg toolu tooluse call req ses prt cus pi pm price prod sub evt in il ch acct run thread asst file
    chatcmpl cmpl resp rs vs org orgs user usr team proj prj project dpl srv dep evm crn i vpc subnet sg ami
    vol snap eni igw rtb nat arn img sha md sha1 sha256 sha512 sha384 md5 blake3 css sc jsx svelte chunk
    index vendor main app module trace span job build node item tsk task session ws conv conversation
    message batch step eval ft snapshot image layer commit rev ref tag branch tmp temp cache hash etag
    bundle page style styles asset assets polyfills runtime webpack vite rollup next static pr issue ticket
    vm pod deploy deployment replicaset container ctr sandbox env lib libs cf dist release swagger mui
    emotion tw id uid uuid cid pid gid rid tx txn order ord inv invoice cust customer seti si src card ba
    po tr txr promo disc qt cs cn sched ii mdt doc block artifact upload part chat func reasoning agent
    skill turn prompt completion embedding dataset model models oval ghsa cve x
    """
)
"""Prefixes of identifiers that are no secrets: messages, calls, customers, images, bundles."""

_TELLING = listed(
    """
    sk pk rk api key keys apikey tok token tokens pat secret sec live auth access priv private pw pass
    oauth bot pt svc cred credential sa refresh bearer jwt root signing webhook hook
    """
)
"""Words in a prefix that say what follows is a secret."""

_SHORTEST = 15
_BETWEEN = bytes(char if chr(char) in f"{ascii_letters}{digits}_.~-" else ord(" ") for char in range(256))
_LONGEST = 2000
"""A longer run is data (an image, a bundle), unless a vendor's prefix says otherwise."""
_PART = r"[-_.:~]"
_HOST = r"\.[a-z]{2,10}$"
_UUIDLIKE = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-"
_DIGIT = rb"[0-9]"
_HASHED = (
    r"(?i)(?:sha\d{0,3}|md5|h1|integrity|hash|digest|checksum|etag|base64,|fingerprint|blake\w{0,4})"
    r"[-:=\s\"']{0,4}(?:w/\\?\")?$"
)
_TELEGRAM = rf"(?x){_JOINT} \d{{8,10}}:A[A-Za-z0-9_-]{{32,80}}"
_CRYPT = r"\$(?:2[abxy]?|apr1|1|5|6|7|y|argon2\w{1,2}|scrypt|pbkdf2[\w-]*)\$[\w./$,=+-]{16,200}"
_CRYPTS = frozenset("12567aspy")
_BEGINS = r"(?i)(?:init|client|config|setup)\w{0,12}\([ \t]{0,3}[\"']$"
_LICENCE = r"(?=.*[A-Z])[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}"
_SEALED = 64
_NAME = r"(?i)(?:^|[\s;\"'])([a-z_][\w-]{1,40})$"
_DATA = listed("d data body image img content payload src cursor page next after before diff patch code")
_AWS = r"(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])"
_ACCESS_KEY = rf"(?x){_JOINT} A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{{16}} (?![A-Za-z0-9])"
_GOOGLE_REFRESH = r"1//0[\w-]{20,200}"


def _bare(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Tokens known by their own form, or by the little that stands around it."""
    end = 0
    for run in _runs(page.text):
        token = run.lstrip("._~-")
        end = page.text.index(run, end) + len(run)
        start = end - len(token)
        told = _secret(token) or (len(token) >= 32 and _by_surroundings(page, token, start))
        if told and not (_joined(page, start) or page.search(_HASHED, start - 16, start)):
            padding = page.text[end : end + 2]
            yield Span(start, end + len(padding) - len(padding.lstrip("=")), "token")
        else:
            yield from _within(page, start, end)


def _joined(page: Page, start: int) -> bool:
    return page.text[start - 1 : start] in {"_", "-"}


def _runs(text: str) -> Iterator[str]:
    """Runs of letters, digits and `_.~-` that a token may be made of, in order.

    Without a digit only a long one in small letters and capitals may be one. (To cut all of a text takes
    a quarter of the time in which a pattern finds the long runs.)
    """
    pieces = text.encode("utf-8", "replace").translate(_BETWEEN).split()
    for raw in [piece for piece in pieces if len(piece) >= _SHORTEST]:
        if compiled(_DIGIT).search(raw) or (len(raw) >= 24 and raw.lower() != raw != raw.upper()):
            run = raw.decode().rstrip(".")
            if len(run.lstrip("._~-")) >= _SHORTEST:
                yield run


def _within(page: Page, start: int, end: int) -> Iterator[Span]:
    """Tokens of known vendors that are joined to other words: "backup-…", "log_….old"."""
    for found in page.every(_WITHIN, start, end):
        if _vendors(found[0]) and (
            found["vendor"] is None or _by_chance(found["vendor"][:-1], found["body"])
        ):
            yield Span(*found.span(), "token")


def _by_chance(vendor: str, body: str) -> bool:
    core = max(compiled(_PART).split(body), key=len)
    if is_hex(core):
        return len(core) >= 32 and vendor not in _WORDY
    return looks_random(core, 16) or looks_random(body, 28 if len(vendor) < 3 or vendor in _WORDY else 16)


def _by_surroundings(page: Page, text: str, start: int) -> bool:
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
    first, last = page.line_start(start, 300), page.line_end(start, 300)
    return len(page.text[first:start].split()) + len(page.text[end:last].split()) >= 2


def _begins_client(page: Page, text: str, start: int) -> bool:
    """A client is begun with a key that looks like a hash: init("…")."""
    if len(text) not in {32, 40, 64} or not is_hex(text):
        return False
    return page.search(_BEGINS, start - 32, start) is not None


def _sealed(page: Page, text: str, start: int) -> bool:
    """A long value drawn by chance behind any name: li_at=…, a cookie or a signed state."""
    if not (_SEALED <= len(text) <= 600 and page.text[start - 1 : start] == "=") or "." in text:
        return False
    name = page.search(_NAME, start - 42, start - 1)
    return name is not None and name[1].lower() not in _DATA and looks_random(text, _SEALED)


def _telegram(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    for at, _ in hits:
        found = page.search(_TELEGRAM, at - 11, at + 90)
        if found:
            yield Span(*found.span(), "token")


def _crypt(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Hashed passwords, as in /etc/shadow."""
    until = 0
    for at, _ in hits:
        found = page.match(_CRYPT, at) if at >= until and page.text[at + 1 : at + 2] in _CRYPTS else None
        if found:
            until = found.end()
            yield Span(*found.span(), "password-hash")


def _google(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    for at, _ in hits:
        found = page.match(_GOOGLE_REFRESH, at)
        if found:
            yield Span(*found.span(), "token")


def _access_keys(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Identifiers of AWS, of which one in thirty holds no digit."""
    for at, _ in hits:
        found = page.match(_ACCESS_KEY, at)
        if found and _vendors(found[0]):
            yield Span(*found.span(), "token")


def _aws(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Secret keys of AWS, which have no form but their length, near an identifier or a name."""
    until = 0
    for at, _ in hits:
        begin, until = max(until - 41, at - 200), at + 400
        for found in page.every(_AWS, begin, until):
            if not is_hex(found[0]) and looks_random(found[0]):
                yield Span(*found.span(), "aws-secret")


@lru_cache(maxsize=10_000)
def _secret(token: str) -> bool:
    """A token by its own form."""
    if is_uuid(token):
        return False
    vendor = compiled(_VENDORS).match(token)
    if vendor:
        return _vendors(vendor[0])
    if len(token) == 29 and compiled(_LICENCE).fullmatch(token):
        return True
    if len(token) > _LONGEST or compiled(_HOST).search(token):
        return False
    cut = _prefix_end(token)
    return cut > 0 and _prefixed(token[:cut], token[cut:]) and not benign.placeholder(token)


def _prefix_end(token: str) -> int:
    """Where the body begins behind up to four short words: 9 in "prod_api_…"; 0 when there are none."""
    end = 0
    for _, separator in zip(range(4), compiled(_PART).finditer(token), strict=False):
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
    core = max(compiled(_PART).split(body), key=len)
    if "." in prefix and not telling:
        return looks_random(core, 28)
    if is_hex(core):
        odd = len(names) == 1 and 2 <= len(names[0]) <= 5 and names[0] not in benign.WORDS
        return len(core) >= 32 and (telling or (odd and len(core) in {32, 40, 48, 64}))
    least = 16 if telling else 20
    return looks_random(body, least) or looks_random(core, least)


RULES = (
    Rule(frozenset(), _bare),
    Rule(frozenset({":a"}), _telegram),
    Rule(frozenset({"$"}), _crypt),
    Rule(frozenset({"1//0"}), _google),
    Rule(frozenset({"akia", "asia", "abia", "acca"}), _access_keys),
    Rule(frozenset({"akia", "asia", "aws_secret", "secret_access", "secretaccess"}), _aws),
)
