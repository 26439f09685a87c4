"""`silt sessions`: past conversations, from the session archive (docs/sessions.md).

`silt session` is something else: the state of running sessions.
"""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from siltstone.cli.context import Context
from siltstone.cli.options import Json, Limit, moment
from siltstone.cli.output import emit_json, show_list, show_styled
from siltstone.cli.terminal import Row, ago
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import Misuse
from siltstone.store.session_archive import Filter, Past, SessionArchive, search, snippet

app = typer.Typer()

NONE = "no sessions archived yet: `silt run` reads the agents' transcripts"
NOTHING = "nothing found"
HEADS = ("when", "project", "session")
WHO = {"user": "you", "assistant": "agent", "tool": "tool"}


@app.command("sessions")
def list_sessions(
    query: Annotated[list[str] | None, typer.Argument(help="Words to search for in what was said.")] = None,
    whole: Annotated[
        str | None,
        typer.Option("--show", metavar="ID", help="Show one session; the beginning of its id is enough."),
    ] = None,
    project: Annotated[
        str | None, typer.Option("--project", metavar="NAME", help="Only from one project, or `global`.")
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option("--since", parser=moment, metavar="DATE", help="Only what was said since DATE."),
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", metavar="NAME", help="Only from one agent.")] = None,
    limit: Limit = 20,
    json: Json = False,
) -> None:
    """List your agents' past sessions, latest first; search what was said in them; or show one.

    This is conversation, not memory: nobody has checked it (docs/sessions.md).
    Example: silt sessions "login bug" --since 2026-03-01
    """
    if whole is not None and query:
        raise Misuse("--show shows one whole session: leave out the search words.")
    with Context() as context:
        archive = archive_of(context)
        if archive is None:
            show_list(json, [], [], NONE)
        elif whole is not None:
            _show(archive, one_session(archive, whole), json)
        else:
            after = 0 if since is None else int(since.timestamp())
            wanted = Filter(scopes_of(archive, project), agent, after)
            if query:
                _search(archive, " ".join(query), wanted, limit, json)
            else:
                _list(archive, wanted, limit, json)


def archive_of(context: Context) -> SessionArchive | None:
    """The archive; None if nothing was archived yet. Raises Misuse if it is switched off."""
    if not context.configured.settings.archive_enabled:
        raise Misuse("the session archive is switched off: set archive_enabled = true and run `silt run`.")
    archive = context.archive
    return archive if archive is not None and archive.sessions(limit=1) else None


def scopes_of(archive: SessionArchive, project: str | None) -> Collection[str] | None:
    """The scope that a person calls `project`; None for all. Raises Misuse if no session has it."""
    if project is None:
        return None
    known = archive.scopes()
    scope = project if project == GLOBAL or project.startswith("projects/") else f"projects/{project}"
    if scope not in known:
        names = ", ".join(one.removeprefix("projects/") for one in known) or "none"
        raise Misuse(f"no archived session belongs to a project {project!r}; there are {names}.")
    return [scope]


def one_session(archive: SessionArchive, which: str) -> Past:
    """The session that is called `which`: its id, AGENT/ID, or the beginning of either. Raises Misuse."""
    agent, slash, name = which.partition("/")
    begins = name if slash else which
    found = archive.called(begins, agent if slash else None, 3)
    if not found or not begins:
        raise Misuse(f"no archived session begins with {which!r}; `silt sessions` lists them.")
    if len(found) > 1 and (found[0].name != begins or found[1].name == begins):
        names = ", ".join(f"{one.agent}/{one.name}" for one in found)
        raise Misuse(f"{which!r} fits {names}; give more of the id.")
    return found[0]


def minute(at: int) -> str:
    """Seconds since 1970 as a person reads them, in UTC."""
    return _time(at).strftime("%Y-%m-%d %H:%M")


def _list(archive: SessionArchive, wanted: Filter, limit: int, json: bool) -> None:
    found = archive.sessions(wanted, limit)
    lines = [f"{_head(one, one.last)}  {one.title}".rstrip() for one in found]
    rows = [_row(one, one.last, one.title) for one in found]
    show_list(json, list(map(_as_json, found)), lines, NOTHING, HEADS, rows)


def _search(archive: SessionArchive, query: str, wanted: Filter, limit: int, json: bool) -> None:
    found = search(archive, query, wanted, limit)
    past = archive.of({one.line.session for one in found})
    values, lines, rows = list[dict[str, Any]](), list[str](), list[Row]()
    for line, share, terms in found:
        one, part = past[line.session], snippet(line.text, terms)
        said = {"at": _time(line.id), "role": line.role, "snippet": part, "text": line.text, "share": share}
        values.append(_as_json(one) | said)
        lines += [_head(one, line.id), f"  {WHO[line.role]}: {part}"]
        rows.append(_row(one, line.id, f"{WHO[line.role]}: {part}"))
    show_list(json, values, lines, NOTHING, HEADS, rows)


def _show(archive: SessionArchive, one: Past, json: bool) -> None:
    lines = list(archive.conversation(one.id))
    if json:
        said = [{"at": _time(line.id), "role": line.role, "text": line.text} for line in lines]
        emit_json(_as_json(one) | {"messages": said})
        return
    told = [(_head(one, one.last), "bold")]
    for line in lines:
        text = "\n".join(f"  {row}".rstrip() for row in line.text.splitlines())
        told += [("", ""), (f"{minute(line.id)}  {WHO[line.role]}", "bold"), (text, "")]
    show_styled(told, paged=True)


def _head(one: Past, at: int) -> str:
    return f"{minute(at)}  {one.agent}/{one.name}  {one.scope.removeprefix('projects/')}"


def _row(one: Past, at: int, text: str) -> Row:
    return Row(text, (ago(_time(at)), one.scope.removeprefix("projects/")), f"{one.agent}/{one.name}")


def _time(at: int) -> datetime:
    return datetime.fromtimestamp(at, UTC)


def _as_json(one: Past) -> dict[str, Any]:
    return {
        "session": f"{one.agent}/{one.name}",
        "project": one.scope.removeprefix("projects/"),
        "folder": one.cwd,
        "last": _time(one.last),
        "title": one.title,
    }
