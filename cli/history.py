"""Commands for what happened to the store: history, log, undo, rollback, purge."""

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from os.path import basename
from typing import Annotated

import typer

from siltstone.cli.context import Context, now
from siltstone.cli.note import note
from siltstone.cli.options import Json, Like, Limit
from siltstone.cli.output import commit_line, show, show_list, stamp, why_not
from siltstone.cli.parts import actor, rebuild
from siltstone.cli.run import MOST_NAMED
from siltstone.cli.terminal import Row, ago
from siltstone.pipeline.bookkeeping import read_again
from siltstone.pipeline.purging import erase
from siltstone.pipeline.words import counted
from siltstone.store import files, history, purge
from siltstone.store.commits import RUN, SESSION, Commit
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import EntryError, Misuse
from siltstone.store.history_index import session_of
from siltstone.store.layout import INBOX
from siltstone.store.names import MAX_NAMED, exactly, scope_of_path
from siltstone.store.projects import Projects
from siltstone.store.state.ledger import KEPT
from siltstone.store.undo import Undone, undo

app = typer.Typer()


@app.command("history")
def show_history(name: Like, limit: Limit = 10, json: Json = False) -> None:
    """Show the commits that changed one memory, newest first, including those before it was moved or
    archived.

    Example: silt history free-shipping-threshold
    """
    with Context() as context:
        try:
            path = context.memory_like(name).path
        except Misuse:  # it may be forgotten
            path = _paths(context, name)[0]
        told = history.history(context.store, path, limit)
    _print_commits(told, json)


@app.command("log")
def show_log(
    limit: Limit = 20,
    rejected: Annotated[
        bool, typer.Option("--rejected", help="Show what was proposed and rejected, with the reason.")
    ] = False,
    shown: Annotated[
        bool,
        typer.Option("--shown", help="Show why running sessions were shown a new block, or the old one."),
    ] = False,
    json: Json = False,
) -> None:
    """Show what was done to the store, newest first; or what was rejected, or shown to sessions, and why.

    Example: silt log --rejected
    """
    if shown and rejected:
        raise Misuse("--shown and --rejected are different logs; choose one.")
    with Context() as context:
        if rejected:
            _print_rejected(context, limit, json)
        elif shown:
            _print_shown(context, limit, json)
        else:
            _print_commits(history.log(context.store, limit), json)


def _print_commits(commits: list[Commit], json: bool) -> None:
    values, lines, rows = list[dict[str, object]](), list[str](), list[Row]()
    for one in commits:
        value = {"id": one.id, "at": one.at, "author": one.author, "subject": one.subject}
        values.append(value | {"trailers": one.trailers, "files": [touched.path for touched in one.touched]})
        lines.append(commit_line(one))
        lines += [f"          {value}" for key, value in one.trailers if key == SESSION]
        by, run = one.op or one.author, one.trailer(RUN) or ""
        rows.append(Row(one.subject.removeprefix("memory: "), (ago(one.at), by, run), one.id[:8]))
    nothing = "nothing has been done to this store yet"
    show_list(json, values, lines, nothing, ("when", "by", "run", "commit"), rows)


def _print_shown(context: Context, limit: int, json: bool) -> None:
    told = [(line, datetime.fromtimestamp(line.at, UTC)) for line in context.state.shown.lines(limit)]
    lines = [f"{stamp(at)}  {line.agent}/{line.session}  {line.text}" for line, at in told]
    values = [line._asdict() | {"at": at} for line, at in told]
    rows = [Row(line.text, (ago(at), line.agent), line.session) for line, at in told]
    nothing = "no session has been shown anything yet"
    show_list(json, values, lines, nothing, ("when", "agent", "session"), rows)


def _print_rejected(context: Context, limit: int, json: bool) -> None:
    rows = context.state.ledger.rejected(limit)
    lines, table = list[str](), list[Row]()
    for row in rows:
        first = " ".join(row.text.split())[:160] or "(its words are not kept)"
        said = row.said or row.window
        lines += [f"{row.reason:<22} {first}", f"{'':<22} {said}"]
        agent, _, session = said.partition("@")[0].partition("/")
        table.append(Row(first, (why_not(row.reason), agent), session))
    nothing = f"nothing was rejected in the last {KEPT.days} days"
    show_list(json, [row._asdict() for row in rows], lines, nothing, ("why not", "from", "session"), table)


@app.command("undo")
def undo_run(
    run: Annotated[
        str | None, typer.Argument(help="A run or a commit, as `silt log` shows it; else the last run.")
    ] = None,
    reread: Annotated[
        bool, typer.Option("--reread", help="Have the next run read that run's sessions again.")
    ] = False,
) -> None:
    """Undo a run with a new commit. What has changed since is left alone and listed.

    Exit status 3 when all of it has. Example: silt undo 0007
    """
    with Context() as context:
        undone = undo(context.store, run, context.store.clock, reread)
        if reread and undone.run is not None:
            # Every session that the run's commits name, so that the next run reads it from its start.
            trailers = [trailer for commit in undone.of for trailer in commit.trailers]
            told = [session_of(value) for key, value in trailers if key == SESSION]
            for agent, session, _ in filter(None, told):
                context.state.sources.forget(agent, session)
            read_again(context.store, context.state)
        rebuild(context)
    show(told_of(undone), *(f"  {path}" for path in undone.restored[:MOST_NAMED]))
    if (more := len(undone.restored) - MOST_NAMED) > 0:
        show(f"  … and {more:,} more: git show {undone.commit or ''} in the store", style="dim")
    if undone.commit:
        show(f"to take this back: silt undo {undone.commit[:8]}", style="dim")
    note(*(f"{path} was left alone: {why}" for path, why in undone.left))
    if undone.left and not undone.restored:
        raise typer.Exit(3)


def told_of(undone: Undone) -> str:
    """What an undo did, in a sentence."""
    if undone.run is None:
        return "nothing to undo: no run has changed this store since the last undo"
    if undone.restored:
        return f"run {undone.run} undone: {counted(len(undone.restored), 'file')} as before it"
    if undone.left:
        return f"run {undone.run}: nothing was undone"
    return f"run {undone.run}: nothing to undo: its files are already as they were before it"


@app.command("rollback")
def roll_back(
    commit: Annotated[str, typer.Argument(help="A commit of the store, as `silt log` shows it.")],
    scope: Annotated[str, typer.Option("--scope", metavar="SCOPE", help="`global` or a project's folder.")],
) -> None:
    """Restore one scope's memories to what they were at a commit, with a new commit.

    What you have changed by hand or forgotten since is left alone and listed. `silt undo` undoes a rollback.
    Example: silt rollback 1a2b3c4d --scope larkspur
    """
    with Context() as context:
        back = files.rollback(actor(context), context.scope(scope) or scope, commit)
    many = counted(len(back.restored), "file")
    show(f"{back.scope}: {many} as at {back.target[:8]}", *(f"  {path}" for path in back.restored))
    note(*(f"{path} was left alone: {why}" for path, why in back.left))


@app.command("purge")
def purge_memories(
    name: Annotated[
        str | None,
        typer.Argument(help="A memory's full name or file name; a path if it is in another project."),
    ] = None,
    project: Annotated[str | None, typer.Option("--project", help="Everything in a project.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """Remove memories from the store and from its whole git history. This cannot be undone.

    Example: silt purge --project larkspur
    """
    if (name is None) == (project is None):
        raise Misuse("name a memory, or give --project with a project's folder name.")
    with Context() as context:
        scope = context.scope(project)
        if name is not None:  # every path that it ever had
            paths = _paths(context, name)
            with suppress(EntryError):  # the commits are gone: a purge that was killed had rewritten them
                commits = history.history(context.store, paths[0])
                told = {touched.path for one in commits for touched in one.touched}
                paths = sorted({*paths, *(path for path in told if basename(path) == basename(paths[0]))})
        elif scope in (None, GLOBAL):
            raise Misuse("--project takes a project's folder name, not the global scope.")
        else:
            paths = [f"{scope}/", *(one.path for one in context.store.inbox() if one.entry.scope == scope)]
        show("These will be removed from every commit, and cannot be restored:")
        show(*(f"  {path}" for path in paths))
        try:
            agreed = yes or typer.confirm("Rewrite the store's history?")
        except typer.Abort:  # nobody is there to answer, or Ctrl-C
            show("")
            unasked = "purge asks before it deletes; --yes deletes without asking."
            raise Misuse(f"nothing was changed: {unasked}") from None
        if not agreed:
            show("nothing was changed")
            return
        within = _within(context, scope)
        purged = erase(context.store, context.state, paths, scope, now, within, context.archive_file)
        left = rebuild(context).left
    gone = f"deleted from history: {counted(len(purged.paths), 'file')}"
    show(f"{gone} in {counted(purged.commits, 'commit')}, {counted(purged.objects, 'version')}")
    note(
        *left,
        *(f"the content of {path} is also in another file, so it is still there" for path in purged.shared),
        *(
            f"the remote {remote!r} still holds it: git push --force there, and clone all other copies again"
            for remote in purged.remotes
        ),
    )


def _paths(context: Context, name: str) -> list[str]:
    """The path of the memory called `name`, or the paths that a forgotten one had.

    In a known project, only this project's memories and global ones; those of others must be named by path.
    Raises Misuse, EntryError.
    """
    name = name.strip()
    stands = [one for one in context.store.resembling(name) if exactly([one], name)]
    lost = purge.gone(context.store, name)
    named = {path: scope_of_path(path) for path in lost} | {one.path: one.entry.scope for one in stands}
    scopes = {*named.values()} - {INBOX} or {*named.values()}
    anywhere = scopes == {INBOX} or not {name, f"{name}.md"}.isdisjoint(named)
    anywhere = anywhere or {*context.here[:1]}.isdisjoint(context.store.scopes())
    scope = next((one for one in context.here if one in scopes), None)
    if scope is None and anywhere and len(scopes) == 1:
        (scope,) = scopes
    if scope is None and scopes:
        paths = ", ".join(sorted(named)[:MAX_NAMED])
        raise Misuse(f"{name!r} fits {counted(len(named), 'memory')}: {paths}; give the path of one.")
    among = [one for one in stands if one.entry.scope == scope]
    if among or not scopes:
        return [context.memory(name, among or None).path]
    return [path for path in lost if named[path] == scope]


def _within(context: Context, scope: str | None) -> Callable[[str], bool]:
    """Whether a session worked in a folder of the project; no folder for None."""
    marks = Projects(context.store.root).known().get(scope or "", ())
    places = [mark.value for mark in marks if mark.kind == "path"]
    return lambda folder: any(folder == place or folder.startswith(place + os.sep) for place in places)
