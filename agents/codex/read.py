"""The reader of Codex's rollouts: where they are, how one file follows from another, and whether a Codex is
at work on one (docs/transcripts.md).

    sessions/YYYY/MM/DD/rollout-<local time>-<thread>[_<segment>].jsonl[.zst]
    archived_sessions/rollout-….jsonl[.zst]

Archiving moves a file, compressing and migrating replace it: its name without suffix stays.
"""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from siltstone.agents.codex.turns import CodexReduction, start_reason
from siltstone.agents.jsonl import Line, Lines, is_packed, loads
from siltstone.agents.values import Record, aged, integer, is_abandoned, items, obj, string
from siltstone.agents.values import source as found_source
from siltstone.pipeline.messages import Message, Reading, Session, Source, Step
from siltstone.prompts import INTERNAL
from siltstone.store.errors import SourceError
from siltstone.store.plain_file import opened

AGENT = "codex"
_UUID = "[0-9a-fA-F-]{36}"
_NAME = re.compile(rf"(rollout-[0-9T-]+-({_UUID})(?:_{_UUID})?)\.jsonl(\.zst)?")
_META_LINES = 50
"""`session_meta` is the first line; a crash may have torn that one."""
_FIRST_STEPS = 200
"""Among which the first prompt is looked for."""
_CWD = re.compile(r"<environment_context>\s*<cwd>([^<\n]{1,4096})</cwd>")
_ROLLBACK = b'"thread_rolled_back"'
_TYPED = b'"user_message"'
_TAIL = 4 * 1024 * 1024
"""Bytes of a file's end in which the last turn's mark is looked for."""
# Inside a JSON string every quote is escaped, so these cannot stand in anybody's words.
_BEGUN = b'"payload":{"type":"task_started"'
_OVER = (b'"payload":{"type":"task_complete"', b'"payload":{"type":"turn_aborted"')
_LOCKS = Path("/proc/locks")


@dataclass(slots=True)
class Codex:
    """`Reader` of a Codex home."""

    root: Path
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    agent: str = field(default=AGENT, init=False)
    _threads: dict[str, list[Source]] | None = field(default=None, init=False)
    """The files of each thread, as of the last discovery: a revert begins another file."""

    def discover(self) -> Iterator[Source]:
        """Every rollout once, wherever it was moved and however it is packed: its thread is `detail`, its
        key the file's name without suffix. A plain file wins over a packed one, a live one over an archived.
        """
        found: dict[str, Source] = {}
        for top in ("sessions", "archived_sessions"):
            for folder, _, names in os.walk(self.root / top, onerror=_refused):
                for match in filter(None, map(_NAME.fullmatch, names)):
                    key, thread, packed = match.groups()
                    other = found.get(key)
                    better = other is None or (not packed and is_packed(other.path))
                    if better and (one := found_source(AGENT, key, Path(folder, match[0]))):
                        found[key] = replace(aged(one, self.now()), detail=thread)
        self._threads = defaultdict(list)
        for one in found.values():
            self._threads[one.detail].append(one)
        return iter(found.values())

    def read(self, source: Source, resume: str | None) -> Reading | None:
        """None while the file has no complete line. A resume token is that of `Lines`."""
        about = _meta(source.path)
        if about is None:
            return None
        id_, cwd = string(about.get("id")) or source.detail, string(about.get("cwd"))
        remote = string(obj(about.get("git")).get("repository_url"))
        machine = _machine(about) or _ours(source.path)
        session = Session(AGENT, id_, cwd, (remote,) if remote else (), machine)
        lines = Lines(source.path, resume)
        return Reading(session, self._steps(source, lines, about), lines.complaints)

    def idle(self, source: Source, reading: Reading) -> bool | None:
        """By the lock that a writing Codex holds, by the last turn's end, else by the clock."""
        over = is_over(self.root, source.path, source.detail)
        return None if over is False and is_abandoned(source, self.now()) else over

    def _steps(self, source: Source, lines: Lines, about: Record) -> Iterator[Step]:
        taken_back = [] if about.get("history_mode") == "paginated" else _rolled_back(lines)
        if self._threads is None:
            self.discover()
        family = (self._threads or {}).get(source.detail, [])
        end = cutoffs(family, _meta).get(source.key)

        def undone(record: Record, line: Line) -> bool:
            past = end is not None and (integer(record.get("ordinal")) or 0) >= end
            return past or any(begin <= line.start < behind for begin, behind in taken_back)

        began = string(about.get("timestamp"))
        yield from CodexReduction(lines, undone, is_abandoned(source, self.now()), began).steps()


def _refused(error: OSError) -> None:
    if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
        what = f"{error.filename} cannot be read ({error.strerror}); check its permissions"
        raise SourceError(what) from error


def _meta(path: Path) -> Record | None:
    """What a file says of itself: the payload of its first `session_meta`; None when no complete line is
    there yet.

    {} when the file has lines but does not say what it is.
    """
    about: Record | None = None
    for n, (_, record, _) in enumerate(Lines(path).records()):
        record = record or {}
        if record.get("type") == "session_meta":
            return obj(record.get("payload"))
        if about is None:  # the first versions began with the session itself, and told its folder later
            about = record if "type" not in record else {}
        pieces = items(record.get("content")) if about else []
        told = (_CWD.search(string(obj(piece).get("text"))) for piece in pieces)
        if found := next(filter(None, told), None):
            return {**about, "cwd": found[1]}
        if n == _META_LINES:
            break
    return about


def _machine(about: Record) -> str | None:
    """`source` is an object for what no person began: sub-agents, reviews, memory jobs."""
    if isinstance(about.get("source"), dict) or about.get("parent_thread_id"):
        return "subagent"
    kind = string(about.get("thread_source"))
    return kind if kind not in ("", "user") else None


def _ours(path: Path) -> str | None:
    """Whether the first prompt is one of our own calls."""
    items = (step.item for step in islice(CodexReduction(Lines(path)).steps(), _FIRST_STEPS))
    typed = (item.text for item in items if isinstance(item, Message) and item.role == "user")
    return "exec-by-siltstone" if INTERNAL in next(typed, "") else None


# What reverts and rollbacks took back.


def cutoffs(family: Sequence[Source], read_meta: Callable[[Path], Record | None]) -> dict[str, int]:
    """Key → the ordinal from which on that file's lines are undone; absent = none are.

    A revert leaves the old file as it is and begins a new one (a segment) of the same thread, whose
    `history_base` says where in which file the thread goes on. What is not on the way from the newest
    segment back is undone.
    """
    if not any("_" in one.key for one in family):
        return {}
    files = {one.key.partition("_")[2] or one.detail: one for one in family}
    undone = {one.key: 0 for one in files.values()}
    # Segment ids are UUIDv7: the newest sorts last. The first file of a thread has none.
    name = max(files, key=lambda id_: files[id_].key.partition("_")[2])
    undone.pop(files[name].key)
    seen = {name}
    while True:
        base = obj((read_meta(files[name].path) or {}).get("history_base"))
        name, end = string(base.get("thread_id")), integer(base.get("end_ordinal_exclusive"))
        if name not in files or name in seen or end is None:
            return undone
        seen.add(name)
        undone[files[name].key] = end


def _rolled_back(lines: Lines) -> list[tuple[int, int]]:
    """What rollbacks took back in a legacy rollout, each from its first byte to the first one after the event
    that says so; none where no rollback stands in what is still to be read.

    Before paginated rollouts, Codex leaves the turns in the file and appends an event that says how many of
    the last ones are gone: `{"type":"thread_rolled_back","num_turns":n}`. A turn begins with its typed text.
    """
    if not lines.holds(_ROLLBACK):
        return []
    turns: list[int] = []
    places: list[tuple[int, int]] = []
    for line in Lines(lines.path):
        wanted = _TYPED in line.raw or _ROLLBACK in line.raw
        record = (loads(line.raw) if wanted else None) or {}
        payload = obj(record.get("payload"))
        kind = payload.get("type") if record.get("type") == "event_msg" else None
        if kind == "user_message" and start_reason(string(payload.get("message"))) is None:
            turns.append(line.start)
        elif kind == "thread_rolled_back" and turns:
            gone = min(max(integer(payload.get("num_turns")) or 0, 0), len(turns))
            if gone:
                places.append((turns[-gone], line.end))
                del turns[-gone:]
    return places


# Whether a Codex is at work on a thread.


def is_over(root: Path, path: Path, thread: str, locks: Path = _LOCKS) -> bool | None:
    """True when nobody holds the thread any more, False while a turn is open, None when only the clock
    can tell.

    A writer holds a flock on `thread-writer-locks/<thread>.lock`. The kernel's list is read rather than the
    lock tried: trying it could make a starting Codex fail.
    """
    try:
        lock = (root / "thread-writer-locks" / f"{thread}.lock").stat()
        wanted = f"{os.major(lock.st_dev):02x}:{os.minor(lock.st_dev):02x}:{lock.st_ino}"
        if not any(wanted in line.split() for line in locks.read_text().splitlines()):
            return True
    except OSError:
        pass  # there is no such lock, or this system has no list of locks
    return False if not is_packed(path) and _is_turn_open(path) else None


def _is_turn_open(path: Path) -> bool:
    try:
        with opened(path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            tail = file.read(_TAIL)
    except OSError:
        return False
    return tail.rfind(_BEGUN) > max(tail.rfind(mark) for mark in _OVER)
