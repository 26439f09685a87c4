"""What is in the store's history: watermarks, tombstones, the log, the life of one memory, the runs and their
names."""

from collections.abc import Iterable
from datetime import UTC, datetime
from secrets import token_hex
from typing import NamedTuple

from siltstone.store import commits, layout
from siltstone.store.commits import Commit
from siltstone.store.create import INIT
from siltstone.store.entry import Entry
from siltstone.store.entry_reader import read_old
from siltstone.store.errors import EntryError, GitError
from siltstone.store.git import LONG_TIMEOUT, Git
from siltstone.store.history_index import SAVE, session_of
from siltstone.store.layout import CONFLICTS
from siltstone.store.names import in_force
from siltstone.store.state import State
from siltstone.store.store import Store

MOVES = 50
"""Times a memory's file is followed from one place to the next."""
ALIKE = "-M40%"
"""Share of its lines that a moved file keeps: one that goes to `archive/` gains frontmatter."""


HAND = "hand"
"""Stands for an edit of files that no command of ours made."""
SUPERSEDED = "superseded"
"""Stands for a fact learned that took the place of another."""
PURGE = "purge"
"""Stands for a history in which the commit is not found any more too: something may be gone for good."""
_LEARNING = frozenset({"extract", SAVE})
_ADDING = frozenset({"remember", "import"})
_NEVER = frozenset({"compact"})
"""What says the same in fewer words decides nothing."""


class Tombstone(NamedTuple):
    """A memory that was deleted on purpose: it is not learnt again from what was said before."""

    path: str
    entry: Entry
    deleted_at: datetime


class Run(NamedTuple):
    """Commits that `silt undo` takes back together."""

    id: str
    """Their Silt-Run, "0007" or "0007-3fa2"; the commit's short id where there is none."""
    commits: tuple[Commit, ...]
    """Oldest first."""
    undone: bool
    """A later undo names it."""

    @property
    def at(self) -> datetime:
        """Date of its last commit."""
        return self.commits[-1].at

    @property
    def ops(self) -> tuple[str, ...]:
        """What it did, each once, in order."""
        return tuple(dict.fromkeys(commit.op or "" for commit in self.commits))


def watermarks(store: Store, since: str | None = None) -> dict[tuple[str, str], str]:
    """(agent, session) → id of the last message whose outcome is committed (invariant 2).

    With `since`, a commit's id, only what was committed after it.
    """
    if since is None:
        values: Iterable[str] = (
            f"{key}@{message}" for key, message in store.history_index().watermarks.items()
        )
    else:
        fresh = commits.read(store.git, "--reverse", f"{since}..HEAD")
        values = [value for commit in fresh for key, value in commit.trailers if key == commits.SESSION]
    read = (session_of(value) for value in values)
    return {(found[0], found[1]): found[2] for found in read if found is not None}


def tombstones(store: Store, reread: float = 0.0) -> list[Tombstone]:
    """Memories deleted by the user's commits or by `forget`, sorted by path (invariant 9); and what the user
    asked to keep and an undo took back after `reread`, in seconds of the epoch.

    A rename is none, nor is what we archive or merge; a file that the user or an undo brought back is
    none any more. One that never parsed cannot be compared with anything, and is left out.
    """
    deleted = store.history_index().deleted
    contents = store.git.blobs([blob for blob, _, _ in deleted.values()])
    found = []
    for path, (blob, at, undone) in sorted(deleted.items()):
        entry = read_old(path, contents.get(blob, b""))
        if entry is None or (undone and (at <= reread or entry.source != "explicit" or entry.superseded_by)):
            continue
        found.append(Tombstone(path, entry, datetime.fromtimestamp(at, UTC)))
    return found


def log(store: Store, n: int) -> list[Commit]:
    """The last `n` commits, newest first."""
    return list(commits.read(store.git, f"-n{n}", "HEAD")) if store.git.head() else []


def history(store: Store, path: str, most: int | None = None) -> list[Commit]:
    """Commits that changed one memory, newest first, followed through its moves both ways; all, or the
    last few (D11).

    `touched` of each names the file as it was called then. Raises StoreError for a path outside,
    EntryError for one that never was.
    """
    layout.check(store.root, path)
    newest = _where_now(store, path)
    last = () if most is None else (f"-n{most}",)
    out = store.git.run(
        *("log", "-z", "--name-status", "--format=%x01%H", "--follow", ALIKE, *last, "HEAD", "--", newest),
        timeout=LONG_TIMEOUT,
    )
    names: dict[str, set[str]] = {}
    for told in out.decode("utf-8", "surrogateescape").split("\x01")[1:]:
        commit, status, *places = (word.strip("\n") for word in told.rstrip("\0").split("\0"))
        # git calls a new file a copy of one that is like it, and would go on with that one's commits.
        copied = status.startswith("C")
        names[commit] = set(places[1:] if copied else places)
        if copied:
            break
    if not names:
        raise EntryError(f"{path} was never in the store: `silt list` shows what is")
    found = {c.id: c for c in commits.read(store.git, "--no-walk=unsorted", *names)}
    return [
        found[i]._replace(touched=tuple(t for t in found[i].touched if t.path in names[i])) for i in names
    ]


def _where_now(store: Store, path: str) -> str:
    """The path that the file at `path` has moved to, move by move; the last one if it is gone."""
    for _ in range(MOVES):
        out = store.git.run("log", "-n1", "--format=%H", "HEAD", "--", path).decode().strip()
        if not out:
            return path
        raw = store.git.run("show", "-z", "--format=", "--name-status", ALIKE, "--diff-filter=R", out)
        tokens = raw.decode("utf-8", "surrogateescape").split("\0")
        moved = {tokens[n + 1]: tokens[n + 2] for n in range(0, len(tokens) - 2, 3)}
        if path not in moved or store.git.in_head([path]):
            return path
        path = moved[path]
    return path


def runs(store: Store, latest: Iterable[Commit] | None = None) -> list[Run]:
    """What can be undone, newest first: our commits by run. The store's first commit is none.

    With the `latest` commits, newest first, only what they did.
    """
    grouped: dict[str, list[Commit]] = {}
    undone: set[str] = set()
    for commit in commits.read(store.git, "HEAD") if latest is None else latest:
        if commit.op == "undo":
            undone |= {value for key, value in commit.trailers if key == commits.UNDOES}
        if commit.op not in (None, INIT, "purge"):
            grouped.setdefault(commit.run, []).append(commit)
    return [Run(key, tuple(reversed(found)), key in undone) for key, found in grouped.items()]


def decided(git: Git, since: str, head: str) -> list[str]:
    """What the user decided by the commits after `since` up to `head`, the latest first, each once.

    A block that a session is shown may wait with what is merely learned. It may not go on saying what the
    user took back or changed (docs/seeds.md D17).

    The Silt-Op of commands; HAND and SUPERSEDED for the rest. Empty where facts were only added.
    """
    if since == head:
        return []
    try:
        after = list(commits.read(git, f"{since}..{head}"))
    except GitError:
        if git.commit_id(since):
            raise
        return [PURGE]
    return list(dict.fromkeys(filter(None, map(_decision, after))))


def _decision(commit: Commit) -> str:
    op = commit.op or HAND
    shown = [one for one in commit.touched if one.path == CONFLICTS or in_force(one.path)]
    if op in _NEVER:
        return ""
    if op in _LEARNING:
        return SUPERSEDED if any(touched.new is None for touched in shown) else ""
    if op in _ADDING:
        return op if any(touched.old is not None for touched in shown) else ""
    return op if shown else ""


RUNS = "runs"
"""Name of the state value that counts runs."""
NUMBERED = "runs-numbered-to"
"""Name of the state value that holds the commit up to which run numbers were looked at."""
MAX_DIGITS = 9
"""Of a run's number: a commit may claim anything."""
COPY = "copy"
"""Name of the state value that tells this copy of the store from others: four hex digits."""


def next_run(store: Store, state: State) -> str:
    """The next run's name.

    The number is larger than that of every commit the store can see, pulled ones too. Two copies of a
    store count on by themselves between pulls, so the four digits tell whose run it is.
    """
    if store.lacks is not None:
        return f"{state.next_number(RUNS):04d}"
    head, since = store.git.head(), state.value(NUMBERED)
    how = ("log", "--all", f"--grep=^{commits.RUN}: ", "--format=%B%x00")
    out = b""
    if head is not None:
        try:
            out = store.git.run(*how, *([f"^{since}"] if since else []), timeout=LONG_TIMEOUT)
        except GitError:  # the commit is gone: history was rewritten by a purge
            out = store.git.run(*how, timeout=LONG_TIMEOUT)
    texts = out.decode("utf-8", "replace").split("\0")
    values = (value for text in texts for key, value in commits.trailers_of(text) if key == commits.RUN)
    numbers = (value.partition("-")[0] for value in values)
    short = (int(n) for n in numbers if n.isascii() and n.isdecimal() and len(n) <= MAX_DIGITS)
    after = max(short, default=0)
    name = f"{state.next_number(RUNS, after):04d}"
    state.set_value(NUMBERED, head)
    if not store.git.has_remote():
        return name
    copy = state.value(COPY) or token_hex(2)
    state.set_value(COPY, copy)
    return f"{name}-{copy}"
