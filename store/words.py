"""Text as words to search by: folded, split at humps and underscores, CJK in pairs.

unicode61 finds no CJK and trigram nothing under three characters, so the cutting is done here and
FTS5 gets words with spaces between. Measured.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from unicodedata import normalize

MAX_TEXT = 30_000
"""Characters of a text that are looked at."""

_CJK = "\u3040\u30ff\u3400\u4dbf\u4e00\u9fff\uac00\ud7af\U00020000\U0003134f"
"""First and last of each range."""
_HUMP = re.compile(r"(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])")
_BETWEEN = {n: " " for n in range(128) if not chr(n).isalnum()}
"""ASCII that stands in no word."""


def words(text: str) -> list[str]:
    """The words of a stored text, in order, with repeats.

    "getUserProfile" gives the whole and its parts. A run of CJK gives each pair and its last
    character, so that every character starts a word.
    """
    found = []
    for piece, cjk in _pieces(text):
        if cjk:
            found += [piece[n : n + 2] for n in range(len(piece))]
            continue
        whole = _fold(piece)
        found.append(whole)
        if whole[1:] != piece[1:] and len(parts := _humps(piece)) > 1:
            found += map(_fold, parts)
    return found


def query_words(text: str) -> list[str]:
    """The words to look for, each once; a single CJK character with `*`, for any word that it begins."""
    found: list[str] = []
    for piece, cjk in dict.fromkeys(_pieces(text)):
        if not cjk:
            found += map(_fold, _humps(piece))
        elif len(piece) == 1:
            found.append(f"{piece}*")
        else:
            found += [piece[n : n + 2] for n in range(len(piece) - 1)]
    return list(dict.fromkeys(found))


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    text = text[:MAX_TEXT]
    if text.isascii():
        for word in text.translate(_BETWEEN).split():
            yield word, False
        return

    for kind, found in groupby(normalize("NFKC", text), _kind):
        if kind:
            yield "".join(found), kind == 2


@lru_cache(maxsize=10_000)
def _kind(char: str) -> int:
    """0 for a character that stands in no word, 1 for one of a word, 2 for CJK."""
    ranges = zip(_CJK[::2], _CJK[1::2], strict=True)
    return 2 if any(first <= char <= last for first, last in ranges) else int(char.isalnum())


def _humps(word: str) -> list[str]:
    """A word cut where a capital follows a small letter or digit, or begins a word behind capitals."""
    if word[1:] == word[1:].lower():
        return [word]
    cuts = [found.start() for found in _HUMP.finditer(word)]
    return [word[start:end] for start, end in zip([0, *cuts], [*cuts, len(word)], strict=True)]


def _fold(word: str) -> str:
    folded = word.casefold()
    if folded.isascii():
        return folded

    bare = "".join(char for char in normalize("NFD", folded) if not "\u0300" <= char <= "\u036f")
    return normalize("NFC", bare)
