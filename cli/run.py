"""The commands of a batch: run, extract."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

import typer

from siltstone.cli.batch import Options, Work, run_batch
from siltstone.cli.context import Context
from siltstone.cli.models import RULES
from siltstone.cli.note import note
from siltstone.cli.options import DryRun, Json, Keep, ModelName, Roots, Yes, moment
from siltstone.cli.output import emit_json, show
from siltstone.cli.terminal import progress
from siltstone.pipeline.compaction.check import NOTHING
from siltstone.pipeline.ledger import Kind, in_words
from siltstone.pipeline.report import Report
from siltstone.pipeline.words import counted

Idle = Annotated[
    float | None,
    typer.Option("--idle", min=0, max=10**8, metavar="SECONDS", help="Quiet time before a session is read."),
]
Since = Annotated[
    datetime | None,
    typer.Option(
        "--since", parser=moment, metavar="DATE", help="Skip what was said before DATE (2026-09-01)."
    ),
]
Ended = Annotated[
    list[str] | None,
    typer.Option("--ended", metavar="AGENT/ID", help="A session that ended: read it at once. Repeatable."),
]
Pooled = Annotated[
    bool,
    typer.Option(
        "--pooled", hidden=True, help="Nobody is waiting for this run: let short sessions wait for more."
    ),
]
Watched = Annotated[
    bool,
    typer.Option(
        "--watched", hidden=True, help="Like --pooled, and a window that will be retried is not a failure."
    ),
]
Reread = Annotated[bool, typer.Option("--reread", help="Read all sessions again, as if for the first time.")]


RUN = """Run one batch: read idle sessions, keep what a quote proves, apply your ticks, compact if it is due.

To run it every 15 minutes: `silt schedule install`. Example: silt run
"""
EXTRACT = """Read idle sessions and keep what a quote proves; compact nothing.

Example: silt extract --root claude=~/.claude --idle 0
"""

MOST_NAMED = 8
"""Memories that a run names; `silt list` has them all."""
CHANGES: Mapping[Kind, str] = {
    "conflicted": "contradicts",
    "superseded": "replaces",
    "updated": "updated",
    "promoted": "new",
    "quarantined": "to review",
}
"""Words for what happened to a memory; those that need attention first."""

app = typer.Typer()


@app.command("run", help=RUN)
@app.command("extract", help=EXTRACT)
def batch(
    context: typer.Context,
    root: Roots = None,
    idle: Idle = None,
    since: Since = None,
    model: ModelName = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    keep_prompts: Keep = None,
    reread: Reread = False,
    ended: Ended = None,
    pooled: Pooled = False,
    watched: Watched = False,
    json: Json = False,
) -> None:
    """Both commands: `extract` is `run` without the steps after reading."""
    upkeep = context.info_name == "run"
    options = Options(root, idle, since, model, yes, keep_prompts, reread, upkeep, ended, pooled or watched)
    with Context(makes=True, dry=dry_run) as opened:
        if dry_run:
            _estimate(opened, options, json)
            return
        with progress(quiet=json or options.pooled) as tell:
            work = Work(opened, options, tell)
            report = run_batch(work)
    if json:
        emit_json(report.as_json())
    else:
        print_report(report, work.models.names.extract, brief=options.pooled)
    note_failures(report)
    if report.stopped is not None:
        raise typer.Exit(report.status)
    if report.failed and not watched:
        raise typer.Exit(1)


def _estimate(opened: Context, options: Options, json: bool) -> None:
    with progress(quiet=json) as tell:
        work = Work(opened, options, tell)
        work.models.check()
        estimates = work.estimate()
    if json:
        emit_json(estimates.as_json())
        return
    for scope, count in sorted(estimates.reading.sessions.items()):
        sessions = "session " if count == 1 else "sessions"
        show(f"{count:>6} {sessions}  {scope.removeprefix('projects/')}")
    show(estimates.in_words())


def print_report(report: Report, model: str | None, brief: bool) -> None:
    """What a run did, the outcome first. What did not happen is left out. `brief`: for a log."""
    rejected = report.rejected + report.refused
    review = {"quarantined": sum(one.kind == "quarantined" for one in report.changed)}
    show(in_words({**report.kinds, **review}) or _nothing(report), style="bold")
    if not brief:
        order = list(CHANGES)
        for one in sorted(report.changed, key=lambda one: order.index(one.kind))[:MOST_NAMED]:
            show(f"  {CHANGES[one.kind]:<11}  {one.candidate.description}")
        if len(report.changed) > MOST_NAMED:
            show(f"  … and {len(report.changed) - MOST_NAMED:,} more: silt list", style="dim")
    if report.sessions or report.messages:
        older = report.filtered["older"]
        read = counted(report.messages - older, "message")
        show(f"read {read} in {counted(report.sessions, 'session')}{_asked(report, model)}")
        if older:
            show(f"skipped {counted(older, 'older message')}")
    if archived := report.archived.in_words():
        show(archived)
    if rejected:
        show(f"{counted(rejected.total(), 'proposal')} rejected: silt log --rejected")
    for scope, done in report.compactions.items():
        if done["summary"] != NOTHING:
            show(f"compacted {scope.removeprefix('projects/')}: {done['summary']} ({done['why']})")
    for line in report.summaries:
        if not line.endswith(f"by {RULES}"):  # which is what happens unless a model is named
            show(line)
    show(*report.notes, *report.taken_back)
    left = {"left for the next run": report.left, "still in use": report.waiting}
    left |= {"waiting for more": report.pooled}
    left |= {"waiting to be retried": report.backing_off, "excluded": report.excluded}
    waiting = [f"{counted(count, 'session')} {what}" for what, count in left.items() if count]
    if waiting:
        show(f"not read: {', '.join(waiting)}")
    note(*report.complaints)
    if report.busy:
        note(f"another run is working on {counted(report.busy, 'project')} and will finish there")


def note_failures(report: Report) -> None:
    """What failed, and why the run ended early."""
    for error, times in Counter(report.why_failed).items():
        if error != report.stopped:
            note(f"{error}{f' ({times} times)' if times > 1 else ''} (silt status)")
    if report.stopped is not None:
        note(report.stopped)


def _nothing(report: Report) -> str:
    if report.failed:
        tried = counted(report.failed, "window")
        return f"nothing kept: {tried} failed and will be retried (silt status)"
    return "nothing new to remember" if report.messages else "nothing new to read"


def _asked(report: Report, model: str | None) -> str:
    """Who judged what was read, and what that cost."""
    if not report.calls:
        return " by rules; nothing was sent" if model is None else f"; nothing was sent to {model}"
    cost = "no known price" if report.usage.cost is None else f"{report.usage.cost:.4f} USD"
    tokens = report.usage.prompt + report.usage.completion
    return f" with {model or 'a model'}: {counted(report.calls, 'call')}, {tokens:,} tokens, {cost}"
