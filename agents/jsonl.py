"""JSON lines from a file that somebody else writes: streaming, from a remembered place, unbreakable.

    lines = Lines(path, resume)          # resume is checked; one that no longer fits is ignored
    for line, record, broken in lines.records():
        ...                              # no record: torn or monstrous, counted as filtered
        yield Step(item, lines.mark(line))

Only complete lines are read, and only up to the size the file had when it was opened: a writer may
be at work, and its unterminated tail is waited for. A line that is terminated but broken stays
broken for ever (docs/transcripts.md): it is skipped and counted.
"""

import io
import json
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import orjson
import zstandard

from siltstone.agents.values import Record
from siltstone.pipeline.messages import frozen
from siltstone.store.errors import SourceError, why
from siltstone.store.plain_file import opened

MAX_LINE = 32 * 1024 * 1024
"""Bytes. A longer line is skipped with a complaint: no message for us is that large."""

_SLICE = 128 * 1024
"""Bytes read at a time."""
_BEHIND = 256 * 1024
_HEAD = 4096
_ENDS = 512
_BOM = b"\xef\xbb\xbf"
_BAD_CHARS = re.compile("[\ud800-\udfff\0]")
_NUL = re.compile(rb"\\u0000")
_VERSION = "j1"


@frozen
class Line:
    """A complete line, from its first byte up to the one after its newline."""

    start: int
    end: int
    raw: bytes
    """Without its newline; empty when it was too long."""
    too_long: bool = False


class Lines:
    """The complete lines of one file from a remembered place on. Can be iterated more than once.

    Offsets in a packed file count unpacked bytes. Raises SourceError when the file cannot be opened.
    """

    def __init__(self, path: Path, resume: str | None = None, *, cap: int = MAX_LINE) -> None:
        self.path = path
        self.offset = 0
        """Where reading begins: 0, or what the resume token said."""
        self.done = 0
        """Up to here everything was dealt with before: count nothing there a second time."""
        self.token = self.note = ""
        """The resume token, and the reader's own words in it; "" at the start."""
        self.complaints: list[str] = []
        self._cap = cap
        with self._reading() as stream:
            stat = os.stat(path)
            self._head = blake2b(stream.readline(_HEAD), digest_size=8).hexdigest()
            self._limit = sys.maxsize if is_packed(path) else stat.st_size
            self._inode, self._size = stat.st_ino, stat.st_size
        if resume:
            self._take_up(resume)
        self._prefix = f"{_VERSION}:{self._inode}:{self._size}:{self._head}:"

    def __iter__(self) -> Iterator[Line]:
        """Complete lines from `offset` on. Memory is bounded by the cap, whatever the file holds."""
        with self._reading(self.offset, "read on", "the disk") as stream:
            if os.stat(self.path).st_ino != self._inode:
                self._complain(f"{self.path} was replaced in the meantime; the next run reads it")
                return
            at = self.offset
            while raw := stream.readline(min(self._cap, max(0, self._limit - at))):
                end = at + len(raw)
                if raw.endswith(b"\n"):
                    yield Line(at, end, raw[:-1])
                elif end := self._after_newline(stream, end):
                    self._complain(f"{self.path} has a line of {end - at} bytes at byte {at}; skipped it")
                    yield Line(at, end, b"", True)
                else:
                    return  # unterminated: its writer may be at work
                at = end

    def records(self) -> Iterator[tuple[Line, Record | None, str]]:
        """Each line with the object in it, or with why there is none; "" for a blank line."""
        for line in self:
            record = None if line.too_long else loads(line.raw)
            broken = ""
            if record is None and (line.too_long or line.raw.strip()):
                broken = "line-too-long" if line.too_long else "torn-line"
            yield line, record, broken

    def holds(self, word: bytes) -> bool:
        """Whether the bytes stand anywhere from `offset` on: a fraction of the cost of a look at lines."""
        tail = b""
        with self._reading(self.offset, "read on", "the disk") as stream:
            while data := stream.read(_SLICE):
                if word in data or word in tail + data[: len(word)]:
                    return True
                tail = data[-len(word) :]
        return False

    def before(self) -> list[bytes]:
        """The last complete lines before `offset`, as many as fit a quarter of a megabyte."""
        start = max(0, self.offset - _BEHIND)
        with self._reading(start) as stream:
            lines = stream.read(self.offset - start).split(b"\n")[:-1]
        return lines[1:] if start else lines

    def mark(self, line: Line, base: int | None = None, note: str = "") -> str:
        """The token to go on after `line`, reading from `base` (default: after it).

        An earlier `base` is for what is still open at `line`: a call whose result has not come yet.
        """
        base = line.end if base is None else base
        return f"{self._prefix}{base}:{line.start}:{line.end}:{_sum(line.raw):x}:{note}"

    @contextmanager
    def _reading(self, at: int = 0, what: str = "read", check: str = "its permissions") -> Iterator[BinaryIO]:
        try:
            with unpacked(self.path, at) as stream:
                yield stream
        except (OSError, zstandard.ZstdError) as error:
            raise SourceError(f"{self.path} cannot be {what} ({why(error)}); check {check}") from error

    def _after_newline(self, stream: BinaryIO, at: int) -> int:
        """The place after the next newline; 0 when there is none yet."""
        while piece := stream.readline(min(_SLICE, max(0, self._limit - at))):
            at += len(piece)
            if piece.endswith(b"\n"):
                return at
        return 0

    def _complain(self, sentence: str) -> None:
        if sentence not in self.complaints:
            self.complaints.append(sentence)

    def _take_up(self, resume: str) -> None:
        """Go on at the place of a token, if it was made on this very file, which has only grown since."""
        try:
            version, inode, size, head, base, start, end, tail, note = resume.split(":", 8)
            of_it = (version, int(inode), head) == (_VERSION, self._inode, self._head)
            fits = of_it and int(size) <= self._size
            at, last, done = int(base), int(start), int(end)
        except ValueError:
            return  # it is none of ours
        if not fits or not 0 <= at <= done or not 0 <= last < done:
            return
        too_long = done - last > self._cap  # it was skipped, and its token holds the sum of nothing
        first = done - 1 if too_long else last
        with self._reading(first) as stream:
            raw = stream.read(done - first)
        is_whole = len(raw) == done - first and raw.endswith(b"\n")
        if is_whole and f"{_sum(b'' if too_long else raw[:-1]):x}" == tail:
            self.offset, self.done, self.token, self.note = at, done, resume, note


def loads(raw: bytes) -> Record | None:
    """The object in a line, or None when there is none (torn, not JSON, not an object).

    What orjson refuses and others write is still read: lone surrogates, NaN, a byte order mark, raw
    control characters, holes of NUL bytes left by a crash, invalid UTF-8 (as U+FFFD). NULs and lone
    surrogates become U+FFFD inside strings: neither can be stored or sent.
    """
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        value = _lenient(raw)
    else:
        if _NUL.search(raw):
            value = _scrub(value)
    return value if isinstance(value, dict) else None


def _lenient(raw: bytes) -> object:
    text = raw.removeprefix(_BOM).strip(b"\0 \t\r").decode("utf-8", "replace")
    if not text.startswith("{"):
        return None
    try:
        # NaN and Infinity are no JSON, and no number to reckon with.
        return _scrub(json.loads(text, strict=False, parse_constant=lambda _: None))
    except (ValueError, RecursionError):
        return None


def _scrub(value: Any) -> Any:
    if isinstance(value, str):
        return _BAD_CHARS.sub("\ufffd", value)
    if isinstance(value, list):
        return [_scrub(one) for one in value]
    if isinstance(value, dict):
        return {_scrub(key): _scrub(one) for key, one in value.items()}
    return value


def _sum(raw: bytes) -> int:
    """A line known again by its ends, where ids and times stand; its length is in the token. Summing
    whole lines of megabytes for every message would cost as much as parsing them."""
    return zlib.crc32(raw[:_ENDS] + raw[-_ENDS:])


# A transcript may be packed: Codex compresses old ones (`.zst`).


def is_packed(path: Path) -> bool:
    return path.suffix == ".zst"


def unpacked(path: Path, at: int = 0) -> BinaryIO:
    """The content of a plain or packed file from byte `at` on. Raises OSError or ZstdError, also while it is
    read."""
    file = opened(path)
    if not is_packed(path):
        file.seek(at)
        return file
    # A resumed file is packed again as one more frame.
    content = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    try:
        content.seek(at)
    except zstandard.ZstdError:
        file.close()
        raise
    return io.BufferedReader(content)
