"""What the tests of the store share: a small file format, a plain secret check, disks that fail."""

from datetime import UTC, datetime
from pathlib import Path

from support.faulty_disk import QuietDisk
from support.git import git

from siltstone.store.disk import Disk
from siltstone.store.entry import Change, Delete, Write
from siltstone.store.intent import hash_of
from siltstone.store.store import Store

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SECRET = "ghp_" + "a8Kd92LmQzX0vB7nT4yR6sWcE1hJ3uFg5pIo"
BROKEN = "---\nname: [open\n---\n"
"""What cannot be read as an entry."""
OURS = [("Silt-Run", "0001"), ("Silt-Op", "extract")]


def text_of(body: str, name: str = "fact", quote: str = "") -> str:
    """An entry file with the least that it needs."""
    said = f'agent: claude, session: s, message: m, at: 2026-11-20T12:00:00Z, quote: "{quote}"'
    evidence = f"metadata:\n  evidence:\n    - {{{said}}}\n" if quote else ""
    return f"---\nname: {name}\n{evidence}---\n{body}\n"


def open_store(root: Path, disk: Disk | None = None) -> Store:
    return Store.open(root, disk or QuietDisk(), lambda: NOON)


def put(store: Store, path: str, text: str) -> Change:
    """The change that makes `path` say `text`, decided on what stands there now."""
    at = store.root / path
    return Write(path, text, hash_of(at.read_bytes()) if at.exists() else None)


def drop(store: Store, path: str) -> Change:
    return Delete(path, hash_of((store.root / path).read_bytes()))


def save(
    store: Store, *changes: Change, op: str = "extract", run: str = "0001", subject: str = "learn"
) -> str:
    """One pass of ours."""
    with store.locked():
        return store.apply(changes, f"memory: {subject}", [("Silt-Run", run), ("Silt-Op", op)])


def by_hand(root: Path, path: str, text: str) -> None:
    """An edit in the user's editor."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def tree(root: Path) -> str:
    return git(root, "rev-parse", "HEAD^{tree}").strip()


def subjects(root: Path) -> list[str]:
    """Subjects of all commits, newest first."""
    return git(root, "log", "--format=%s").splitlines()


def status(root: Path) -> list[str]:
    return git(root, "status", "--porcelain", "-uall").splitlines()


def leftovers(root: Path) -> list[str]:
    """Temporary, lock and intent files anywhere in the store."""
    files = (path for path in root.rglob("*") if path.is_file())
    return [
        str(path.relative_to(root))
        for path in files
        if path.suffix in (".tmp", ".lock") or path.name in ("silt-intent", "packed-refs.new")
    ]
