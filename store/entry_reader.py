"""Reading entries off the work tree: what cannot or may not be shown is left out and named.

Readers take no lock (invariant 13). A file that does not parse, holds conflict markers, is a link,
or was edited by hand and holds a secret, is skipped and described in `complaints`; it never stops
the rest (invariant 8, docs/store-format.md).
"""

import os
import re
import stat
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from siltstone.store.entry import Entry, Stored
from siltstone.store.errors import EntryError, RedactionError
from siltstone.store.intent import hash_of
from siltstone.store.names import place

MAX_BYTES = 5_000_000
"""A larger file is no memory: it is named, not read."""

_MARKER = re.compile(r"^<{7} ", re.MULTILINE)


class Secret(Protocol):
    """One secret found in a text."""

    @property
    def kind(self) -> str: ...
    @property
    def line(self) -> int: ...


Parse = Callable[[str, str], Entry]
"""(path, text) → entry; raises EntryError."""
Secrets = Callable[[str], Sequence[Secret]]
"""Text → the secrets in it; raises RedactionError when it cannot be checked."""


class EntryReader:
    """The files of one store, read, parsed and remembered by their content."""

    def __init__(self, root: Path, parse: Parse, secrets: Secrets) -> None:
        self.root = root
        self.complaints: dict[str, str] = {}
        """Path → one sentence about a file that was left out when it was last looked at."""
        self._parse = parse
        self._secrets = secrets
        self._parsed: dict[tuple[str, str], Stored | str] = {}
        self._checked: dict[str, str | None] = {}

    def read(self, path: str, data: bytes, hash: str) -> tuple[Entry | None, str | None]:
        """The entry in `data`, whose sha256 is `hash`; or None and why not, in a sentence."""
        if (path, hash) not in self._parsed:
            self._parsed[path, hash] = self._read(path, data, hash)
        found = self._parsed[path, hash]
        return (None, found) if isinstance(found, str) else (found.entry, None)

    def keep(self, path: str, hash: str, text: str, entry: Entry) -> None:
        """Take over an entry that was read before, from a file with this text and hash."""
        self._parsed[path, hash] = _stored(path, text, hash, entry)

    def has(self, path: str, hash: str) -> bool:
        """Whether `stored` knows what a file with this hash holds."""
        return (path, hash) in self._parsed

    def stored(self, path: str, hash: str) -> Stored | None:
        """The entry that `read` or `keep` had for a file with this hash."""
        found = self._parsed.get((path, hash))
        return found if isinstance(found, Stored) else None

    def is_nameable(self, path: str) -> bool:
        """Whether a file's name is text; with a complaint when its bytes are none in UTF-8."""
        try:
            path.encode()
        except UnicodeEncodeError:
            self.complaints[path] = f"{path!a} has a name that is not UTF-8: rename it"
            return False
        return True

    def bytes_of(self, path: str) -> bytes | None:
        """Content of a file; None with a complaint when it is a link, too large or unreadable."""
        try:
            at = os.path.join(self.root, path)
            handle = os.open(at, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                status = os.fstat(handle)
                if stat.S_ISREG(status.st_mode) and status.st_size <= MAX_BYTES:
                    with open(handle, "rb", closefd=False) as file:
                        # Not MAX_BYTES: room for so much would be made for every file.
                        return file.read(status.st_size + 1)
            finally:
                os.close(handle)
        except OSError as error:
            self.complaints[path] = (
                f"{path} cannot be read ({error.strerror}): make it a plain, readable file"
            )
            return None
        self.complaints[path] = f"{path} is no file of under {MAX_BYTES:,} bytes: move it out of the store"
        return None

    def peek(self, path: str) -> bytes | None:
        """Content of a file that has its complaint already, which stays as it is."""
        said = self.complaints[path]
        data = self.bytes_of(path) if self.is_nameable(path) else None
        self.complaints[path] = said
        return data

    def secret_in(self, path: str, data: bytes) -> str | None:
        """A sentence that names file and line when `data` holds a secret, or cannot be checked."""
        key = hash_of(data)
        if key not in self._checked:
            self._checked[key] = self._look_for_secret(data)
        said = self._checked[key]
        return f"{path}{said}" if said else None

    def parse(self, path: str, text: str) -> Entry | None:
        """The entry in `text`, None when it does not parse."""
        try:
            return self._parse(path, text)
        except EntryError:
            return None

    def _look_for_secret(self, data: bytes) -> str | None:
        try:
            found = self._secrets(data.decode("utf-8", "replace"))
        except RedactionError as error:
            return f" could not be checked for secrets ({error}): it is not committed, shown or sent"
        if not found:
            return None
        return (
            f", line {found[0].line}: holds a secret ({found[0].kind}); "
            "it is not committed, shown or sent until you take the secret out"
        )

    def _read(self, path: str, data: bytes, digest: str) -> Stored | str:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            return f"{path}, line {line}: is not UTF-8; save it as UTF-8"
        if marked := marker_line(text):
            return f"{path}, line {marked}: holds git's conflict markers; settle them by hand"
        try:
            entry = self._parse(path, text)
        except EntryError as error:
            return str(error) if path in str(error) else f"{path}: {error}"
        return _stored(path, text, digest, entry)


def _stored(path: str, text: str, hash: str, entry: Entry) -> Stored:
    where = place(path)
    kind = where.kind if where else "memory"
    return Stored(path, text, hash, entry, pinned=kind == "pinned", archived=kind == "archived")


def marker_line(text: str) -> int | None:
    """The line of git's conflict markers, from 1; None when there are none."""
    marker = _MARKER.search(text) if "\n>>>>>>> " in text else None
    return None if marker is None else text.count("\n", 0, marker.start()) + 1


def by_user(stored: Stored) -> Stored:
    """The same, marked as written by the user."""
    return replace(stored, user_written=True)
