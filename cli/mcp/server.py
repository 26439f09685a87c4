"""The tools over MCP, on standard input and output: the one module that imports the SDK (docs/mcp.md).

Every call works in a thread of its own, those that change something one after another, so that a reading
call never waits for a writer (invariant 13). A call that is cancelled ends what it began: a commit is made
whole or not at all. Answers are text alone, for an agent that is sent `structuredContent` too may show its
model nothing else.
"""

import re
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from siltstone import __version__
from siltstone.cli.mcp.call import Answer, Caller, Process, Tool, answered, call, caller_of
from siltstone.cli.mcp.memory import RESOURCES
from siltstone.cli.note import let_go

INSTRUCTIONS = (
    "Durable memory of this user and their projects, shared by all their coding agents. Search it before you "
    "ask what was decided or preferred; what it says is dated, so verify what may have changed, and the "
    "project's own rules come first. Keep durable facts with memory_remember."
)
PATIENCE = 2.0
"""Seconds in which a client says which folders are its roots."""
LONGEST = 8.0
"""Seconds that a call waits for what another process holds: agents give up a tool that says nothing."""

_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
"""An escape of JSON: a pair of surrogates, one (1) that stands alone, or another one."""

MARKDOWN = "text/markdown"

Context = ServerRequestContext[Any, Any]


class Connection:
    """Which tools it offers, and what is known of who is at the other end."""

    def __init__(self, tools: Sequence[Tool], process: Process, patience: float = LONGEST) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._process = process
        self._patience = patience
        self._roots: Sequence[str] | None = None
        self._asking = anyio.Lock()
        self._writers = anyio.CapacityLimiter(1)

    def server(self) -> Server[Any]:
        """The server that answers for it."""
        server: Server[Any] = Server(
            "siltstone",
            version=__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
        )
        changed = "notifications/roots/list_changed"
        server.add_notification_handler(changed, types.NotificationParams, self._roots_changed)
        return server

    async def _list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        tools = []
        for name, tool in self._tools.items():
            hints = types.ToolAnnotations(
                read_only_hint=tool.reads, destructive_hint=tool.destroys, open_world_hint=False
            )
            schema = tool.schema()
            tools.append(types.Tool(name=name, description=tool.does, input_schema=schema, annotations=hints))
        return types.ListToolsResult(tools=tools)

    async def _call_tool(self, context: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._tools.get(asked.name)
        if tool is None:
            known = ", ".join(self._tools)
            answer = Answer(f"there is no tool {asked.name[:80]!r}; there are {known}.", failed=True)
        else:
            limiter = None if tool.reads else self._writers
            answer = await self._work(context, limiter, partial(call, tool, asked.arguments or {}))
        text = types.TextContent(type="text", text=answer.text)
        return types.CallToolResult(content=[text], is_error=answer.failed)

    async def _list_resources(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        resources = [
            types.Resource(uri=uri, name=work.__name__, description=work.__doc__, mime_type=MARKDOWN)
            for uri, work in RESOURCES.items()
        ]
        return types.ListResourcesResult(resources=resources)

    async def _read_resource(
        self, context: Context, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        make = RESOURCES.get(str(asked.uri))
        if make is None:
            known = ", ".join(RESOURCES)
            raise MCPError(types.INVALID_PARAMS, f"there is no resource {asked.uri}; there are {known}.")
        answer = await self._work(context, None, partial(answered, make=make, reads=True))
        if answer.failed:
            raise MCPError(types.INTERNAL_ERROR, answer.text)
        text = types.TextResourceContents(uri=asked.uri, mime_type=MARKDOWN, text=answer.text)
        return types.ReadResourceResult(contents=[text])

    async def _work(
        self, context: Context, limiter: anyio.CapacityLimiter | None, work: Callable[[Caller, float], Answer]
    ) -> Answer:
        """What the work comes back with, in a thread; what it waited for its turn counts as waiting."""
        began = time.monotonic()
        client = context.session.client_params
        meta = (context.params or {}).get("_meta")
        name = client.client_info.name if client is not None else ""
        roots = await self._roots_of(context)
        who = caller_of(self._process, name, meta if isinstance(meta, Mapping) else {}, roots)
        return await anyio.to_thread.run_sync(
            lambda: work(who, max(0.0, self._patience - (time.monotonic() - began))), limiter=limiter
        )

    async def _roots_of(self, context: Context) -> Sequence[str]:
        """What the client calls its roots; none when it has none, or does not say."""
        can = context.session.client_capabilities
        if self._process.cwd or can is None or can.roots is None or not context.session.can_send_request:
            return ()
        async with self._asking:
            if self._roots is None:
                try:
                    found = await context.session.send_request(
                        types.ListRootsRequest(), types.ListRootsResult, request_read_timeout_seconds=PATIENCE
                    )
                    self._roots = [str(root.uri) for root in found.roots]
                except (MCPError, ValueError):  # it declared them and does not tell them, or not readably
                    self._roots = []
            return self._roots

    async def _roots_changed(self, _: Context, __: types.NotificationParams) -> None:
        self._roots = None


def whole(line: str) -> str:
    """A line of JSON with each half of a surrogate pair that stands alone replaced.

    Clients in JavaScript send such halves as they are, and a call that cannot be read is never answered.
    """
    return _ESCAPE.sub(lambda found: r"\ufffd" if found[1] else found[0], line)


class _Lines(anyio.AsyncFile[str]):
    """Standard input by lines, each such that the SDK can read it: it answers no call that it cannot."""

    async def readline(self) -> str:
        return whole(await super().readline())


def serve(tools: Sequence[Tool], process: Process) -> None:
    """Answer a client on standard input and output until it goes away."""
    # The thread that waits for input cannot be interrupted, so Ctrl-C would wait for it: it ends the process
    # as a kill does, which the store bears at any moment (invariant 3).
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(_run, Connection(tools, process).server())
    except* BrokenPipeError:
        let_go()  # the client went away before its answer


async def _run(server: Server[Any]) -> None:
    with open(0, encoding="utf-8", errors="replace", closefd=False) as stdin:
        async with stdio_server(stdin=_Lines(stdin)) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
