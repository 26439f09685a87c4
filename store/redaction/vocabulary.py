"""The names secrets go by: words in many languages and what kind of value follows them.

docs/seeds.md A "Redaction there" asks for nine languages; here they are twenty-odd, since a missed label
costs a secret and an extra one costs nothing.
"""

from typing import Literal, NamedTuple

from siltstone.store.redaction.page import listed

Class = Literal["password", "token", "pin", "phrase", "key", "named key"]


class Label(NamedTuple):
    """A word that names a secret."""

    needle: str
    """In small letters, as it stands in text."""
    means: Class
    """password: nearly any value counts. token: the value has to look like one. pin: digits.
    phrase: several plain words. key: only what looks drawn by chance, unless a word before qualifies it."""
    whole: bool
    """It must be a part of its own ("pass" in DB_PASS, not in "compass")."""


def _labels(means: Class, whole: bool, needles: str) -> list[Label]:
    return [Label(needle.strip(), means, whole) for needle in needles.split(",")]


LABELS: tuple[Label, ...] = (
    *_labels(
        "password",
        False,
        """password, passwd, passwort, passwrd, passcode, kennwort, wachtwoord, lösenord,
        lösenordet, passordet, kodeordet, adgangskoden, passord, adgangskode, kodeord, salasana,
        contraseña, contrasena, parola d'ordine,
        mot de passe, palavra-passe, şifre, parola, heslo, hasło, jelszó,
        mật khẩu, kata sandi, пароль, паролем, пароля, паролю, паролі, κωδικός πρόσβασης,
        κωδικός, συνθηματικό, סיסמה, סיסמא, סיסמת, كلمة المرور, كلمة السر, كلمة مرور, رمز عبور,
        पासवर्ड, รหัสผ่าน, পাসওয়ার্ড, 密码, 密碼, 口令, パスワード, パスコード, 合言葉,
        비밀번호, 패스워드, 비번, requirepass, masterauth, bindpw, rootpw, identified by, sshpass,
        zugangsdaten, authpass""",
    ),
    *_labels(
        "password",
        True,
        "pass, pwd, psw, passw, pw, psk, mdp, senha, clave, haslo, sifre, losenord, 암호, pswd",
    ),
    *_labels(
        "phrase",
        False,
        """passphrase, pass phrase, seed phrase, recovery phrase, mnemonic, seed words,
        パスフレーズ, 助记词, 助記詞, фраза, phrase secrète, phrase de passe, frase segreta,
        frase secreta""",
    ),
    *_labels(
        "token",
        False,
        """secret, token, credential, apikey, authkey, privatekey, accesskey, secretkey,
        presharedkey, sharedaccesskey, geheimnis, jeton, секрет, токен, 令牌, 密钥, 密鑰, 秘钥,
        金鑰, 凭证, 凭据, トークン, シークレット, 秘密鍵, apiキー, api キー, アクセスキー, 토큰,
        시크릿, 비밀키, 비밀 키, api 키, api키, 액세스 키, clé api, clé d'api, clé d’api,
        jeton d'accès, токен доступа, clé secrète, clave api, clave secreta, clave de api,
        chave api, chave de api, chave secreta, chiave api, chiave segreta, api-schlüssel,
        geheimschlüssel, geheimer schlüssel, api-ключ, ключ api, секретный ключ, ключ доступа,
        klucz api, api-nyckel, api-sleutel, मुख्य कुंजी, مفتاح api, webhook key, passkey""",
    ),
    *_labels("token", True, "auth, creds, cred, bearer, apitoken"),
    *_labels(
        "pin",
        True,
        """pin, pin code, otp, verification code, security code, recovery code, backup code, access code,
        one-time code, 2fa code, login code, door code, gate code, pincode, pin码, 验证码,
        驗證碼, 暗証番号, 認証コード, 인증번호, код, geheimzahl""",
    ),
    *_labels(
        "named key", True, "pat, sessionid, sessid, phpsessid, jsessionid, laravel_session, connect.sid"
    ),
    *_labels("key", True, "key, schlüssel, ключ"),
)

BY_NEEDLE = {label.needle: label for label in LABELS}

QUALIFIERS = listed(
    """
    unseal setup totp authenticator 2fa mfa
    openai anthropic claude gemini groq mistral cohere stripe github gitlab google aws azure sendgrid twilio
    mapbox maps datadog sentry cloudflare linear notion slack discord supabase firebase algolia openrouter
    api access secret private signing sign encryption encrypt auth authentication license licence
    account master shared app application stream deploy storage service subscription server client hmac
    jwt aes crypto cipher webhook write admin root integration consumer recovery backup session security
    instrumentation ingest ingestion project workspace platform my our this following developer dev
    prod live test staging
    host function activation product preshared psk sas upload send sdk
    """
)
"""Words before "key" that make it the name of a secret."""

PUBLIC_KEYS = listed(
    """
    public primary foreign cache sort partition hash row map dict index unique object lookup
    lock idempotency tab enter escape arrow shift ctrl alt meta space any every each data json label
    message translation i18n config environment env property prop field column group route query state
    react form style theme feature flag metric event keyboard hot short host known ssh gpg pgp
    fingerprint candidate natural surrogate composite
    """
)

VOCABULARY = listed(
    """
    password passwords passwd pass pwd pw passphrase secret secrets token tokens key keys api auth
    authentication authorization credential credentials creds access refresh id csrf xsrf session sess
    client user username login admin app service my your new old current confirm bearer jwt x header
    name value field input form db database private public hash cookie cookies code hidden type text
    string email invalid wrong bad missing required reset forgot change
    """
)
"""Words of which the names of secrets are made: a value made of nothing else is a name too."""

ASKING = listed(
    """
    is has no not should can will could would forgot forgotten reset change changed show hide toggle
    invalid wrong incorrect require
    requires required need needs use uses enter missing update check verify validate hash encrypt bad
    weak with without min max generate get lost expired type num
    """
)
"""Parts before a label that make it a question, an action or a message rather than a place for a secret."""

SUFFIXES = listed(
    """
    s value str string text plain raw prod production dev test staging stg local old new current confirm
    confirmation again base base64 b64 encoded enc default fallback primary secondary main live admin
    root user readonly ro rw master code a b n e en в з для
    """
)
"""What may follow a label within its identifier and leave it the name of a secret: DB_PASSWORD_PROD."""
