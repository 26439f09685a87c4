"""Users and passwords told together: "user: a, password: b", "basic auth is a / b", auth=("a", "b")."""

from siltstone.store.late import LatePattern
from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.wordlist import one_of, phrases

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_USERS = LatePattern(
    one_of(
        """username, user name, user, login, benutzername, benutzer, utilisateur, identifiant,
    usuario, usuário, utente, gebruikersnaam, пользователь, логин, 用户名, 用戶名, 帳號,
    账号, 账户, 帐号, ユーザー名, ユーザ名, 사용자 이름, 사용자명, 아이디"""
    )
)
_PASS = one_of(
    """password, passwd, passcode, passphrase, pass, pwd, pw, passwort, kennwort, mot de passe,
    mdp, contraseña, clave, senha, wachtwoord, пароль, 密码, 密碼, 口令, パスワード,
    비밀번호, 암호"""
)
_PASS_STEMS = ("pass", "pw", "kennwort", "mdp", "clave", "senha", "wachtwoord")
_BETWEEN = rf"[ \t]{{0,3}}(?:[,，;；、/|]|{one_of('and, und, et, y, e, и')})?[ \t]{{0,3}}"
_LABELLED = LatePattern(
    r"[ \t]{0,2}[:：=][ \t]{0,2}[\"'`]?(?P<user>[^\s,，;；、\"'`/|&]{2,64})[\"'`]?"
    rf"{_BETWEEN}(?:the )?{_PASS}[ \t]{{0,2}}[:：=][ \t]{{0,2}}(?P<secret>\S{{3,200}})"
)
_TOLD_BY = phrases(
    """basic auth, basic-auth, credential, creds, login, log in, sign in, user/pass, user / pass,
    username/password, zugangsdaten, identifiants, credenciales, credenziali, credenciais, wifi, wi-fi, wlan,
    ssid"""
)
_TOLD_BY_OTHERS = ("账号密码", "帳號密碼", "账号/密码")
_ARE = one_of("is, are, as, with, using, ist, sind, est, sont, es, son, :, =, ：, -, –, —, ->, =>, →")
_TOLD = LatePattern(
    r"s?(?:word)?(?:[ \t]+(?:for|to|on|at|in)(?:[ \t]+[\w.:/-]{1,60}){1,4}?)?[ \t]*"
    rf"(?:{_ARE}[ \t]*)?"
    r"(?::[ \t]*)?[\"'`]?(?P<user>[\w.@+-]{2,64})[ \t]?[/:|][ \t]?(?P<secret>[^\s\"'`,，。/]{4,128})"
)
_ACCOUNTS = ("admin", "root", "postgres", "guest", "demo")
_ACCOUNT = LatePattern(r"(?:istrator)?[ \t]?[/:][ \t]?(?P<secret>[^\s\"'`,，。/:]{6,128})")
_TOLD_USER = LatePattern(
    r"[ \t]{1,3}[\"'`]?(?P<user>[\w.@+-]{2,64})[\"'`]?"
    rf"{_BETWEEN}(?:the |mit |con |avec |com |с )?{_PASS}[ \t]{{1,3}}[\"'`]?"
    r"(?P<secret>[^\s\"'`,，。]{4,128})"
)
_CALLS = ("auth", "credential", "login", "sign_in", "signin", "connect", "pdo", "mysqli", "getconnection")
_CALL = LatePattern(
    r"\w{0,24}\s{0,2}[=:]?\s{0,2}[(\[]\s{0,4}(?:[\"'][^\"'\n\\]{1,120}[\"'],\s{0,4})?\\{0,2}[\"'](?P<user>[^\"'\n\\]{1,80})\\{0,2}[\"'],"
    r"\s{0,4}\\{0,2}[\"'](?P<secret>[^\"'\n\\]{4,200})\\{0,2}[\"']"
)
_KEBAB = LatePattern(r"[a-z]+(?:-[a-z]+)*-\d{1,2}[a-z]?")


def pairs(page: Page) -> "Iterator[Span]":
    """Pairs on one line. With both labels in words the user goes too (docs/seeds.md A "Redaction there")."""
    yield from _labelled(page)
    others = () if page.low.isascii() else _TOLD_BY_OTHERS
    for needle in (*_TOLD_BY, *others):
        for at in page.hits(needle):
            yield from _told(page, _TOLD.match(page.low, at + len(needle)))
    for needle in _ACCOUNTS:
        for at in page.hits(needle):
            if at == 0 or not (page.low[at - 1].isalnum() or page.low[at - 1] in "_/.@-"):
                yield from _told(page, _ACCOUNT.match(page.low, at + len(needle)))
    for needle in _CALLS:
        for at in page.hits(needle):
            found = _CALL.match(page.low, at + len(needle))
            if (
                found
                and _given(page, found, "secret")
                and secretish(page.text[slice(*found.span("secret"))], True)
            ):
                yield Span(*found.span("secret"), "password")


def _labelled(page: Page) -> "Iterator[Span]":
    if page.low.isascii() and not any(page.positions(stem) for stem in _PASS_STEMS):
        return
    for user in _USERS.finditer(page.low):
        found = _LABELLED.match(page.low, user.end())
        if found and _given(page, found, "secret") and _given(page, found, "user"):
            yield Span(*found.span("user"), "user")
        yield from _told(page, _TOLD_USER.match(page.low, user.end()), kebab=True)


def _told(page: Page, found: "re.Match[str] | None", kebab: bool = False) -> "Iterator[Span]":
    if found is None:
        return
    start, end = found.span("secret")
    secret = page.text[start:end].rstrip(".,;:)!?")
    plain = not kebab and _KEBAB.fullmatch(secret) is not None
    if secretish(secret, quoted=True) and _given(page, found, "secret") and not plain:
        yield Span(start, start + len(secret), "password")


def _given(page: Page, found: "re.Match[str]", group: str) -> bool:
    value = page.text[slice(*found.span(group))]
    bare = value.lower().rstrip(").,;")
    return bare not in benign.NAMES and not (
        benign.refers(value) or benign.placeholder(value) or benign.prose(value) or "://" in value
    )
