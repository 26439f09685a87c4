"""One batch for the command line: consent, reading, ticks, compaction, index, report."""

from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from siltstone.cli.context import Context, now
from siltstone.cli.models import Estimates, Models, Names, key_alone, keys, names
from siltstone.cli.note import note
from siltstone.cli.parts import meet, needs_git, one_brief, parts, readers, rebuild
from siltstone.cli.settings import Settings, hook_rules
from siltstone.cli.summing import Summing
from siltstone.pipeline.archiving import Archiving
from siltstone.pipeline.bookkeeping import REREAD, read_again
from siltstone.pipeline.compaction.compact import Wish, groups_of, pages_of, why_due
from siltstone.pipeline.compaction.due import When, due
from siltstone.pipeline.compaction.with_model import Looking
from siltstone.pipeline.estimate import (
    estimate_compaction,
    estimate_looks,
    estimate_reading,
    estimate_summaries,
)
from siltstone.pipeline.extraction.extract import ModelExtractor
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.progress import Tell
from siltstone.pipeline.reading.backlog import Unread, Wanted
from siltstone.pipeline.report import Report
from siltstone.pipeline.run import Batch, Upkeep, archive, find, lanes_of, run
from siltstone.store.errors import ConsentNeeded, Locked, StateError
from siltstone.store.files import Session
from siltstone.store.state import HOOK_WAIT, RunRow, State

HOW_TO_AGREE = "agree with --yes, or skip older messages with --since DATE"


class Options(NamedTuple):
    """What a batch is called with."""

    root: list[str] | None = None
    idle: float | None = None
    since: datetime | None = None
    """With its zone."""
    model: str | None = None
    yes: bool = False
    keep_prompts: Path | None = None
    reread: bool = False
    upkeep: bool = True
    """Apply ticks and compact when it is due."""
    ended: list[str] | None = None
    """AGENT/ID of sessions that ended: they count as idle."""
    pooled: bool = False
    """Nobody is waiting for this run: short sessions may wait and be sent to a model together."""


class Work:
    """A batch in preparation: everything it works with, opened once."""

    def __init__(self, context: Context, options: Options, tell: Tell) -> None:
        self.context, self.options, self.settings = context, options, context.configured.settings
        self.tell = tell
        chosen = names(self.settings, options.model)
        chosen = chosen if options.upkeep else chosen._replace(compact=None, summary=None)
        self.models = Models(context, chosen, options.keep_prompts)
        idle = timedelta(milliseconds=self.settings.idle_ms)
        if options.idle is not None:
            idle = timedelta(seconds=options.idle)
        ended = frozenset((one.agent, one.id) for one in map(Session.of, options.ended or ()))
        wanted = Wanted(now(), idle, self.settings.exclude, options.since, ended)
        self.met: dict[str, Unread] = {}
        """The latest session with something to read, by scope."""
        pool = timedelta(milliseconds=self.settings.pool_time) if options.pooled else None
        self.batch = Batch(
            readers(context.configured, options.root), wanted, self._scope_of, pool, self._archiving()
        )

    def _archiving(self) -> Archiving | None:
        """What fills the session archive; None if it is switched off, and in a dry run."""
        settings = self.settings
        try:
            archive = self.context.archive
        except (Locked, StateError) as error:
            note(f"sessions were not archived: {error}")
            return None
        if archive is None:
            return None
        self.context.scopes.adopt(archive.places())
        longest = timedelta(milliseconds=settings.archive_max_age)
        purged = self.context.state.purged.all()
        return Archiving(
            archive, self.context.scopes.resolve, longest, settings.archive_max_mb * 1_000_000, purged
        )

    def _scope_of(self, unread: Unread) -> str:
        scope = self.context.scopes.of(unread.session.cwd, unread.session.remotes)
        if scope not in self.met or self.met[scope].source.seconds <= unread.source.seconds:
            self.met[scope] = unread
        return scope

    @cached_property
    def parts(self) -> Parts:
        """What the run works with. Making it claims the run's number."""
        model = self.models.metered(self.models.names.extract)
        return parts(self.context, None if model is None else ModelExtractor(model, now), self.tell)

    def looking(self) -> Looking | None:
        """Who looks back: the model that reads transcripts, if there is one and what it read is archived."""
        reader, archiving = self.models.metered(self.models.names.extract), self.batch.archiving
        return Looking(reader, archiving.archive) if reader is not None and archiving is not None else None

    def summing(self) -> Summing:
        by_agent = {reader.agent: reader for reader in self.batch.readers}
        return Summing(self.met, by_agent, now(), hook_rules(self.settings))

    def estimate(self) -> Estimates:
        """What would be read and sent now. Nothing is sent or changed."""
        store, state, today = self.context.store, self.context.state, now().date()
        wanted = self.models.names
        extract, compact, summary = (
            None if name is None else self.models.plain(name)
            for name in (wanted.extract, wanted.compact, wanted.summary)
        )
        sums, asking, looks = None, None, None
        backlog, found = find(self.batch, store, state, self.options.reread)
        has_memories = any(store.counts().values())
        lanes = lanes_of(self.batch, found, Report())
        keywords = self.settings.keyword_patterns
        reading = estimate_reading(backlog, lanes, extract, today, has_memories, self.tell, keywords)
        if summary is not None:
            sums = estimate_summaries(self.summing().to_ask(), summary, today)
        if compact is not None:
            when = when_due(self.settings, by_model=True)
            ripe = [scope for scope in store.scopes() if why_due(store, state, scope, when, now())]
            groups = [group for scope in ripe for group in groups_of(store, state, Wish(scope))]
            fresh = {}  # memories to be learned, where they make a compaction due
            for scope, count in reading.fresh.items():
                churn, live = state.compaction.get(scope), store.counts().get(scope, 0)
                if due(churn._replace(churn=churn.churn + count), live + count, 0, now(), when):
                    fresh[scope] = count
            asking = estimate_compaction(groups, [*fresh.values()], compact, today)
            if extract is not None and self.settings.archive_enabled:
                archive = self.context.archive
                back = [] if archive is None else pages_of(store, state, {*ripe, *fresh}, archive)
                more = [(count, reading.typed[scope]) for scope, count in fresh.items()]
                looks = estimate_looks(back, more, extract)
        return Estimates(wanted, reading, sums, asking, looks)

    def consent(self, how: str = HOW_TO_AGREE) -> bool:
        """Raise ConsentNeeded before the first run with a model, unless the user agreed (invariant 14).

        `how` tells the user how to agree. False when nothing would be sent and so there is nothing to agree
        to: then no model may be called.
        """
        if self.models.has_agreed():
            return True
        self.models.check()
        if not self.options.yes and self.options.since is None:
            estimates = self.estimate()
            if estimates.sends_nothing:
                return False
            raise ConsentNeeded(f"{estimates.in_words()}; {how}")
        self.models.agree()
        return True


def when_due(settings: Settings, by_model: bool) -> When:
    """The settings that decide when compaction is due, by rules or by a model."""
    interval = timedelta(milliseconds=settings.compact_interval_ms)
    rest = timedelta(milliseconds=settings.compact_model_interval if by_model else 0)
    return When(settings.compact_churn, interval, settings.compact_min_entries, rest)


def run_batch(work: Work) -> Report:
    """Run it, and record it in the ledger. What was done before an error is still reported."""
    context, models, settings = work.context, work.models, work.settings
    needs_git(context)
    there = keys(context.configured)
    named = work.options.model or models.names.extract or models.names.compact or settings.model
    if named is None and there and not work.options.pooled:
        note(key_alone(there[0]))  # a key alone is no consent: say what would be
    try:
        agreed = work.consent()
    except ConsentNeeded:  # nothing is sent for the archive
        report = Report()
        archive(work.batch, work.tell, report)
        note(*filter(None, [report.archived.in_words()]), *report.complaints)
        raise
    reading = work.batch if agreed or models.names.extract is None else None
    if not agreed:
        models.names = Names(None, None)
    made = work.parts
    if work.options.reread:
        context.state.sources.forget_all()
        read_again(context.store, context.state)
        # Commits are dated in whole seconds, rounded.
        context.state.set_value(REREAD, now().timestamp() + 0.5)
    started = now()
    report = Report()
    upkeep = None
    if work.options.upkeep:
        upkeep = Upkeep(
            lambda: meet_new_projects(work),
            lambda: sum_sessions_up(work, report),
            models.metered(models.names.compact),
            when_due(settings, models.names.compact is not None) if settings.compact_enabled else None,
            work.looking(),
        )
    try:
        run(reading, upkeep, lambda: rebuild(context), made, report)
    finally:
        complaints = [*report.complaints, *context.store.complaints, *context.state.complaints]
        report.complaints = list(dict.fromkeys(complaints))
        context.state.complaints.clear()  # the report tells of them
        # What waited for a review may have been said again by a later session, and wait no more.
        waiting = {stored.path for stored in context.store.inbox()}
        left = (one for one in report.changed if one.kind != "quarantined" or one.path in waiting)
        report.changed = list({(one.kind, one.path): one for one in left}.values())
        # What was paid for, also where a repair failed and its window has nothing to show for it.
        report.calls, report.usage = models.budget.calls, models.budget.used
        context.state.ledger.put_run(RunRow(made.run, started, now(), report.as_json()))
    context.state.ledger.prune(now())
    return report


def meet_new_projects(work: Work) -> None:
    """Add to the store the projects met for the first time whose files say something (E5)."""
    configured, found = work.context.configured, work.context.scopes.unknown()
    wanted = [scope for scope in sorted(found) if found[scope] and one_brief(configured, found[scope], now())]
    if wanted:
        meet(work.context, wanted, work.parts.run)


def sum_sessions_up(work: Work, report: Report) -> list[str]:
    """Keep a summary of each project's last session, for the next one (E16)."""
    if not work.settings.extract_enabled:
        return []
    model = work.models.metered(work.models.names.summary)
    try:
        with State.open(str(work.context.configured.places.state), HOOK_WAIT) as db:
            return work.summing().sum_up(model, db)
    except (Locked, StateError) as error:
        report.complaints.append(f"sessions were not summarized: {error}")
        return []
