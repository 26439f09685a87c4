"""Compiled patterns, kept in the state folder as Python keeps compiled modules (docs/benchmarks.md).

To compile what a hook looks for takes a third of its time. But a compiled pattern is a list of numbers, which
the part of `re` that is written in C takes back as it is: the first hook that needs a pattern compiles and
keeps it, and later ones load no part of `re` but that. The files may be deleted at any time.
"""

import os
import sys

from siltstone.store.light_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

_FILES = "patterns."
FILE = f"{_FILES}{sys.implementation.cache_tag}"
"""In the state folder: for each pattern a line of four numbers, eight hexadecimal digits each. Checksums of
what it is known by and of what it is made of (numbers that are no pattern may end the process), then where
that begins in the other file, and how long it is."""
NUMBERS = ".numbers"
"""Behind the name of the other file, in which stands what patterns are made of: for each what it is known by,
a line of its flags, how many groups it has and their names, and the numbers as C has them. A hook reads those
that it needs, for all of them are half a megabyte."""
MOST = 2 * 1024 * 1024
"""Bytes; what would make that file longer begins both anew. Texts ask for ever new choices of rules."""
_MOST_LINES = 64 * 1024
_WIDTH = 4
"""Bytes of a number as C has it."""


try:
    from _imp import source_hash

    def checksum(data: bytes) -> str:
        """Eight hexadecimal digits, the same in every process of this Python; also for other hot commands."""
        return source_hash(0, data)[:4].hex()

except ImportError:
    from binascii import crc32

    def checksum(data: bytes) -> str:
        """As above, by a module that stands in a file of its own."""
        return f"{crc32(data):08x}"


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
        kept.close()


def drop(folder: str) -> None:
    """Take away what a state folder keeps, for whichever Python."""
    unlink_all(folder, _FILES)


class Kept:
    """The patterns that a state folder keeps. Raises ImportError in another Python than the one in C."""

    def __init__(self, folder: str) -> None:
        import _sre  # type: ignore[import-not-found]

        if _sre.CODESIZE != _WIDTH:
            raise ImportError("patterns are made of numbers of another width")
        self._sre: Any = _sre
        self._path = os.path.join(folder, FILE)
        self._python = checksum(f"{sys.version} {_sre.MAGIC}".encode())
        self._lines: dict[str, str] | None = None
        """By what a pattern is known by."""
        self._length = 0
        """Of all lines."""
        self._numbers = -1
        """The other file, once it is open."""
        self._new: list[tuple[str, bytes]] = []
        """What was compiled: what it is known by, and what it is made of."""

    def pattern(self, source: str, flags: int) -> "re.Pattern[str]":
        """As `compiled`."""
        known = f"{self._python} {int(flags)} {source}\0".encode("utf-8", "surrogatepass")
        key = checksum(known)
        return self._found(key, known, source) or self._compile(key, known, source, flags)

    def close(self) -> None:
        """As `end`."""
        try:
            if self._new:
                self._write()
        finally:
            if self._numbers >= 0:
                os.close(self._numbers)

    def _write(self) -> None:
        beside = f"{self._path}.{os.getpid()}"
        try:
            if self._has_room():
                self._append(self._path)
            else:
                self._append(beside)  # others may be reading
                os.replace(beside + NUMBERS, self._path + NUMBERS)
                os.replace(beside, self._path)
        except OSError:
            unlink(beside + NUMBERS)
            unlink(beside)

    def _has_room(self) -> bool:
        """Whether there are files to which what is new can be added."""
        try:
            size = os.fstat(self._opened()).st_size
        except OSError:
            return False
        more = sum(len(made) for _, made in self._new)
        return 0 < self._length <= _MOST_LINES and size + more <= MOST

    def _opened(self) -> int:
        """The other file. Raises OSError."""
        if self._numbers < 0:
            self._numbers = _open(self._path + NUMBERS, os.O_RDONLY)
        return self._numbers

    def _append(self, path: str) -> None:
        """Add what is new. Raises OSError. What is torn is passed over when it is read."""
        at = _append(path + NUMBERS, b"".join(made for _, made in self._new))
        lines = ""
        for key, made in self._new:
            lines += f"\n{key}{checksum(made)}{at:08x}{len(made):08x}"
            at += len(made)
        _append(path, lines.encode())

    def _line(self, key: str) -> str:
        if self._lines is None:
            text = _read(self._path, 2 * _MOST_LINES).decode("ascii", "replace")
            self._length = len(text)
            self._lines = {line[:8]: line for line in text.split("\n")}  # the last: one before may be torn
        return self._lines.get(key, "")

    def _found(self, key: str, known: bytes, source: str) -> "re.Pattern[str] | None":
        line = self._line(key)
        try:
            at, length = int(line[16:24], 16), int(line[24:], 16)
            made = os.pread(self._opened(), min(length, MOST), at)
        except (ValueError, OverflowError, OSError):
            return None
        if not made.startswith(known) or checksum(made) != line[8:16]:
            return None
        end = made.index(b"\n", len(known))
        flags, groups, names = made[len(known) : end].split(b" ", 2)
        numbers = memoryview(made)[end + 1 :].cast("I").tolist()
        return self._made(source, numbers, int(flags), int(groups), loads(names) if names else {})

    def _compile(self, key: str, known: bytes, source: str, flags: int) -> "re.Pattern[str]":
        """As `re.compile` does it, which does not tell the numbers in between."""
        try:
            parser, compiler = _parts_of_re()
            parsed = parser.parse(source, flags)
            names, groups = parsed.state.groupdict, parsed.state.groups
            numbers = compiler._code(parsed, flags)
            flags = int(flags | parsed.state.flags)
            made = self._made(source, numbers, flags, groups - 1, names)
        except (ImportError, AttributeError, TypeError):  # a newer Python, which does it in another way
            import re

            return re.compile(source, flags)
        told = f"{flags} {groups - 1} {dumps(names) if names else ''}\n".encode()
        self._new.append((key, known + told + _packed(numbers)))
        return made

    def _made(
        self, source: str, numbers: list[int], flags: int, groups: int, names: dict[str, int]
    ) -> "re.Pattern[str]":
        index: list[str | None] = [None] * (groups + 1)
        for name, group in names.items():
            index[group] = name
        made: re.Pattern[str] = self._sre.compile(source, flags, numbers, groups, names, tuple(index))
        return made


def _parts_of_re() -> "tuple[Any, Any]":
    """The parser and the compiler of `re`, without what it loads besides: `enum` and `functools` take a hook
    4 ms. Raises ImportError and AttributeError."""
    name = "re"
    light = name not in sys.modules
    if light:
        stand_in = type(sys)(name)
        stand_in.__path__ = [os.path.join(os.path.dirname(os.__file__), name)]
        sys.modules[name] = stand_in
    try:
        from re import _compiler, _parser  # type: ignore[attr-defined]
    finally:
        if light:
            del sys.modules[name]
    return _parser, _compiler


def _packed(numbers: list[int]) -> bytes:
    """As C has them. (`array` and `struct` would be loaded from files of their own.)"""
    places = memoryview(bytearray(_WIDTH * len(numbers))).cast("I")
    for at, number in enumerate(numbers):
        places[at] = number
    return places.tobytes()


def _open(path: str, how: int) -> int:
    """Raises OSError, for a link too. A pipe is not waited for."""
    return os.open(path, how | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)


def _read(path: str, most: int) -> bytes:
    """So many bytes of a file; none of one that cannot be read."""
    try:
        handle = _open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(handle, most)
    except OSError:
        return b""
    finally:
        os.close(handle)


def _append(path: str, data: bytes) -> int:
    """Where in the file the data begins now. Raises OSError. What is torn is passed over when it is read."""
    handle = _open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        written = os.write(handle, data)
        return os.lseek(handle, 0, os.SEEK_CUR) - written
    finally:
        os.close(handle)


def unlink_all(folder: str, beginning: str) -> None:
    """Take away what has a name that begins so, as far as it can be."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        if name.startswith(beginning):
            unlink(os.path.join(folder, name))


def unlink(path: str) -> None:
    """Take a file away, if there is one that can be."""
    try:
        os.unlink(path)
    except OSError:
        return


_kept: Kept | None = None
