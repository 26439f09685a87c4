"""What stands where a secret could stand and is none: placeholders, references, words of prose."""

import re

from siltstone.store.redaction.page import compiled, listed
from siltstone.store.redaction.randomness import is_hex, looks_random, shape, words

_REFERENCE = r"""(?ix)
    %[a-z](?:[-:/. ,]%[a-z])+ | \$(?:$|[({]|[a-z_][\w.:\[\]'">-]*$)
    | \$\d+(?:::\w+)?$ | %\w+% | %[sdvr]\b | %\( | \{+[\s\w.$%|"'-]*\}* | <[^>\n]*>?
    | \#\{ | @\{ | @@\w+@@ | __\w+__$ | &[a-z_]\w*$ | &\#?\w{2,8}; | \#[0-9a-f]{3,8}$
    | \[[\w\s.-]*\]? | \(+[\w\s.,-]*\)*$ | \(\s*(?:redacted|hidden|secret)
    | !(?:vault|secret|ref|sub|env|getatt|join)(?![a-z0-9]) | \w{1,12}://[^\s:@]*$
    | (?:env|secret|secrets|vault|file|keychain|pass|op|ssm|ref\+\w+|valuefrom|sops|cmd|command)[:/]
    | (?:process|import\.meta|os|sys|deno|bun|rails|settings|config|self|this|secrets|var|local|env
    |github)\.[\w.]+
    | env\[ | getenv | arn:aws | projects/ | /(?:[\w.~-]+/)*[\w.~-]+$ | ~?/[\w./-]*$ | \.{1,2}/
    | [a-z]:\\ | \^|\*+\w*\*+$|\*{1,2}[a-z_][\w.]*$|@[a-z_][\w.]*$
    """
"""How a value begins that only points at the secret: $X, ${{ x }}, <your-token>, %s, process.env.X, paths."""
_PATTERN = re.compile(r"(?i)\\[swdb][*+?{]|\]\{\d|\$[({]\w")
"""The value is part of a regular expression, or a shell puts something into it."""
_BLANK = re.compile(r"(?i)[\W_]*|[x*.…•·?_\-#0\s]+|(.)\1{4,}")
_FILLER = r"""(?ix)
    (?:^|[^a-z])(?:your|their|some)(?:$|[^a-z].*|_?(?:api|access|secret|token|password|pass|key|auth)\w*)
    | (?:^|[^a-z])(?:my|our)(?:$|[^a-z\d]\D*$|_?(?:api|access|secret|token|password|pass|key|auth)\D*$)
    | (?:^|[^a-z])here(?:$|[^a-z])
    | (?:^|[^a-z])(?:insert|enter|paste|replace|put|add|fill)(?:[^a-z]|_?me|_?with|_?your)
    | change[-_ ]?(?:me|this|it) | placeholder
    | (?:^|[^a-z])(?:example|dummy|sample|redacted|masked|removed|omitted)(?:$|[^a-z])
    | x{4,} | \*{3,} | (?:^|[^a-z])(?:todo|tbd|foo|bar|foobar|lorem)(?:$|[^a-z])
    | ^(?:not[-_ ]?a|no|fake|mock|any|this|that)[-_ ] | ^abc$ | ^123$
    | ^(?:test|fake|mock|default|none)$
    """
"""Words that say a value is to be put in, not that it is one."""
_FILLER_ALWAYS = (
    r"(?i)(?-i:x{4,}|X{4,}|[Yy]our|YOUR|EXAMPLE)|[-_]x{3,}$|\*{3,}|change[-_ ]?me|placeholder|<|\[redacted"
)
"""Those that hold even after a vendor's own prefix ("sk-your-key", "ghp_xxxx")."""
VENDOR = re.compile(
    r"(?:sk|pk|rk|sdk|gh[pousr]|glpat|xox[abeprs]|npm|pypi|hf|gsk|xai|whsec|shp(?:at|ss|ca|pa))[-_]."
)

WORDS = listed(
    """
    a about above according actual add after again all allowed almost already also always an and another
    any anything are as ask at auto automatic automatically available bad based basic be bearer because
    been before being below better between blank bool boolean both broken but by byte bytes can cannot
    case changed char check chosen class click client code come complex config configured const correct
    could crypto current custom data date decimal default defaults defined deprecated derived detected did
    different digest digits disabled do does done dynamic each easy either email empty enable enabled
    encoded encrypted enter entered env environment error even every exactly exists expired explicit
    external failed failure fake false field file filled final fine first fixed float flow for form found
    from func function generated generic get github gitlab given global go good google has hash hashed
    have header her here hidden his hmac host how http https i id identifier if ignored immutable in
    incorrect input inside instead int integer internal into invalid is issued it its itself json just
    kept key keys keyword known language last later leaked left length let line link list local long
    longer lost lower lowercase manager managed mandatory manual match matches may me memory method
    missing mixed more most must mutable my name named needed needs never new next nil no non none normal
    not nothing now null number numeric nullable oauth object obsolete of off ok okay old on once one only
    opaque open optional or other our out over own page param parameter parsed part passed path pending
    plain plaintext please policy private prompt protected provided provider public query random rather
    raw read readonly really ready reason recommended redacted rejected relevant removed rename required
    reset response result returned revoked right rotated safe same saml sample secure see self sensitive
    sent separate server service session set shared short should show shown simple since single size so
    some something sso stale static still stored str strict string strings strong struct subject such supplied
    supported sure symbol test text than that the their them then there these they this those through
    ticket time to today together too tracked true trust two type types unavailable unchanged undefined
    unique unknown unless unset until updated upper uppercase url us use used user username users using
    uuid val valid validated value values variable verified very via visible void was we weak web well what
    whatever when where whether which while who whose why will with within without word words would write
    wrong cram-md5 digest-md5 yes yet you your ldap kerberos jwt opt okta entra azure aws gcp apple
    facebook twitter microsoft
    slack discord none@ 必填 可选 必須 任意 错误 錯誤 正确 不能 无效 无 keychain keyring vault
    bitwarden safely securely
    identical equal blocked denied longest shortest mismatch forgotten reused strength rules rule expires
    expiring entropy minimum maximum
    """
)
"""Words that follow a label in prose, schemas and code without being what the label names."""
FOREIGN_WORDS = listed(
    """
    erforderlich falsch richtig ungültig gültig vergessen zurücksetzen ändern geändert leer verschlüsselt
    notwendig abgelaufen mindestens bitte requis obligatoire incorrecte invalide oublié expiré vide
    facultatif chiffré obligatorio obligatoria requerido requerida incorrecto incorrecta inválido inválida
    olvidada opcional vacía caducado caducada correcta cifrada obrigatório obrigatória incorreta incorreto
    esquecida vazia válida expirada obbligatorio obbligatoria richiesta errata sbagliata dimenticata vuota
    scaduto facoltativa vereist verplicht onjuist ongeldig vergeten обязательно обязателен неверный
    неверен неправильный забыт забыли истёк пустой нужен требуется wymagane nieprawidłowe krävs fel
    gerekli yanlış 필수 오류 불일치 필요 无 無 空 有 不正 不明 なし 未设置 未設定 不正确 必填 必需
    必要 过期 已过期 已更新 太短 太弱
    """
)
"""The same in other languages that labels are known in."""
_TECHNICAL = (
    r"(?i)(?:oauth|sha|utf|http|md|ed|rs|hs|es|ps|base|ipv|scram|aes|rsa|x|argon|pbkdf|v|int|uint|float"
    r"|i|u|f|h|tls"
    r"|ssl|oidc|saml|bcrypt|scrypt|ssh|id|web3|s|n|p|pkcs|k|ec|str|char|varchar|string|char)"
    r"[-_.]?\d{1,4}(?:[-_.](?:\d{1,4}|id|d|gcm|cbc|hmac|sha\d+|256|512|string))*"
    r"|argon2(?:id|i|d)?|1password|2fa|mfa|totp|varchar\(\d+\)?"
    r"|\w+(?:\[\]|\?)|(?:std|string|option|vec|box|rc|arc|optional|list|dict|union|literal)(?:::|<|\[).*"
)
_PROSE_END = re.compile(r"(?i)[a-z]{2,}(?:ed|ing|able|ible|ly|ment|tion|sion|less|ful|ness|ized|ised|ies)")


_JUDGED = 100
"""Characters of a value that are looked at for what it says of itself."""
_PIECES = re.compile(r"[-_.:]")
NAMES = listed(
    "password passwd pwd pw pass secret token key api_key apikey passphrase credentials mypassword"
)
"""What a document writes where the secret goes: user:password@host."""


def refers(value: str) -> bool:
    """The value only points at a secret, or is blank, masked or already redacted."""
    if value.startswith("/") and looks_random(value.rpartition("/")[2], 24):
        return False
    return (
        "[REDACTED" in value
        or compiled(_REFERENCE).match(value) is not None
        or _PATTERN.search(value) is not None
        or _BLANK.fullmatch(value[:_JUDGED]) is not None
    )


def placeholder(value: str) -> bool:
    """The value says that something is to be put in its place ("your-token-here", "changeme")."""
    head = value[:_JUDGED]
    if head.endswith(("...", "…")):
        body = head.rstrip(".…")
        return len(body) < 12 or shape(body).switches < 0.25
    if not compiled(r"[A-Za-z0-9*]").search(head):
        return False
    # "add" and "foo" stand in long random letters too, by chance.
    core = max(_PIECES.split(head), key=len)
    if VENDOR.match(head) or is_hex(core) or looks_random(head, 20):
        return compiled(_FILLER_ALWAYS).search(head) is not None
    return compiled(_FILLER).search(head) is not None


def prose(value: str) -> bool:
    """The value is a word that text or code goes on with, not a secret word."""
    bare = value.strip(".,;:!?()[]{}'\"`*_").lower()
    return (
        not bare or bare in WORDS or bare in FOREIGN_WORDS or compiled(_TECHNICAL).fullmatch(bare) is not None
    )


def participle(value: str) -> bool:
    """Ends like a word that describes ("hashed", "optional"): no spoken secret."""
    return _PROSE_END.fullmatch(value.strip(".,;:!?")) is not None


_SENTENCE_END = (
    r"(?:です|ます|ません|ください|した|いる|ある|요|니다|십시오|하다|이다|的|吗|嗎|呢|了|什么|什麼|多少)$"
    r"|^(?:空|必[须須填需]|不|无|無|未|由|从|從|已|应|應|需|至少|存|保存)"
)


def sentence(value: str) -> bool:
    """Text in a script without spaces that ends like a sentence, not like a word."""
    return compiled(_SENTENCE_END).search(value) is not None


def made_of(value: str, vocabulary: frozenset[str]) -> bool:
    """Every part of the value is a word of the vocabulary or a plain word of prose ("auth_token")."""
    parts = words(value)
    return bool(parts) and all(part in vocabulary or part in WORDS for part in parts)
