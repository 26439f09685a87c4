"""A tool, who calls it, and how it is answered: always with text, never with an exception of ours.

Agents tell little of themselves: Codex names its thread with each call and passes on five variables, others
tell their name and perhaps a root (docs/mcp.md). What a person set on the command line counts most.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, getdoc, signature
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from siltstone.agents.hooks import AGENTS
from siltstone.cli.context import Context
from siltstone.cli.note import printable
from siltstone.cli.parts import actor
from siltstone.cli.settings import configure
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import Misuse, SiltError
from siltstone.store.files import Actor, Session
from siltstone.store.files.actor import MAX_SESSION

MAX_LINES = 200
"""Lines that a listing answers with: more would fill the agent's context."""
AS_TOOLS = {
    "show": "memory_read",
    "list": "memory_list",
    "search": "memory_search",
    "promote": "memory_promote",
    "log": "memory_history",
    "forget": "memory_delete",
    "sessions": "session_search",
}
"""What an agent calls instead of the commands that sentences for people name."""
_COMMAND = re.compile(rf"`silt ({'|'.join(AS_TOOLS)})\b[^`]*`")
CODEX_TURN = "x-codex-turn-metadata"
VARIABLES = {"claude": "CLAUDE_CODE_SESSION_ID"}
"""Where an agent tells a server which session started it. That one may have gone: `/clear` begins another."""


class Process(NamedTuple):
    """This process, and what its command line says of who calls; "" where it says nothing."""

    environ: Mapping[str, str]
    here: str
    """The folder that this process stands in; "" when it is gone."""
    made: str
    """A session id for the case that none is told."""
    agent: str = ""
    session: str = ""
    cwd: str = ""


class Caller(NamedTuple):
    session: Session
    known: bool
    """The session was told with the call: it is the one that runs."""
    cwd: str
    """The folder that the agent works in; "" when it is gone."""


def caller_of(process: Process, client: str, meta: Mapping[str, Any], roots: Sequence[str]) -> Caller:
    """Who calls: a client by its own name for itself, "" when it has none; `meta` came with the call, and
    `roots` are the URIs of the folders that it works in, as far as it says."""
    agent = process.agent or agent_of(client)
    turn = meta.get(CODEX_TURN)
    turn = turn if isinstance(turn, dict) else {}
    threads = (told.get(key) for told in (meta, turn) for key in ("threadId", "thread_id"))
    named = process.session or next(filter(_is_id, threads), "")
    began = process.environ.get(VARIABLES.get(agent, ""), "")
    session = Session(agent, named or (began if _is_id(began) else process.made))
    root = next(filter(None, map(folder_of, roots)), "")
    spaces = turn.get("workspaces")
    folders = [one for one in spaces if os.path.isabs(one)] if isinstance(spaces, dict) else []
    space = folders[0] if len(folders) == 1 else ""
    return Caller(session, bool(named), process.cwd or root or space or process.here)


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


def _is_id(told: object) -> bool:
    return isinstance(told, str) and bool(told) and told.isprintable() and len(told) <= MAX_SESSION // 2


class Call(NamedTuple):
    """What a tool works with during one call: opened anew, so that no answer is stale (D18)."""

    context: Context
    """In the caller's folder."""
    caller: Caller

    def scope(self, said: str) -> str:
        """The scope that `said` means; "" and "project" are the one of the folder. Raises Misuse."""
        if said not in ("", "project"):
            return self.context.scope(GLOBAL if said == "user" else said) or GLOBAL
        if not self.caller.cwd:
            raise Misuse("this session's folder no longer exists; give a scope: global, or a project's name.")
        return self.context.scope_or_here(None)

    def reach(self, said: str) -> list[str]:
        """The scopes to look in: without a name the folder's and the global one, for "all" each."""
        if said == "all":
            return self.context.store.scopes()
        return [self.scope(said)] if said else [*self.context.here] or [GLOBAL]

    def actor(self) -> Actor:
        """The agent whose session calls: its words are its own claims (invariant 6)."""
        return actor(self.context, str(self.caller.session))


class Tool(NamedTuple):
    name: str
    does: str
    """What an agent is told of it."""
    arguments: type[BaseModel]
    work: Callable[..., str]
    """From a call and the arguments, by name, to the answer. Raises errors of ours."""
    reads: bool
    """It changes nothing."""
    destroys: bool
    """It takes something away, or puts something else in its place."""

    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments, without the titles that pydantic repeats the names in."""
        schema = self.arguments.model_json_schema()
        fields: Mapping[str, dict[str, Any]] = schema.get("properties", {})
        told = {name: {k: v for k, v in one.items() if k != "title"} for name, one in fields.items()}
        return {**{key: value for key, value in schema.items() if key != "title"}, "properties": told}


def tool(*, reads: bool = False, destroys: bool = False) -> Callable[[Callable[..., str]], Tool]:
    """Make a function a tool. Agents are told its name, its docstring and its parameters behind the call:
    every word is context that they pay for. An argument that is unknown is refused by name."""

    def made(work: Callable[..., str]) -> Tool:
        _, *parameters = signature(work).parameters.values()
        fields: dict[str, Any] = {
            one.name: (one.annotation, ... if one.default is Parameter.empty else one.default)
            for one in parameters
        }
        arguments = create_model(work.__name__, __config__=ConfigDict(extra="forbid"), **fields)
        return Tool(work.__name__, " ".join(str(getdoc(work)).split()), arguments, work, reads, destroys)

    return made


class Answer(NamedTuple):
    """What a call comes back with."""

    text: str
    failed: bool = False


def call(tool: Tool, arguments: Mapping[str, Any], caller: Caller, patience: float) -> Answer:
    """Call a tool. Whatever is wrong with the call, the store or the disk is one sentence."""
    try:
        checked = dict(tool.arguments.model_validate(arguments))
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in wrong["loc"])[:60]
        return Answer(sendable(f"{tool.name}: `{name}`: {wrong['msg'][:200]}."), failed=True)
    return answered(caller, patience, lambda call: tool.work(call, **checked), reads=tool.reads)


def answered(caller: Caller, patience: float, make: Callable[[Call], str], *, reads: bool) -> Answer:
    """What `make` tells, or the one sentence that says why it cannot.

    What others hold is waited for during `patience` seconds: agents give a tool only so long. One that reads
    makes no store where there is none: agents let such tools be called unasked.
    """
    try:
        configured = configure()
        dry = reads and not configured.places.has_store
        with Context(configured, makes=True, dry=dry, patience=patience, cwd=caller.cwd) as context:
            return Answer(sendable(make(Call(context, caller))))
    except SiltError as error:
        told = _COMMAND.sub(lambda found: f"`{AS_TOOLS[found[1]]}`", str(error))
    except OSError as error:
        what = error.filename if isinstance(error.filename, str) else "the disk"
        told = f"{what} cannot be used ({error.strerror}); tell the user, and try again once it is fixed"
    return Answer(sendable(told), failed=True)


def first_lines(lines: list[str], narrower: str) -> str:
    """As many lines as an answer holds; `narrower` says how to ask for less."""
    left = len(lines) - MAX_LINES
    return "\n".join(lines if left <= 0 else [*lines[:MAX_LINES], f"… and {left:,} more: {narrower}"])


def sendable(text: str) -> str:
    """Text as JSON and terminals take it: no half characters, none that steer."""
    return printable(text.encode("utf-8", "replace").decode())
