"""`silt mcp` as an agent meets it: a process of its own, spoken to by the SDK's client or by hand."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, ListRootsResult, Root, TextContent
from pydantic import FileUrl

from siltstone.cli.mcp.call import Process
from siltstone.cli.mcp.command import OFFERED
from siltstone.cli.mcp.server import LONGEST, Connection
from support.commands import places

ROOT = Path(__file__).resolve().parents[2]
T = TypeVar("T")
PATIENCE = 60.0
"""Seconds that a process has for all it is asked by hand."""
ERAS = ("legacy", "auto")
"""With the handshake and roots of today's agents; and as the newest protocol has it, without either."""


def environ(home: Path) -> dict[str, str]:
    """What an agent that passes on little passes on, and where the test's store is."""
    return {**places(home), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "siltstone", "mcp", *words]


def client(
    home: Path,
    words: Sequence[str] = (),
    mode: str = "legacy",
    root: Path | None = None,
    roots: Sequence[str] | None = None,
) -> Client:
    """A client of a server that stands in this process's folder; with `root` one that tells it as root, with
    `roots` one that tells these URIs, as they are when it is asked."""
    program, *args = command(*words)
    server = StdioServerParameters(command=program, args=args, env=environ(home), cwd=str(Path.cwd()))
    told = [root.as_uri()] if root is not None else roots
    if told is None:
        return Client(server, mode=mode)

    async def list_roots(context: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(one)) for one in told])

    return Client(server, mode=mode, list_roots_callback=list_roots)


def client_here(patience: float = LONGEST) -> Client:
    """A client of a server in this very process, with the memory tools."""
    return Client(Connection(OFFERED["memory"], Process({}, str(Path.cwd()), "mcp-1"), patience).server())


@contextmanager
def held(store: Path) -> Iterator[None]:
    """A second process, which holds the store's lock while the block runs."""
    script = "import sys; from pathlib import Path; from siltstone.store.store import Store\n"
    script += "with Store.open(Path(sys.argv[1])).locked(): print(flush=True); sys.stdin.read()"
    words = [sys.executable, "-c", script, str(store)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline(), "it could not take the lock"
        yield
        process.communicate()


def talk(client: Client, script: Callable[[Client], Awaitable[T]]) -> T:
    """What a script of calls comes back with."""

    async def run() -> T:
        async with client as opened:
            return await script(opened)

    return anyio.run(run)


def text(result: CallToolResult) -> str:
    """The one text that a call came back with: there is nothing else in it."""
    assert result.structured_content is None
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


class Raw:
    """The wire itself: lines in, lines out."""

    def __init__(self, home: Path, cwd: Path, **more: str) -> None:
        self.process = subprocess.Popen(
            command(),
            cwd=cwd,
            env=environ(home) | more,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        # One that does not answer fails its test instead of keeping it waiting.
        self._guard = threading.Timer(PATIENCE, self.process.kill)
        self._guard.start()
        client = {"name": "test", "version": "1"}
        asked = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        self.ask("initialize", asked)
        self.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode())

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The answer to one request."""
        assert self.process.stdout is not None
        self.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
        return json.loads(self.process.stdout.readline())

    def end(self) -> tuple[int, str]:
        """Go away: the server's exit status, and what it said to standard error."""
        _, said = self.process.communicate()
        self._guard.cancel()
        return self.process.returncode, said.decode()
