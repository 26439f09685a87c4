"""What `silt doctor` says of the MCP servers that stand in the agents' settings: each is started."""

from collections.abc import Iterator, Mapping, Sequence
from json import dumps, loads
from pathlib import Path
from shlex import join

from siltstone.agents import registered
from siltstone.agents.child import run
from siltstone.agents.pieces import Place
from siltstone.cli.finding import Finding

_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "d", "version": "0"},
    },
}


def look(place: Place, servers: Mapping[registered.Started, list[str]]) -> Iterator[Finding]:
    """Whether the MCP servers that stand in settings answer a client's first words."""
    if not place.mcp:
        yield Finding(
            "mcp", True, "not there: install siltstone[mcp] for the tools, then `silt install` again"
        )
        return
    answering: list[str] = []
    for started, agents in servers.items():
        environ = {**place.environ, **dict(started.env)}
        why = registered.unstartable(started.words, environ)
        line, named = join(started.words), " ".join(dict.fromkeys(agents))
        if why or not _answers(started.words, environ):
            told = f"`{line}` does not answer{f': {why}' if why else ''}"
            more = "" if why else "; call it by hand to see why"
            yield Finding("mcp", False, f"{told}; run `silt install {named}` again{more}")
            continue
        answering += agents
        for name, value in started.env:
            if name.startswith("SILT_") and not place.environ.get(name):
                told = f"{named}: {name}={value} stands in the settings of the server and is not set here"
                yield Finding("mcp", True, told)
    if answering:
        yield Finding("mcp", True, f"`silt mcp` answers ({', '.join(dict.fromkeys(answering))})")


def _answers(words: Sequence[str], environ: Mapping[str, str]) -> bool:
    try:
        done = run(words, dumps(_HELLO) + "\n", Path.cwd(), environ, registered.LONGEST, registered.MOST)
        answer = loads(done.out.partition("\n")[0] or "null")
    except (OSError, ValueError):
        answer = None
    return isinstance(answer, dict) and "result" in answer
