"""Text as words to search by: folded, split at humps and underscores, CJK in pairs.

unicode61 finds no CJK and trigram nothing under three characters, so the cutting is done here and
FTS5 gets words with spaces between. Measured.
"""

import re
import unicodedata
from collections.abc import Iterator

MAX_TEXT = 30_000
"""Characters of a text that are looked at."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003134f"
_PIECE = rf"(?P<cjk>[{_CJK}]+)|[^\W_{_CJK}]+"
"""A text: `re` compiles it when it is first used, which takes 4 ms that a hot command has no need of."""
_ASCII_PIECE = re.compile(r"[A-Za-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ACCENTS = re.compile("[\u0300-\u036f]")


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
        if whole[1:] != piece[1:] and len(parts := _HUMP.split(piece)) > 1:
            found += map(_fold, parts)
    return found


def query_words(text: str) -> list[str]:
    """The words to look for, each once, as FTS5 terms (quoted; `*` for a single CJK character)."""
    found = []
    for piece, cjk in _pieces(text):
        if not cjk:
            found += [f'"{_fold(part)}"' for part in _HUMP.split(piece)]
        elif len(piece) == 1:
            found.append(f'"{piece}"*')
        else:
            found += [f'"{piece[n : n + 2]}"' for n in range(len(piece) - 1)]
    return list(dict.fromkeys(found))


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    text = text[:MAX_TEXT]
    if text.isascii():
        for word in _ASCII_PIECE.findall(text):
            yield word, False
        return
    for found in re.finditer(_PIECE, unicodedata.normalize("NFKC", text)):
        yield found[0], found["cjk"] is not None


def _fold(word: str) -> str:
    folded = word.casefold()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", folded)))
