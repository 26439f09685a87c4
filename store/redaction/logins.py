"""Users and passwords told together: "user: a, password: b", "basic auth is a / b", auth=("a", "b")."""

import re
from collections.abc import Iterator, Sequence

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Hit, Page, Rule, Span, compiled, one_of, phrases

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


RULES = (
    Rule(_USERS, _labelled),
    Rule(_TOLD_BY, _told),
    Rule(_ACCOUNTS, _accounts),
    Rule(_CALLS, _calls),
)
