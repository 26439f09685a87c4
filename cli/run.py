"""The commands of a batch: run, extract."""

import sys
from collections import Counter
from datetime import UTC, datetime
from typing import Annotated

import typer

from siltstone.cli.batch import Options, Work, run_batch
from siltstone.cli.context import Context
from siltstone.cli.models import RULES
from siltstone.cli.note import note
from siltstone.cli.options import DryRun, Json, Keep, ModelName, Roots, Yes
from siltstone.cli.output import emit_json, show
from siltstone.pipeline.compaction.check import NOTHING
from siltstone.pipeline.ledger import in_words
from siltstone.pipeline.report import Report
from siltstone.pipeline.words import counted
from siltstone.store.errors import Misuse


def _time(text: str) -> datetime:
    """A date or time; without a zone it is UTC. Typer takes a bare number for seconds since 1970."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise Misuse(f"--since wants a date like 2026-09-01, not {text!r}.") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


Idle = Annotated[
    float | None,
    typer.Option("--idle", min=0, max=10**8, metavar="SECONDS", help="Quiet time before one is read."),
]
Since = Annotated[
    datetime | None,
    typer.Option(
        "--since", parser=_time, metavar="DATE", help="Leave what was said before DATE (2026-09-01) unread."
    ),
]
Ended = Annotated[
    list[str] | None,
    typer.Option("--ended", metavar="AGENT/ID", help="A session that ended: read it at once. Repeatable."),
]
Pooled = Annotated[
    bool, typer.Option("--pooled", hidden=True, help="Nobody waits for it: let short sessions wait for more.")
]
Watched = Annotated[
    bool,
    typer.Option(
        "--watched", hidden=True, help="As --pooled; a window that will be tried again is no failure."
    ),
]
Reread = Annotated[bool, typer.Option("--reread", help="Read all sessions again, as if for the first time.")]


RUN = """Run one batch: read idle sessions, keep what is proven, apply your ticks, compact if it is due.

By itself every 15 minutes: `silt schedule install`. Example: silt run
"""
EXTRACT = """Read idle sessions and keep what is proven; compact nothing.

Example: silt extract --root claude=~/.claude --idle 0
"""

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
    """Both commands: `extract` is `run` without what follows the reading."""
    upkeep = context.info_name == "run"
    options = Options(root, idle, since, model, yes, keep_prompts, reread, upkeep, ended, pooled or watched)
    with Context(makes=True, dry=dry_run) as opened:
        # Progress lines go to standard error, so that output can be piped.
        work = Work(opened, options, note if sys.stderr.isatty() and not json else lambda line: None)
        if dry_run:
            work.models.check()
            estimates = work.estimate()
            if json:
                emit_json(estimates.as_json())
                return
            for scope, count in sorted(estimates.reading.sessions.items()):
                sessions = "session " if count == 1 else "sessions"
                show(f"{count:>6} {sessions}  {scope.removeprefix('projects/')}")
            show(estimates.in_words())
            return
        report = run_batch(work)
    if json:
        emit_json(report.as_json())
    else:
        _print_report(report, work.models.names.extract or RULES)
    for error, times in Counter(report.why_failed).items():
        if error != report.stopped:
            note(f"{error}{f' ({times} times)' if times > 1 else ''} (silt status)")
    if report.stopped is not None:
        note(report.stopped)
        raise typer.Exit(report.status)
    if report.failed and not watched:
        raise typer.Exit(1)


def _print_report(report: Report, model: str) -> None:
    if report.failed and not report.messages:
        tried = counted(report.failed, "window")
        show(f"read       nothing: {tried} failed and will be tried again (silt status)")
    else:
        read = f"{counted(report.messages, 'message')} of {counted(report.sessions, 'session')}"
        show(f"read       {read}, in {counted(report.windows, 'window')}")
    if report.filtered:
        texts = counted(sum(report.filtered.values()), "text")
        show(f"left out   {texts} that you did not type: {_counts(report.filtered)}")
    show(f"learned    {in_words(report.tally.outcome()) or 'nothing new'}")
    rejected = report.tally.rejected + report.refused
    if rejected:
        show(f"rejected   {_counts(rejected)}   (silt log --rejected)")
    if report.calls:
        cost = "no known price" if report.usage.cost is None else f"{report.usage.cost:.4f} USD"
        tokens = report.usage.prompt + report.usage.completion
        show(f"model      {model}: {counted(report.calls, 'call')}, {tokens:,} tokens, {cost}")
    else:
        show(f"model      {model}: nothing was sent")
    for scope, done in report.compactions.items():
        if done["summary"] != NOTHING:
            show(f"compacted  {scope.removeprefix('projects/')}: {done['summary']} ({done['why']})")
    for line in report.summaries:
        if not line.endswith(f"by {RULES}"):  # which is what happens unless a model is named
            show(f"summed up  {line}")
    show(*(f"settled    {line}" for line in report.notes))
    show(*(f"taken back {line}" for line in report.taken_back))
    left = {"in use": report.waiting, "waiting for more": report.pooled, "backing off": report.backing_off}
    left["excluded"] = report.excluded
    show(*(f"left       {counted(count, 'session')} {what}" for what, count in left.items() if count))
    note(*report.complaints)
    if report.busy:
        note(f"another run is working on {report.busy} of the scopes; it will finish them")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in sorted(counts.items()) if n)
