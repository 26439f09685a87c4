"""The story of a batch: read, learn, keep the store in order, rebuild what is derived from it.

Only this module knows the order of the stages. Windows of one scope run one after another, scopes beside
each other while their models are waited for (invariant 13). A scope that another process works on is left
to that process.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from typing import NamedTuple

from siltstone.pipeline.archiving import Archiving, fill
from siltstone.pipeline.binding import bind_rest
from siltstone.pipeline.bookkeeping import AGREES_TO, bind, is_of, lost_watermarks, take_up, watermark
from siltstone.pipeline.compaction.compact import compact_due
from siltstone.pipeline.compaction.due import When
from siltstone.pipeline.compaction.with_model import Looking
from siltstone.pipeline.conflicts import apply_ticks
from siltstone.pipeline.inbox import expire
from siltstone.pipeline.learn import Learned, learn, save
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.model.port import Model
from siltstone.pipeline.parts import Parts, lease, leased
from siltstone.pipeline.progress import Tell
from siltstone.pipeline.reading.backlog import Backlog, Finished, Found, Unread, Wanted
from siltstone.pipeline.reading.window import Place, Window, is_worth_a_call, windows
from siltstone.pipeline.report import Report
from siltstone.store.errors import Locked, ReplyError, SiltError, StateError, StoreError, Unavailable
from siltstone.store.state import Pooled, State
from siltstone.store.store import Store

LANES = 4
"""Scopes worked on at once, each waiting for its own model call."""


class Batch(NamedTuple):
    readers: Sequence[Reader]
    wanted: Wanted
    scope_of: Callable[[Unread], str]
    """The scope a session belongs to: "global" or "projects/<slug>"."""
    pool: timedelta | None = None
    """So long a model is not asked about a project's last sessions, while they fill less than half a window
    and the project is the one worked in. None: everything is read now."""
    archiving: Archiving | None = None
    """The session archive, which is filled before anything else; None: not now."""


class Upkeep(NamedTuple):
    """What a batch does after reading. The steps that are not the pipeline's own are functions."""

    meet: Callable[[], None]
    """Register projects that were met for the first time."""
    summarise: Callable[[], Sequence[str]]
    """Keep what the last session of each project came to; a line for each, and for what went wrong."""
    compactor: Model | None
    """None: the rules compact."""
    when: When | None
    """None: compaction is switched off."""
    looking: Looking | None = None
    """Who looks back at sessions; None: nobody."""


def run(
    batch: Batch | None, upkeep: Upkeep | None, rebuild: Callable[[], object], parts: Parts, report: Report
) -> None:
    """Run one batch, adding to `report`. None leaves out reading, or upkeep.

    An error ends the batch; what was done before it stays, and `report.stopped` says why it ended.
    """
    try:
        if batch is not None:
            read(batch, parts, report)
        if upkeep is not None:
            keep_up(upkeep, parts, report)
        rebuild()
        with parts.store.locked():
            parts.store.pack()
    except SiltError as error:
        report.stop(error)


def read(batch: Batch, parts: Parts, report: Report) -> None:
    """Work off the backlog: every unread message ends in a window or is counted as filtered."""
    archive(batch, parts.tell, report)
    with parts.store.locked():  # a killed run may have left something in the work tree and in the books
        report.complaints += parts.store.settle().refused
        head = parts.store.git.head()
    for scope in parts.state.pending.scopes():
        with leased(parts, scope) as ours:
            if ours:
                take_up(scope, parts.store, parts.state)
    if bind(parts.store, parts.state):
        report.complaints.append("earlier sessions were read into another store: they are read again")
    backlog, found = find(batch, parts.store, parts.state)
    report.waiting, report.backing_off = found.waiting, found.backing_off
    report.excluded = found.excluded
    if found.unread:
        parts.search.sync(parts.store.snapshot())  # a window is shown what it may be about
    report.complaints += found.complaints
    for done in found.finished:
        _finish(done, parts, report)
    by_lane = lanes_of(batch, found, report)
    changed = {scope: max(one.source.seconds for one in unread) for scope, unread in by_lane.items()}
    worked_in = max(changed, key=changed.__getitem__, default=None)
    lanes = _Lanes(batch, backlog, parts, report, worked_in, len(found.unread))
    if found.unread:
        parts.tell("reading sessions", 0, len(found.unread), "")
    try:
        with ThreadPoolExecutor(1 if parts.extractor.name == "rules" else LANES) as pool:
            try:
                waiting = [pool.submit(lanes.work, *lane) for lane in by_lane.items()]
                for lane in waiting:
                    lane.result()
            except KeyboardInterrupt:
                # Each lane ends after its current window: no further call is made, or paid for.
                report.stopped = "interrupted"
                doing = "stopping when the answers under way are in"
                parts.tell(doing, len(lanes.begun), len(found.unread), "Ctrl-C again: at once")
                raise
    finally:  # behind the pool, whose lanes end their windows first
        report.sessions += len(lanes.begun)
        report.left = len(found.unread) - len(lanes.begun) if report.stopped else 0
    if report.stopped is None and not report.busy:
        parts.state.hooks.pool(lanes.pooled)
    report.complaints += [*backlog.broken.values(), *backlog.complaints]
    bind(parts.store, parts.state)
    if not report.failed and report.stopped is None and not report.busy and head:
        parts.state.set_value(AGREES_TO, head)


def archive(batch: Batch, tell: Tell, report: Report) -> None:
    """Make what was said searchable, without a model. Where that fails, reading goes on all the same."""
    if batch.archiving is None:
        return
    try:
        report.archived = fill(batch.readers, batch.wanted, batch.archiving, tell)
        report.complaints += [*batch.archiving.archive.complaints, *report.archived.complaints]
    except (Locked, StateError) as error:
        report.complaints.append(f"the session archive is not up to date: {error}")


def keep_up(upkeep: Upkeep, parts: Parts, report: Report) -> None:
    """Do what the user decided and what time brings: ticks, the end of inbox items, compaction,
    anchors."""
    upkeep.meet()
    report.summaries += upkeep.summarise()
    settled = apply_ticks(parts)
    report.notes += [*settled.settled, *settled.left]
    report.notes += [
        f"conflict {one} is open again: its section was deleted without a tick" for one in settled.returned
    ]
    report.expired += expire(parts)
    if upkeep.when is not None and report.stopped is None:
        for scope, why, done in compact_due(parts, upkeep.compactor, upkeep.when, upkeep.looking):
            report.compacted(scope, why, done)
    bind_rest(parts)


def find(batch: Batch, store: Store, state: State, anew: bool = False) -> tuple[Backlog, Found]:
    """What there is to read, without reading it; with `anew` as if nothing had been read."""
    anew = anew or not is_of(store, state)
    lost = {} if anew else lost_watermarks(store, state)
    backlog = Backlog(batch.readers, None if anew else state, batch.wanted, lost)
    return backlog, backlog.find()


def lanes_of(batch: Batch, found: Found, report: Report) -> dict[str, list[Unread]]:
    """Unread sessions by scope, the scope with the oldest unread message first. Those whose scope's folder
    cannot be used wait, and the report complains."""
    lanes: dict[str, list[Unread]] = {}
    for unread in found.unread:
        try:
            lanes.setdefault(batch.scope_of(unread), []).append(unread)
        except StoreError as error:
            report.complaints.append(str(error))
    return lanes


def _finish(done: Finished, parts: Parts, report: Report) -> None:
    """A changed transcript with nothing in it for us is behind the watermark."""
    mark = done.mark
    report.sessions += 1
    report.filtered += done.filtered
    report.messages += done.filtered.total()
    read_to = watermark(mark, parts.state, parts.clock())._replace(stamp=done.source.stamp)
    parts.state.advance([read_to], {(mark.session.agent, mark.session.id): mark.keys})


@dataclass(slots=True)
class _Lanes:
    """The scopes of one batch, worked on side by side, and what they share: the report."""

    batch: Batch
    backlog: Backlog
    parts: Parts
    report: Report
    worked_in: str | None
    """The scope with the session that changed last."""
    of: int
    """Sessions that there are to read."""
    begun: set[Place] = field(default_factory=set)
    """Those that were read, if only in part."""
    pooled: Pooled = field(default_factory=Pooled)
    """What waits for more. Only one scope has such sessions."""
    guard: threading.Lock = field(default_factory=threading.Lock)

    def work(self, scope: str, unread: Sequence[Unread]) -> None:
        """All windows of one scope, one after another. What shares a failed window is left for later."""
        with leased(self.parts, scope) as ours:
            if not ours:
                with self.guard:
                    self.report.busy += 1
                return
            left = {(item.source.agent, item.source.key): item for item in unread}
            while left and self.report.stopped is None:
                failed = self._work_off(scope, left)
                left = {place: item for place, item in left.items() if place not in failed} if failed else {}

    def _work_off(self, scope: str, left: Mapping[Place, Unread]) -> set[Place]:
        """Windows until one fails; the transcripts of that one. The others are read to their end, but for
        those that wait for more."""
        pooled = set[Place]()
        for window in windows(scope, self.backlog.turns(left.values())):
            if self.report.stopped is not None:
                return set(left)
            lease(self.parts, scope)
            fills = window.last and window.typed and scope == self.worked_in
            pool = self.batch.pool if fills and self.parts.extractor.name != "rules" else None
            if pool is not None and not is_worth_a_call(window, self.parts.clock(), pool):
                # The model is asked about it later, together with what follows.
                pooled = {mark.place for mark in window.marks}
                until = min(one.message.at for one in window.shown if not one.context) + pool
                waiting = {f"{mark.session.agent}/{mark.session.id}" for mark in window.marks}
                self.pooled = Pooled(until.timestamp(), tuple(sorted(waiting)))
                self._save(window)
            elif not self._learn(window):
                return {mark.place for mark in window.marks}
        sources = self.parts.state.sources
        for place, item in left.items():
            if place in self.backlog.broken or place in pooled:
                continue
            mark = sources.get(*place)
            if mark is not None:  # until the transcript changes, its stamp says that it was read
                sources.put(mark._replace(stamp=item.source.stamp, at=self.parts.clock()))
            with self.guard:
                self.begun.add(place)
        return set()

    def _save(self, window: Window) -> None:
        """Keep what the user asked to remember in a window that waits."""
        learned = Learned()
        try:
            save(window, self.parts, learned)
        except SiltError as error:
            self.report.stop(error)
        with self.guard:
            self.report.pooled += len(window.marks)
            if learned.commits:  # else it was saved by an earlier batch
                self.report.add(learned)

    def _learn(self, window: Window) -> bool:
        """Learn from one window and report it; whether that succeeded.

        A window without a reply is tried again later. Any other error ends the batch.
        """
        learned, report = Learned(), self.report
        error: SiltError | None = None
        try:
            learn(window, self.parts, learned)
        except SiltError as raised:
            error = raised
        with self.guard:
            report.add(learned)
            if error is None:
                report.filtered += window.filtered
                report.messages += window.messages + window.filtered.total()
                self.begun |= {mark.place for mark in window.marks}
            else:
                told = str(error)
                if isinstance(error, (ReplyError, Unavailable)):
                    report.failed += 1
                    report.why_failed.append(told)
                    for mark in window.marks:
                        self.parts.state.failures.record("/".join(mark.place), told, self.parts.clock())
                if not isinstance(error, ReplyError):
                    report.stop(error)
            about = window.scope.removeprefix("projects/")
            if report.stopped is None:
                self.parts.tell("reading sessions", len(self.begun), self.of, about)
        return error is None
