"""Whether the value behind a label is a secret."""

from siltstone.store.redaction import benign
from siltstone.store.redaction.page import compiled
from siltstone.store.redaction.randomness import (
    JUDGED,
    is_hex,
    is_uuid,
    looks_random,
    machine_made,
    shape,
    words,
)
from siltstone.store.redaction.values import CJK, Manner, Value
from siltstone.store.redaction.vocabulary import LABELS, NAME_WORDS, PATTERNS, Class, listed, one_of

_NAME = PATTERNS["identifier"]
_CHAIN = rf"{_NAME}(?:\.{_NAME})+"
_IDENTIFIER = r"[^\W\d]\w*"
_VARIABLE = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
_NUMBERED = r"[a-z]{1,12}-\d{1,3}(?:\.\d{1,3}){0,3}|(?:[a-z]+-)+v\d|[a-z]+(?:\.[a-z]{1,12}|\.\d{1,2})+"
_INNER = r"\w.*[^\w\s.,:;'\"()\[\]{}/<>=|-].*|.*[!$%^&*#~@].*"
_PHRASE = r"[^\W\d_]{2,12}(?:[ -][^\W\d_]{2,12}){2,25}"
_ENDS = r"[,.;\"'`\n]"
_FIELD = r"(?!(?-i:[A-Z][a-z]+=\d{2,4}$))(?i:[a-z_.-]{3,40}[=:](?!$)|\w{1,40}::)"
_COMMIT = r"[0-9a-f]{7,12}"
_CONJUNCTION = (
    rf"[&<]|[ \t]*(?:$|[.,;:!?)\]}}\"'`。，、！？」–—了(/#-]|\\n|{one_of('conjunctions')}\b|[\w.-]+=[^\s=])"
)
"""What may follow a plain word that was told as a secret; anything else is a sentence going on."""
_CODE_REST = r"[ \t]*(?:[,)}\]]|;(?![A-Z][\w ]{1,30}=))"
"""What code goes on with behind a value, unless it is a field of a connection: "Password=x;Encrypt=yes"."""
_PIN = r"\d{4,12}|\d{3}[- ]\d{3}|(?=.*\d)[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){1,7}"
_DESCRIBES = r"(?i)[a-z]{2,}(?:ed|ing|able|ible|ly|ment|tion|sion|less|ful|ness|ized|ised|ies)"
"""Words like "hashed" and "optional": no spoken secret."""
_SENTENCE = listed("sentence")


def secret_value(value: Value, means: Class, manner: Manner, asking: bool) -> bool:
    """Whether a value behind a label is one to hide; `asking`: the label rather asks for one."""
    text = value.text[:JUDGED].strip()
    if manner == "loose" and (compiled(_FIELD).match(text) or compiled(_COMMIT).fullmatch(text)):
        return False
    if means == "pin" and text.isdigit():
        return compiled(_PIN).fullmatch(text) is not None
    if text.lower() in LABELS:  # "das Passwort lautet: Passwort: x"
        return False
    if means in {"key", "named key"}:
        named = means == "named key" and manner == "assigned" and is_hex(text) and len(text) >= 32
        if not (named or _drawn(text)):
            return False
    if len(text) < 3 or benign.stands_in(text) or text.endswith((":", "://")):
        return False
    if means in {"key", "named key"}:
        return True
    if means == "pin":
        return compiled(_PIN).fullmatch(text) is not None
    if text.isdigit() and means == "password":
        return len(text) >= (8 if manner == "loose" else 5) and not asking
    if benign.prose(text) or compiled(PATTERNS["measure"]).fullmatch(text):
        return False
    if manner == "loose" or asking:
        numbered = (asking or not value.quoted) and compiled(_NUMBERED).fullmatch(text)
        return not numbered and secretish(text, value.quoted and not asking)
    if means == "token":
        return _token(value, text, manner)
    if not value.quoted:
        return _password(value, text, manner)
    if " " in text:
        parts = [part.strip(".,!?:;'") for part in text.lower().split()]
        return not any(part in _SENTENCE or benign.prose(part) for part in parts)
    return not benign.named(text) and not compiled(r"[#.@]\D*$|//").match(text)


def secretish(text: str, quoted: bool = False) -> bool:
    """The value looks like a secret by itself: drawn by chance, or letters mixed with digits or signs."""
    text = text.removesuffix("**")  # the end of bold words: **Access token rotation**
    measured = benign.prose(text) or compiled(PATTERNS["measure"]).fullmatch(text) or is_uuid(text)
    if len(text) < 6 or " " in text or measured:
        return False
    if _drawn(text) or _letters(text):
        return True
    if benign.refers(text) or (not quoted and is_code(text)):
        return False
    if is_hex(text):
        return len(text) in {32, 40, 48, 64}
    if not any(char.isalpha() for char in text):
        return False
    if compiled(_IDENTIFIER).fullmatch(text) and text.islower() and text.count("_") >= 3:
        return False
    if compiled(_VARIABLE).fullmatch(text) and not NAME_WORDS.isdisjoint(words(text)):
        return False
    digits = any(char.isdigit() for char in text)
    return (digits and not benign.named(text)) or compiled(_INNER).fullmatch(text) is not None


def strong(text: str) -> bool:
    """The value looks like a secret, or is a number that a machine made."""
    return secretish(text, quoted=True) or machine_made(text)


def phrase_end(value: Value) -> int:
    """Where a passphrase of several plain words ends that begins at the value; 0 when it is none."""
    text = value.text if value.quoted else value.text + compiled(_ENDS).split(value.rest, 1)[0]
    phrase = text.strip()
    if compiled(_PHRASE).fullmatch(phrase) is None:
        return 0
    if any(part in _SENTENCE for part in phrase.lower().replace("-", " ").split()[:4]):
        return 0
    return value.end if value.quoted else value.start + len(text.rstrip())


def _letters(text: str) -> bool:
    """Eight letters or more that make no words, as a generator without digits draws them."""
    plain = text.islower() or text.istitle() or text.isupper()
    seen = shape(text)
    return len(text) >= 8 and text.isalpha() and seen.wordlike < (0.3 if plain else 0.4 + seen.switches)


def _drawn(text: str) -> bool:
    return looks_random(text) or benign.VENDOR.match(text) is not None


def is_code(text: str) -> bool:
    """A call, or a chain of names."""
    chain = compiled(_CHAIN).fullmatch(text) and not benign.coined(text)
    return bool(compiled(PATTERNS["code"]).match(text) or chain)


def _token(value: Value, text: str, manner: Manner) -> bool:
    if machine_made(text, 12) or benign.VENDOR.match(text) or _letters(text):
        return True
    if not value.quoted and is_code(text):
        return False
    if " " in text or benign.named(text) or compiled(_NUMBERED).fullmatch(text):
        return False
    identifier = compiled(_IDENTIFIER).fullmatch(text)
    parts = [part for part in words(text) if part.isalpha()]
    named = identifier and len(parts) > 1 and (not value.quoted or text[0].isupper())
    if named and not NAME_WORDS.isdisjoint(parts):  # a name in code: PKCS7PrivateKeyTypes
        return False
    if any(char.isdigit() for char in text) and any(char.isalpha() for char in text):
        return len(text) >= 5 and not (manner == "told" and not value.quoted and len(text) < 8)
    if text.isdigit():
        return len(text) >= 8
    strange = compiled(_INNER).fullmatch(text) is not None and not identifier
    return strange and len(text) >= 8 and not text.startswith(("#", "@", "."))


def _password(value: Value, text: str, manner: Manner) -> bool:
    """An unquoted password, told from prose and from references of code."""
    unclosed = "(" in text[:-1] and ")" not in text + value.rest  # a call is closed, or goes on below
    if not unclosed and compiled(PATTERNS["code"]).match(text):
        return False
    if manner == "told":
        return _told(value, text)
    parts = words(text) or [text.lower()]
    code_goes_on = compiled(_CODE_REST).match(value.rest) is not None
    if compiled(_CHAIN).fullmatch(text):
        return _chained(text, parts, code_goes_on)
    if not compiled(_IDENTIFIER).fullmatch(text):
        return len(text) >= 4 or not text.isascii()
    if any(char.isdigit() for char in text) or looks_random(text):
        return not (benign.named(text) and code_goes_on)
    if len(parts) > 1 and (
        code_goes_on or any(part in NAME_WORDS | benign.WORDS for part in parts if part[2:])
    ):
        return False
    return not benign.named(text) and compiled(_CONJUNCTION).match(value.rest) is not None


def _told(value: Value, text: str) -> bool:
    ends = compiled(_CONJUNCTION).match(value.rest) is not None
    if not text.isascii() and (max(text) >= CJK or text.isalpha()):
        return ends and len(text) <= 24 and not compiled(PATTERNS["sentence_end"]).search(text)
    if text.isalpha():
        plain = text[1:].islower()
        if plain and (compiled(_DESCRIBES).fullmatch(text) or text.lower() in NAME_WORDS):
            return False
        return ends or not plain
    return not benign.named(text) and (secretish(text, quoted=True) or len(text) >= 8)


def _chained(text: str, parts: list[str], code_goes_on: bool) -> bool:
    """Words with points between them: Otter.Kelp_31, not form.password."""
    if benign.coined(text) or any(looks_random(part, 10) for part in text.split(".")):
        return True
    attribute = text.partition(".")[0].lower() in benign.HEADS or "._" in text
    if attribute or code_goes_on or not NAME_WORDS.isdisjoint(parts):
        return False
    return text == text.lower() and benign.WORDS.isdisjoint(parts)
