"""Which folder a Gemini session worked in: its records do not say.

`tmp/<slug>/.project_root` holds the path; `projects.json` maps paths to slugs; older versions named
the folder, and all name in the header, the sha256 of the path (docs/transcripts.md).
"""

from hashlib import sha256
from pathlib import Path

from siltstone.agents.jsonl import loads
from siltstone.agents.records import Record, items, obj, opened, string

_MAX = 1024 * 1024


def cwd(root: Path, folder: Path, header: Record) -> str:
    """The project's path, or "" when nothing tells. `folder` is `tmp/<slug>`."""
    told = _read(folder / ".project_root").decode("utf-8", "replace").strip()
    if told:
        return told
    projects = obj((loads(_read(root / "projects.json").replace(b"\n", b" ")) or {}).get("projects"))
    hashes = (string(header.get("projectHash")), folder.name)
    for path, slug in projects.items():
        if slug == folder.name or sha256(path.encode("utf-8", "replace")).hexdigest() in hashes:
            return path
    return next((string(path) for path in items(header.get("directories"))), "")


def _read(path: Path) -> bytes:
    try:
        with opened(path) as file:
            return file.read(_MAX)
    except OSError:
        return b""
