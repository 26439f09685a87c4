"""What a pass is about to do to the work tree, written down before it begins (invariant 3).

`.git/silt-intent` names each path with the hash it has and the hash it shall have. It is synced
before the first file is touched and removed after the commit. The next command that finds it can tell our
unfinished writes from the user's edits: a dirty path that already looks as intended is ours.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from siltstone.store.disk import Disk

VERSION = 1
GONE = "gone"
"""Stands for the hash of a file that is not there."""


class Intent(NamedTuple):
    """Old and new sha256 of each path that a pass touches; `GONE` for no file."""

    run: str
    """Value of the Silt-Run trailer, for a person who reads the file."""
    paths: Mapping[str, tuple[str, str]]

    def is_ours(self, path: str, found: str) -> bool:
        """Whether `path`, dirty with the hash `found`, is what this pass left there."""
        return path in self.paths and self.paths[path][1] == found


def hash_of(data: bytes | None) -> str:
    """sha256 hex of a file's bytes, `GONE` for None: the hash in `Stored`, changes and intents."""
    return GONE if data is None else hashlib.sha256(data).hexdigest()


def write(path: Path, intent: Intent, disk: Disk) -> None:
    """Put the intent down and sync it. Raises OSError."""
    value = {"version": VERSION, "run": intent.run, "paths": {p: list(h) for p, h in intent.paths.items()}}
    disk.write(path, json.dumps(value, ensure_ascii=True, indent=1).encode())


def read(path: Path) -> Intent | None:
    """The intent of a pass that did not end; None when there is none or it makes no sense.

    A file that makes no sense claims nothing: what is dirty then is the user's, and stays.
    """
    try:
        value = json.loads(path.read_bytes())
        paths = {str(p): (str(old), str(new)) for p, (old, new) in value["paths"].items()}
        return Intent(str(value["run"]), paths) if value["version"] == VERSION else None
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None
