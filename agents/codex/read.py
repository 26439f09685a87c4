"""The reader of Codex's rollouts: finding, opening, and whether a Codex is at work on one."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from siltstone.agents.codex import door
from siltstone.agents.codex.rollouts import (
    AGENT,
    cutoffs,
    families,
    meta,
    opener,
    rolled_back,
    rollouts,
)
from siltstone.agents.codex.turns import Place, Turns, steps
from siltstone.agents.jsonl import Lines, loads
from siltstone.agents.values import INTERNAL, Record, home, obj, opened, string
from siltstone.pipeline.messages import Message, Reading, Session, Source, Step

_TAIL = 4 * 1024 * 1024
"""Bytes of a file's end in which the last turn's mark is looked for."""
# Inside a JSON string every quote is escaped, so these cannot stand in anybody's words.
_BEGUN = b'"payload":{"type":"task_started"'
_OVER = (b'"payload":{"type":"task_complete"', b'"payload":{"type":"turn_aborted"')
_LOCKS = Path("/proc/locks")


ABANDONED = timedelta(hours=1)
"""A turn that stands open and unchanged for so long was killed."""

_FIRST_PROMPT_LINES = 200


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class Codex:
    """`Reader` of a Codex home."""

    root: Path
    now: Callable[[], datetime] = _now
    agent: str = field(default=AGENT, init=False)
    _families: dict[str, list[Source]] | None = field(default=None, init=False)
    """Threads of several files, as of the last discovery: a revert begins another file."""

    def discover(self) -> Iterator[Source]:
        """Every rollout, wherever it was moved and however it is packed."""
        found = rollouts(self.root, (self.now() - ABANDONED).timestamp())
        self._families = families(found)
        return iter(found)

    def read(self, source: Source, resume: str | None) -> Reading | None:
        """None while the file has no complete line. A resume token is that of `Lines`."""
        about = meta(source.path)
        if about is None:
            return None
        thread = string(about.get("id")) or source.detail
        session = Session(
            AGENT,
            thread,
            string(about.get("cwd")),
            _remotes(about),
            _machine(about) or _ours(source.path),
        )
        lines = Lines(source.path, resume, opener=opener(source.path))
        paginated = about.get("history_mode") == "paginated"
        taken_back = [] if paginated else rolled_back(lines)
        return Reading(session, self._steps(source, lines, resume, taken_back), lines.complaints)

    def idle(self, source: Source, reading: Reading) -> bool | None:
        """By the lock that a writing Codex holds, by the last turn's end, else by the clock."""
        over = is_over(self.root, source.path, source.detail)
        return None if over is False and self._abandoned(source) else over

    def _steps(
        self, source: Source, lines: Lines, resume: str | None, taken_back: list[Place]
    ) -> Iterator[Step]:
        if self._families is None:
            self._families = families(rollouts(self.root))
        undone = cutoffs(self._families.get(source.detail, ()), meta).get(source.key)
        return steps(lines, resume, undone, self._abandoned(source), taken_back)

    def _abandoned(self, source: Source) -> bool:
        return self.now() - source.changed > ABANDONED


def reader(root: Path | None, env: Mapping[str, str]) -> Codex:
    """A reader of `root`, else of `$CODEX_HOME`, else of `~/.codex`."""
    return Codex(root or door.folder(env, home(env)))


def _remotes(about: Record) -> tuple[str, ...]:
    url = obj(about.get("git")).get("repository_url")
    return (url,) if isinstance(url, str) and url else ()


def _machine(about: Record) -> str | None:
    """`source` is an object for what no person began: sub-agents, reviews, memory jobs."""
    if isinstance(about.get("source"), dict) or about.get("parent_thread_id"):
        return "subagent"
    kind = string(about.get("thread_source"))
    return kind if kind not in ("", "user") else None


def _ours(path: Path) -> str | None:
    """Whether the first prompt is one of our own calls."""
    for n, line in enumerate(Lines(path, opener=opener(path))):
        if n == _FIRST_PROMPT_LINES:
            break
        for item in Turns().feed(loads(line.raw) or {}, line.start):
            if isinstance(item, Message) and item.role == "user":
                return "exec-by-siltstone" if INTERNAL in item.text else None
    return None


def is_over(root: Path, path: Path, thread: str, locks: Path = _LOCKS) -> bool | None:
    """True when nobody holds the thread any more, False while a turn is open, None when only the clock
    can tell.

    A writer holds a flock on `thread-writer-locks/<thread>.lock`. The kernel's list is read rather than the
    lock tried: trying it could make a starting Codex fail.
    """
    if _held(root / "thread-writer-locks" / f"{thread}.lock", locks) is False:
        return True
    if path.name.endswith(".zst"):
        return None
    return False if _turn_open(path) else None


def _held(lock: Path, locks: Path) -> bool | None:
    """None where that cannot be known: no such lock, or a system without a list of locks."""
    try:
        stat = lock.stat()
        listed = locks.read_text()
    except OSError:
        return None
    wanted = f"{os.major(stat.st_dev):02x}:{os.minor(stat.st_dev):02x}:{stat.st_ino}"
    return any(wanted in line.split() for line in listed.splitlines())


def _turn_open(path: Path) -> bool:
    try:
        with opened(path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            tail = file.read(_TAIL)
    except OSError:
        return False
    return tail.rfind(_BEGUN) > max(tail.rfind(mark) for mark in _OVER)
