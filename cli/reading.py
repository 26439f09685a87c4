"""Commands that show what is remembered: show, list, search, history, log."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated

import typer

from siltstone.cli.actor import actor
from siltstone.cli.context import Context
from siltstone.cli.note import note
from siltstone.cli.options import Json, ScopeOption, SessionOption
from siltstone.cli.output import as_json, commit_line, emit_json, show, show_lines, stamp
from siltstone.cli.scopes import named_like
from siltstone.pipeline.words import counted
from siltstone.store import files
from siltstone.store.commits import Commit
from siltstone.store.entry import TYPES, Stored
from siltstone.store.errors import Misuse
from siltstone.store.history import history as history_of
from siltstone.store.history import log as commits_of
from siltstone.store.state import Used
from siltstone.store.state.ledger import KEPT

Name = Annotated[
    str, typer.Argument(help="Name, file name or path of a memory, whole, as `silt list` shows it.")
]
Like = Annotated[
    str, typer.Argument(metavar="NAME", help="Name, file name or path of a memory, or a part of its name.")
]


UNUSED = Used()


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    app.command("show")(show_memory)
    app.command("list")(list_memories)
    app.command("search")(search_memories)
    app.command("history")(show_history)
    app.command("log")(show_log)


def show_memory(name: Like, session: SessionOption = None, json: Json = False) -> None:
    """Show one memory whole: its text, its type and dates, and the words it was learned from.

    An agent must read a cold memory before it edits it: with --session, that it has is kept.
    Example: silt show package-manager-pnpm
    """
    with Context() as context:
        store = context.store
        stored = named_like(context, store.resembling(name), name)
        if remark := files.read(actor(context, session), stored.path).remark:
            note(f"that it was read could not be noted: {remark}")
        if json:
            emit_json(as_json(stored))
            return
        show(stored.path, style="bold")
        show(stored.text.rstrip("\n"))


def list_memories(
    scope: ScopeOption = None,
    type: Annotated[str | None, typer.Option("--type", help=f"One of {', '.join(TYPES)}.")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="What was superseded or merged too.")] = False,
    usage: Annotated[
        bool, typer.Option("--usage", help="How often each was shown, opened and cited.")
    ] = False,
    json: Json = False,
) -> None:
    """List what is remembered, a line a memory, by scope.

    Example: silt list --scope larkspur --type decision
    """
    if type is not None and type not in TYPES:
        raise Misuse(f"there is no type {type!r}; it is one of {', '.join(TYPES)}.")
    with Context() as context:
        entries = context.store.entries(context.scope(scope), archived=archived)
        chosen = [stored for stored in entries if type is None or stored.entry.type == type]
        is_empty = not any(context.store.counts().values())
        complaints = context.store.complaints
        used = context.state.usage.all() if usage else None
    if json:
        told = [as_json(stored) for stored in chosen]
        if used is not None:
            told = [one | {"usage": used.get(one["path"], UNUSED)._asdict()} for one in told]
        emit_json(told)
    else:
        _print_by_scope(chosen, used)
        if not chosen and not complaints:
            of_type, where = f" of type {type}" if type else "", f" in {scope}" if scope else ""
            nothing = "nothing is remembered yet: `silt run` reads your agents' sessions"
            show(nothing if is_empty else f"there is no memory{of_type}{where}")
    for complaint in complaints:
        note(complaint)


def _print_by_scope(chosen: list[Stored], used: Mapping[str, Used] | None) -> None:
    lines: list[tuple[str, str]] = []
    scope = None
    for stored in chosen:
        if stored.entry.scope != scope:
            scope = stored.entry.scope
            lines.append((scope, "bold"))
        mark = "archived " if stored.archived else "pinned " if stored.pinned else ""
        lines.append((f"  {stored.path.removeprefix(scope + '/')}  {mark}— {stored.entry.description}", ""))
        if used is not None:
            counts = used.get(stored.path, UNUSED)
            lines.append((f"    shown {counts.shown}, opened {counts.opened}, cited {counts.cited}", "dim"))
    show_lines(lines)


def search_memories(
    query: Annotated[list[str], typer.Argument(help="Words to look for; identifiers and CJK text work too.")],
    scope: ScopeOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200, help="How many at most.")] = 10,
    json: Json = False,
) -> None:
    """Find memories by their words, the best first: those with all words, then those with the rarest.

    Example: silt search postgres upgrade
    """
    text = " ".join(query)
    with Context() as context:
        folder = context.scope(scope)
        hits = context.search.query(text, None if folder is None else [folder], limit)
        found = [context.store.read(hit.path) for hit in hits]
        complaints = context.store.complaints
    if json:
        emit_json([as_json(stored) for stored in found])
    else:
        for stored in found:
            show(f"{stored.path} — {stored.entry.description}")
        if not found:
            show(f"nothing found for {text!r}")
    if complaints:
        rest = f" (and {counted(len(complaints) - 1, 'more file')}: silt status)" if complaints[1:] else ""
        note(f"not searched: {complaints[0]}{rest}")


def show_history(
    name: Like,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=10_000, help="How many at most.")] = 10,
    json: Json = False,
) -> None:
    """Show the commits that changed one memory, newest first, also before it moved or was archived.

    Example: silt history free-shipping-threshold
    """
    with Context() as context:
        store = context.store
        stored = named_like(context, store.resembling(name), name)
        told = history_of(store, stored.path, limit)
    _print_commits(told, json)


def show_log(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=10_000, help="How many at most.")] = 20,
    rejected: Annotated[
        bool, typer.Option("--rejected", help="What was proposed and not believed, with the reason.")
    ] = False,
    shown: Annotated[
        bool, typer.Option("--shown", help="Why running sessions were shown a new block, or the old one.")
    ] = False,
    reason: Annotated[str | None, typer.Option("--reason", help="With --rejected: only this reason.")] = None,
    json: Json = False,
) -> None:
    """Show what was done to the store, newest first; or what was rejected, or shown to sessions, and why.

    Example: silt log --rejected
    """
    if reason is not None and not rejected:
        raise Misuse("--reason goes with --rejected.")
    if shown and rejected:
        raise Misuse("--shown and --rejected are two logs; ask for one.")
    with Context() as context:
        if rejected:
            _print_rejected(context, reason, limit, json)
        elif shown:
            _print_shown(context, limit, json)
        else:
            _print_commits(commits_of(context.store, limit), json)


def _print_commits(commits: list[Commit], json: bool) -> None:
    if json:
        emit_json(
            [
                {
                    "id": c.id,
                    "at": c.at,
                    "author": c.author,
                    "subject": c.subject,
                    "trailers": [list(t) for t in c.trailers],
                    "files": [touched.path for touched in c.touched],
                }
                for c in commits
            ]
        )
        return
    for commit in commits:
        show(commit_line(commit))
        for session in (value for key, value in commit.trailers if key == "Silt-Session"):
            show(f"          {session}", style="dim")


def _print_shown(context: Context, limit: int, json: bool) -> None:
    lines = context.state.shown.lines(limit)
    if json:
        emit_json([line._asdict() | {"at": datetime.fromtimestamp(line.at, UTC)} for line in lines])
        return
    for line in lines:
        show(f"{stamp(datetime.fromtimestamp(line.at, UTC))}  {line.agent}/{line.session}  {line.text}")
    if not lines:
        show("no session was shown anything yet")


def _print_rejected(context: Context, reason: str | None, limit: int, json: bool) -> None:
    rows = context.state.ledger.rejected(reason=reason, limit=limit)
    if json:
        emit_json(
            [
                {
                    "run": r.run,
                    "window": r.window,
                    "at": r.at,
                    "reason": r.reason,
                    "type": r.type,
                    "text": r.text,
                    "evidence": r.evidence,
                    "said": r.said,
                }
                for r in rows
            ]
        )
        return
    for row in rows:
        first = " ".join(row.text.split())
        show(f"{row.reason:<22} {first[:160] or '(its words are not kept)'}")
        show(f"{'':<22} {row.said or row.window}", style="dim")
    if not rows:
        show(f"nothing was rejected in the last {KEPT.days} days")
