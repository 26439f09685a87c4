"""Who calls, as far as a connection tells it: which agent, which session, in which folder.

Agents tell little: Codex names its thread with each call and passes on five variables, others tell their
name and perhaps a root (docs/mcp.md). What a person set on the command line counts most.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import unquote, urlsplit

from siltstone.agents.hooks import AGENTS
from siltstone.store.files import Session
from siltstone.store.files.actor import MAX_SESSION

CODEX_TURN = "x-codex-turn-metadata"
VARIABLES = {"claude": "CLAUDE_CODE_SESSION_ID"}
"""Where an agent tells a server which session started it. That one may have gone: `/clear` begins another."""


class Sets(StrEnum):
    """Sets of tools: every tool that is offered costs the agent context."""

    MEMORY = "memory"
    SESSION = "session"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Process:
    """This process, and what its command line says of who calls; "" where it says nothing."""

    environ: Mapping[str, str]
    here: str
    """The folder that this process stands in; "" when it is gone."""
    made: str
    """A session id for the case that none is told."""
    agent: str = ""
    session: str = ""
    cwd: str = ""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls a tool."""

    session: Session
    known: bool
    """The session was told with the call: it is the one that runs."""
    cwd: str
    """The folder that the agent works in; "" when it is gone."""


def caller(process: Process, client: str, meta: Mapping[str, Any], roots: Sequence[str]) -> Caller:
    """Who calls: a client by its own name for itself, "" when it has none; `meta` came with the call, and
    `roots` are the URIs of the folders that it works in, as far as it says."""
    agent = process.agent or agent_of(client)
    turn = meta.get(CODEX_TURN)
    turn = turn if isinstance(turn, dict) else {}
    named = process.session or _thread(meta, turn)
    began = process.environ.get(VARIABLES.get(agent, ""), "")
    session = Session(agent, named or (began if _is_id(began) else process.made))
    root = next(filter(None, map(folder_of, roots)), "")
    return Caller(session, bool(named), process.cwd or root or _workspace(turn) or process.here)


def agent_of(client: str) -> str:
    """The agent of a client: "codex-mcp-client" is codex. One that is not known goes by its own name."""
    known = next((agent for agent in AGENTS if agent in client.lower()), None)
    return known or re.sub(r"[^a-z0-9]+", "-", client.lower()).strip("-")[:40] or "mcp"


def folder_of(uri: str) -> str:
    """The absolute folder that a root's URI names; "" when it names none on this machine."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    path = unquote(parts.path)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in path:
        return ""
    return os.path.normpath(path) if os.path.isabs(path) else ""


def _thread(meta: Mapping[str, Any], turn: Mapping[str, Any]) -> str:
    """The id of the thread that calls, as Codex tells it; "" from others."""
    for told in (meta, turn):
        for key in ("threadId", "thread_id"):
            if _is_id(told.get(key)):
                return str(told[key])
    return ""


def _is_id(told: object) -> bool:
    return isinstance(told, str) and bool(told) and told.isprintable() and len(told) <= MAX_SESSION // 2


def _workspace(turn: Mapping[str, Any]) -> str:
    """The one folder that Codex says it works in."""
    spaces = turn.get("workspaces")
    folders = [one for one in spaces if os.path.isabs(one)] if isinstance(spaces, dict) else []
    return folders[0] if len(folders) == 1 else ""
