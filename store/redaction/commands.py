"""Secrets on command lines and in the files that command-line tools read."""

from siltstone.store.late import LatePattern
from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.shape import is_hex, is_uuid, looks_random
from siltstone.store.redaction.wordlist import listed, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_OPEN = r"\\{0,3}[\"']?"
_VALUE = r"(?:\\{0,3}[\"'](?P<q>[^\"'\n]{1,256})\\{0,3}[\"']|(?P<v>(?:[^\s\"';|&<>()]|&(?=[^\s&])){1,256}))"
_BACK = 400
"""Characters before an option in which its program has to stand."""


def _option(flags: str, gap: str = r"(?:\s{1,4}|=)") -> LatePattern:
    return LatePattern(rf"\s(?:{flags}){gap}{_VALUE}")


_GLUED = listed(
    """
    mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump mariadb-admin 7z 7za 7zz rar unrar
    sshpass
    """
)
_SPACED = listed(
    """
    sshpass mongo mongosh mongodump mongorestore mongoimport mongoexport login helm oras az twine cqlsh cf
    oc psexec winexe evil-winrm nxc xfreerdp rdesktop clickhouse-client useradd usermod adduser
    clickhouse neo4j cypher-shell crane skopeo influx arangosh
    """
)
_PAIRED = listed("curl http https httpie xh wget nats curlie influx ab siege restic")
_OPTIONS: tuple[tuple[str, LatePattern, frozenset[str], bool], ...] = (
    (" -p", _option("-p", r"(?![\s\-/=:.,])"), _GLUED, False),
    (" -p", _option("-p"), _SPACED, False),
    (" -p", _option("-P"), listed("sqlcmd bcp zip unzip mosquitto_pub mosquitto_sub ipmitool isql"), False),
    (" -p", _option("-pw"), listed("plink pscp putty psftp"), False),
    (" -a", _option("-a"), listed("redis-cli valkey-cli keydb-cli"), False),
    (" -a", _option("-a"), _PAIRED, False),
    (" --auth", _option("--auth"), _PAIRED, False),
    (" -w", _option("-w"), listed("ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd"), False),
    (" -n", _option("-[NP]"), listed("ssh-keygen"), False),
    (" -p", _option("-[NP]"), listed("ssh-keygen"), False),
    (" -t", _option("-t"), listed("doctl gh glab wandb codecov codecovcli snyk"), True),
    (" -k", _option("-k"), listed("openssl"), True),
    (" -u", _option("-u", r"\s{0,4}"), _PAIRED, False),
    (" -u", _option("-U"), _PAIRED, False),
    (" --user", _option("--user|--username"), _PAIRED, False),
    (" --proxy-user", _option("--proxy-user"), _PAIRED, False),
)
"""How an option is written, the programs that take a password by it,
and whether other values are usual there. Those of `_PAIRED` take user:password."""
_PORTISH = LatePattern(r"\d{1,5}(?:[:-]\d{1,5}){0,3}(?:/\w+)?|[\d.]+:\d+:\d+")
_NEXT_COMMAND = LatePattern(r"\n|&&|;|(?<![\w\"'])\|")
_PROGRAM = LatePattern(r"(?<![\w.-])[\w.-]{1,24}(?=[\s\"'])")

_STDIN = one_of(
    "sudo -S, sudo -kS, docker login, podman login, gh auth, passwd, chpasswd, cryptsetup, gpg, kinit"
)
_LOGINS = one_of(
    """vault, op, bw, doppler, supabase, heroku, flyctl, fly, railway, vercel, netlify, npm,
    stripe, ngrok, wandb, huggingface-cli, hf, snyk, sentry-cli, pulumi, turso, neonctl"""
)
_ORACLE = r"\w{4,8}\s(?:-\w+\s+){0,3}(?:target\s+)?[\w.$#]{1,40}/(?P<v>[^\s@\"'/]{3,80})"
_FORMS: tuple[tuple[tuple[str, ...], int, str, bool], ...] = (
    # .netrc, also on one line
    (
        ("machine ", "machine\t", "default login"),
        0,
        r"(?:machine\s+\S{1,253}|default)\s+(?:login\s+\S{1,100}\s+)?(?:account\s+\S{1,100}\s+)?(?:password|passwd)\s+"
        r"(?P<v>\S{3,256})",
        False,
    ),
    (("login ",), 0, r"login +[\w.@+-]{1,100} +(?:password|pass|passwd) +(?P<v>\S{3,256})", True),
    # echo x | sudo -S, printf x | docker login --password-stdin
    (
        ("echo ", "printf ", "print "),
        0,
        rf"\w+\s+(?:-\w\s+)?{_OPEN}(?:[\w.-]{{1,40}}:)?(?P<v>[^\s\"'|\\]{{4,200}}){_OPEN}\s{{0,3}}\|\s{{0,3}}"
        rf"(?:sudo\s+)?(?:{_STDIN}|[^\n|]{{0,80}}--?\w{{0,20}}(?:stdin|with-token)|\w{{1,20}}\s+login)",
        False,
    ),
    (
        ("<<<",),
        80,
        r"(?:chpasswd|--with-token|-stdin|sudo\s+-S[^\n<]{0,60}|cryptsetup[^\n<]{0,60})\s{0,3}<<<\s{0,2}"
        rf"{_OPEN}(?:[\w.-]{{1,40}}:)?(?P<v>[^\s\"'\\$]{{4,200}})",
        False,
    ),
    ((" -pass",), 0, r"\s-pass(?:in|out)?\s+pass:(?P<v>[^\s\"']{3,200})", False),
    (("sqlplus ", "rman ", "impdp ", "expdp ", "sqlldr "), 0, _ORACLE, False),
    ((" -u",), 0, rf"\s-U\s+{_OPEN}[\w.\\-]{{1,60}}%(?P<v>[^\s\"']{{3,100}})", False),
    (("oathtool ",), 0, r"oathtool(?:\s--?[\w=-]{1,20}){0,6}\s{1,4}(?P<v>[^\s\"'-][^\s\"']{7,200})", False),
    (("lftp ",), 0, r"lftp\s+(?:-\w+\s+){0,3}-u\s+[^,\s]{1,80},(?P<v>[^\s\"']{3,200})", False),
    (("encrypt_string ",), 0, rf"encrypt_string\s+{_OPEN}(?P<v>[^\s\"'-][^\s\"']{{2,200}})", False),
    (
        (" secret set ",),
        0,
        rf" secret set \S{{1,80}}\s+(?:--body|-b)[ =]{_OPEN}(?P<v>[^\s\"']{{3,500}})",
        False,
    ),
    # mc alias set s3 https://host user x, b2 account authorize id x
    (
        (" alias set ", " authorize "),
        0,
        r" (?:alias set|authorize)(?:[ \t]{1,4}[^\s\"'-][^\s\"']{0,200}){0,3}?[ \t]{1,4}"
        r"(?P<v>(?=[\w+/=-]{0,200}\d)(?=[\w+/=-]{0,200}[A-Z])[\w+/=-]{20,200})(?=\s|$)",
        True,
    ),
    ((" /p:",), 0, r"\s/p:(?![A-Za-z]{2,40}=)(?P<v>[^\s\"']{3,200})(?=[\s\"']|$)", True),
    (("net use ",), 0, r"net use [^\n]{1,100}?\s(?P<v>[^\s/\\:\"]{3,100})\s+/user:", False),
    (("net use ",), 0, rf"net use [^\n]{{1,120}}?/user:\S{{1,80}}\s+{_OPEN}(?P<v>[^\s\"'/]{{3,100}})", False),
    (
        ("wpa_passphrase ",),
        0,
        rf"wpa_passphrase\s+(?:\"[^\"\n]{{1,40}}\"|\S{{1,40}})\s+{_OPEN}(?P<v>[^\s\"'>|]{{8,64}})",
        False,
    ),
    (
        ("htpasswd ",),
        0,
        rf"htpasswd\s(?:-\w+\s+){{1,4}}(?:\S+\s+)?[\w.@-]{{1,60}}\s+{_OPEN}"
        r"(?P<v>[^\s\"'|;>-][^\s\"'|;>]{2,100})",
        False,
    ),
    # vault login x, ngrok config add-authtoken x
    (
        (" login ", " auth ", "authtoken ", " unlock "),
        40,
        rf"\b{_LOGINS}\s+(?:login|auth|authtoken|config add-authtoken|unlock)\s+(?:token=)?"
        r"(?P<v>[^\s\"'-][^\s\"']{7,300})",
        True,
    ),
)
"""Needles, how far before one the pattern may begin, the pattern, whether other values are usual there."""
_PATTERNS = tuple((needles, back, LatePattern(form), careful) for needles, back, form, careful in _FORMS)
_PGPASS = LatePattern(r":(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?P<v>(?:[^\s:\\]|\\.){3,255})(?=\s|$)")
_PGPASS_HOST = LatePattern(r"\s{0,12}(?:\d{1,6}[\t:]\s{0,4})?[\w.*-]{1,253}")


def commands(page: Page) -> "Iterator[Span]":
    """Passwords and tokens handed to programs by short options, through pipes, in .netrc and .pgpass."""
    for needle, option, programs, careful in _OPTIONS:
        for at in page.hits(needle):
            found = option.match(page.text, at)
            span = _value(found, programs is _PAIRED, careful) if found else None
            if span and not _program(page.low, at).isdisjoint(programs):
                yield span
    for needles, back, pattern, careful in _PATTERNS:
        for at in page.hits(*needles):
            found = pattern.search(page.text, at - back, at + 400) if back else pattern.match(page.text, at)
            if found and plausible(found["v"], careful):
                yield Span(*found.span("v"), "command")
    for found in _PGPASS.finditer(page.text):
        start = page.line_at(found.start(), 300)[0]
        if _PGPASS_HOST.fullmatch(page.text, start, found.start()) and plausible(found["v"], careful=False):
            yield Span(*found.span("v"), "password")


def _program(low: str, at: int) -> frozenset[str]:
    """The words of the command before an option: its program is among them."""
    before = low[max(0, at - _BACK) : at + 1]
    cuts = [cut.end() for cut in _NEXT_COMMAND.finditer(before)]
    command = before[cuts[-1] if cuts else 0 :]
    return frozenset(name.removesuffix(".exe") for name in _PROGRAM.findall(command))


def _value(found: "re.Match[str]", pair: bool, careful: bool) -> Span | None:
    group = "q" if found["q"] is not None else "v"
    start, value = found.start(group), found[group]
    if pair:
        user, colon, value = value.partition(":")
        start += len(user) + 1
        if not colon:
            return None
    if value.startswith("-") or _PORTISH.fullmatch(value) or not plausible(value, careful):
        return None
    return Span(start, start + len(value), "command")


def plausible(value: str, careful: bool) -> bool:
    """No placeholder, no word of prose; with `careful` it has to look like a secret too."""
    if len(value) < 3 or benign.refers(value) or benign.placeholder(value) or benign.prose(value):
        return False
    if careful:
        return secretish(value, quoted=True) or is_hex(value) or is_uuid(value) or looks_random(value)
    return "(" not in value and value[0] not in "=:.," and value.lower() not in benign.NAMES
