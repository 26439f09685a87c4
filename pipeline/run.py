"""The reading half of a batch: settle, find, read, learn. What follows is called by `cli/batch.py`.

Windows of one scope run one after another, scopes beside each other when a model is waited for
(invariant 13). A scope that another process works on is left to it.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime

from siltstone.pipeline.backlog import Backlog, Finished, Found, Unread, Wanted
from siltstone.pipeline.books import take_up
from siltstone.pipeline.learn import Learned, Parts, learn
from siltstone.pipeline.leasing import take, working_on
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.report import Report
from siltstone.pipeline.window import Place, Window, windows
from siltstone.store.errors import ReplyError, SiltError, Unavailable
from siltstone.store.history import watermarks
from siltstone.store.state import State, Watermark, clean
from siltstone.store.store import Store

LANES = 4
"""Scopes worked on at once, each waiting for its own model call."""
HEAD = "trailers-read-to"
"""Name of the state value that holds the commit up to which trailers agree with the state."""


class Marks:
    """The state database as the backlog sees it: watermarks read once, messages asked for."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._stamps: dict[str, dict[str, str]] = {}
        self._retries = {failure.window: failure.next_try for failure in state.failures.all()}

    def stamp(self, agent: str, key: str) -> str | None:
        known = self._stamps.get(agent)
        if known is None:
            known = self._stamps[agent] = self._state.sources.stamps(agent)
        return known.get(key) or known.get(clean(key))

    def resume(self, agent: str, key: str) -> str | None:
        mark = self._state.sources.get(agent, key)
        return mark.resume if mark else None

    def seen(self, agent: str, keys: Sequence[str]) -> set[str]:
        return set(self._state.sources.seen(agent, keys))

    def retry_at(self, agent: str, key: str) -> datetime | None:
        return self._retries.get(clean(f"{agent}/{key}"))

    def last(self) -> dict[tuple[str, str], set[str]]:
        """Messages that watermarks stand at, by (agent, session)."""
        found: dict[tuple[str, str], set[str]] = {}
        for mark in self._state.sources.all():
            found.setdefault((mark.agent, mark.session), set()).add(mark.message or "")
        return found


class Nothing:
    """Behind the watermark before anything was ever read: what an estimate of a re-reading looks at."""

    def stamp(self, agent: str, key: str) -> str | None:
        return None

    def resume(self, agent: str, key: str) -> str | None:
        return None

    def seen(self, agent: str, keys: Sequence[str]) -> set[str]:
        return set()

    def retry_at(self, agent: str, key: str) -> datetime | None:
        return None


@dataclass(frozen=True, slots=True)
class Batch:
    """What a run is asked to do."""

    readers: Sequence[Reader]
    wanted: Wanted
    scope_of: Callable[[Unread], str]
    """The scope a session belongs to: "global" or "projects/<slug>"."""
    tell: Callable[[str], None]
    """Called with one line as each window is dealt with."""


def lost_marks(store: Store, state: State, marks: Marks) -> dict[tuple[str, str], str]:
    """Watermarks that stand in the store's commits but not in the state (invariant 2).

    Only commits since the last run that ended well are looked at, all of them when the state is new.
    """
    since = state.value(HEAD)
    try:
        told = watermarks(store, since)
    except SiltError:
        told = watermarks(store)  # the commit is gone: history was rewritten by a purge
    known = marks.last() if told else {}
    return {key: message for key, message in told.items() if message not in known.get(key, set())}


def read_again(store: Store, state: State) -> None:
    """Trailers up to here are no lost watermarks: what was taken out of the state is read again."""
    state.set_value(HEAD, store.git.head())


def find(batch: Batch, store: Store, state: State, anew: bool = False) -> tuple[Backlog, Found]:
    """What there is to read, without reading it; with `anew` as if nothing had been read."""
    if anew:
        backlog = Backlog(batch.readers, Nothing(), batch.wanted)
        return backlog, backlog.find()
    marks = Marks(state)
    backlog = Backlog(batch.readers, marks, batch.wanted, lost_marks(store, state, marks))
    return backlog, backlog.find()


def lanes_of(batch: Batch, found: Found) -> dict[str, list[Unread]]:
    """Unread sessions by scope, the scope with the oldest unread message first."""
    lanes: dict[str, list[Unread]] = {}
    for unread in found.unread:
        lanes.setdefault(batch.scope_of(unread), []).append(unread)
    return lanes


def read(batch: Batch, parts: Parts, report: Report) -> None:
    """Work off the backlog: every unread message ends in a window or is counted as filtered."""
    with parts.store.locked():
        settled = parts.store.settle()
        head = parts.store.git.head()
    report.complaints += settled.refused
    _take_up(parts)
    backlog, found = find(batch, parts.store, parts.state)
    report.waiting, report.backing_off = found.waiting, found.backing_off
    report.excluded = found.excluded
    report.complaints += found.complaints
    for done in found.finished:
        _finish(done, parts, report)
    lanes = lanes_of(batch, found)
    crew = _Crew(batch, backlog, parts, report)
    with ThreadPoolExecutor(1 if parts.extractor.name == "rules" else LANES) as pool:
        try:
            for lane in [pool.submit(crew.lane, scope, unread) for scope, unread in lanes.items()]:
                lane.result()
        except KeyboardInterrupt:
            # The lanes end with the window in hand: no further call is made, or paid for.
            report.stopped = "interrupted"
            raise
    report.complaints += [*backlog.broken.values(), *backlog.complaints]
    if not report.failed and report.stopped is None and not report.busy and head:
        parts.state.set_value(HEAD, head)


def _take_up(parts: Parts) -> None:
    """Finish the books of runs that died in the middle of a window."""
    for scope in parts.state.pending.scopes():
        with working_on(parts, scope) as ours:
            if ours:
                take_up(scope, parts.store, parts.state)


def _finish(done: Finished, parts: Parts, report: Report) -> None:
    source, session = done.source, done.session
    report.sessions += 1
    report.filtered += done.filtered
    report.messages += done.filtered.total()
    before = parts.state.sources.get(source.agent, source.key)
    resume = done.resume or (before.resume if before else None)
    last = before.message if before else None
    mark = Watermark(source.agent, source.key, session.id, resume, source.stamp, last, parts.clock())
    parts.state.advance([mark], {(source.agent, session.id): done.keys})


class _Crew:
    """The lanes of one run and what they share: the report, and whether to go on."""

    def __init__(self, batch: Batch, backlog: Backlog, parts: Parts, report: Report) -> None:
        self._batch, self._backlog, self._parts, self._report = batch, backlog, parts, report
        self._guard = threading.Lock()

    def lane(self, scope: str, unread: Sequence[Unread]) -> None:
        """All windows of one scope, one after another."""
        with working_on(self._parts, scope) as ours:
            if not ours:
                with self._guard:
                    self._report.busy += 1
                return
            left = {(item.source.agent, item.source.key): item for item in unread}
            while left and self._report.stopped is None:
                failed = self._work_off(scope, left)
                left = {key: item for key, item in left.items() if key not in failed} if failed else {}

    def _work_off(self, scope: str, left: Mapping[Place, Unread]) -> set[Place]:
        """Windows until one fails; returns the sources of that one. What ran through is finished."""
        for window in windows(scope, self._backlog.turns(left.values())):
            if self._report.stopped is not None:
                return set(left)
            take(self._parts, scope)
            if not self._learn(window):
                return {mark.place for mark in window.marks}
        for place, item in left.items():
            if place not in self._backlog.broken:
                self._read_through(item)
        return set()

    def _learn(self, window: Window) -> bool:
        learned = Learned()
        error: SiltError | None = None
        try:
            learn(window, self._parts, learned)
        except SiltError as raised:
            error = raised
        with self._guard:
            self._add(window, learned, error)
        return error is None

    def _add(self, window: Window, learned: Learned, error: SiltError | None) -> None:
        report = self._report
        report.tally += learned.tally
        report.refused += learned.refused
        report.usage += learned.usage
        report.calls += learned.calls
        report.windows += learned.windows
        report.commits += learned.commits
        report.complaints += learned.waits
        report.taken_back += learned.taken_back
        if error is None:
            report.filtered += window.filtered
            report.messages += window.messages + window.filtered.total()
            self._batch.tell(_line(window, learned))
            return
        if isinstance(error, (ReplyError, Unavailable)):
            report.failed += 1
            report.why_failed.append(str(error))
            for mark in window.marks:
                name = "/".join(mark.place)
                self._parts.state.failures.record(name, str(error), self._parts.clock())
        if not isinstance(error, ReplyError):
            report.stop(error)
        self._batch.tell(f"{window.scope}: {error}")

    def _read_through(self, item: Unread) -> None:
        """A source read to its end: its stamp says so until it changes."""
        sources = self._parts.state.sources
        mark = sources.get(item.source.agent, item.source.key)
        if mark is not None:
            sources.put(replace(mark, stamp=item.source.stamp, at=self._parts.clock()))
        with self._guard:
            self._report.sessions += 1


def _line(window: Window, learned: Learned) -> str:
    kinds = learned.tally.kinds
    told = ", ".join(f"{n} {kind}" for kind, n in kinds.items() if n) or "nothing to keep"
    return f"{window.scope}: {window.messages} messages of {len(window.marks)} session(s): {told}"
