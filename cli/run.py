"""The commands of a batch: run, extract."""

import sys
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any

import typer

from siltstone.cli.batch import Options, Work, run_batch
from siltstone.cli.compact import asking_json
from siltstone.cli.consent import told_run
from siltstone.cli.context import Context
from siltstone.cli.models import RULES, check
from siltstone.cli.note import note
from siltstone.cli.options import Json, Keep, ModelName, Roots, Yes
from siltstone.cli.output import emit_json, show
from siltstone.pipeline.compaction.describe import NOTHING
from siltstone.pipeline.estimate import Estimate
from siltstone.pipeline.ledger import in_words
from siltstone.pipeline.report import Report
from siltstone.pipeline.words import counted

Idle = Annotated[
    float | None,
    typer.Option("--idle", min=0, metavar="SECONDS", help="Quiet time after which a session is read."),
]
Since = Annotated[
    str | None,
    typer.Option("--since", metavar="DATE", help="Leave what was said before DATE (2026-09-01) unread."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Estimate; send nothing, change nothing.")]
Ended = Annotated[
    list[str] | None,
    typer.Option("--ended", metavar="AGENT/ID", help="A session that ended: read it at once. Repeatable."),
]
Reread = Annotated[bool, typer.Option("--reread", help="Read all sessions again, as if for the first time.")]


RUN = """Run one batch: read idle sessions, keep what is proven, apply your ticks, compact if it is due.

By itself every 15 minutes: `silt schedule install`. Example: silt run
"""
EXTRACT = """Read idle sessions and keep what is proven; compact nothing.

Example: silt extract --root claude=~/.claude --idle 0
"""


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    app.command("run", help=RUN)(batch)
    app.command("extract", help=EXTRACT)(batch)


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
    json: Json = False,
) -> None:
    """Both commands: `extract` is `run` without what follows the reading."""
    upkeep = context.info_name == "run"
    options = Options(root, idle, since, model, yes, keep_prompts, reread, upkeep, ended)
    with Context(makes=True, dry=dry_run) as opened:
        work = Work(opened, options, _teller(json))
        if dry_run:
            _print_estimate(work, json)
            return
        report = run_batch(work)
    if json:
        emit_json(report.as_json())
    else:
        _print_report(report, str(work.names.extract or RULES))
    for error, times in Counter(report.why_failed).items():
        if error != report.stopped:
            note(f"{error}{f' ({times} times)' if times > 1 else ''} (silt status)")
    if report.stopped is not None:
        note(report.stopped)
        raise typer.Exit(report.status)
    if report.failed:
        raise typer.Exit(1)


def _teller(json: bool) -> Callable[[str], None]:
    """Progress lines: on a terminal to standard error, so that output can be piped."""
    return note if sys.stderr.isatty() and not json else lambda line: None


def _print_estimate(work: Work, json: bool) -> None:
    check(work.context.configured, work.names)
    reading, sums, asking = work.estimate(), work.estimate_summaries(), work.estimate_compaction()
    if json:
        emit_json(
            {
                "dry_run": True,
                "model": work.names.extract,
                "sessions": reading.sessions.total(),
                "windows": len(reading.prompts),
                "tokens": {"prompt": reading.prompt, "completion": reading.completion},
                "cost": reading.cost,
                "summaries": None if sums is None else _sums_json(str(work.names.summary), sums),
                "compaction": None if asking is None else asking_json(str(work.names.compact), asking),
            }
        )
        return
    for scope, sessions in sorted(reading.sessions.items()):
        show(
            f"{sessions:>6} {'session ' if sessions == 1 else 'sessions'}  {scope.removeprefix('projects/')}"
        )
    if work.names.extract is None:
        all_of_them = counted(reading.sessions.total(), "session")
        show(f"{all_of_them} would be read by the embedded rules; of them nothing is sent anywhere")
    if told := told_run(work.names, reading, sums, asking):
        show(told)


def _sums_json(model: str, sums: Estimate) -> dict[str, Any]:
    tokens = {"prompt": sums.prompt, "completion": sums.completion}
    return {"model": model, "sessions": len(sums.prompts), "tokens": tokens, "cost": sums.cost}


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
    for line in report.notes:
        show(f"settled    {line}")
    for line in report.taken_back:
        show(f"taken back {line}")
    left = {"in use": report.waiting, "backing off": report.backing_off, "excluded": report.excluded}
    for what, count in left.items():
        if count:
            show(f"left       {counted(count, 'session')} {what}")
    for complaint in report.complaints:
        note(complaint)
    if report.busy:
        note(f"another run is working on {report.busy} of the scopes; it will finish them")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in sorted(counts.items()) if n)
