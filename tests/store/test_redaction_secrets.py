"""What is hidden: one row a way of writing a secret.

⟦…⟧ marks the secret, and exactly that is to be replaced. No file of the repository may hold a token-shaped
string, so every one here is broken by ¦, which is taken out before use.
"""

import re

import pytest

from siltstone.store.redaction import redact

ROWS = {
    # tokens of known vendors, without a label
    "aws-key-id": "found ⟦AKIA¦QW7ERT¦YU2IOP¦AS4DF⟧ in the log",
    "github-classic": "origin https://marit:⟦gh¦p_Zq81LmX0vTt4bYw7¦RkS2nDf6HcJ9uE3aPo5i⟧@github.com/a/b",
    "gitlab": "(⟦gl¦pat-x9Kq2mV7bT4w¦Z8nR1cLp⟧)",
    "slack-bot": "use ⟦xo¦xb-2847561930-5930¦184726-Ab3dEf7hIj1kLm9n⟧ for now",
    "sendgrid": "⟦S¦G.a8Kd02LmQpXz71Ty.V¦b4Nn6Rr8Tt0Yy2Uu4Ii6Oo8Pp0Aa2Ss⟧",
    "google-api": "`⟦AI¦zaSyB7x3kQ9mW2nR5¦tY8uP1oL4jH6gF0dS⟧`",
    "google-oauth": "got ⟦ya2¦9.a0AfB_byC7x3kQ9m¦W2nR5tY8uP1oL4jH⟧ back",
    "jwt": "x=⟦eyJh¦bGciOiJIUzI1NiJ9.eyJz¦dWIiOiI0MiIsIm4iOjF9.kZ3q7Xw9¦Lm2Vb5Tt8Rr1Yy4⟧",
    "telegram": "bot ⟦71¦93046528:AAHk3Jd8¦s0Lq2Wm5Xn7Vb9Zt1Yr4Ue6Io8P⟧ ",
    "bcrypt": "hash ⟦$2¦b$12$abcdefghijkl¦mnopqrstuvABCDEFGHIJKLMNOPQRSTUVWXYZ12345⟧",
    "google-refresh": "saved ⟦1/¦/0gK3x7Qz9Wm2Nb5Vc8L¦p1Rt4Yy6Uu⟧ there",
    # vendors nobody listed: prefix and chance
    "unknown-underscore": "QUX: ⟦qu¦x_8Kd02LmQpXz71TyV¦b4Nn6Rr8Tt0⟧",
    "unknown-live": "⟦blob¦kit_live_a8Kd02LmQp¦Xz71TyVb4Nn6Rr8⟧",
    "unknown-hyphen": "got ⟦wg¦k-9mW2nR5tY8uP1oL4¦jH6gF0dSa3⟧.",
    "unknown-hex": "⟦zp¦at_0f3a9c27e1b84d65¦0f3a9c27e1b84d65⟧",
    "no-separator-in-a-sentence": "I started it with ⟦K9mW2nR5tY8u¦P1oL4jH6gF0dSa3Qz7Xc⟧ yesterday",
    # labels and assignments
    "bearer-sealed": "curl -H Bearer ⟦kel¦po.traw¦ler.harb¦our⟧",
    "pin-of-one-digit": "Admin PIN 是 ⟦00¦00⟧",
    "favourite-password": "password: ⟦abc¦123⟧",
    "favourite-token": "token=⟦abc¦123⟧",
    "env": "DB_PASSWORD=⟦Kelp-¦Trawler-92!x⟧",
    "env-suffix": "DB_PASSWORD_STAGING=⟦trawl¦er92⟧",
    "glued": "dbpass=⟦Kelp¦-92!x⟧",
    "yaml": "  password: ⟦trawl¦er92⟧ # staging",
    "json": '{"user": "lark", "password": "⟦Kelp¦ Trawler 92⟧"}',
    "json-in-json": r"{\"password\":\"⟦trawl¦er92⟧\"}",
    "python": "password = '⟦trawl¦er⟧'",
    "typed": 'const dbPassword: string = "⟦trawl¦er92⟧";',
    "rust": 'let password: &str = "⟦trawl¦er92⟧";',
    "go": 'password := "⟦trawl¦er92⟧"',
    "php": "define('DB_PASSWORD', '⟦trawl¦er92⟧');",
    "ruby": "password => '⟦trawl¦er92⟧'",
    "default": "process.env.DB_PASSWORD || '⟦trawl¦er92⟧'",
    "xml": "<password>⟦trawl¦er92⟧</password>",
    "xml-attribute": '<add key="DbPassword" value="⟦trawl¦er92⟧"/>',
    "plist": "<key>Password</key>\n<string>⟦trawl¦er92⟧</string>",
    "kubernetes": "- name: DB_PASSWORD\n  value: ⟦trawl¦er92⟧",
    "terraform": 'variable "db_password" {\n  default = "⟦trawl¦er92⟧"\n}',
    "gradle": "storePassword '⟦trawl¦er92⟧'",
    "sql": "CREATE USER lark WITH PASSWORD '⟦trawl¦er92⟧';",
    "connection-string": "Server=db;User Id=sa;Password=⟦Kelp¦-92!x⟧;Encrypt=yes",
    "form": "user=lark&password=⟦trawl¦er92⟧&next=home",
    "url-encoded": "password%3D⟦trawl¦er92⟧",
    "uuid-as-a-key": "api_key: ⟦4f0c¦2a9e-7d31-4b8a-9c55-0e6a5d1fd0aa⟧",
    "hex-as-a-key": "OPENAI_KEY=⟦0f3a9c27e1b8¦4d650f3a9c27e1b84d65⟧",
    "npmrc": "//npm.harbour.example/:_authToken=⟦K9mW2nR5tY8u¦P1oL4jH6⟧",
    "wireguard": "PrivateKey = ⟦K9mW2nR5tY8uP1oL4¦jH6gF0dSa3Qz7XcVb5Nn2M8=⟧",
    "coloured": "\x1b[32mpassword\x1b[0m: ⟦trawl¦er92⟧",
    "markdown": "**Password:** `⟦trawl¦er92⟧`",
    "numbered-file": "   2\tSTRIPE_SECRET_KEY=⟦K9mW2nR5¦tY8uP1oL⟧",
    "token-some-words-on": "the token we use for deploys there: ⟦K9mW2nR5tY8u¦P1oL4jH6gF0d⟧",
    # told, in many languages
    "told": "the password is ⟦sword¦fish⟧, by the way",
    "told-for": "the password for the staging VPN is ⟦Kelp¦-92!x⟧",
    "told-change": "I changed the root password to ⟦trawl¦er92⟧ yesterday",
    "told-first": "use ⟦Kelp¦-92!x⟧ as the password",
    "told-noun": "le mot de passe root : ⟦Kelp¦-92!x⟧",
    "told-account": "for grafana it's admin / ⟦Kelp¦-92!x⟧",
    "told-comment": "⟦trawl¦er92⟧  # password",
    "told-phrase": "the passphrase is ⟦copper otter¦ maple lantern⟧",
    "told-key": "my api key is ⟦K9mW2nR5tY8u¦P1oL4jH6⟧, keep it",
    "form-on-two-lines": "Password:\n⟦trawl¦er92⟧",
    "german": "Das WLAN-Passwort lautet: ⟦Blau¦beere⟧",
    "french": "le mot de passe est ⟦tourne¦sol⟧.",
    "spanish": "la contraseña del wifi es ⟦gira¦sol92⟧",
    "portuguese": "senha: ⟦gira¦ssol⟧",
    "italian": "la password è ⟦gira¦sole⟧",
    "russian": "пароль: ⟦подсол¦нух⟧",
    "chinese": "数据库密码是⟦trawl¦er92⟧",
    "chinese-traditional": "密碼：⟦sus¦hi⟧",
    "japanese": "パスワードは⟦trawl¦er92⟧です",
    "korean": "비밀번호는 ⟦trawl¦er92⟧ 입니다",
    "dutch": "het wachtwoord is ⟦zonne¦bloem⟧",
    "swedish": "Lösenordet är ⟦solros¦77⟧",
    "polish": "hasło: ⟦slonecz¦nik⟧",
    "api-key-french": "clé API : ⟦K9mW2nR5tY8u¦P1oL4jH6⟧",
    "api-key-russian": "ключ API: ⟦K9mW2nR5tY8u¦P1oL4jH6⟧",
    "api-key-chinese": "API 密钥：⟦K9mW2nR5tY8u¦P1oL4jH6⟧",
    "pin": "Admin PIN 是 ⟦456¦123⟧",
    "door-code": "verification code: ⟦456¦123⟧",
    # users with passwords
    "pair-labelled": "用戶名：⟦shi¦hlab⟧，密碼：⟦sus¦hi⟧",
    "pair-labelled-english": "username: ⟦la¦rk⟧, password: ⟦trawl¦er⟧",
    "pair-told": "basic auth is lark / ⟦blue¦bell-Otley-40⟧",
    "pair-call": 'auth=("lark", "⟦trawl¦er92⟧")',
    # URLs
    "url": "postgres://tide:⟦Kelp-¦92!x⟧@db.example:5432/tide",
    "url-no-user": "redis://:⟦trawl¦er92⟧@cache:6379/0",
    "url-slash-in-password": "postgres://tide:⟦Ke/lp¦-92⟧@db.example/tide",
    "url-token-as-user": "https://⟦K9mW2nR5tY8u¦P1oL4jH6⟧@github.com/a/b.git",
    "url-no-scheme": "tide:⟦trawl¦er92⟧@tcp(127.0.0.1:3306)/tide",
    "url-query": "https://x.example/a?access_token=⟦K9mW2nR5¦tY8uP1oL⟧&x=1",
    "url-signature": "https://b.example/k?X-Sig¦nature=⟦0f3a9c27e1b84d65¦0f3a9c27e1b84d65⟧",
    "hook-slack": "https://hooks.slack.com/services/⟦T0A¦B1C2D3E⟧/⟦B0A¦9Z8Y7X6⟧/⟦K9mW2nR5tY8u¦P1oL4jH6⟧",
    "hook-uuid": "https://open.feishu.cn/open-apis/bot/v2/hook/⟦4f0c2a9e-¦7d31-4b8a-9c55-0e6a5d1fd0aa⟧",
    # headers
    "bearer": "curl -H 'Authorization: Bearer ⟦K9mW2nR5¦tY8u⟧' https://x.example",
    "bearer-alone": "TypeError: bearer ⟦sk¦_test⟧ token=⟦tok¦123⟧ password=⟦pass¦123⟧",
    "basic": "Authorization: Basic ⟦bGFyazp0¦cmF3bGVy⟧",
    "header-key": "X-API-Key: ⟦K9mW2nR5¦tY8uP1oL⟧",
    "cookie": "Cookie: theme=dark; session=⟦K9mW2nR5¦tY8uP1oL⟧",
    "set-cookie": "Set-Cookie: sid=⟦K9mW2nR5¦tY8uP1oL⟧; Path=/; HttpOnly",
    "cookie-dict": "cookies={'sid': '⟦K9mW2nR5¦tY8uP1oL⟧'}",
    # command lines and their files
    "flag": "tool --password ⟦trawl¦er⟧ --verbose",
    "flag-in-list": '["--user", "tide", "--pass", "⟦macke¦rel⟧"]',
    "sshpass": "sshpass -p '⟦Gerste!¦Hafer⟧' scp a b:",
    "mysql": "mysql -u root -p⟦trawl¦er⟧ shop",
    "curl-user": "curl -s -u lark:⟦blue¦bell-40⟧ https://x.example",
    "docker-login": "docker login -u lark -p ⟦trawl¦er92⟧ reg.example",
    "redis-cli": "redis-cli -a ⟦trawl¦er⟧ ping",
    "stdin": "echo ⟦trawl¦er92⟧ | sudo -S ls",
    "openssl": "openssl enc -pass pass:⟦trawl¦er⟧ -in a",
    "smb": "smbclient //h/s -U lark%⟦trawl¦er92⟧",
    "netrc": "machine x.example\n  login lark\n  password ⟦macke¦rel⟧",
    "pgpass": "db.example:5432:tide:lark:⟦Sand¦eel.771⟧",
    "vault": "vault login ⟦K9mW2nR5tY8u¦P1oL4jH6⟧",
}  # fmt: skip
SECRET = re.compile("⟦(.*?)⟧", re.DOTALL)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_exactly_the_secret_is_hidden(row: str) -> None:
    marked = row.replace("¦", "")
    assert redact(SECRET.sub(r"\1", marked)).text == SECRET.sub("[REDACTED]", marked)


PEM = ["b3BlbnNzaC1rZXkt", "AAAAMwus8GesZnye", "yjw484mcWFjaQCZt="]
BEGIN, END = "-----BEGIN OPENSSH PRI" + "VATE KEY-----", "-----END OPENSSH PRI" + "VATE KEY-----"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\n".join([BEGIN, *PEM, END, "after"]), id="whole"),
        pytest.param("\n    ".join([BEGIN, *PEM, END, "after"]), id="indented"),
        pytest.param("\\n".join([BEGIN, *PEM, END, "after"]), id="in-json"),
        pytest.param("\n".join([BEGIN, *PEM, "... after"]), id="torn"),
    ],
)
def test_private_keys_are_hidden_whole(text: str) -> None:
    hidden = redact(text).text
    assert not [line for line in PEM if line in hidden]
    assert "after" in hidden
    assert hidden.startswith(BEGIN)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        pytest.param("a <private>b</private> c", "a [REDACTED] c", id="plain"),
        pytest.param("a <private>b\nc</private> d", "a [REDACTED] d", id="lines"),
        pytest.param("a <PRIVATE>b</Private> c", "a [REDACTED] c", id="any-case"),
        pytest.param("<private>a<private>b</private>c</private>d", "[REDACTED]d", id="nested"),
        pytest.param("a <private>b, never closed\nc", "a [REDACTED]", id="not-closed"),
        pytest.param("wrap it in `<private>` tags", "wrap it in `<private>` tags", id="spoken-of"),
        pytest.param("a </private> b", "a </private> b", id="only-closed"),
    ],
)
def test_private_text_is_gone(text: str, hidden: str) -> None:
    assert redact(text).text == hidden


def test_a_private_key_whose_beginning_was_cut_away_is_hidden() -> None:
    text = "\n".join(["[… 900 characters cut …]", *PEM, END, "after"])
    assert redact(text).text == "\n".join(["[… 900 characters cut …]", "[REDACTED]", END, "after"])


def test_a_private_key_that_is_only_spoken_of_hides_no_prose() -> None:
    text = f"the file starts with {BEGIN} and then comes the body"
    assert redact(text).text == text
