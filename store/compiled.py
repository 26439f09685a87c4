"""Compiled patterns, kept in the state folder as Python keeps compiled modules (docs/benchmarks.md).

To load `re` and to compile what a hook looks for takes a third of its time. But a compiled pattern is a list
of numbers, which the part of `re` that is written in C takes back as it is: the first hook that needs a
pattern compiles and keeps it, and later ones load no `re`. The file may be deleted at any time.
"""

import os
import sys
from binascii import crc32

from siltstone.store.light_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

FILE = f"patterns.{sys.implementation.cache_tag}"
"""In the state folder: for each pattern a line with a JSON array, and a checksum behind it, for numbers that
are no pattern may end the process."""
MOST = 512 * 1024
"""Bytes; what would make the file longer begins it anew. Texts ask for ever new choices of rules."""


def compiled(source: str, flags: int = 0) -> "re.Pattern[str]":
    """As `re.compile`, or as it was kept. The source is ours: nothing that a text says."""
    if _kept is not None:
        return _kept.pattern(source, flags)
    import re

    return re.compile(source, flags)


def begin(folder: str) -> None:
    """From now on take what a state folder keeps, and keep there what is compiled."""
    global _kept
    try:
        _kept = Kept(folder)
    except ImportError:  # another Python than the one in C
        _kept = None


def end() -> None:
    """Write down what was compiled since `begin`. A folder that is missing or cannot be written stays so."""
    global _kept
    kept, _kept = _kept, None
    if kept is not None:
        kept.write()


class Kept:
    """The patterns that a state folder keeps. Raises ImportError in another Python than the one in C."""

    def __init__(self, folder: str) -> None:
        import _sre  # type: ignore[import-not-found]

        self._sre: Any = _sre
        self._path = os.path.join(folder, FILE)
        self._python = crc32(f"{sys.version} {_sre.MAGIC} {_sre.CODESIZE}".encode())
        self._lines: str | None = None
        self._new = ""

    def pattern(self, source: str, flags: int) -> "re.Pattern[str]":
        """As `compiled`."""
        key = "\n" + dumps([self._python, source, flags])[:-1] + ", "
        return self._found(key, source) or self._compile(key, source, flags)

    def write(self) -> None:
        """As `end`."""
        if not self._new:
            return
        beside = f"{self._path}.{os.getpid()}"
        try:
            if self._lines and len(self._lines) + len(self._new) <= MOST:
                _append(self._path, self._new)
            else:
                _append(beside, self._new[:MOST])  # others may be reading
                os.replace(beside, self._path)
        except OSError:
            _drop(beside)

    def _read(self) -> str:
        """The lines; "" where there are none."""
        try:
            handle = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return ""
        try:
            return os.read(handle, 2 * MOST).decode("ascii", "replace")
        except OSError:
            return ""
        finally:
            os.close(handle)

    def _found(self, key: str, source: str) -> "re.Pattern[str] | None":
        if self._lines is None:
            self._lines = self._read()
        at = self._lines.rfind(key)  # the last one: one before it may have been torn
        if at < 0:
            return None
        line, _, sum_ = self._lines[at + 1 :].partition("\n")[0].rpartition(" ")
        if sum_ != _sum(line):
            return None
        return self._made(source, *loads(line)[3:])

    def _compile(self, key: str, source: str, flags: int) -> "re.Pattern[str]":
        """As `re.compile` does it, which does not tell the numbers in between."""
        import re

        try:
            from re import _compiler, _parser  # type: ignore[attr-defined]

            parsed = _parser.parse(source, flags)
            names, groups = parsed.state.groupdict, parsed.state.groups
            numbers = _compiler._code(parsed, flags)
            named = {number: name for name, number in names.items()}
            index = [named.get(number) for number in range(groups)]
            parts: Any = (int(flags | parsed.state.flags), numbers, groups - 1, names, index)
            made = self._made(source, *parts)
        except (ImportError, AttributeError, TypeError):
            return re.compile(source, flags)  # a newer Python, which does it in another way
        line = key + dumps(parts)[1:]
        self._new += f"{line} {_sum(line[1:])}"
        return made

    def _made(
        self,
        source: str,
        flags: int,
        numbers: list[int],
        groups: int,
        names: dict[str, int],
        index: list[str],
    ) -> "re.Pattern[str]":
        made: re.Pattern[str] = self._sre.compile(source, flags, numbers, groups, names, tuple(index))
        return made


def _sum(line: str) -> str:
    return f"{crc32(line.encode('ascii', 'replace')):08x}"


def _append(path: str, text: str) -> None:
    """Raises OSError. What is torn is passed over when it is read."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    try:
        os.write(handle, text.encode("ascii"))
    finally:
        os.close(handle)


def _drop(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


_kept: Kept | None = None
