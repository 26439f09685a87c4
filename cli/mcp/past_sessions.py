"""Tools for what was said in past sessions: conversation, in a wrapper that says so (docs/sessions.md)."""

from typing import Annotated

from pydantic import Field

from siltstone.cli.mcp.call import Call, tool
from siltstone.cli.mcp.memory import Many, Reach
from siltstone.cli.options import moment
from siltstone.cli.sessions import NONE, archive_of, one_session, scopes_of
from siltstone.recall import escape
from siltstone.recall.past_sessions import NAME_CHARS, NOTE, WHO, said
from siltstone.recall.retention import day
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import Misuse
from siltstone.store.session_archive import Filter, SessionArchive, search

OPEN, CLOSE = "<siltstone-sessions>", "</siltstone-sessions>"
MAX_CHARS = 16_000
"""Characters of a conversation in one answer, or one message more."""


@tool(reads=True)
def session_search(
    call: Call,
    query: Annotated[str, Field(max_length=2000, description="Words to search for.")],
    scope: Reach = "",
    since: Annotated[
        str, Field(max_length=40, description="Not before this date, for example 2026-09-01.")
    ] = "",
    limit: Many = 10,
) -> str:
    """Find what the user or an agent said in past sessions, when no memory tells. Nobody has checked it."""
    archive = archive_of(call.context)
    if archive is None:
        return NONE
    if not query.strip():
        raise Misuse("the query has no words; give one or two.")
    after = int(moment(since, "since").timestamp()) if since else 0
    ours = [(call.caller.session.agent, call.caller.session.id)]
    found = search(archive, query, Filter(_scopes(call, archive, scope), None, after, ours), limit)
    past = archive.of({one.line.session for one in found})
    return _wrapped("".join(said(one, past[one.line.session]) for one in found)) if found else "nothing found"


@tool(reads=True)
def session_read(
    call: Call,
    session: Annotated[
        str, Field(max_length=400, description="AGENT/ID, as session_search shows it, or its beginning.")
    ],
    start: Annotated[int, Field(ge=1, description="Number of the message to begin with.")] = 1,
) -> str:
    """Read a past session as it was said, without secrets and cut. Nobody has checked it."""
    archive = archive_of(call.context)
    if archive is None:
        return NONE
    past = one_session(archive, session)
    lines = list(archive.conversation(past.id))
    told = f"{escape.line(f'{past.agent}/{past.name}', NAME_CHARS)}, {len(lines):,} messages\n"
    for number, line in enumerate(lines[start - 1 :], start=start):
        if len(told) > MAX_CHARS:
            told += f"… and {len(lines) - number + 1:,} more: start={number}\n"
            break
        text = "\n".join(escape.lines(line.text, 2 * len(line.text) + 8))
        told += f"[{number}] {day(line.id)} {WHO[line.role]}:\n{text}\n"
    return _wrapped(told)


PAST = (session_search, session_read)


def _scopes(call: Call, archive: SessionArchive, said: str) -> list[str] | None:
    """The scopes that `said` means, as memory tools take it; None: all."""
    if said == "all":
        return None
    if said not in ("", "project"):
        return list(scopes_of(archive, GLOBAL if said == "user" else said) or ())
    call.context.scopes.adopt(archive.places())
    here = call.context.scopes.resolve(call.caller.cwd).scope if call.caller.cwd else GLOBAL
    return [here, GLOBAL]


def _wrapped(text: str) -> str:
    return f"{OPEN}\n{NOTE}\n{text}{CLOSE}"
