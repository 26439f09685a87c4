"""Keys by which two wordings of one memory are recognised (docs/seeds.md A13–A15 and "Source").

canonical text   what is compared: NFKC, lower case, runs of whitespace and punctuation are one space
identity key     for project and reference the first URL or concrete path
"""

import re
import unicodedata
from functools import lru_cache
from urllib.parse import urlsplit

from siltstone.pipeline.words import word_lists
from siltstone.store.entry import Type

MAX_TEXT = 100_000
"""Characters looked at; keys of longer texts are made from their beginning."""

_GAPS = frozenset({"P", "Z", "C"})
_TICKS = frozenset("`´")
"""Marks of code that Unicode counts as symbols: they change nothing in what is said."""

_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}\u3000-\u303f\uff00-\uffef]{1,2000}", re.I)
_TRAILING = ".,;:!?)]}>'\"*_…"

_WORDS = word_lists(__file__, "words")
_SEGMENT = r"[\w.@+~$%{}\[\]-]{1,100}"
_PATH = re.compile(
    rf"(?<![\w/\\.:-])(?:[A-Za-z]:[\\/]|~?[\\/]|\.{{1,2}}[\\/])?"
    rf"{_SEGMENT}(?:[\\/]{_SEGMENT}){{0,30}}[\\/]?"
)
_QUOTED = re.compile(
    r"`([^`\n]{1,300})`|\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'|“([^”\n]{1,300})”|「([^」\n]{1,300})」"
)


@lru_cache(maxsize=65_536)
def canonical(text: str) -> str:
    """The text as it is compared: NFKC, lower case, whitespace and punctuation runs are one space (A13)."""
    folded = text[:MAX_TEXT]
    for _ in range(3):  # lower case may compose anew; two rounds have always been enough
        folded = unicodedata.normalize("NFKC", folded).lower()
    spaced = folded.translate(_SPACED)
    return " ".join(spaced.split())


@lru_cache(maxsize=65_536)
def identity_key(type_: Type, text: str) -> str | None:
    """What a project fact or a reference is about (A14, A15): its first URL, else its first path (quoted,
    absolute, relative, or a file with a known extension), as "reference:url:https://example.com/docs" or
    "project:path:src/app.ts"; None where none is named."""
    if type_ not in ("project", "reference"):
        return None
    text = text[:MAX_TEXT]
    if (url := _URL.search(text)) is not None:
        return f"{type_}:url:{normal_url(url[0])}"
    found: list[tuple[int, str]] = []
    for match in _QUOTED.finditer(text):
        inner = next(group for group in match.groups() if group is not None).strip()
        if _PATH.fullmatch(inner) and is_path(inner, quoted=True):
            found.append((match.start(), inner))
            break
    for match in _PATH.finditer(_URL.sub(lambda m: " " * len(m.group()), text)):
        if is_path(match.group()):
            found.append((match.start(), match.group()))
            break
    return f"{type_}:path:{normal_path(min(found)[1])}" if found else None


def normal_url(url: str) -> str:
    """Scheme and host in lower case, no fragment, no trailing slash or punctuation."""
    while url and url[-1] in _TRAILING:
        if url[-1] == ")" and url.count("(") >= url.count(")"):
            break  # it closes a bracket of the URL's own
        url = url[:-1]
    try:
        parts = urlsplit(url)
    except ValueError:  # a bracket that opens no IPv6 address
        return url.lower()
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{parts.path.rstrip('/')}{query}"


def is_path(word: str, quoted: bool = False) -> bool:
    """Whether a word names a file or folder. `and/or`, `TCP/IP`, `Next.js` and `1/2` do not."""
    word = word.rstrip(_TRAILING) if not quoted else word
    plain = word.replace("\\", "/")
    parts = [part for part in plain.split("/") if part not in ("", ".", "..", "~")]
    if not parts or plain.lower() in _WORDS["brands"] or not any(char.isalpha() for char in plain):
        return False
    if plain.startswith(("/", "./", "../", "~/")) or re.match(r"[A-Za-z]:/", plain):
        return len(parts) > 1 or len(parts[0]) > 2 or "." in parts[0]
    stem, dot, extension = parts[-1].rpartition(".")
    if dot and extension.lower() in _WORDS["extensions"] and (re.search(r"[^\W\d]", stem) or not stem):
        return True
    if "/" not in plain:
        return quoted and plain.startswith(".") and len(plain) > 2
    if plain.startswith("."):
        return True
    return parts[0] in _WORDS["folders"] or (quoted and len(parts) > 1) or len(parts) > 3


def normal_path(path: str) -> str:
    """Forward slashes, none doubled, no `./` before and no slash or punctuation after."""
    path = re.sub(r"/{2,}", "/", path.replace("\\", "/")).rstrip(_TRAILING)
    while path.startswith("./"):
        path = path[2:]
    return path.rstrip("/") or path


class _Spaced(dict[int, int]):
    """For `str.translate`: a space for each character that parts words. Looked up once for each."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        self[code] = 32 if unicodedata.category(char)[0] in _GAPS or char in _TICKS else code
        return self[code]


_SPACED = _Spaced()
