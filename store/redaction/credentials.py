"""Credentials that are told together or have a fixed form.

LOGINS: users and passwords, "user: a, password: b", "basic auth is a / b", auth=("a", "b"). CODES: recovery
codes, cards, Wi-Fi codes, private JWKs, wallets behind a word that names them.
"""

import re
from collections.abc import Iterator, Sequence

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Hit, Page, Rule, Span, compiled, listed, one_of, phrases
from siltstone.store.redaction.randomness import looks_random, shape

_USERS = phrases(
    """username, user name, user, login, benutzername, benutzer, utilisateur, identifiant,
    usuario, usuário, utente, gebruikersnaam, пользователь, логин, 用户名, 用戶名, 帳號,
    账号, 账户, 帐号, ユーザー名, ユーザ名, 사용자 이름, 사용자명, 아이디"""
)
_PASS = one_of(
    """password, passwd, passcode, passphrase, pass, pwd, pw, passwort, kennwort, mot de passe,
    mdp, contraseña, clave, senha, wachtwoord, пароль, 密码, 密碼, 口令, パスワード,
    비밀번호, 암호"""
)
_BETWEEN = rf"[ \t]{{0,3}}(?:[,，;；、/|]|{one_of('and, und, et, y, e, и')})?[ \t]{{0,3}}"
_LABELLED = (
    r"(?i)[ \t]{0,2}[:：=][ \t]{0,2}[\"'`]?(?P<user>[^\s,，;；、\"'`/|&]{2,64})[\"'`]?"
    rf"{_BETWEEN}(?:the )?{_PASS}[ \t]{{0,2}}[:：=][ \t]{{0,2}}(?P<secret>\S{{3,200}})"
)
_TOLD_USER = (
    r"(?i)[ \t]{1,3}[\"'`]?(?P<user>[\w.@+-]{2,64})[\"'`]?"
    rf"{_BETWEEN}(?:the |mit |con |avec |com |с )?{_PASS}[ \t]{{1,3}}[\"'`]?"
    r"(?P<secret>[^\s\"'`,，。]{4,128})"
)
_TOLD_BY = phrases(
    """basic auth, basic-auth, credential, creds, login, log in, sign in, user/pass, user / pass,
    username/password, zugangsdaten, identifiants, credenciales, credenziali, credenciais, wifi, wi-fi, wlan,
    ssid, 账号密码, 帳號密碼, 账号/密码"""
)
_ARE = one_of("is, are, as, with, using, ist, sind, est, sont, es, son, :, =, ：, -, –, —, ->, =>, →")
_TOLD = (
    r"(?i)s?(?:word)?(?:[ \t]+(?:for|to|on|at|in)(?:[ \t]+[\w.:/-]{1,60}){1,4}?)?[ \t]*"
    rf"(?:{_ARE}[ \t]*)?"
    r"(?::[ \t]*)?[\"'`]?(?P<user>[\w.@+-]{2,64})[ \t]?[/:|][ \t]?(?P<secret>[^\s\"'`,，。/]{4,128})"
)
_ACCOUNTS = phrases("admin, root, postgres, guest, demo")
_ACCOUNT = r"(?:istrator)?[ \t]?[/:][ \t]?(?P<secret>[^\s\"'`,，。/:]{6,128})"
_CALLS = phrases("auth, credential, login, sign_in, signin, connect, pdo, mysqli, getconnection")
_CALL = (
    r"\w{0,24}\s{0,2}[=:]?\s{0,2}[(\[]\s{0,4}(?:[\"'][^\"'\n\\]{1,120}[\"'],\s{0,4})?\\{0,2}[\"'](?P<user>[^\"'\n\\]{1,80})\\{0,2}[\"'],"
    r"\s{0,4}\\{0,2}[\"'](?P<secret>[^\"'\n\\]{4,200})\\{0,2}[\"']"
)
_KEBAB = r"[a-z]+(?:-[a-z]+)*-\d{1,2}[a-z]?"


def _labelled(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Both labels in words: the user goes too (docs/seeds.md A "Redaction there")."""
    for at, cue in hits:
        found = page.match(_LABELLED, at + len(cue))
        if found and _given(found["secret"]) and _given(found["user"]):
            yield Span(*found.span("user"), "user")
        yield from _secret(page.match(_TOLD_USER, at + len(cue)), kebab=True)


def _told(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    for at, cue in hits:
        yield from _secret(page.match(_TOLD, at + len(cue)))


def _accounts(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """A usual account and its password: admin/…"""
    for at, cue in hits:
        if at == 0 or not (page.text[at - 1].isalnum() or page.text[at - 1] in "_/.@-"):
            yield from _secret(page.match(_ACCOUNT, at + len(cue)))


def _calls(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    for at, cue in hits:
        found = page.match(_CALL, at + len(cue))
        if found and _given(found["secret"]) and secretish(found["secret"], True):
            yield Span(*found.span("secret"), "password")


def _secret(found: re.Match[str] | None, kebab: bool = False) -> Iterator[Span]:
    if found is None:
        return
    secret = found["secret"].rstrip(".,;:)!?")
    name = not kebab and compiled(_KEBAB).fullmatch(secret)
    told = "user" not in found.groupdict() or not benign.prose(found["user"])  # "allow the user to pass x"
    if told and secretish(secret, quoted=True) and _given(found["secret"]) and not name:
        yield Span(found.start("secret"), found.start("secret") + len(secret), "password")


def _given(value: str) -> bool:
    """It is given, not only spoken of."""
    return value.lower().rstrip(").,;") not in benign.NAMES and not (
        benign.refers(value) or benign.placeholder(value) or benign.prose(value) or "://" in value
    )


LOGINS = (
    Rule(_USERS, _labelled),
    Rule(_TOLD_BY, _told),
    Rule(_ACCOUNTS, _accounts),
    Rule(_CALLS, _calls),
)


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
_MOST_CODES = 24
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
_WALLETS = r"(?i)accounts\W{1,8}(?P<v>(?:0x)?[0-9a-f]{64})(?![0-9a-f])"
_SIMPLE = {
    **dict.fromkeys(("card", "kart", "carte", "carta", "cartão", "tarjeta", "карт"), ("card", _CARD)),
    **dict.fromkeys(("cvv", "cvc"), ("card", _CVV)),
    "wifi:": ("password", _WIFI),
    "accounts": ("private-key", _WALLETS),
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
        for _ in range(_MOST_CODES if label else 0):
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


CODES = (
    Rule(frozenset(_SIMPLE), _simple),
    Rule(_RECOVERY, _recovery),
    Rule(frozenset({"key", "code", "secret", "passwor"}), _groups),
    Rule(frozenset({"kty"}), _jwk),
    Rule(frozenset({"<(echo ", "<(printf "}), _echoed),
)
