"""What there is to read: sessions with unread messages, oldest unread message first.

A transcript is opened only when it has changed since it was last read to its end, and when nobody is
writing it any more. So a run with nothing new over 10,000 sessions costs a walk and their stats.
"""

import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from fnmatch import fnmatch
from functools import partial
from itertools import islice, takewhile
from typing import NamedTuple

from siltstone.pipeline.messages import Filtered, Message, Reader, Reading, Session, Source, Step
from siltstone.pipeline.reading.clean import clean, cleaned, without_told_password
from siltstone.pipeline.reading.window import Mark, Place, Turn, last_answer, turns
from siltstone.store.errors import SiltError, SourceError
from siltstone.store.state import State
from siltstone.store.state import clean as as_stored

STUCK_AFTER = 30
"""Idle times after which a session is read although its transcript shows a running turn: a killed agent
leaves such a transcript for ever (docs/transcripts.md, "SIGKILL")."""
BATCH = 200


class Wanted(NamedTuple):
    now: datetime
    idle: timedelta
    exclude: tuple[str, ...] = ()
    """Globs of absolute paths; everything below one is excluded too."""
    since: datetime | None = None
    """Messages before it count as filtered("older") and stay behind the watermark."""
    ended: frozenset[tuple[str, str]] = frozenset()
    """Agent and id of sessions whose agent reported their end: these are read at once."""


class Unread(NamedTuple):
    source: Source
    session: Session
    first: datetime
    """Time of its oldest unread message."""


class Finished(NamedTuple):
    """A changed transcript with nothing in it for us."""

    source: Source
    mark: Mark
    filtered: Counter[str]


@dataclass(slots=True)
class Found:
    """What there is to read, and what is left alone for now."""

    unread: list[Unread] = field(default_factory=list)
    finished: list[Finished] = field(default_factory=list)
    waiting: int = 0
    """Sessions still in use."""
    backing_off: int = 0
    """Sessions whose window failed and whose next try is not due yet."""
    excluded: int = 0
    complaints: list[str] = field(default_factory=list)


class Backlog:
    """The unread part of every transcript the readers find. Without a state nothing was ever read: for the
    estimate of a reading anew.

    `skip` names, for each session whose state was lost, the last message that the store's trailers say was
    dealt with: what comes before it in the transcript is not read again (invariant 2).
    """

    def __init__(
        self,
        readers: Iterable[Reader],
        state: State | None,
        wanted: Wanted,
        skip: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        self._readers = {reader.agent: reader for reader in readers}
        self._sources = state.sources if state else None
        self._retries = {one.window: one.next_try for one in state.failures.all()} if state else {}
        self._wanted = wanted
        self._skip = dict(skip or {})
        self.broken: dict[Place, str] = {}
        """Sources that could not be read to their end, with one sentence each."""
        self.complaints: list[str] = []
        """What the readers left out, one sentence each."""

    def find(self) -> Found:
        """Look at every changed transcript. One that cannot be read is a complaint."""
        found = Found()
        for reader in self._readers.values():
            with complaint_about(f"Every transcript of {reader.agent}", found.complaints.append):
                stamps = self._sources.stamps(reader.agent) if self._sources else {}
                for source in reader.discover():
                    if (stamps.get(source.key) or stamps.get(as_stored(source.key))) != source.stamp:
                        with complaint_about(str(source.path), found.complaints.append):
                            self._look(reader, source, found)
        found.unread.sort(key=lambda unread: (unread.first, unread.source.agent, unread.source.key))
        return found

    def turns(self, unread: Iterable[Unread]) -> Iterator[Turn]:
        """The unread turns of these sessions, one session after another. What a fork repeats of another of
        them comes once.

        A transcript that breaks off is noted in `broken`: what was read of it is used, the rest stays
        unread.
        """
        given = defaultdict[str, set[str]](set)
        for item in unread:
            place = (item.source.agent, item.source.key)
            others, own = given[item.source.agent], set[str]()
            with complaint_about(str(item.source.path), partial(self.broken.__setitem__, place)):
                reading = self._open(item.source)
                if reading is not None:
                    steps = cleaned(self._fresh(item.source, reading, others))
                    first = True
                    for turn in turns(item.source.key, reading.session, steps):
                        if first and turn.messages and turn.messages[0].role == "user":
                            turn = _replying(turn, self._answered(item.source, turn.messages[0].key))
                        first = first and not turn.messages
                        yield turn
                        own.update(message.key for message in turn.messages)
                    self.complaints += reading.complaints
            others |= own

    def _look(self, reader: Reader, source: Source, found: Found) -> None:
        if excluded(str(source.path), self._wanted.exclude):
            found.excluded += 1
            return
        retry = self._retries.get(as_stored(f"{source.agent}/{source.key}"))
        if retry is not None and retry > self._wanted.now:
            found.backing_off += 1
            return
        if in_use(reader, source, None, self._wanted):
            found.waiting += 1
            return
        reading = self._open(source)
        if reading is None:
            return
        if excluded(reading.session.cwd, self._wanted.exclude):
            found.excluded += 1
        elif in_use(reader, source, reading, self._wanted):
            found.waiting += 1
        else:
            self._sort_in(source, reading, found)
            found.complaints += reading.complaints

    def _sort_in(self, source: Source, reading: Reading, found: Found) -> None:
        session = reading.session
        filtered: Counter[str] = Counter()
        keys: list[str] = []
        resume: str | None = None
        for step in self._fresh(source, reading, set()):
            resume = step.resume
            if isinstance(step.item, Filtered):
                filtered[step.item.reason] += 1
            elif session.machine is None:
                found.unread.append(Unread(source, session, step.item.at))
                return
            else:
                filtered[session.machine] += 1
                keys.append(step.item.key)
        mark = Mark(source.key, session, "", resume or None, tuple(keys))
        found.finished.append(Finished(source, mark, filtered))

    def _open(self, source: Source) -> Reading | None:
        mark = self._sources.get(source.agent, source.key) if self._sources else None
        return self._readers[source.agent].read(source, mark.resume if mark else None)

    def _fresh(self, source: Source, reading: Reading, others: set[str]) -> Iterator[Step]:
        """The new steps of a reading; the rest as Filtered("seen"), or "older" when before `since`. `others`:
        keys of what other transcripts gave."""
        steps = iter(reading.steps)
        done = self._before_trailer(source, reading.session)
        since = self._wanted.since
        while batch := list(islice(steps, BATCH)):
            keys = [step.item.key for step in batch if isinstance(step.item, Message)]
            seen = done.intersection(keys) | others.intersection(keys)
            seen |= self._sources.seen(source.agent, keys) if self._sources else set()
            for step in batch:
                if isinstance(step.item, Message) and step.item.key in seen:
                    yield Step(Filtered("seen"), step.resume)
                elif isinstance(step.item, Message) and since is not None and step.item.at < since:
                    yield Step(Filtered("older"), step.resume)
                else:
                    yield step

    def _answered(self, source: Source, key: str) -> Message | None:
        """The answer before a message, which an earlier run read; None where nothing stands before it."""
        whole, since = self._readers[source.agent].read(source, None), self._wanted.since
        items = (step.item for step in whole.steps) if whole else iter(())
        before = takewhile(lambda item: isinstance(item, Filtered) or item.key != key, items)
        told = (item for item in before if isinstance(item, Message) and (not since or item.at >= since))
        answer = last_answer(told)
        said = None if answer is None else clean(answer)
        return said if isinstance(said, Message) else None

    def _before_trailer(self, source: Source, session: Session) -> set[str]:
        """Keys up to the message that the store's trailers name; empty when this file does not hold it."""
        last = self._skip.get((source.agent, session.id))
        whole = None if last is None else self._readers[source.agent].read(source, None)
        keys: set[str] = set()
        for step in whole.steps if whole else ():
            if isinstance(step.item, Message):
                keys.add(step.item.key)
                if step.item.id == last:
                    return keys
        return set()


def _replying(turn: Turn, answer: Message | None) -> Turn:
    """A turn that begins with a reply to an answer which an earlier run read."""
    if answer is None:
        return turn
    reply, *others = turn.messages
    return replace(turn, context=answer, messages=(without_told_password(answer.text, reply), *others))


def in_use(reader: Reader, source: Source, reading: Reading | None, wanted: Wanted) -> bool:
    """Whether a session may still be written; before it is opened (None), whether its file alone says so."""
    if any(
        agent == source.agent and (reading is None or id == reading.session.id) for agent, id in wanted.ended
    ):
        return False
    quiet = wanted.now - source.changed
    if quiet < wanted.idle:
        return True
    return reading is not None and quiet < wanted.idle * STUCK_AFTER and reader.idle(source, reading) is False


@contextmanager
def complaint_about(what: str, complain: Callable[[str], None]) -> Iterator[None]:
    """Turn an error of one source into a complaint, so that all others are still read.

    An agent may change its format at any time, so this is one of two places that catch every exception
    (the other is the hook boundary). Errors of our own store and state still end the run. The exception's
    text is left out, because it may quote the transcript.
    """
    try:
        yield
    except SourceError as error:
        complain(str(error))
    except SiltError:
        raise
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{at.filename.rpartition('/')[2]}:{at.lineno}"
        complain(f"{what} was not read: {type(error).__name__} in {where}; please report this.")


def excluded(path: str, patterns: Iterable[str]) -> bool:
    """Whether a path, or a folder above it, is never to be read (invariant 14)."""
    folders = [pattern.rstrip("/") for pattern in patterns] if path else []
    return any(fnmatch(path, folder) or fnmatch(path, f"{folder}/*") for folder in folders)
