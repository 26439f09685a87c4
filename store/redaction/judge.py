# ruff: noqa: E501
"""Whether the value behind a label is a secret."""

import re

from siltstone.store.redaction import benign
from siltstone.store.redaction.shape import is_hex, is_uuid, looks_random, words
from siltstone.store.redaction.values import Value
from siltstone.store.redaction.vocabulary import VOCABULARY
from siltstone.store.redaction.wordlist import listed

_CODE = re.compile(
    r"[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)*(?:\(|\[|!?\.\w+\(|<\w)|(?:await|new|func|function|lambda|return|typeof)$"
    r"|[A-Za-z_]\w*(?:(?:\?\.|::|->)[A-Za-z_]\w*)+"
)
_CHAIN = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_NAME = re.compile(r"[^\W\d]\w*", re.UNICODE)
_MEASURE = re.compile(
    r"""(?ix)
    v?\d+(?:\.\d+)+(?:[-+.]?(?:a|b|rc|alpha|beta|dev|post|snapshot)[\w.]*)? | [~^<>=]*\d[\d.x*]*
    | \d+(?:st|nd|rd|th)
    | \d+(?:[.,]\d+)?\s?(?:[kmgt]i?b?|b|ms|s|m|h|d|w|y|px|em|rem|%|hz|khz|mhz|ghz|min|mins|hours?|days?
    |chars?|bits?|bytes?|x)
    | \d{4}-\d\d(?:-\d\d)?(?:[t ][\d:.z+-]*)? | \d{1,2}:\d\d(?::\d\d)?(?:[ap]m)? | \#\d+
    | \d+-(?:bit|byte|char|digit|day|hour)\w*
    | [\w.-]+\.(?:[cm]?[jt]sx?|py|json|ya?ml|toml|md|txt|html?|css|sh|go|rs|rb|java|kt|php|ini|cfg|conf
    |env|sql|log|lock|pem|key|crt)
      (?::\d+){0,2}
    | [\w.+-]+@[\w-]+\.[\w.]+ | https?://\S* | ed25519|p-?256|x-[a-z-]+ | n/a | \d+/\d+
    """
)
_INNER = re.compile(r"\w.*[^\w\s.,:;'\"()\[\]{}/<>=|-].*|.*[!$%^&*#~@].*")
_FIELD = re.compile(r"[\w.-]{1,40}[=:](?!$)")
_PHRASE = re.compile(r"[^\W\d_]{2,12}(?:[ -][^\W\d_]{2,12}){2,25}")
_CONJUNCTION = re.compile(
    r"[ \t]*(?:$|[.,;:!?)\]}\"'`。，、！？」]|(?:and|und|et|y|e|i|or|but|so|for|with|by the way|btw|please|thanks|on|и|en|och|og|user)\b|[-–—(/#]|\\n)"
)
_CODE_REST = re.compile(r"[ \t]*[,;)}\]]")


def secret_value(value: Value, means: str, manner: str, asking: bool) -> bool:
    """Whether `value`, found behind a label that means `means`, is one to hide."""
    text = value.text.strip()
    if manner == "loose" and _FIELD.match(text):
        return False
    if len(text) < 3 or benign.refers(text) or benign.placeholder(text) or text.endswith((":", "://")):
        return False
    if means == "pin":
        return _pin(text)
    if means == "phrase":
        return _phrase(value) or (manner != "loose" and not benign.prose(text) and _word(value, text))
    if means == "key":
        return looks_random(text) or benign.VENDOR.match(text) is not None
    if benign.prose(text) or _MEASURE.fullmatch(text):
        return False
    if manner == "loose" or asking:
        return secretish(text, value.quoted)
    if means == "token":
        return _token(value, text, manner)
    return _password(value, text, manner)


def secretish(text: str, quoted: bool = False) -> bool:
    """The value looks like a secret by itself: drawn by chance, or letters mixed with digits or signs."""
    if len(text) < 6 or " " in text or benign.prose(text) or _MEASURE.fullmatch(text) or is_uuid(text):
        return False
    if looks_random(text) or benign.VENDOR.match(text):
        return True
    if (not quoted and (_CODE.match(text) or _CHAIN.fullmatch(text))) or benign.refers(text):
        return False
    letters = any(char.isalpha() for char in text)
    digits = sum(char.isdigit() for char in text)
    if is_hex(text):
        return len(text) in {32, 48, 64}
    return letters and (
        (digits >= 1 and not benign.made_of(text, VOCABULARY)) or _INNER.fullmatch(text) is not None
    )


def _pin(text: str) -> bool:
    return re.fullmatch(
        r"\d{4,12}|\d{3}[- ]\d{3}|[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){1,7}", text
    ) is not None and any(char.isdigit() for char in text)


def _token(value: Value, text: str, manner: str) -> bool:
    if is_uuid(text) or is_hex(text) or looks_random(text, 12) or benign.VENDOR.match(text):
        return True
    if not value.quoted and (_CODE.match(text) or _CHAIN.fullmatch(text)):
        return False
    if " " in text or benign.made_of(text, VOCABULARY):
        return False
    if any(char.isdigit() for char in text) and any(char.isalpha() for char in text):
        return len(text) >= 5 and not (manner == "told" and not value.quoted and len(text) < 8)
    if text.isdigit():
        return len(text) >= 8
    strange = _INNER.fullmatch(text) is not None and not _NAME.fullmatch(text)
    return strange and len(text) >= 8 and not text.startswith(("#", "@", "."))


def _password(value: Value, text: str, manner: str) -> bool:
    if value.quoted:
        return _quoted_password(text)
    if _CODE.match(text):
        return False
    if text.isdigit():
        return len(text) >= 4
    if manner == "told":
        return _told(value, text)
    if _CHAIN.fullmatch(text) and not text.rpartition(".")[2].isdigit():
        return _chained(value, text)
    return _word(value, text)


def _quoted_password(text: str) -> bool:
    if " " in text:
        parts = text.lower().split()
        return not any(part.strip(".,!?:;'") in _SENTENCE or benign.prose(part) for part in parts)
    return not benign.made_of(text, VOCABULARY) and not text.startswith(("#", ".", "@", "//"))


def _word(value: Value, text: str) -> bool:
    """An unquoted password behind `:` or `=`: prose and code references are told from it."""
    if not _NAME.fullmatch(text):
        return len(text) >= 4 or not text.isascii()
    if any(char.isdigit() for char in text):
        return not benign.made_of(text, VOCABULARY) or not _CODE_REST.match(value.rest)
    parts = words(text) or [text.lower()]
    if any(part in VOCABULARY or part in benign.WORDS for part in parts) and len(parts) > 1:
        return False
    if benign.made_of(text, VOCABULARY) or (len(parts) > 1 and _CODE_REST.match(value.rest)):
        return False
    return _CONJUNCTION.match(value.rest) is not None


def _told(value: Value, text: str) -> bool:
    if not text.isascii():
        return _CONJUNCTION.match(value.rest) is not None and len(text) <= 24
    if _NAME.fullmatch(text) and text.isalpha():
        plain = text[1:].islower()
        if plain and (benign.participle(text) or text.lower() in VOCABULARY):
            return False
        return not plain or _CONJUNCTION.match(value.rest) is not None
    return not benign.made_of(text, VOCABULARY) and (secretish(text, quoted=True) or len(text) >= 8)


def _chained(value: Value, text: str) -> bool:
    parts = words(text)
    head = text.partition(".")[0].lower()
    known = any(part in VOCABULARY or part in benign.WORDS for part in parts) or head in _HEADS
    return not known and not _CODE_REST.match(value.rest) and text == text.lower()


def _phrase(value: Value) -> bool:
    text = value.text if value.quoted else value.text + value.rest.split(",")[0].split(".")[0]
    return _PHRASE.fullmatch(text.strip()) is not None and not any(
        part in _SENTENCE for part in text.lower().replace("-", " ").split()
    )


_HEADS = listed(
    """
    self this req request cfg conf options opts args params data user form event e ctx props body res
    row obj cls state node item account session c s r p m o d cred parsed parser util utils lib app db
    client
    """
)
_SENTENCE = listed(
    """
    the a an is are was be to of must should can may for in with and or your you my at least not no do
    does if please enter reset forgot new old password passwords token secret key required this that it
    its by on from use set
    """
)
