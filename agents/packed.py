"""Opening a transcript that may be packed: Codex compresses old ones (`.zst`)."""

import io
import os
from pathlib import Path
from typing import BinaryIO

import zstandard

from siltstone.agents.values import opened


def is_packed(path: Path) -> bool:
    return path.suffix == ".zst"


def unpacked(path: Path) -> BinaryIO:
    """The content of a plain or packed file. Raises OSError, also while it is read."""
    return io.BufferedReader(_Unpacked(opened(path))) if is_packed(path) else opened(path)


class _Unpacked(io.RawIOBase):
    """A .zst file as a stream one can seek in; going back starts over."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._start()

    def _start(self) -> None:
        self._file.seek(0)
        # A resumed file is packed again as one more frame.
        self._stream = zstandard.ZstdDecompressor().stream_reader(
            self._file, read_across_frames=True, closefd=False
        )

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        try:
            return self._stream.readinto(buffer)
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from error

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        target = offset + (self._stream.tell() if whence == os.SEEK_CUR else 0)
        if target < self._stream.tell():
            self._start()
        scrap = bytearray(1 << 16)
        while (left := target - self._stream.tell()) > 0 and self.readinto(memoryview(scrap)[:left]):
            pass
        return self._stream.tell()

    def close(self) -> None:
        self._file.close()
        super().close()
