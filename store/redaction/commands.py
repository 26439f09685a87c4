"""Secrets on command lines and in the files that command-line tools read."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import REACH, Hit, Page, Rule, Span, compiled, listed, one_of
from siltstone.store.redaction.randomness import is_hex, is_uuid, looks_random

_OPEN = r"\\{0,3}[\"']?"
_VALUE = r"(?:\\{0,3}[\"'](?P<q>[^\"'\n]{1,256})\\{0,3}[\"']|(?P<v>(?:[^\s\"';|&<>()]|&(?=[^\s&])){1,256}))"


_PAIR = (
    r"(?:[^\s\"';|&<>():]{1,100}:\\{0,3}(?P<quote>[\"'])(?P<p>(?:(?!(?P=quote))[^\n]){1,256})(?P=quote)"
    rf"|{_VALUE})"
)
"""user:password, the password perhaps in quotation marks of its own."""


class _Option(NamedTuple):
    programs: frozenset[str]
    pattern: str
    usual: bool = False
    """Other values are usual there, so this one has to look like a secret."""
    paired: bool = False
    """The value is user:password."""


def _option(programs: str, flags: str, gap: str = r"(?:\s{1,4}|=)", usual: bool = False) -> _Option:
    return _Option(listed(programs), rf"\s(?:{flags}){gap}{_VALUE}", usual)


_OPTIONS = (
    _option(
        """mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump mariadb-admin 7z 7za 7zz rar
        unrar sshpass""",
        "-p",
        gap=r"(?![\s\-/=:.,])",
    ),
    _option(
        """sshpass mongo mongosh mongodump mongorestore mongoimport mongoexport login helm oras twine cqlsh
        psexec winexe evil-winrm nxc xfreerdp rdesktop clickhouse-client useradd usermod adduser
        clickhouse neo4j cypher-shell crane skopeo influx arangosh""",
        "-p",
    ),
    _option("sqlcmd bcp zip unzip mosquitto_pub mosquitto_sub ipmitool isql", "-P"),
    _option("plink pscp putty psftp", "-pw"),
    _option("redis-cli valkey-cli keydb-cli", "-a"),
    _option("ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd", "-w"),
    _option("ssh-keygen", "-[NP]"),
    _option("doctl gh glab wandb codecov codecovcli snyk", "-t", usual=True),
    _option("openssl", "-k", usual=True),
    _Option(
        listed("curl http https httpie xh wget nats curlie influx siege restic"),
        rf"\s(?:-u\s{{0,4}}|(?:-U|-a|--auth|--user|--username|--proxy-user)(?:\s{{1,4}}|=)){_PAIR}",
        paired=True,
    ),
)
"""The options by which programs take a password."""
_BY_PROGRAM = {
    program: [option for option in _OPTIONS if program in option.programs]
    for program in sorted(frozenset().union(*(option.programs for option in _OPTIONS)))
}
_PORTISH = r"\d{1,5}(?:[:-]\d{1,5}){0,3}(?:/\w+)?|[\d.]+:\d+:\d+"
_NEXT_COMMAND = r"(?<!\\)\n|&&|;|(?<![\w\"'])\|"

_STDIN = one_of(
    "sudo -S, sudo -kS, docker login, podman login, gh auth, passwd, chpasswd, cryptsetup, gpg, kinit"
)
_LOGINS = tuple(
    f"{program} {verb} "
    for program in sorted(
        listed(
            """vault op bw doppler supabase heroku flyctl fly railway vercel netlify npm stripe ngrok wandb
            huggingface-cli hf snyk sentry-cli pulumi turso neonctl"""
        )
    )
    for verb in ("login", "auth", "authtoken", "config add-authtoken", "unlock")
)
"""vault login x, ngrok config add-authtoken x"""
_ORACLE = r"\w{4,8}\s(?:-\w+\s+){0,3}(?:target\s+)?[\w.$#]{1,40}/(?P<v>[^\s@\"'/]{3,80})"
_FORMS: tuple[tuple[tuple[str, ...], str, bool], ...] = (
    # .netrc, also on one line
    (
        ("machine ", "machine\t", "default login"),
        r"(?:machine\s+\S{1,253}|default)\s+(?:login\s+\S{1,100}\s+)?(?:account\s+\S{1,100}\s+)?(?:password|passwd)\s+"
        r"(?P<v>\S{3,256})",
        False,
    ),
    (("login ",), r"login +[\w.@+-]{1,100} +(?:password|pass|passwd) +(?P<v>\S{3,256})", True),
    # echo x | sudo -S, printf x | docker login --password-stdin
    (
        ("echo ", "printf ", "print "),
        rf"\w+\s+(?:-\w\s+)?{_OPEN}(?:[\w.-]{{1,40}}:)?(?P<v>[^\s\"'|\\]{{4,200}}){_OPEN}\s{{0,3}}\|\s{{0,3}}"
        rf"(?:sudo\s+)?(?:{_STDIN}|[^\n|]{{0,80}}--?\w{{0,20}}(?:stdin|with-token)|\w{{1,20}}\s+login)",
        False,
    ),
    (
        ("chpasswd", "--with-token", "-stdin", "sudo -s", "cryptsetup "),
        r"(?:chpasswd|--with-token|-stdin|sudo\s+-S[^\n<]{0,60}|cryptsetup[^\n<]{0,60})\s{0,3}<<<\s{0,2}"
        rf"{_OPEN}(?:[\w.-]{{1,40}}:)?(?P<v>[^\s\"'\\$]{{4,200}})",
        False,
    ),
    (("-pass ", "-passin ", "-passout "), r"-pass(?:in|out)?\s+pass:(?P<v>[^\s\"']{3,200})", False),
    (("sqlplus ", "rman ", "impdp ", "expdp ", "sqlldr "), _ORACLE, False),
    (
        ("smbclient ", "smbget ", "rpcclient ", "winexe ", "net rpc ", "net ads "),
        rf"[^\n;]{{0,200}}?\s-U\s+{_OPEN}[\w.\\-]{{1,60}}%(?P<v>[^\s\"']{{3,100}})",
        False,
    ),
    (("oathtool ",), r"oathtool(?:\s--?[\w=-]{1,20}){0,6}\s{1,4}(?P<v>[^\s\"'-][^\s\"']{7,200})", False),
    (("lftp ",), r"lftp\s+(?:-\w+\s+){0,3}-u\s+[^,\s]{1,80},(?P<v>[^\s\"']{3,200})", False),
    (("encrypt_string ",), rf"encrypt_string\s+{_OPEN}(?P<v>[^\s\"'-][^\s\"']{{2,200}})", False),
    (
        (" secret set ",),
        rf" secret set \S{{1,80}}\s+(?:--body|-b)[ =]{_OPEN}(?P<v>[^\s\"']{{3,500}})",
        False,
    ),
    # mc alias set s3 https://host user x, b2 account authorize id x
    (
        (" alias set ", " authorize "),
        r" (?:alias set|authorize)(?:[ \t]{1,4}[^\s\"'-][^\s\"']{0,200}){0,3}?[ \t]{1,4}"
        r"(?P<v>(?=[\w+/=-]{0,200}\d)(?=[\w+/=-]{0,200}[A-Z])[\w+/=-]{20,200})(?=\s|$)",
        True,
    ),
    ((" /p:",), r"\s/p:(?![A-Za-z]{2,40}=)(?P<v>[^\s\"']{3,200})(?=[\s\"']|$)", True),
    (("net use ",), r"net use [^\n]{1,100}?\s(?P<v>[^\s/\\:\"]{3,100})\s+/user:", False),
    (("net use ",), rf"net use [^\n]{{1,120}}?/user:\S{{1,80}}\s+{_OPEN}(?P<v>[^\s\"'/]{{3,100}})", False),
    (
        ("wpa_passphrase ",),
        rf"wpa_passphrase\s+(?:\"[^\"\n]{{1,40}}\"|\S{{1,40}})\s+{_OPEN}(?P<v>[^\s\"'>|]{{8,64}})",
        False,
    ),
    (
        ("htpasswd ",),
        rf"htpasswd\s(?:-\w+\s+){{1,4}}(?:\S+\s+)?[\w.@-]{{1,60}}\s+{_OPEN}"
        r"(?P<v>[^\s\"'|;>-][^\s\"'|;>]{2,100})",
        False,
    ),
    (_LOGINS, r"[\w-]{2,16} (?:config )?[a-z-]{4,9} (?:token=)?(?P<v>[^\s\"'-][^\s\"']{7,300})", True),
)
"""The cues of a form, the form from the cue on, and whether other values are usual there."""
_BY_CUE = {
    cue: [(pattern, usual) for cues, pattern, usual in _FORMS if cue in cues]
    for cue in sorted({cue for cues, *_ in _FORMS for cue in cues})
}
_PGPASS = r":(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?P<v>(?:[^\s:\\]|\\.){3,255})(?=\s|$)"
_PGPASS_HOST = r"\s{0,12}(?:\d{1,6}[\t:]\s{0,4})?[\w.*-]{1,253}"


def _options(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Passwords and tokens handed to a program by an option."""
    until: dict[str, int] = {}
    for at, program in hits:
        if at < until.get(program, 0) or not page.match(_whole(program), at):
            continue
        cut = page.search(_NEXT_COMMAND, at, at + REACH)
        end = until[program] = cut.start() if cut else at + REACH
        for option in _BY_PROGRAM[program]:
            for found in page.every(option.pattern, at, end + REACH):
                span = _value(found, option) if found.start() < end else None
                if span:
                    yield span


def _forms(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Passwords that stand at a fixed place of a command, or are piped into it."""
    for at, cue in hits:
        for pattern, usual in _BY_CUE[cue]:
            found = page.match(pattern, at)
            if found and plausible(found["v"], usual):
                yield Span(*found.span("v"), "command")


def _pgpass(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Lines of a .pgpass file: host:port:database:user:password."""
    for found in page.every(_PGPASS, 0, len(page.text)):
        start = page.line_start(found.start(), 300)
        host = page.match(_PGPASS_HOST, start, found.start() - start)
        if host and host.end() == found.start() and plausible(found["v"], careful=False):
            yield Span(*found.span("v"), "password")


def _whole(program: str) -> str:
    return rf"(?i)(?<![\w.-]){re.escape(program)}(?:\.exe)?(?=[\s\"'])"


def _value(found: re.Match[str], option: _Option) -> Span | None:
    group = next(name for name in ("p", "q", "v") if found.groupdict().get(name) is not None)
    start, value = found.start(group), found[group]
    if option.paired and group != "p":
        user, colon, value = value.partition(":")
        start += len(user) + 1
        if not colon:
            return None
    if value.startswith("-") or compiled(_PORTISH).fullmatch(value) or not plausible(value, option.usual):
        return None
    return Span(start, start + len(value), "command")


def plausible(value: str, careful: bool) -> bool:
    """No placeholder, no word of prose; with `careful` it has to look like a secret too."""
    if len(value) < 3 or benign.refers(value) or benign.placeholder(value) or benign.prose(value):
        return False
    if careful:
        return secretish(value, quoted=True) or is_hex(value) or is_uuid(value) or looks_random(value)
    return "(" not in value and value[0] not in "=:.," and value.lower() not in benign.NAMES


RULES = (
    Rule(frozenset(_BY_PROGRAM), _options),
    Rule(frozenset(_BY_CUE), _forms),
    Rule(frozenset(), _pgpass),
)
