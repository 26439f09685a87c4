"""Tokens that give themselves away, without a label: by a vendor's prefix, or by a prefix and chance."""

import re
from collections.abc import Iterator

from siltstone.store.redaction import benign
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.shape import is_hex, is_uuid, looks_random, shape, words
from siltstone.store.redaction.wordlist import listed

_RUN = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9][A-Za-z0-9_.~-]{14,}[=]{0,2}")
"""Runs of 15 characters or more that a token may be made of."""

_VENDORS = re.compile(
    r"""(?x)
    (?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AROA|AIDA|LTAI|AKID|LTA[A-Z])[A-Za-z0-9]{12,40}$
    | AIza[\w-]{30,}$ | ya29\.[\w-]{10,}
    | GOCSPX-[\w-]{10,} | EAA[A-Za-z0-9]{20,}$ | eyJ[\w-]{8,}(?:\.[\w-]{4,}){1,4}\.?[\w-]*$
    | dapi[0-9a-f]{32} | oy2[a-z0-9]{43}$ | cio[A-Za-z0-9]{30,}$
    | SG\.[\w-]{10,}\.[\w-]{10,} | hv[sbr]\.[\w-]{20,} | sl\.[\w-]{20,} | AGE-SECRET-KEY-1[0-9A-Z]{20,}
    | sq0[a-z]{3}-[\w-]{16,}
    | xox[a-z](?:\.xox[a-z])?-[\w-]{8,} | xapp-\d-[\w-]{8,}
    | dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{16,} | dt0[a-z]\d\d\.[\w.]{20,}
    | AKCp[A-Za-z0-9]{10,} | AP[A-Z0-9][A-Za-z0-9]{60,} | AQVN[\w-]{30,} | t1\.[\w-]{40,}
    | [\w~.-]{2,5}8Q~[\w~.-]{30,36}$
    | (?:sk|pk|rk|tk|ak|uk|mk)[-_][A-Za-z0-9_-]{16,} | key-[0-9a-f]{32} | (?:SK|AC)[0-9a-f]{32}$
    | [0-9a-f]{32}-us\d{1,2}$
    | (?:gh[oprsu]|github_pat|gl[a-z]{1,8}|npm|pypi|hf|gsk|xai|tvly|shp[a-z]{2}|do[opr]_v1|rubygems
    |lin_(?:api|oauth)|ntn|nvapi|r8
       |sntry[su]|figd|ph[cx]|sb[a-z]|nfp|dckr_(?:pat|oat)|pul|gl(?:c|sa)|whsec|pscale_\w{2,5}|re|rdme
       |xkeysib|fm[12]|fo1|tskey|PMAK
       |NRAK|NRJS|NRII|CCIPAT|CFPAT|HRKU|ATATT|ATCTT|ATBB|ATTA|pplx|pcsk|lsv2|napi|sgp|sq[pua]|tfp|cfut
       |jina|e2b|fc|fw|ops|pat|ddp|bkua)
      [-_.]?(?=[\w.-]*\d)[A-Za-z0-9][\w.-]{14,}
    | \d{8,10}:A[A-Za-z0-9_-]{32,} | [MNO][A-Za-z\d]{22,27}\.[\w-]{5,7}\.[\w-]{25,}
    | [a-z0-9]{14}\.atlasv1\.[\w-]{40,} | sha256~[\w-]{40,}
    """
)
"""Prefixes of known vendors: only to be surer with short or regular bodies; the rule below needs no list."""

_PREFIXED = re.compile(
    r"(?P<prefix>(?:[A-Za-z][A-Za-z0-9]{0,11}[-_.:~]){1,4}?(?:v\d{1,2}[-_.])?)(?P<body>[A-Za-z0-9][\w.~-]*={0,2})$"
)
_PUBLIC_IDS = listed(
    """
    msg toolu tooluse call req ses prt cus pi pm price prod sub evt in il ch acct run thread asst file
    chatcmpl cmpl resp rs fc vs org orgs user usr team proj prj project dpl srv dep evm crn i vpc subnet
    sg ami vol snap eni igw rtb nat arn img sha md sha1 sha256 sha512 sha384 md5 blake3 css sc jsx
    svelte chunk index vendor main app module trace span job build test node item tsk task session ws
    conv conversation message batch step eval ft snapshot image layer commit rev ref tag branch tmp temp
    cache hash etag bundle page style styles asset assets polyfills runtime webpack vite rollup next
    static pr issue ticket vm pod deploy deployment replicaset container ctr sandbox env lib libs cf
    dist release v swagger mui emotion tw id uid uuid cid pid gid rid tx txn order ord inv invoice cust
    customer seti si src card ba po re_ tr txr promo disc dp fp qt cs cn sched ii mdt doc block artifact
    upload part chat func reasoning agent skill turn prompt completion embedding dataset model models
    """
)
"""Prefixes of identifiers that are no secrets: messages, calls, customers, images, bundles."""
_TELLING = listed(
    """
    sk pk rk api key keys tok token tokens pat secret sec live prod test auth access priv private pw
    pass oauth bot pt svc cred credential admin sa refresh bearer jwt master root signing webhook hook
    """
)
_HASHED = re.compile(
    r"(?:sha\d{1,3}|sha|md5|h1|integrity|hash|digest|checksum|etag|base64,|fingerprint|blake\w*)[-:=\s\"']{0,3}$",
    re.IGNORECASE,
)
_TELEGRAM = re.compile(r"(?<![\w:])\d{8,10}:A[A-Za-z0-9_-]{32,36}(?![\w-])")
_CRYPT = re.compile(r"\$(?:2[abxy]?|apr1|1|5|6|7|y|argon2\w{1,2}|scrypt|pbkdf2[\w-]*)\$[\w./$,=+-]{16,200}")
_AWS = re.compile(r"(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])")
_GOOGLE_REFRESH = re.compile(r"(?<![\w/])1//0[\w-]{20,200}")
_LONGEST = 2000
"""A longer run is data (an image, a bundle), unless a vendor's prefix says otherwise."""


def bare_tokens(page: Page) -> Iterator[Span]:
    """Tokens known by their own form."""
    text = page.text
    for run in _RUN.finditer(text):
        found = run[0].rstrip(".")
        if found.isalpha() and len(found) < 24:
            continue
        start = run.start()
        if _secret(found) and not _HASHED.search(text, max(0, start - 14), start):
            yield Span(start, start + len(found), "token")


def marked_tokens(page: Page) -> Iterator[Span]:
    """Tokens with signs in them that the run above does not hold: crypt hashes, Telegram, Google, AWS."""
    text = page.text
    if ":a" in page.low:
        yield from (Span(*found.span(), "token") for found in _TELEGRAM.finditer(text))
    if "$" in text:
        yield from (Span(*found.span(), "password-hash") for found in _CRYPT.finditer(text))
    if "1//0" in text:
        yield from (Span(*found.span(), "token") for found in _GOOGLE_REFRESH.finditer(text))
    for at in page.hits("akia", "asia", "aws_secret", "secret_access", "secretaccess"):
        for found in _AWS.finditer(text, max(0, at - 200), at + 400):
            if not is_hex(found[0]) and looks_random(found[0]):
                yield Span(*found.span(), "aws-secret")


def _secret(token: str) -> bool:
    if is_uuid(token) or (benign.placeholder(token[:80]) and not benign.VENDOR.match(token)):
        return False
    if _VENDORS.match(token):
        return _vendors(token)
    if len(token) > _LONGEST:
        return False
    parts = _PREFIXED.match(token)
    return parts is not None and _prefixed(parts["prefix"], parts["body"])


def _vendors(token: str) -> bool:
    """A known prefix: the body may be regular, but not words and not a mask."""
    if benign.placeholder(token):
        return False
    seen = shape(token)
    if seen.distinct < 6 or (seen.digit == 0 and (seen.upper == 0 or seen.lower == 0)):
        return False
    return seen.wordlike < 0.9 or seen.digit >= 4


def _prefixed(prefix: str, body: str) -> bool:
    """Some vendor's token: short words, a separator, then chance.

    A body of hexadecimal digits counts only behind a telling prefix, or a short one of letters that
    means nothing: else it is the hash of a file, a bundle or a commit.
    """
    names = words(prefix)
    plain = [name for name in names if not name.isdigit() and name != "v"]
    if is_uuid(body) or not plain or plain[0] in _PUBLIC_IDS:
        return False
    telling = any(name in _TELLING for name in plain)
    core = max(re.split(r"[-_.~]", body), key=len)
    if is_hex(core):
        return len(core) >= 32 and (
            telling
            or (len(core) in {32, 40, 48, 64} and len(plain) == 1 and len(plain[0]) <= 5 and _odd(plain[0]))
        )
    least = 16 if telling else 20
    return looks_random(body, least) or looks_random(core, least)


def _odd(prefix: str) -> bool:
    return prefix not in _PUBLIC_IDS and prefix not in benign.WORDS
