# ruff: noqa: E501
"""Secrets on command lines and in the files that command-line tools read."""

import re
from collections.abc import Iterator

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.shape import is_hex, is_uuid, looks_random
from siltstone.store.redaction.values import value_at
from siltstone.store.redaction.wordlist import listed

_FLAG = re.compile(
    r"(?<![\w-])(?:--?|/)(?P<name>(?:[a-z0-9]{1,20}[-_.]){0,4}?(?:password|passwd|passphrase|passwort|passcode|pass|pwd|pw|token|secret|"
    r"api-?key|apikey|access-?key|secret-?key|auth-?key|private-?key|client-?secret|credentials?|auth|key|bearer|cookie|psk|pin|otp))"
    r"(?:\\?[\"'],?)?(?P<sep>[ =:,]\s{0,3})(?=\S)"
)
_PROGRAMS = re.compile(
    r"(?<![\w.-])(?P<name>sshpass|mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|mongo|mongosh|mongodump|mongorestore|docker|podman|"
    r"nerdctl|skopeo|buildah|helm|oras|crane|az|redis-cli|ldapsearch|ldapadd|ldapmodify|7z|7za|7zz|zip|unzip|rar|unrar|psql|sqlcmd|bcp|"
    r"htpasswd|smbclient|rpcclient|mount\.cifs|xfreerdp|rdesktop|plink|pscp|putty|cqlsh|influx|curl|wget|http|https|httpie|xh|openssl|"
    r"sqlplus|rman|impdp|expdp|sudo|chpasswd|mosquitto_pub|mosquitto_sub|kinit|ansible|ansible-playbook|pg_dump|nats|oc|kubectl|"
    r"cf|heroku|vault|ngrok|twine|keytool|jarsigner|apksigner|snmpwalk|snmpget|ipmitool|net|nmcli|wpa_passphrase|ftp|lftp|ncftp|"
    r"clickhouse-client|clickhouse|neo4j|cypher-shell|arangosh|cockroach|doctl|gh|glab|npm|aws|rclone|restic|borg|mc|s3cmd)"
    r"(?:\.exe)?(?=[\s\"'])"
)
_P = r"(?:\\?[\"'](?P<q>[^\"'\n]{1,256})\\?[\"']|(?P<v>[^\s\"';|&<>()]{1,256}))"
_USER = r"(?:\\?[\"'](?P<q>[^\"'\n]{1,256})\\?[\"']|(?P<v>[^\s\"';|&<>()]{3,256}))"
_SHORT = {
    "-p": re.compile(rf"(?<=\s)(?:-p\s+|-p(?=[^\s\-/=:.,]))={{0,1}}{_P}"),
    "-P": re.compile(rf"(?<=\s)-P[ =]{_P}"),
    "-a": re.compile(rf"(?<=\s)(?:-a|--pass)[ =]{_P}"),
    "-w": re.compile(rf"(?<=\s)-w[ ]?{_P}"),
    "-pw": re.compile(rf"(?<=\s)-pw\s+{_P}"),
    "-t": re.compile(rf"(?<=\s)-t\s+{_P}"),
    "-u": re.compile(rf"(?<=\s)(?:-u|--user|-a|--auth|--proxy-user|-U)[ =]?\s?{_USER}"),
}
_WITH_P = listed(
    """
    sshpass mysql mysqldump mysqladmin mariadb mariadb-dump mongo mongosh mongodump mongorestore docker
    podman nerdctl skopeo buildah helm oras az 7z 7za 7zz rar unrar twine cqlsh cf oc xfreerdp rdesktop
    clickhouse-client clickhouse neo4j cypher-shell crane influx
    """
)
_PORTISH = re.compile(r"\d{1,5}(?::\d{1,5}){0,2}(?:/\w+)?|[\d.]+:\d+:\d+")
_ENDS = re.compile(r"[\n]|(?<!\\)[|;](?![^\"'\n]{0,40}[\"'])|&&")
_NETRC = re.compile(r"(?:login|user|account)\s+\S{1,100}\s+(?:password|pass|passwd)\s+(?P<v>\S{3,256})")
_PGPASS = re.compile(
    r"(?m)^\s{0,12}(?:\d{1,6}[\t:]\s{0,4})?[\w.*-]{1,253}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?P<v>\S{3,256})\s{0,4}$"
)
_SUDO = re.compile(
    r"(?:echo|printf|print|<<<)\s+(?:-n\s+)?\\?[\"']?(?:\w+:)?(?P<v>[^\s\"'|\\$]{4,200})\\?[\"']?\s{0,3}\|\s{0,3}(?:sudo\s+-S|docker\s+login|gh\s+auth|\S+\s.{0,80}--?(?:password|token|pass)\w*-stdin|passwd|chpasswd|cryptsetup|gpg|sudo\s+chpasswd|\S{1,20}\s+login)"
)
_HERE = re.compile(
    r"(?:chpasswd|--with-token|--password-stdin|sudo\s+-S\b.{0,60}?|cryptsetup\s.{0,60}?)\s{0,3}<<<\s{0,2}\\?[\"']?(?:\w+:)?(?P<v>[^\s\"'\\$]{4,200})"
)
_OPENSSL = re.compile(r"(?:-pass(?:in|out)?|-k)\s+(?:pass:)?(?P<v>[^\s\"':]{4,200})(?<!env)")
_ORACLE = re.compile(
    r"(?:sqlplus|rman|impdp|expdp|imp|exp|sqlldr)\s(?:-\w+\s+){0,3}(?:target\s+)?[\w.$#]{1,40}/(?P<v>[^\s@\"'/]{3,80})@?"
)
_SMB = re.compile(r"-U\s+\\?[\"']?[\w.\\-]{1,60}%(?P<v>[^\s\"']{3,100})")
_HTPASSWD = re.compile(
    r"htpasswd\s(?:-\w+\s+){1,4}(?:\S+\s+)?[\w.@-]{1,60}\s+\\?[\"']?(?P<v>[^\s\"'|;>-][^\s\"'|;>]{2,100})"
)
_CONFIG = re.compile(
    r"(?:config|configure|configuration|env|secret|secrets|variable|set|setx|add|put|creds?)(?::set|\s+set|\s+add|\s+create)?\s+(?:-\w+\s+){0,3}"
    r"[\w./:@-]{0,80}(?:password|passwd|secret|token|secret_access_key|_key|-key|authtoken)[\w-]{0,10}[ =]\s{0,3}\\?[\"']?(?P<v>[^\s\"'\\]{4,500})"
)
_LOGIN = re.compile(
    r"(?:vault|op|bw|doppler|supabase|heroku|flyctl|fly|railway|vercel|netlify|npm|stripe|ngrok)\s+(?:login|auth|authtoken|config add-authtoken|unlock)\s+(?:token=)?(?P<v>[^\s\"'-][^\s\"']{7,300})"
)
_PATTERNS = (
    (("password", "passwd", " pass "), _NETRC, False),
    ((":",), _PGPASS, False),
    (("echo", "printf", "<<<"), _SUDO, False),
    (("<<<",), _HERE, False),
    (("-pass", " -k "), _OPENSSL, True),
    (("sqlplus", "rman", "impdp", "expdp", "sqlldr"), _ORACLE, False),
    (("%",), _SMB, False),
    (("htpasswd",), _HTPASSWD, False),
    (("config", "env", "secret", "set", "add"), _CONFIG, True),
    (("login", "auth", "unlock"), _LOGIN, True),
)


def commands(page: Page) -> Iterator[Span]:
    """Passwords and tokens handed to programs."""
    yield from _flags(page)
    for program in _PROGRAMS.finditer(page.low):
        yield from _program(page, program)
    for needles, pattern, careful in _PATTERNS:
        if any(needle in page.low for needle in needles):
            for found in pattern.finditer(page.text):
                if _plausible(found["v"], careful):
                    yield Span(*found.span("v"), "command")


def _flags(page: Page) -> Iterator[Span]:
    if "-" not in page.text and "/" not in page.text:
        return
    for flag in _FLAG.finditer(page.low):
        value = value_at(page.text, flag.end())
        if value is None or value.text.startswith("-"):
            continue
        name = flag["name"].replace("_", "-")
        loose = name.endswith(("key", "auth", "cookie", "credential", "credentials", "pin", "otp"))
        slash = page.low[flag.start()] == "/"
        if slash and flag["sep"][0] not in ":=":
            continue
        if _plausible(value.text, loose) and (not slash or secretish(value.text, True)):
            yield Span(value.start, value.end, "command")


def _program(page: Page, program: re.Match[str]) -> Iterator[Span]:
    """The short options of a program, as far as its command goes."""
    text, name = page.text, program["name"]
    stop = _ENDS.search(text, program.end(), program.end() + 2000)
    end = stop.start() if stop else min(len(text), program.end() + 2000)
    for option, pattern in _SHORT.items():
        if not _takes(name, option):
            continue
        for found in pattern.finditer(text, program.end(), end):
            group = "q" if found["q"] is not None else "v"
            start, value = found.start(group), found[group]
            if option == "-u":
                user, colon, value = value.partition(":")
                start += len(user) + 1
                if not colon:
                    continue
            if (
                _plausible(value, option in {"-t", "-w"})
                and not _PORTISH.fullmatch(value)
                and not value.startswith("-")
            ):
                yield Span(start, start + len(value), "command")


def _takes(name: str, option: str) -> bool:
    if option == "-p":
        return name in _WITH_P
    if option == "-u":
        return name in {"curl", "http", "https", "httpie", "xh", "wget", "nats", "curlie", "influx"}
    wanted = {
        "-P": {"sqlcmd", "bcp", "zip", "unzip", "mosquitto_pub", "mosquitto_sub", "ipmitool", "snmpwalk"},
        "-a": {"redis-cli"},
        "-w": {"ldapsearch", "ldapadd", "ldapmodify", "nmcli"},
        "-pw": {"plink", "pscp", "putty"},
        "-t": {"doctl", "gh", "glab"},
    }
    return name in wanted[option]


def _plausible(value: str, careful: bool) -> bool:
    """No placeholder, no word of prose; with `careful` it has to look like a secret too."""
    if len(value) < 3 or benign.refers(value) or benign.placeholder(value) or benign.prose(value):
        return False
    if careful:
        return secretish(value, quoted=True) or is_hex(value) or is_uuid(value) or looks_random(value)
    return "(" not in value and not value.startswith(("=", ":", ".", ","))
