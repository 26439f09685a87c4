"""Whether the value behind a label is a secret."""

from typing import NamedTuple

from siltstone.store.redaction import benign
from siltstone.store.redaction.page import compiled, listed, one_of
from siltstone.store.redaction.randomness import JUDGED, is_hex, is_uuid, looks_random, words
from siltstone.store.redaction.values import Manner, Value
from siltstone.store.redaction.vocabulary import BY_NEEDLE, VOCABULARY, Class

_NAME = r"[A-Za-z_]\w*"
_CODE = (
    rf"{_NAME}(?:(?:\.|::|->|\?\.){_NAME})*(?:!?\(|\[|!?\.\w+\(|<\w)"
    r"|(?:Get|Read|New|Import|Invoke|Convert(?:To|From))-[A-Z][A-Za-z]+$"
    r"|(?:await|new|func|function|lambda|return|typeof)$"
    rf"|{_NAME}(?:(?:\?\.|::|->){_NAME})+|[^)}}\]]{{0,60}}[)}}\]]+[=(.;,:?&|{{]|[\w.]{{1,60}}\?\?"
)
"""A call, an index, a chain by `::`: code that fetches the secret, not the secret."""
_CHAIN = rf"{_NAME}(?:\.{_NAME})+"
_IDENTIFIER = r"[^\W\d]\w*"
_MEASURE = r"""(?ix)
    v?\d+(?:\.\d+)+(?:[-+.]?(?:a|b|rc|alpha|beta|dev|post|snapshot)[\w.]*)?
    | [~^<>=]*\d[\d.x*]* | \d\*\w+ | \d+(?:st|nd|rd|th)
    | \d+(?:[.,]\d+)?\s?(?:[kmgt]i?b?|b|ms|s|m|h|d|w|y|px|em|rem|%|hz|khz|mhz|ghz|mins?
      |hours?|days?|chars?|bits?|bytes?|x)
    | \d{4}-\d\d(?:-\d\d)?(?:[t ][\d:.z+-]*)? | \d{1,2}:\d\d(?::\d\d)?(?:[ap]m)? | \#\d+
    | \d+-(?:bit|byte|char|digit|sec|min|hour|day|week|month|year)\w*
    | [\w.-]+\.(?:[cm]?[jt]sx?|py|json|ya?ml|toml|md|txt|html?|css|sh|go|rs|rb|java|kt|php
      |ini|cfg|conf|env|sql|log|lock
      |pem|key|crt)(?::\d+){0,2}
    | [\w.+-]+@[\w-]+\.[\w.]+ | [a-z._-]+@[a-z][a-z.-]* | https?://\S*
    | [\w./-]+:v?\d+(?:\.\d+)+(?:[-.]\w+)* | 0x[0-9a-f]{1,16} | http/\d(?:\.\d)?
    | \d+\s?(?:文字|桁|자|位|个|個|字)\w*
    | ed25519|p-?256|x-[a-z-]+ | n/a | [a-z]{2}-[a-z]{4,9}-\d[a-z]? | \d+/\d+
    """
"""Versions, sizes, dates, file names, addresses: letters mixed with digits that are no secret."""
_MADE_UP = r"[A-Z][a-z]+(?:[._-][A-Za-z][a-z]+)+[._-]?\d{2,4}"
"""Words and a number, as people make up a password: Otter.Kelp_31."""
_NUMBERED = r"[a-z]{1,12}-\d{1,3}(?:\.\d{1,3}){0,3}|[a-z]+(?:\.[a-z]{1,12}|\.\d{1,2})+"
_INNER = r"\w.*[^\w\s.,:;'\"()\[\]{}/<>=|-].*|.*[!$%^&*#~@].*"
_PHRASE = r"[^\W\d_]{2,12}(?:[ -][^\W\d_]{2,12}){2,25}"
_ENDS = r"[,.;\"'`\n]"
_FIELD = r"(?i)[a-z_.-]{3,40}[=:](?!$)|\w{1,40}::"
_COMMIT = r"[0-9a-f]{7,12}"
_CONJUNCTION = (
    r"[ \t]*(?:$|[.,;:!?)\]}\"'`。，、！？」–—(/#-]|\\n|"
    + one_of(
        "and, und, et, y, e, i, or, but, so, for, with, by the way, btw, please, "
        "thanks, on, и, en, och, og, user"
    )
    + r"\b)"
)
"""What may follow a plain word that was told as a secret; anything else is a sentence going on."""
_CODE_REST = r"[ \t]*[,;)}\]]"
_PIN = r"\d{4,12}|\d{3}[- ]\d{3}|(?=.*\d)[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){1,7}"
_HEADS = listed(
    """
    self this req request cfg conf options opts args params data user form event e ctx props body res row
    obj cls state node item account session c s r p m o d cred parsed parser util utils lib app db client
    """
)
"""Variables whose attributes are asked for: `form.password`."""
_SENTENCE = listed(
    """
    the a an is are was be to of must should can may for in with and or your you my at least not no do
    does if please enter reset forgot new old password passwords token secret key required this that it
    its by on from use set
    """
)


class Found(NamedTuple):
    """A value behind a label."""

    value: Value
    means: Class
    manner: Manner
    asking: bool


def secret_value(found: Found) -> bool:
    """Whether a value behind a label is one to hide."""
    value, text = found.value, found.value.text[:JUDGED].strip()
    if found.manner == "loose" and (compiled(_FIELD).match(text) or compiled(_COMMIT).fullmatch(text)):
        return False
    if found.means == "pin" and text.isdigit():
        return compiled(_PIN).fullmatch(text) is not None
    if text.lower() in BY_NEEDLE:  # "das Passwort lautet: Passwort: x"
        return False
    if found.means in {"key", "named key"} and not _key(found, text):
        return False
    if len(text) < 3 or benign.refers(text) or benign.placeholder(text) or text.endswith((":", "://")):
        return False
    if found.means in {"key", "named key"}:
        return True
    if found.means == "pin":
        return compiled(_PIN).fullmatch(text) is not None
    if text.isdigit() and found.means == "password" and found.manner in {"assigned", "told"}:
        return len(text) >= 5 and not found.asking
    if benign.prose(text) or compiled(_MEASURE).fullmatch(text):
        return False
    if found.manner == "loose" or found.asking:
        return secretish(text, value.quoted) and (value.quoted or not compiled(_NUMBERED).fullmatch(text))
    if found.means == "token":
        return _token(value, text, found.manner)
    return _password(value, text, found.manner)


def secretish(text: str, quoted: bool = False) -> bool:
    """The value looks like a secret by itself: drawn by chance, or letters mixed with digits or signs."""
    text = text.removesuffix("**")  # the end of bold words: **Access token rotation**
    if (
        len(text) < 6
        or " " in text
        or benign.prose(text)
        or compiled(_MEASURE).fullmatch(text)
        or is_uuid(text)
    ):
        return False
    if looks_random(text) or benign.VENDOR.match(text):
        return True
    if benign.refers(text) or (
        not quoted and (compiled(_CODE).match(text) or compiled(_CHAIN).fullmatch(text))
    ):
        return False
    if is_hex(text):
        return len(text) in {32, 40, 48, 64}
    if not any(char.isalpha() for char in text):
        return False
    if compiled(_IDENTIFIER).fullmatch(text) and text.islower() and text.count("_") >= 3:
        return False
    digits = any(char.isdigit() for char in text)
    return (digits and not benign.made_of(text, VOCABULARY)) or compiled(_INNER).fullmatch(text) is not None


def phrase_end(value: Value) -> int:
    """Where a passphrase of several plain words ends that begins at the value; 0 when it is none."""
    text = value.text if value.quoted else value.text + compiled(_ENDS).split(value.rest, 1)[0]
    phrase = text.strip()
    if compiled(_PHRASE).fullmatch(phrase) is None:
        return 0
    if any(part in _SENTENCE for part in phrase.lower().replace("-", " ").split()[:4]):
        return 0
    return value.end if value.quoted else value.start + len(text.rstrip())


def _key(found: Found, text: str) -> bool:
    named = found.means == "named key" and found.manner == "assigned" and is_hex(text) and len(text) >= 32
    return named or looks_random(text) or benign.VENDOR.match(text) is not None


def _token(value: Value, text: str, manner: Manner) -> bool:
    if is_uuid(text) or is_hex(text) or looks_random(text, 12) or benign.VENDOR.match(text):
        return True
    if not value.quoted and (compiled(_CODE).match(text) or compiled(_CHAIN).fullmatch(text)):
        return False
    if " " in text or benign.made_of(text, VOCABULARY) or compiled(_NUMBERED).fullmatch(text):
        return False
    if not value.quoted and compiled(_IDENTIFIER).fullmatch(text) and _named(text):
        return False
    if any(char.isdigit() for char in text) and any(char.isalpha() for char in text):
        return len(text) >= 5 and not (manner == "told" and not value.quoted and len(text) < 8)
    if text.isdigit():
        return len(text) >= 8
    strange = compiled(_INNER).fullmatch(text) is not None and not compiled(_IDENTIFIER).fullmatch(text)
    return strange and len(text) >= 8 and not text.startswith(("#", "@", "."))


def _named(text: str) -> bool:
    """A name of code that speaks of secrets: PKCS7PrivateKeyTypes."""
    parts = [part for part in words(text) if part.isalpha()]
    return len(parts) > 1 and any(part in VOCABULARY for part in parts)


def _password(value: Value, text: str, manner: Manner) -> bool:
    if value.quoted:
        return _quoted(text)
    if compiled(_CODE).match(text):
        return False
    if manner == "told":
        return _told(value, text)
    if compiled(_CHAIN).fullmatch(text):
        return _chained(value, text)
    return _word(value, text)


def _quoted(text: str) -> bool:
    if text.lower() in BY_NEEDLE:
        return False
    if " " in text:
        parts = [part.strip(".,!?:;'") for part in text.lower().split()]
        return not any(part in _SENTENCE or benign.prose(part) for part in parts)
    return not benign.made_of(text, VOCABULARY) and not text.startswith(("#", ".", "@", "//"))


def _word(value: Value, text: str) -> bool:
    """An unquoted password behind `:` or `=`: prose and code references are told from it."""
    if not compiled(_IDENTIFIER).fullmatch(text):
        return len(text) >= 4 or not text.isascii()
    if any(char.isdigit() for char in text):
        return not benign.made_of(text, VOCABULARY) or not compiled(_CODE_REST).match(value.rest)
    parts = words(text) or [text.lower()]
    if len(parts) > 1 and (
        compiled(_CODE_REST).match(value.rest)
        or any(part in VOCABULARY or part in benign.WORDS for part in parts)
    ):
        return False
    return not benign.made_of(text, VOCABULARY) and compiled(_CONJUNCTION).match(value.rest) is not None


def _told(value: Value, text: str) -> bool:
    ends = compiled(_CONJUNCTION).match(value.rest) is not None
    if not text.isascii():
        return ends and len(text) <= 24 and not benign.sentence(text)
    if text.isalpha():
        plain = text[1:].islower()
        if plain and (benign.participle(text) or text.lower() in VOCABULARY):
            return False
        return ends or not plain
    return not benign.made_of(text, VOCABULARY) and (secretish(text, quoted=True) or len(text) >= 8)


def _chained(value: Value, text: str) -> bool:
    if any(looks_random(part, 10) for part in text.split(".")):
        return True
    head = text.partition(".")[0].lower()
    parts = words(text)
    if head in _HEADS or any(part in VOCABULARY for part in parts) or compiled(_CODE_REST).match(value.rest):
        return False
    if compiled(_MADE_UP).fullmatch(text):
        return True
    return text == text.lower() and not any(part in benign.WORDS for part in parts)
