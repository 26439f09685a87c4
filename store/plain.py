"""Texts that cannot hold a secret, told without the rules of `store/redaction/`.

Those rules take some 6 ms to load, a fifth of what a hot command may take in all (docs/benchmarks.md). Most
short texts (a path, a compiler's message) are so plain that no rule can say anything about them: for
those, none is loaded. Everything else is redacted as everywhere (invariant 8). That no text which the
rules would change counts as plain is tested over the corpus of secrets, and over all that rules look for.
"""

from siltstone.store.late import LatePattern, fold, holds

MARK = "[REDACTED]"
"""Stands where a secret stood (docs/seeds.md A "Redaction there"). Never a secret itself."""
_SHORT = 600
_WORDS = (
    "pw,secret,token,key,cred,auth,bearer,login,account,admin,daten,user,code,cookie,session,private,mnemonic"
    ",wallet,wacht,senha,contra,clave,kenn,wort,geheim,salt,seed,phrase,cert,jwt,hash,dsn,conn,card,iban"
    ",webhook,license,licence,access,master,unlock,parol,haslo,heslo,combination,safe,curl,gangskod,kodeord"
    ",salasana,sandi,identified,pswd,sifre,losenord,frase se,jeton,chave,chiave,klucz,nyckel,sleutel,wifi"
    ",wi-fi,wlan,kty,://,sig=,<(,sudo,stdin,cryptsetup,gpg,kinit,sqlplus,rman ,sqlldr,oathtool,encrypt_"
    ",alias set,net use,base64 -,op read,kv get,identifiant,log in,mysqli,@,*:*:,-----,<private,\\,$,%,{,}"
)
"""Each of them is enough; folded (`fold`)."""
_SHAPES = (
    ("pass", LatePattern(r"(?i)pass(?!ed\b)")),
    ("sign", LatePattern(r"(?i)\bsign")),
    ("basic ", LatePattern(r"(?i)\bbasic ")),
    ("x-", LatePattern(r"(?i)\bx-[a-z]")),
    ("-,/p:", LatePattern(r"(?i)\s-[pu]|\s--?[abkntw]\b|\s/p:")),
    (
        "pin,sid,otp,tan,mot,kod",
        LatePattern(
            r"(?i)(?<![a-z])(?:pin|sid|otp|tan|mot|kod)|(?:pin|sid|otp|tan|mot|kod)(?![a-z])"
            r"|(?-i:(?:Pin|Sid|Otp|Tan|Mot|Kod)[A-Z])"
        ),
    ),
    ("psw,psk,mdp,pat,pdo,cv", LatePattern(r"(?i)(?<![a-z])(?:psw|psk|mdp|pat|pdo|cv[vc])")),
    ("dp ", LatePattern(r"(?i)[ei][xm]pdp ")),
    ("root,postgres,guest,demo", LatePattern(r"(?i)(?:root|postgres|guest|demo)[ \t]?[/:]")),
    (":", LatePattern(r"(?i)(?:[^:\s]+:){4}")),
    (
        "sk-,pk-,rk-,tk-,ak-,uk-,mk-,sk_,pk_,rk_,tk_,ak_,uk_,mk_,xox,glpat-,dckr_,ya29.,gocspx-,sg.,sl.,t1.,dp."
        ",hvs.,hvb.,hvr.,aiza,aqvn,eyj,sq0",
        LatePattern(
            r"(?i)(?<![a-z0-9])(?:[sprtaum]k[-_](?=[\w-]{16})|xox|glpat-|dckr_|ya29\.|gocspx-|s[gl]\.|t1\.|dp\."
            r"|hv[sbr]\.|aiza|aqvn|eyj|sq0)"
        ),
    ),
)
"""What is looked for where a word of it stands: to compile it all takes longer than all else that is done
here. Those of three letters count where a word, or a part of a name, begins or ends: `instance` says
nothing."""
_NUMBERS = LatePattern(r"\d{4}[ -]\d{4}|\d{5}")
_OTHERS = (
    "clé|api 키|api키|api キ|apiキ|مفتاح|contraseña|hasło|jelszó|lösenord|mật khẩu|schlüssel|şifre"
    "|usuário|κωδικός|συνθηματικό|карт|ключ|код|логин|парол|пользователь|секрет|токен|фраза|סיסמא|סיסמה"
    "|סיסמת|رمز عبور|كلمة السر|كلمة المرور|كلمة مرور|पासवर्ड|मुख्य कुंजी|পাসওয়ার্ড|รหัสผ่าน"
    "|アクセスキー|シークレット|トークン|パスコード|パスフレーズ|パスワード|ユーザ|令牌|凭据|凭证"
    "|助記詞|助记词|口令|合言葉|密码|密碼|密鑰|密钥|帐号|帳號|暗証番号|用户名|用戶名|秘密鍵|秘钥"
    "|認証コード|账号|账户|金鑰|驗證碼|验证码|비밀 키|비밀번호|비밀키|비번|사용자|시크릿|아이디|암호"
    "|액세스 키|인증번호|토큰|패스워드"
)
"""The same outside ASCII, looked for in small letters."""
_SIGNS = "●›✖✗✘✕✓✔×→│├└─•❯"
_HARMLESS = LatePattern(rf"(?i)\bKeyError\b|\b(?:exit|status|error|err!) code\b|[{_SIGNS}]")
"""What test runners and compilers say all day: no rule takes it for the name of a secret."""
_BETWEEN = {ord(sign): " " for sign in "\"'`(),;:=<>[]/."}
_IN_NAMES = str.maketrans("", "", "-_./")
"""What stands between the words of a file's name: none of it announces anything."""
_CONSONANTS = "[b-df-hj-np-tv-xz]"
_UNLIKE = LatePattern(
    rf"[a-z][A-Z]{{2}}|[A-Z][a-z][A-Z]|(?i:{_CONSONANTS}{{5}}|{_CONSONANTS}{{4}}[aeiouy]|[aeiouy]{_CONSONANTS}{{4}})"
)
"""As in few words, and in most tokens that were drawn."""
_MIXED = 8
"""So many characters in one piece, with letters and digits."""
_LONG = LatePattern(r"[A-Za-z]{20}|(?:[^\w\s]|_){6}")


def plain(text: str) -> bool:
    """Whether nothing in the text could be a secret or announce one."""
    if len(text) > _SHORT or not (text.isascii() or _names_nothing(text.lower())):
        return False
    if _tells(text):
        text = _HARMLESS.sub(" ", text)
        if _tells(text):
            return False
    return not (_LONG.search(text) or (any(map(str.isdecimal, text)) and _numbered(text)))


def _tells(text: str) -> bool:
    folded = fold(text)
    return holds(folded, _WORDS) or _has_a_shape(text, folded)


def _has_a_shape(text: str, folded: str) -> bool:
    return any(shape.search(text) for words, shape in _SHAPES if holds(folded, words))


def _numbered(text: str) -> bool:
    pieces = (fold(piece) for piece in text.translate(_BETWEEN).split() if len(piece) >= _MIXED)
    mixed = any(
        any(map(str.isdecimal, piece)) and any("a" <= char <= "z" for char in piece) for piece in pieces
    )
    return mixed or _NUMBERS.search(text) is not None


def _names_nothing(low: str) -> bool:
    return not any(name in low for name in _OTHERS.split("|"))


def cleaned(text: str) -> str:
    """The text without secrets; "" where it could not be proven free of them."""
    if plain(text) or _is_a_name(text):
        return text
    from siltstone.store.errors import RedactionError
    from siltstone.store.redaction import redact

    try:
        return redact(text).text
    except RedactionError:
        return ""


def _is_a_name(text: str) -> bool:
    """Whether all of the text is one name made of words, as a file's (`src/auth/user_session.py`): none of
    them tells what another is. In a text that goes on, it may tell what follows."""
    letters = text.translate(_IN_NAMES)
    return (
        len(text) <= _SHORT
        and letters.isascii()
        and letters.isalpha()
        and not (_LONG.search(text) or _UNLIKE.search(text) or _has_a_shape(text, fold(text)))
    )
