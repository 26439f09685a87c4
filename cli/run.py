"""The commands of a batch: run, extract, compact."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from siltstone.cli.batch import Asked, Work, run_batch, told
from siltstone.cli.context import Context, Json, Roots, ScopeOption
from siltstone.cli.output import emit_json, note, show
from siltstone.cli.work import rebuild
from siltstone.pipeline.report import Report, compaction_json
from siltstone.pipeline.upkeep import Wish, compact

Idle = Annotated[
    float | None,
    typer.Option("--idle", min=0, metavar="SECONDS", help="Quiet time after which a session is read."),
]
Since = Annotated[
    str | None,
    typer.Option("--since", metavar="DATE", help="Leave what was said before DATE (2026-09-01) unread."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Agree to the first run with a model.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Estimate; send nothing, change nothing.")]
ModelName = Annotated[
    str | None, typer.Option("--model", help="A litellm model name, or `rules`; else the setting.")
]
Keep = Annotated[
    Path | None, typer.Option("--keep-prompts", metavar="DIR", help="Write every prompt that is sent to DIR.")
]
Reread = Annotated[bool, typer.Option("--reread", help="Read all sessions again, as if for the first time.")]


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    app.command("run")(run)
    app.command("extract")(extract)
    app.command("compact")(compact_store)


def run(
    root: Roots = None,
    idle: Idle = None,
    since: Since = None,
    model: ModelName = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    keep_prompts: Keep = None,
    reread: Reread = False,
    json: Json = False,
) -> None:
    """Run one batch: read idle sessions, keep what is proven, apply your ticks, compact if it is due.

    Example, for cron: */15 * * * * silt run
    """
    _batch(Asked(root, idle, since, model, yes, keep_prompts, reread), dry_run, json)


def extract(
    root: Roots = None,
    idle: Idle = None,
    since: Since = None,
    model: ModelName = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    keep_prompts: Keep = None,
    reread: Reread = False,
    json: Json = False,
) -> None:
    """Read idle sessions and keep what is proven; compact nothing.

    Example: silt extract --root claude=~/.claude --idle 0
    """
    asked = Asked(root, idle, since, model, yes, keep_prompts, reread, upkeep=False)
    _batch(asked, dry_run, json)


def _batch(asked: Asked, dry_run: bool, json: bool) -> None:
    with Context() as context:
        work = Work(context, asked, _teller(json))
        if dry_run:
            _print_estimate(work, json)
            return
        try:
            report = run_batch(work)
        except KeyboardInterrupt:
            note("interrupted; what was committed stays, and the next run goes on from there")
            raise typer.Exit(130) from None
    if json:
        emit_json(report.as_json())
    else:
        _print_report(report, str(work.name or "rules"))
    for error in dict.fromkeys(report.why_failed):
        if error != report.stopped:
            note(f"{error} (silt status)")
    if report.stopped is not None:
        note(report.stopped)
        raise typer.Exit(report.status)
    if report.failed:
        raise typer.Exit(1)


def _teller(json: bool) -> Callable[[str], None]:
    """Progress lines: on a terminal to standard error, so that output can be piped."""
    return note if sys.stderr.isatty() and not json else lambda line: None


def _print_estimate(work: Work, json: bool) -> None:
    estimated = work.estimate()
    if json:
        emit_json(
            {
                "dry_run": True,
                "sessions": estimated.sessions.total(),
                "windows": estimated.windows,
                "tokens": {"prompt": estimated.prompt, "completion": estimated.completion},
                "cost": estimated.cost,
            }
        )
        return
    for scope, sessions in sorted(estimated.sessions.items()):
        show(f"{sessions:>6} sessions  {scope.removeprefix('projects/')}")
    show(told(estimated, str(work.name)))


def _print_report(report: Report, model: str) -> None:
    kinds = report.tally.outcome()
    show(f"read       {report.messages} messages of {report.sessions} sessions, in {report.windows} windows")
    if report.filtered:
        show(f"filtered   {_counts(report.filtered)}")
    show(f"learned    {_counts(kinds) or 'nothing new'}")
    rejected = report.tally.rejected + report.refused
    if rejected:
        show(f"rejected   {_counts(rejected)}   (silt log --rejected)")
    if report.calls:
        cost = "no known price" if report.usage.cost is None else f"{report.usage.cost:.4f} USD"
        tokens = report.usage.prompt + report.usage.completion
        show(f"model      {model}: {report.calls} calls, {tokens:,} tokens, {cost}")
    else:
        show(f"model      {model}: nothing was sent")
    for scope, done in report.compactions.items():
        show(f"compacted  {scope.removeprefix('projects/')}: {done['summary']} ({done['why']})")
    for line in report.notes:
        show(f"settled    {line}")
    left = {"in use": report.waiting, "backing off": report.backing_off, "excluded": report.excluded}
    for what, count in left.items():
        if count:
            show(f"left       {count} sessions {what}")
    for complaint in report.complaints:
        note(complaint)
    if report.busy:
        note(f"another run is working on {report.busy} of the scopes; it will finish them")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in sorted(counts.items()) if n)


def compact_store(
    scope: ScopeOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan; change nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="More than a quarter of a scope may go.")] = False,
    all: Annotated[bool, typer.Option("--all", help="Judge again what did not change.")] = False,
    model: ModelName = None,
    yes: Yes = False,
    keep_prompts: Keep = None,
    json: Json = False,
) -> None:
    """Compact now: merge duplicates, drop what is proven superseded or expired, flag contradictions.

    The plan is shown as a diff, each refused op with its reason. Nothing is lost: `silt undo` takes a
    compaction back. Example: silt compact --dry-run
    """
    with Context() as context:
        settings = context.configured.settings
        chosen = model or settings.compact_model or settings.model
        work = Work(context, Asked(model=chosen, yes=yes, keep_prompts=keep_prompts), lambda line: None)
        work.consent()
        done = compact(work.parts, work.model, Wish(context.scope(scope), force, all, dry_run))
        if not dry_run:
            rebuild(context)
    if json:
        emit_json(compaction_json("asked", done) | {"diff": done.diff, "dry_run": dry_run})
    else:
        show(done.diff)
        if done.checked.accepted or done.checked.refused:
            show(f"{'would ' if dry_run else ''}{done.summary}")
        if done.commit:
            show(f"commit {done.commit[:8]}; `silt undo` takes it back")
    for line in done.failed:
        note(line)
    if done.failed:
        raise typer.Exit(1)
