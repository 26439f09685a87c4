"""One batch as the command line asks for it: consent, reading, ticks, compaction, index, report."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from siltstone.cli import consent
from siltstone.cli.context import Context, now
from siltstone.cli.models import Names, budget, check, key_alone, keys, metered, names, plain_model
from siltstone.cli.note import note
from siltstone.cli.parts import meet, parts, readers
from siltstone.cli.rebuild import needs_git, one_brief, rebuild
from siltstone.cli.scopes import Scopes
from siltstone.cli.settings import TEN_YEARS_MS, Settings, hook_rules
from siltstone.cli.summing import Summing, newest, sum_up, to_ask
from siltstone.pipeline.compaction.compact import Wish, groups_of, why_due
from siltstone.pipeline.compaction.due import When
from siltstone.pipeline.estimate import Estimate, estimate_compaction, estimate_reading, estimate_summaries
from siltstone.pipeline.extraction.extract import ModelExtractor
from siltstone.pipeline.model.budget import Budget
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.reading.backlog import Unread, Wanted
from siltstone.pipeline.reading.watermarks import read_again
from siltstone.pipeline.report import Report
from siltstone.pipeline.run import Batch, Upkeep, find, lanes_of, run
from siltstone.store.errors import Locked, Misuse, StateError
from siltstone.store.state import HOOK_WAIT, RunRow, State

HOW_TO_AGREE = "agree with --yes, or leave older messages out with --since DATE"


@dataclass(frozen=True, slots=True)
class Options:
    """What a batch is called with."""

    root: list[str] | None = None
    idle: float | None = None
    since: str | None = None
    model: str | None = None
    yes: bool = False
    keep_prompts: Path | None = None
    reread: bool = False
    upkeep: bool = True
    """Apply ticks and compact when it is due."""
    ended: list[str] | None = None
    """AGENT/ID of sessions that ended: they count as idle."""


class Work:
    """A batch being prepared: everything it works with, opened once."""

    def __init__(self, context: Context, options: Options, tell: Callable[[str], None]) -> None:
        settings = context.configured.settings
        self.context, self.options = context, options
        chosen = names(settings, options.model)
        self.names = chosen if options.upkeep else replace(chosen, compact=None, summary=None)
        self.scopes = Scopes(context)
        idle = timedelta(milliseconds=settings.idle_ms)
        if options.idle is not None:
            idle = timedelta(seconds=min(options.idle, TEN_YEARS_MS / 1000))
        wanted = Wanted(now(), idle, settings.exclude, date_of(options.since), _places(options.ended))
        self.met: dict[str, Unread] = {}
        """The latest session with something to read, by scope."""
        self.batch = Batch(readers(context.configured, options.root), wanted, self._scope_of, tell)

    def _scope_of(self, unread: Unread) -> str:
        scope = self.scopes.of_session(unread)
        if newest(self.met, scope, unread):
            self.met[scope] = unread
        return scope

    @cached_property
    def budget(self) -> Budget:
        return budget(self.context)

    @cached_property
    def parts(self) -> Parts:
        """What the run works with; taking it takes the run's number."""
        model = metered(self.context, self.names.extract, self.budget, self.options.keep_prompts)
        return parts(self.context, self.scopes, None if model is None else ModelExtractor(model, now))

    def estimate(self) -> Estimate:
        """What would be read, and sent to the model that extracts. Nothing is sent or changed."""
        name, store = self.names.extract, self.context.store
        if not self.context.configured.settings.extract_enabled:
            return Estimate()
        backlog, found = find(self.batch, store, self.context.state, self.options.reread)
        model = plain_model(self.context.configured, name) if name is not None else None
        has_memories = any(store.counts().values())
        return estimate_reading(backlog, lanes_of(self.batch, found), model, now().date(), has_memories)

    def estimate_compaction(self) -> Estimate | None:
        """What is due for compaction as things stand, for the model that compacts."""
        name = self.names.compact
        if name is None:
            return None
        store, state = self.context.store, self.context.state
        when = when_due(self.context.configured.settings)
        due = [scope for scope in store.scopes() if why_due(store, state, scope, when, now())]
        groups = [group for scope in due for group in groups_of(store, state, Wish(scope))]
        return estimate_compaction(groups, plain_model(self.context.configured, name), now().date())

    def estimate_summaries(self) -> Estimate | None:
        """What `estimate` met, for the model that sums sessions up."""
        name = self.names.summary
        if name is None:
            return None
        by_agent = {reader.agent: reader for reader in self.batch.readers}
        rules = hook_rules(self.context.configured.settings)
        sessions = to_ask(self.met, by_agent, now(), rules)
        return estimate_summaries(sessions, plain_model(self.context.configured, name), now().date())

    def consent(self, how: str = HOW_TO_AGREE) -> bool:
        """Raise ConsentNeeded before the first run with a model, unless the user agreed (invariant 14).

        `how` tells the user how to. False when there is nothing to agree to, because nothing would be sent:
        then no model may be asked.
        """
        state = self.context.state
        if not consent.missing(state, self.names):
            return True
        check(self.context.configured, self.names)
        if not self.options.yes and self.options.since is None:
            reading = self.estimate()
            sums, asking = self.estimate_summaries(), self.estimate_compaction()
            if not (reading.prompt or (sums and sums.prompts) or (asking and asking.groups)):
                return False
            told = consent.told_run(self.names, reading, sums, asking)
            raise consent.refuse(told, how)
        consent.agree(state, self.names, now().isoformat())
        return True


def _places(ended: list[str] | None) -> frozenset[tuple[str, str]]:
    """Agent and id of each. Raises Misuse."""
    found = set()
    for one in ended or ():
        agent, mark, session = one.partition("/")
        if not (agent and mark and session):
            raise Misuse(f"--ended wants AGENT/ID, not {one!r}; `silt session` lists them.")
        found.add((agent, session))
    return frozenset(found)


def date_of(text: str | None) -> datetime | None:
    """A date or time of `--since`; without a zone it is UTC. Raises Misuse."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise Misuse(f"--since wants a date like 2026-09-01, not {text!r}.") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def when_due(settings: Settings) -> When:
    """The settings that say when compaction is due."""
    interval = timedelta(milliseconds=settings.compact_interval_ms)
    return When(settings.compact_churn, interval, settings.compact_min_entries)


def run_batch(work: Work) -> Report:
    """Do it, and put it into the ledger. What was done before an error is reported all the same."""
    context, settings = work.context, work.context.configured.settings
    needs_git(context)
    hint_at_keys(work)
    reading = work.batch if settings.extract_enabled else None
    if not work.consent():
        reading = None if work.names.extract else reading
        work.names = Names(None, None)
    made = work.parts
    if work.options.reread:
        context.state.sources.forget_all()
        read_again(context.store, context.state)
    started = now()
    report = Report()
    upkeep = upkeep_of(work, report) if work.options.upkeep else None
    try:
        run(reading, upkeep, lambda: rebuild(context), made, report)
    finally:
        complaints = [*report.complaints, *context.store.complaints, *context.state.complaints]
        report.complaints = list(dict.fromkeys(complaints))
        context.state.complaints.clear()  # the report tells of them
        # What was paid for, also where a repair failed and its window has nothing to show for it.
        report.calls, report.usage = work.budget.calls, work.budget.used
        context.state.ledger.put_run(RunRow(made.run, started, now(), report.as_json()))
    context.state.ledger.prune(now())
    return report


def upkeep_of(work: Work, report: Report) -> Upkeep:
    """What the batch does after reading."""
    settings = work.context.configured.settings
    return Upkeep(
        lambda: first_look(work),
        lambda: sum_sessions_up(work, report),
        metered(work.context, work.names.compact, work.budget, work.options.keep_prompts),
        when_due(settings) if settings.compact_enabled else None,
    )


def first_look(work: Work) -> None:
    """Make projects of the store out of those met for the first time whose files say something (E5)."""
    context = work.context
    found = work.scopes.unknown()
    wanted = [
        scope
        for scope in sorted(found)
        if found[scope] and one_brief(context.configured, found[scope], now())
    ]
    if wanted:
        meet(context, work.scopes, wanted, work.parts.run)


def sum_sessions_up(work: Work, report: Report) -> list[str]:
    """Keep what the last session of each project came to, for the next one (E16)."""
    model = metered(work.context, work.names.summary, work.budget, work.options.keep_prompts)
    by_agent = {reader.agent: reader for reader in work.batch.readers}
    rules = hook_rules(work.context.configured.settings)
    try:
        with State.open(str(work.context.configured.places.state), HOOK_WAIT) as db:
            return sum_up(work.met, Summing(by_agent, model, db, now(), rules))
    except (Locked, StateError) as error:
        report.complaints.append(f"sessions are not summed up: {error}")
        return []


def hint_at_keys(work: Work) -> None:
    """A key alone is no consent: say what would be."""
    there = keys(work.context.configured)
    named = work.options.model or work.names.extract or work.names.compact
    if named is None and work.context.configured.settings.model is None and there:
        note(key_alone(there[0]))
