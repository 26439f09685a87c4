"""Starting: what a command costs before it does anything."""

import json
import os
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, scaled
from benchmarks.installed import bare, silt
from benchmarks.stores import filled

ROUNDS = 9
HELLO: dict[str, object] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
LISTED: tuple[tuple[str, dict[str, object]], ...] = (("initialize", HELLO), ("tools/list", {}))
CALLED: tuple[tuple[str, dict[str, object]], ...] = (
    *LISTED,
    ("tools/call", {"name": "memory_list", "arguments": {}}),
)
MEMORIES = 100
BARE = """\
import anyio, mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def tools(context, asked):
    tool = types.Tool(name="one", description="One.", input_schema={"type": "object"})
    return types.ListToolsResult(tools=[tool])

async def main():
    server = Server("bare", on_list_tools=tools)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

anyio.run(main)
"""
"""The least that the SDK can serve: what `silt mcp` can at best be as quick as."""


def measure(folder: Path, scale: float) -> list[Figure]:
    few = folder / "store"
    filled(few, scaled(MEMORIES, scale, 5))
    env = dict(os.environ) | {"SILT_CONFIG": str(folder / "config.toml")}
    commands: dict[str, tuple[Path, tuple[str, ...]]] = {
        "python": (few, bare()),
        "silt --help": (few, silt("--help")),
        "silt list": (few, silt("list")),
        "silt search": (few, silt("search", "port 8001")),
    }

    def run(store: Path, *command: str) -> None:
        places = {"SILT_HOME": str(store), "SILT_STATE": f"{store}-state"}
        subprocess.run(command, env=env | places, check=True, capture_output=True)

    tasks = {name: partial(run, store, *words) for name, (store, words) in commands.items()}
    places = {"SILT_HOME": str(few), "SILT_STATE": f"{few}-state"}
    tasks["a bare server of the MCP SDK, until its one tool is listed"] = partial(
        served, env | places, bare(BARE), LISTED
    )
    tasks["silt mcp, until its tools are listed"] = partial(served, env | places, silt("mcp"), LISTED)
    tasks["silt mcp, until a first call is answered"] = partial(served, env | places, silt("mcp"), CALLED)
    rounds = interleaved(scaled(ROUNDS, scale), tasks)
    return [
        Figure(
            what=name,
            value=rounds.ratio(name, "python", "wall"),
            unit="× bare python",
            budget=None,
            detail=f"{rounds.seconds(name, 'wall') * 1e3:.0f} ms against "
            f"{rounds.seconds('python', 'wall') * 1e3:.0f} ms; {rounds.seconds(name) * 1e3:.0f} ms of "
            "processor time",
        )
        for name in list(tasks)[1:]
    ]


def served(env: dict[str, str], words: Sequence[str], asked: Sequence[tuple[str, dict[str, object]]]) -> None:
    """A server that is asked all that, one thing after another, and left."""
    with subprocess.Popen(words, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for number, (method, params) in enumerate(asked):
            request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            server.stdin.write(json.dumps(request).encode() + b"\n")
            server.stdin.flush()
            assert b'"result"' in server.stdout.readline()
            if method == "initialize":
                server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')


BENCHMARK = Benchmark(
    "startup",
    "Starting a command",
    "A whole command in a process of its own, in a store of 100 memories, against "
    "`python -c pass`; wall time, of `silt mcp` until it has ended too. The budget (30 ms over bare python) "
    "is for the commands of agents' hooks, which have their own figures above: these are told, not judged.",
    measure,
)
