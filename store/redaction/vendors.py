"""Prefixes of tokens that vendors give out, and of identifiers that are no secrets.

The list makes short or regular bodies sure; a token of a vendor that is not in it is found by chance
(`tokens._prefixed`). Nobody has to keep it complete.
"""

from siltstone.store.late import LatePattern
from siltstone.store.redaction.wordlist import listed, one_of

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
    | eyJ[\w-]{{8,}}(?:\.[\w-]{{4,}}){{1,4}} | oy2[a-z0-9]{{43}}{_END}
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
        | {_JOINED}(?=[\w.-]*\d)(?=[A-Za-z0-9][\w.-]{{22}}) | {_PARTED}[-_.](?=[\w.-]*\d)(?=[\w.-]{{15}})
    )
    (?P<body>[\w.-]+)
    """
"""Prefixes that words have too ("npm-", "ops-"): within a name what follows has to be drawn by chance."""

VENDORS = LatePattern(rf"(?x) {_SURE} | {_OPEN}")
JOINT = r"(?: (?<![A-Za-z0-9]) | (?<=\\[nrt]) | (?<=%[0-9A-Fa-f]{2}) )"
"""Where a token may begin within a word: behind a sign, a line break written out, a sign of a URL."""
WITHIN = LatePattern(rf"(?x) {JOINT} (?: {_SURE} | {_OPEN} )")
WORDY = listed("npm pypi pat re ops fc fw v1.0")
"""Vendors' prefixes that stand before the hash of a file or a commit as well: "linux-npm-…"."""

PUBLIC_IDS = listed(
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

TELLING = listed(
    """
    sk pk rk api key keys apikey tok token tokens pat secret sec live auth access priv private pw pass
    oauth bot pt svc cred credential sa refresh bearer jwt root signing webhook hook
    """
)
"""Words in a prefix that say what follows is a secret."""
