"""One batch as the command line asks for it: consent, reading, ticks, compaction, index, report."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from siltstone.cli.context import Context, now
from siltstone.cli.output import note
from siltstone.cli.settings import TEN_YEARS_MS
from siltstone.cli.work import Scopes, extractor_of, keys, named_model, needs_git, parts, readers, rebuild
from siltstone.pipeline.backlog import Wanted
from siltstone.pipeline.estimate import Estimate, estimate
from siltstone.pipeline.learn import Parts
from siltstone.pipeline.leasing import working_on
from siltstone.pipeline.model import Model
from siltstone.pipeline.report import Report
from siltstone.pipeline.run import Batch, find, lanes_of, read, read_again
from siltstone.pipeline.upkeep import When, Wish, apply_ticks, compact, expire_inbox, why_due
from siltstone.store.errors import ConsentNeeded, Misuse, SiltError
from siltstone.store.state import RunRow

CONSENT = "consent"
"""Prefix of the state values that say since when the user agrees to a model."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of a batch."""

    root: list[str] | None = None
    idle: float | None = None
    since: str | None = None
    model: str | None = None
    yes: bool = False
    keep_prompts: Path | None = None
    reread: bool = False
    upkeep: bool = True
    """Apply ticks and compact when it is due."""


class Work:
    """A batch being prepared: everything it works with, opened once."""

    def __init__(self, context: Context, asked: Asked, tell: Callable[[str], None]) -> None:
        needs_git(context)
        settings = context.configured.settings
        self.context, self.asked = context, asked
        self.name = asked.model or settings.model
        self.model = named_model(context, self.name, asked.keep_prompts)
        self.scopes = Scopes(context)
        self.parts: Parts = parts(context, self.scopes, extractor_of(self.model))
        idle = timedelta(seconds=min(asked.idle, TEN_YEARS_MS / 1000)) if asked.idle is not None else None
        wanted = Wanted(
            now(),
            idle if idle is not None else timedelta(milliseconds=settings.idle_ms),
            settings.exclude,
            date_of(asked.since),
        )
        self.batch = Batch(readers(context.configured, asked.root), wanted, self.scopes.of_session, tell)

    def estimate(self) -> Estimate:
        """What a model would be sent. Nothing is sent or changed."""
        if self.model is None:
            raise Misuse("there is nothing to estimate without a model: the embedded rules cost nothing.")
        backlog, found = find(self.batch, self.parts, self.asked.reread)
        lanes = lanes_of(self.batch, found)
        return estimate(backlog, lanes, self.model, now().date(), bool(self.context.store.entries()))

    def consent(self) -> None:
        """Raise ConsentNeeded before the first run with a model, unless the user agreed (invariant 14)."""
        state, key = self.context.state, f"{CONSENT}:{self.name}"
        if self.model is None or state.value(key) is not None:
            return
        if not self.asked.yes and self.asked.since is None:
            raise ConsentNeeded(f"{told(self.estimate(), str(self.name))}; {HOW_TO_AGREE}")
        state.set_value(key, now().isoformat())


HOW_TO_AGREE = "agree with --yes, or leave older messages out with --since DATE"


def told(estimated: Estimate, model: str) -> str:
    """An estimate in words."""
    sessions = estimated.sessions.total()
    cost = "no known price" if estimated.cost is None else f"about {estimated.cost:.2f} USD"
    tokens = estimated.prompt + estimated.completion
    return f"{sessions} sessions, about {tokens:,} tokens ({cost}) would be sent to {model}"


def date_of(text: str | None) -> datetime | None:
    """A date or time of `--since`; without a zone it is UTC. Raises Misuse."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise Misuse(f"--since wants a date like 2026-09-01, not {text!r}.") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def run_batch(work: Work) -> Report:
    """Do it, and put it into the ledger. What was done before an error is reported all the same."""
    context, settings, made = work.context, work.context.configured.settings, work.parts
    hint_at_keys(work)
    work.consent()
    if work.asked.reread:
        context.state.forget_reading()
        read_again(context.store, context.state)
    started = now()
    report = Report()
    try:
        if settings.extract_enabled:
            read(work.batch, made, report)
        if work.asked.upkeep:
            keep_up(work, report)
        rebuild(context)
        with context.store.locked():
            context.store.pack()
    except SiltError as error:
        report.stop(error)
    finally:
        complaints = [*report.complaints, *context.store.complaints, *context.state.complaints]
        report.complaints = list(dict.fromkeys(complaints))
        context.state.ledger.put_run(RunRow(made.run, started, now(), report.as_json()))
    context.state.ledger.prune(now())
    return report


def keep_up(work: Work, report: Report) -> None:
    """Apply the user's ticks, end what waited too long in the inbox, compact what is due."""
    settings, made = work.context.configured.settings, work.parts
    settled = apply_ticks(made)
    report.notes += [*settled.settled, *settled.left]
    report.notes += [
        f"conflict {one} stands again: it was deleted without a tick" for one in settled.returned
    ]
    report.expired += expire_inbox(made)
    if not settings.compact_enabled or report.stopped:
        return
    when = When(
        settings.compact_churn,
        timedelta(milliseconds=settings.compact_interval_ms),
        settings.compact_min_entries,
    )
    entries = work.context.store.entries()
    model = compaction_model(work)
    for scope in work.context.store.scopes():
        with working_on(made, scope) as ours:
            # Asked when the scope is ours: another run may just have compacted it.
            if ours and (why := why_due(made, scope, entries, when)):
                report.compacted(scope, why, compact(made, model, Wish(scope=scope)))


def compaction_model(work: Work) -> Model | None:
    """The model that compacts: `compact_model`, else the one that extracts (C31)."""
    other = work.context.configured.settings.compact_model
    if other is None or work.model is None or other == work.name:
        return work.model
    return named_model(work.context, other, work.asked.keep_prompts)


def hint_at_keys(work: Work) -> None:
    """A key alone is no consent: say what would be."""
    there = keys(work.context.configured)
    if work.name is None and there:
        note(
            f"{there[0]} is set but no model is named: the embedded rules work and nothing is sent; name "
            'one with `model = "…"` in the config file, or with SILT_MODEL'
        )
