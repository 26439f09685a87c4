# ruff: noqa: E501, S105
"""Users and passwords told together: "user: a, password: b", "basic auth is a / b"."""

import re
from collections.abc import Iterator

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span

_USER = (
    r"(?:user ?name|user|login|benutzername|benutzer|utilisateur|identifiant|usuario|usuário|utente|gebruikersnaam|пользователь|логин"
    r"|用户名|用戶名|帳號|账号|账户|帐号|ユーザー名|ユーザ名|사용자 ?이름|사용자명|아이디)"
)
_PASS = (
    r"(?:password|passwd|pass(?:code|phrase)?|pwd|pw|passwort|kennwort|mot de passe|mdp|contraseña|clave|senha|wachtwoord|пароль"
    r"|密码|密碼|口令|パスワード|비밀번호|암호)"
)
_LABELLED = re.compile(
    rf"(?<![a-z0-9_]){_USER}\s{{0,2}}[:：=]\s{{0,2}}[\"'`]?(?P<user>[^\s,，;；、\"'`/|]{{2,64}})[\"'`]?[ \t]{{0,3}}(?:[,，;；、/|]|and|und|et|y|e|и)?[ \t]{{0,3}}"
    rf"(?:the\s)?{_PASS}\s{{0,2}}[:：=]\s{{0,2}}(?P<secret>\S{{3,200}})"
)
_TOLD = re.compile(
    r"(?<![\w])(?:basic[ -]auth|credentials?|creds|log ?in|logins?|sign in|account|user(?:name)?\s?[/&+]\s?pass(?:word)?|auth|zugangsdaten|identifiants"
    r"|credenciales|credenziali|credenciais|账号密码|帳號密碼)\b"
    r"(?:[ \t]+(?:for|to|on|at|in)(?:[ \t]+[\w.:/-]{1,60}){1,4}?)?"
    r"[ \t]*(?:is|are|as|with|using|ist|sind|est|sont|es|son|:|=|：|-|–|—)?[ \t]*(?::[ \t]*)?[\"'`]?"
    r"(?P<user>[\w.@+-]{2,64})[ \t]?(?:/|:|\|)[ \t]?(?P<secret>[^\s\"'`,，。/]{4,128})"
)


def pairs(page: Page) -> Iterator[Span]:
    """Pairs on one line. With both labels in words the user goes too (SEEDS.md A "Redaction there")."""
    for found in _LABELLED.finditer(page.low):
        secret = page.text[slice(*found.span("secret"))]
        if not benign.refers(secret) and not benign.placeholder(secret) and not benign.prose(secret):
            user = page.text[slice(*found.span("user"))]
            if not benign.refers(user) and not benign.placeholder(user):
                yield Span(*found.span("user"), "user")
    for found in _TOLD.finditer(page.low):
        start, end = found.span("secret")
        secret = page.text[start:end].rstrip(".,;:)!?")
        if secretish(secret, quoted=True) and not benign.placeholder(secret) and "://" not in secret:
            yield Span(start, start + len(secret), "password")
