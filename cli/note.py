"""Remarks on standard error. Hooks print them too, so this loads nothing."""

import sys
import unicodedata


def note(line: str) -> None:
    """A remark beside the result: to standard error."""
    if sys.stderr is not None:
        sys.stderr.write(f"silt: {printable(line)}\n")


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
