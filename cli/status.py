"""Commands that show how things stand: status, cost; and `silt` alone."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from siltstone.agents.doctor import hooks_in
from siltstone.agents.door import DOORS
from siltstone.agents.hooks import AGENTS
from siltstone.cli.context import Context, now
from siltstone.cli.hooks.common import headline
from siltstone.cli.install import place_of
from siltstone.cli.models import Models, names
from siltstone.cli.options import Json
from siltstone.cli.output import emit_json, show, show_list, show_styled, when
from siltstone.cli.parts import readers
from siltstone.cli.schedulers import MINUTES, present
from siltstone.cli.settings import Configured
from siltstone.cli.watch import WATCH
from siltstone.pipeline.conflicts import open_conflicts
from siltstone.pipeline.words import counted
from siltstone.store import history
from siltstone.store.commits import Commit
from siltstone.store.errors import ScheduleError
from siltstone.store.session_archive import FILE as ARCHIVE
from siltstone.store.state import FILE as STATE
from siltstone.store.state import set_aside

app = typer.Typer()


@app.command("status")
def show_status(json: Json = False) -> None:
    """Show what is remembered, what failed and will be retried, the last run, and what runs automatically.

    Example: silt status
    """
    with Context(dry=True) as context:
        missing = None if context.configured.places.has_store else context.no_store()
        told, store = stand(context), context.store
        last = None if missing or store.lacks else next(iter(history.log(store, 1)), None)
    if json:
        emit_json(told)
    else:
        _print_status(told, last)
    if missing and not (told["hooks"] and told["last_run"] is None):  # else it was just installed
        raise missing


def stand(context: Context) -> dict[str, Any]:
    """How things stand: the document of `silt status --json`."""
    store, state, place = context.store, context.state, context.configured.places.state
    run, archive = next(iter(state.ledger.runs(1)), None), context.archive
    leases = state.leases.held(now())
    watch, pooled = leases.pop(WATCH, None), state.hooks.pooled()
    found = readers(context.configured, None)
    here = place_of(context.configured, None)  # the user's own settings; those of projects are not asked
    hooked = [one for one in AGENTS if hooks_in(one, (piece.path for piece in DOORS[one].pieces(here)))]
    return {
        "store": str(context.configured.places.store),
        "model": context.configured.settings.model or "rules",
        "memories": store.counts(),
        "inbox": len(store.inbox()),
        "conflicts": len(open_conflicts(store)),
        "sessions_read": len(state.sources.all()),
        "archive": {"sessions": len(archive.sessions()), "bytes": archive.size()} if archive else None,
        "failed": [
            {"source": f.window, "attempts": f.attempts, "next_try": f.next_try, "error": f.error}
            for f in state.failures.all()
        ],
        "working": sorted(leases),
        "last_run": run and {"id": run.id, "started": run.started, "ended": run.ended},
        "agreed": Models(context, names(context.configured.settings, None)).has_agreed(),
        "stopped": run and run.report.get("stopped"),
        "pooled": {"sessions": pooled.sessions, "until": datetime.fromtimestamp(pooled.until, UTC)}
        if pooled.sessions
        else None,
        "past": run is not None or bool([one for reader in found for one in reader.discover()]),
        "watch": {"pid": watch.pid} if watch else None,
        "schedule": scheduled(context.configured),
        "hooks": hooked,
        "unreadable": store.complaints,
        "set_aside": [path.name for file in (STATE, ARCHIVE) for path in set_aside(place / file)],
        "churn": {c.scope: c.churn for c in state.compaction.all()},
    }


def _todo(told: Mapping[str, Any]) -> str:
    """The one thing to do next."""
    by_itself = told["hooks"] or told["schedule"] or told["watch"]
    run, by_hooks = told["last_run"], "; the hooks do so when a session is quiet" if told["hooks"] else ""
    wanted = {
        "silt install — let your agents read and write memories": not by_itself,
        "silt conflicts — choose which side of a contradiction is true": told["conflicts"],
        "silt inbox — accept or reject what agents claimed": told["inbox"],
        "start a new agent session and work as before": run is None and not told["past"],
        f"silt run — see what {told['model']} would be sent, and agree": not told["agreed"],
        f"silt run — read your agents' sessions so far{by_hooks}": run is None,
        "silt run — the last run ended early; this one continues": told["stopped"],
        "silt run — send short sessions that are waiting to the model now": told["pooled"],
        "silt status — see why transcripts could not be read": told["failed"],
    }
    return next((what for what, holds in wanted.items() if holds), "nothing: just keep working")


def _failed(failures: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What failed and when it is tried again; what failed alike is told once."""
    for why in dict.fromkeys(one["error"] for one in failures):
        alike = [one for one in failures if one["error"] == why]
        what = alike[0]["source"] if len(alike) == 1 else counted(len(alike), "transcript")
        due = min(one["next_try"] for one in alike)
        yield f"{what}: {why} (next try: {when(due) if due > now() else 'the next run'})"


def _waiting(sessions: Sequence[str], until: datetime) -> str:
    latest = f"at the latest {when(until)}" if until > now() else "with your next session"
    return f"{', '.join(sessions)}: read when there is more for the model, {latest}"


def _print_status(told: Mapping[str, Any], last: Commit | None) -> None:
    read = told["last_run"]
    runs = [f"silt watch, process {told['watch']['pid']}"] if told["watch"] else []
    runs += [f"{name}, every {MINUTES} minutes" for name in told["schedule"]]
    runs += [f"the hooks of {', '.join(told['hooks'])}"] if told["hooks"] else []
    runs = runs or ["nothing: run `silt install` or `silt schedule install`"]
    damaged = "a damaged database; delete it if you do not need it"
    failed = [f"failed     {line}" for line in _failed(told["failed"])]
    past = told["archive"]
    size = f"{past['bytes'] / 1e6:,.1f}" if past else ""
    waits = "yellow" if told["conflicts"] or told["inbox"] else "bold"
    model = told["model"]
    show_styled(
        [
            (headline(sum(told["memories"].values()), told["conflicts"], told["inbox"]), waits),
            *(
                (f"memories   {n:>5}  {one.removeprefix('projects/')}", "")
                for one, n in told["memories"].items()
            ),
            (f"last read  {'never' if read is None else when(read['started'])}", ""),
            *([(f"changed    {when(last.at)}: {last.subject.removeprefix('memory: ')}", "")] if last else []),
            (f"by itself  {'; '.join(runs)}", ""),
            (
                f"model      {'none: the rules do the work, nothing is sent' if model == 'rules' else model}",
                "",
            ),
            (f"read       {counted(told['sessions_read'], 'transcript')}", ""),
            *([(f"archived   {counted(past['sessions'], 'session')}, {size} MB", "")] if past else []),
            *((f"working    {scope.removeprefix('scope/')}", "") for scope in told["working"]),
            *([(f"waiting    {_waiting(**told['pooled'])}", "")] if told["pooled"] else []),
            *([(f"stopped    {told['stopped']}", "red")] if told["stopped"] else []),
            *((line, "red") for line in failed),
            *((f"left out   {complaint}", "red") for complaint in told["unreadable"]),
            *((f"set aside  {name}: {damaged}", "") for name in told["set_aside"]),
            (f"store      {told['store']}", "dim"),
            (f"next       {_todo({**told, 'failed': ()})}", "bold"),
        ]
    )


def overview() -> None:
    """What `silt` alone shows: how things stand, and the one thing to do next."""
    with Context(dry=True) as context:
        told = stand(context)
        line = headline(sum(told["memories"].values()), told["conflicts"], told["inbox"])
        if not context.configured.places.has_store:
            line = "Siltstone: durable memory for coding agents. Nothing is remembered yet."
    show_styled([(line, "bold")])
    show(f"next: {_todo(told)}", "all commands: silt -h")


def scheduled(configured: Configured) -> list[str]:
    """Names of the schedulers that run batches, without those that do not answer."""
    found = []
    for one in present(configured.environ):
        with suppress(ScheduleError, OSError):
            found += [one.name] if one.installed() else []
    return found


@app.command("cost")
def show_cost(
    days: Annotated[int, typer.Option("--days", min=1, max=3650, help="Days to go back.")] = 30,
    json: Json = False,
) -> None:
    """Show what models cost, day by day, and the ceilings.

    Example: silt cost --days 7
    """
    with Context() as context:
        limits = context.configured.settings
        spent = [day for day in context.state.spend.days(days) if day.tokens or day.usd]
    lines = [f"{one.day.isoformat()}  {one.tokens:>12,} tokens  {one.usd:>9.4f} USD" for one in spent]
    nothing = "nothing spent: no model has been called"
    show_list(json, [day._asdict() for day in spent], lines, nothing)
    if json:
        return
    if spent:
        total = f"{sum(one.tokens for one in spent):,} tokens, {sum(one.usd for one in spent):.2f} USD"
        show(f"total: {total}", style="bold")
    show(f"ceilings: {limits.max_usd_per_day:g} USD a day, {limits.max_tokens_per_run:,} tokens a run")
