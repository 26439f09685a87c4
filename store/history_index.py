"""An index over the store's history: who wrote which body, what was deleted, how far sessions were read.

Made by one pass of `git log`, and continued from the last HEAD, so that each new commit is read once.
Only ids and hashes are stored: no content of a memory leaves the files and git's own objects.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote

from siltstone.store import commits
from siltstone.store.commits import Commit, Touched
from siltstone.store.disk import Disk
from siltstone.store.errors import GitError
from siltstone.store.git import Git
from siltstone.store.names import place

VERSION = 2
FILE = "silt-history-index"
KEEP_AFTER = 50
"""New commits after which the index is written to disk again: reading fewer costs milliseconds."""
KEEP_AFTER_FILES = 1_000
"""The same for the files they touched: an import may be one commit of thousands of files."""
FORGET = "forget"
UNDO = "undo"
SAVE = "save"
"""What the user asked to remember, kept before its message is read."""


@dataclass(slots=True)
class HistoryIndex:
    """The index at the commit `head`."""

    head: str = ""
    bodies: set[str] = field(default_factory=set)
    """Hashes of every body that the user wrote, by a commit of theirs or by `write` and `edit`. Such a body
    is the user's wherever it stands, also if we moved it there (invariant 9)."""
    blobs: set[str] = field(default_factory=set)
    """Object ids of entry files in the user's commits: those were not redacted."""
    deleted: dict[str, tuple[str, float, bool]] = field(default_factory=dict)
    """Path → object id of the last content, when it was deleted by the user, by `forget` or by an undo of
    what was saved on request, and whether it was an undo."""
    watermarks: dict[str, str] = field(default_factory=dict)
    """Value of Silt-Session without its message → the message."""


def session_trailer(agent: str, session: str, message: str) -> tuple[str, str]:
    """The trailer `Silt-Session: <agent>/<session>@<message>`: how far a session has been read (invariant 2).

    Ids may hold anything: "%", "@", spaces and control characters are percent-encoded.
    """
    return commits.SESSION, f"{agent}/{_encoded(session)}@{_encoded(message)}"


def session_of(value: str) -> tuple[str, str, str] | None:
    """Agent, session and message out of the value of a Silt-Session trailer; None if it is none."""
    key, mark, message = value.rpartition("@")
    agent, slash, session = key.partition("/")
    if not (mark and slash and agent):
        return None
    return agent, unquote(session), unquote(message)


def body_of(text: bytes) -> bytes:
    """The text below the frontmatter, with LF line ends and no blank space around it."""
    lines = text.replace(b"\r\n", b"\n")
    if lines.startswith(b"---\n"):
        end = lines.find(b"\n---\n", 3)
        lines = lines[end + 5 :] if end >= 0 else lines
    return lines.strip()


def body_hash(text: bytes) -> str:
    """Hash of a file's body, by which authorship is decided."""
    return hashlib.sha256(body_of(text)).hexdigest()


def blob_id(data: bytes, like: str) -> str:
    """The object id that git gives to a file's content, in the same hash as the id `like`."""
    algorithm = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return algorithm(b"blob %d\0" % len(data) + data).hexdigest()


def current(git: Git, disk: Disk, known: HistoryIndex | None) -> HistoryIndex:
    """The index at HEAD: `known` or the written one, continued; made anew if neither fits."""
    head = git.head()
    if head is None:
        return HistoryIndex()
    if known is not None and known.head == head:
        return known
    index = known or _load(git.dir / FILE) or HistoryIndex()
    fresh: list[Commit] | None = [] if index.head == head else None
    if index.head and fresh is None:
        # The commit may be gone, as after a purge; any other fault is raised by the whole pass.
        with contextlib.suppress(GitError):
            since = list(commits.read(git, "--reverse", f"{index.head}..{head}"))
            # Every way from `head` down to the old one ends with a child of it.
            fresh = since if any(index.head in commit.parents for commit in since) else None
    if fresh is None:
        index, fresh = HistoryIndex(), list(commits.read(git, "--reverse", head))
    _carry_on(index, fresh, git)
    index.head = head
    if len(fresh) >= KEEP_AFTER or sum(len(commit.touched) for commit in fresh) >= KEEP_AFTER_FILES:
        sets = {"bodies": sorted(index.bodies), "blobs": sorted(index.blobs)}
        with contextlib.suppress(OSError):  # a read-only store works too, more slowly
            disk.write(git.dir / FILE, json.dumps(asdict(index) | {"version": VERSION, **sets}).encode())
    return index


def _carry_on(index: HistoryIndex, fresh: Iterable[Commit], git: Git) -> None:
    fresh = list(fresh)
    theirs = [touched for commit in fresh if _speaks_user(commit) for touched in _entries(commit)]
    contents = git.blobs([blob for touched in theirs for blob in (touched.old, touched.new) if blob])
    for commit in fresh:
        for key, value in commit.trailers:
            if key == commits.SESSION and session_of(value) is not None:
                session, _, message = value.rpartition("@")
                index.watermarks[session] = message
        if commit.op is None:
            _by_the_user(index, commit, contents)
            continue
        for touched in _entries(commit):
            undone = commit.op == UNDO and commit.trailer(commits.FORGETS) is not None
            if touched.new is None and touched.old and (undone or commit.op == FORGET):
                index.deleted[touched.path] = (touched.old, commit.at.timestamp(), undone)
            elif touched.new and commit.op == UNDO:
                index.deleted.pop(touched.path, None)
            if touched.new and _speaks_user(commit):
                index.deleted.pop(touched.path, None)
                index.bodies.add(body_hash(contents.get(touched.new, b"")))


def _speaks_user(commit: Commit) -> bool:
    return commit.op is None or commit.trailer(commits.BY) == commits.USER


def _by_the_user(index: HistoryIndex, commit: Commit, contents: Mapping[str, bytes]) -> None:
    changes = list(_entries(commit))
    gone = [contents.get(t.old, b"") for t in changes if t.old and not t.new]
    come = [contents.get(t.new, b"") for t in changes if t.new and not t.old]
    moved = {body_of(text) for text in gone}
    arrived = {mark for text in come for mark in _marks(text)}
    for touched in changes:
        if touched.new is None:
            if touched.old and not arrived & _marks(contents.get(touched.old, b"")):
                index.deleted[touched.path] = (touched.old, commit.at.timestamp(), False)
            continue
        index.deleted.pop(touched.path, None)
        index.blobs.add(touched.new)
        text = contents.get(touched.new, b"")
        before = contents.get(touched.old) if touched.old else None
        kept = body_of(text) == body_of(before) if before is not None else body_of(text) in moved
        if not kept:
            index.bodies.add(body_hash(text))


def _entries(commit: Commit) -> Iterable[Touched]:
    return (touched for touched in commit.touched if place(touched.path))


def _marks(text: bytes) -> set[bytes]:
    """Marks by which a renamed file is recognised: its body, or its evidence if the body was edited too."""
    body = body_of(text)
    head = text[: len(text) - len(body)]
    evidence = [line.strip() for line in head.splitlines() if line.lstrip().startswith(b"- {agent:")]
    return {b"body " + body} | ({b"evidence " + b"\n".join(evidence)} if evidence else set())


def _encoded(text: str) -> str:
    clean = text.encode("utf-8", "replace").decode()
    return "".join(c if c.isprintable() and c not in "%@ " else quote(c, safe="") for c in clean)


def _load(path: Path) -> HistoryIndex | None:
    """The index on disk; None if it is missing or damaged, and then it is rebuilt."""
    try:
        value = json.loads(path.read_bytes())
        if value["version"] != VERSION:
            return None
        deleted = {
            str(k): (str(blob), float(at), bool(undone)) for k, (blob, at, undone) in value["deleted"].items()
        }
        watermarks = {str(k): str(v) for k, v in value["watermarks"].items()}
        return HistoryIndex(
            str(value["head"]), set(value["bodies"]), set(value["blobs"]), deleted, watermarks
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
