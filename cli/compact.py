"""`silt compact`: what would be done or asked, and doing it."""

from typing import Annotated

import typer

from siltstone.cli.context import Context, now
from siltstone.cli.estimates import compaction_in_words, compaction_json
from siltstone.cli.models import Models, Names, names
from siltstone.cli.note import note
from siltstone.cli.options import DryRun, Json, Keep, ModelName, ScopeOption, Yes
from siltstone.cli.output import emit_json, show
from siltstone.cli.parts import parts
from siltstone.cli.rebuild import needs_git, rebuild
from siltstone.pipeline.compaction.compact import Compacted, Wish, compact, groups_of, plain_plan
from siltstone.pipeline.estimate import Estimate, estimate_compaction
from siltstone.pipeline.report import compaction_json as report_json
from siltstone.pipeline.report import refused_json
from siltstone.pipeline.words import counted
from siltstone.store.errors import ConsentNeeded, Locked

PATHS = 4
"""Memories of a group that are named in words; `--json` names all."""

app = typer.Typer()


@app.command("compact")
def compact_store(
    scope: ScopeOption = None,
    dry_run: DryRun = False,
    force: Annotated[bool, typer.Option("--force", help="More than a quarter of a scope may go.")] = False,
    all: Annotated[bool, typer.Option("--all", help="Judge again what did not change.")] = False,
    model: ModelName = None,
    yes: Yes = False,
    keep_prompts: Keep = None,
    json: Json = False,
) -> None:
    """Compact now: merge duplicates, drop what is proven superseded or expired, flag contradictions.

    The plan is shown as a diff, each refused op with its reason. Nothing is lost: `silt undo` takes a
    compaction back. With a model, --dry-run tells which memories it would be asked about, and about what
    that costs; without one, it shows the rules' plan. Example: silt compact --dry-run
    """
    with Context(dry=dry_run) as context:
        settings = context.configured.settings.model_copy(update={"compact_enabled": True})
        name = names(settings, model).compact
        wish = Wish(context.scope(scope), force, all)
        models = Models(context, Names(None, name), keep_prompts)
        if dry_run:
            _would(models, wish, json)
            return
        needs_git(context)
        if name is not None and not models.has_agreed():
            if not yes:  # invariant 14
                told = compaction_in_words(name, _asking(models, name, wish))
                raise ConsentNeeded(f"{told}; agree with --yes")
            models.agree()
        done = compact(parts(context), models.metered(name), wish)
        rebuild(context)
    _report(done, json)


def _asking(models: Models, name: str, wish: Wish) -> Estimate:
    groups = groups_of(models.context.store, models.context.state, wish)
    return estimate_compaction(groups, (), models.plain(name), now().date())


def _would(models: Models, wish: Wish, json: bool) -> None:
    """What a compaction would do (rules) or ask (a model)."""
    name = models.names.compact
    if name is None:
        checked = plain_plan(models.context.store, wish, now())
        if json:
            told = {"summary": checked.summary, "refused": refused_json(checked), "diff": checked.diff}
            emit_json({"dry_run": True} | told)
            return
        show(checked.diff)
        if checked.accepted or checked.refused:
            show(f"would {checked.summary}")
        return
    asking = _asking(models, name, wish)
    if json:
        emit_json({"dry_run": True} | compaction_json(name, asking))
        return
    for group, tokens in zip(asking.groups, asking.prompts, strict=True):
        size = f"{counted(len(group.entries), 'memory')}, about {tokens:,} tokens"
        show(f"{group.scope.removeprefix('projects/')}: {size}", style="bold")
        show(*(f"  {stored.path}" for stored in group.entries[:PATHS]))
        if len(group.entries) > PATHS:
            show(f"  and {len(group.entries) - PATHS:,} more")
    show(compaction_in_words(name, asking))


def _report(done: Compacted, json: bool) -> None:
    if json:
        emit_json(report_json("asked", done) | {"diff": done.checked.diff, "dry_run": False})
    else:
        show(done.checked.diff)
        if done.checked.accepted or done.checked.refused:
            show(done.checked.summary)
        if done.commit:
            show(f"commit {done.commit[:8]}; `silt undo` takes it back")
    note(*done.failed)
    if done.busy:
        left = ", ".join(scope.removeprefix("projects/") for scope in done.busy)
        raise Locked(f"another run is working on {left}, which was left to it: run this again in a while.")
    if done.failed:
        raise typer.Exit(1)
