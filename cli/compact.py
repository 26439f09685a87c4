"""`silt compact`: what would be done or asked, and doing it."""

from typing import Annotated

import typer

from siltstone.cli.context import Context, now
from siltstone.cli.models import Models, Names, compaction_in_words, names
from siltstone.cli.note import note
from siltstone.cli.options import DryRun, Keep, ModelName, ScopeOption, Yes
from siltstone.cli.output import show
from siltstone.cli.parts import needs_git, parts, rebuild
from siltstone.cli.terminal import progress
from siltstone.pipeline.compaction.compact import Wish, compact, groups_of, plain_plan
from siltstone.pipeline.estimate import Estimate, estimate_compaction
from siltstone.pipeline.words import counted
from siltstone.store.errors import ConsentNeeded, Locked

app = typer.Typer()


@app.command("compact")
def compact_store(
    scope: ScopeOption = None,
    dry_run: DryRun = False,
    force: Annotated[
        bool, typer.Option("--force", help="Allow more than a quarter of a scope to go.")
    ] = False,
    all: Annotated[bool, typer.Option("--all", help="Judge unchanged memories again too.")] = False,
    model: ModelName = None,
    yes: Yes = False,
    keep_prompts: Keep = None,
) -> None:
    """Compact now: merge duplicates, drop what is provably superseded or expired, flag contradictions.

    The plan is shown as a diff, each refused op with its reason. Nothing is lost: `silt undo` reverts a
    compaction. With a model, --dry-run lists the memories that would be sent and estimates the cost. Without
    one, it shows the rules' plan. Example: silt compact --dry-run
    """
    with Context(dry=dry_run) as context:
        settings = context.configured.settings.model_copy(update={"compact_enabled": True})
        name = names(settings, model).compact
        wish = Wish(context.scope(scope), force, all)
        models = Models(context, Names(None, name), keep_prompts)
        models.check()
        if dry_run:
            _would(models, wish)
            return
        needs_git(context)
        if name is not None and not models.has_agreed():
            asking = _asking(models, name, wish)
            if not yes and asking.prompts:  # invariant 14
                raise ConsentNeeded(f"{compaction_in_words(name, asking)}; agree with --yes")
            if not yes:
                show("nothing to change")
                return
            models.agree()
        with progress() as tell:
            done = compact(parts(context, tell=tell), models.metered(name), wish)
        rebuild(context)
    show(done.checked.diff)
    if done.checked.accepted or done.checked.refused:
        show(done.checked.summary)
    if done.commit:
        show(f"commit {done.commit[:8]}; `silt undo` reverts it")
    note(*done.asked.failed)
    if done.busy:
        left = ", ".join(scope.removeprefix("projects/") for scope in done.busy)
        raise Locked(f"another run is working on {left}, so nothing was done there: run this again later.")
    if done.asked.failed:
        raise typer.Exit(1)


def _asking(models: Models, name: str, wish: Wish) -> Estimate:
    groups = groups_of(models.context.store, models.context.state, wish)
    return estimate_compaction(groups, (), models.plain(name), now().date())


def _would(models: Models, wish: Wish) -> None:
    """What a compaction would do (rules) or send (a model)."""
    name = models.names.compact
    if name is None:
        checked = plain_plan(models.context.store, wish, now())
        show(checked.diff)
        if checked.accepted or checked.refused:
            show(f"would {checked.summary}")
        return
    asking = _asking(models, name, wish)
    for group, tokens in zip(asking.groups, asking.prompts, strict=True):
        size = f"{counted(len(group.entries), 'memory')}, about {tokens:,} tokens"
        show(f"{group.scope.removeprefix('projects/')}: {size}", style="bold")
        show(*(f"  {stored.path}" for stored in group.entries))
    show(compaction_in_words(name, asking))
