"""Remarks on standard error. Hooks print them too, so this loads nothing."""

import sys
import unicodedata


def note(*lines: str) -> None:
    """Remarks beside the result, a line each: to standard error."""
    if sys.stderr is not None:
        sys.stderr.write("".join(f"silt: {printable(line)}\n" for line in lines))


def printable(text: str) -> str:
    """Text from transcripts, models and files without control characters a terminal would obey."""
    return text.translate(_PRINTABLE)


class _Printable(dict[int, int]):
    """For `str.translate`: U+FFFD for each control character. Looked up once for each."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        steers = unicodedata.category(char)[0] == "C" and char not in "\n\t"
        self[code] = 0xFFFD if steers else code
        return self[code]


_PRINTABLE = _Printable()
