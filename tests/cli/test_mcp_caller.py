"""Who calls, out of what agents tell a server; and lines that their halves of characters would spoil."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.cli.mcp.caller import Options, Process, Request, agent_of, caller, folder_of
from siltstone.cli.mcp.server import whole

AROUND = Process({}, "/here", "mcp-1")
CODEX = {
    "threadId": "01a1fb88",
    "x-codex-turn-metadata": {"session_id": "root", "thread_id": "01a1fb88", "workspaces": {"/app": {}}},
}
STARTED = Process({"CLAUDE_CODE_SESSION_ID": "c-1"}, "/here", "mcp-1")

CALLERS: dict[str, tuple[Options, Process, str, dict[str, Any], str, tuple[str, bool, str]]] = {
    "nothing told": (Options(), AROUND, "", {}, "", ("mcp/mcp-1", False, "/here")),
    "Codex": (Options(), AROUND, "codex-mcp-client", CODEX, "", ("codex/01a1fb88", True, "/app")),
    "Claude Code": (Options(), STARTED, "claude-code", {}, "/root", ("claude/c-1", False, "/root")),
    "an agent started by Claude": (
        Options(),
        STARTED,
        "opencode",
        {},
        "",
        ("opencode/mcp-1", False, "/here"),
    ),
    "the command line": (
        Options("gemini", "g-1", "/there"),
        STARTED,
        "codex-mcp-client",
        CODEX,
        "/root",
        ("gemini/g-1", True, "/there"),
    ),
    "two workspaces": (
        Options(),
        AROUND,
        "codex",
        {"x-codex-turn-metadata": {"workspaces": {"/a": {}, "/b": {}}}},
        "",
        ("codex/mcp-1", False, "/here"),
    ),
    "nonsense": (
        Options(),
        AROUND,
        "Ünknown Client/2",
        {"threadId": 7, "x-codex-turn-metadata": ["x"]},
        "",
        ("nknown-client-2/mcp-1", False, "/here"),
    ),
    "an id with a line end": (
        Options(),
        AROUND,
        "codex",
        {"threadId": "a\nb"},
        "",
        ("codex/mcp-1", False, "/here"),
    ),
    "an id without end": (
        Options(),
        AROUND,
        "codex",
        {"threadId": "a" * 999},
        "",
        ("codex/mcp-1", False, "/here"),
    ),
}


@pytest.mark.parametrize(
    ("asked", "around", "client", "meta", "root", "known"), CALLERS.values(), ids=CALLERS.keys()
)
def test_who_calls(
    asked: Options,
    around: Process,
    client: str,
    meta: dict[str, Any],
    root: str,
    known: tuple[str, bool, str],
) -> None:
    roots = ("https://example.com", f"file://{root}") if root else ()
    found = caller(Request(asked, around, client, meta, roots))
    assert (str(found.session), found.known, found.cwd) == known


@pytest.mark.parametrize(
    ("client", "agent"),
    [("gemini-cli-mcp-client", "gemini"), ("Claude Desktop", "claude"), ("", "mcp"), ("日本", "mcp")],
)
def test_a_clients_name_tells_the_agent(client: str, agent: str) -> None:
    assert agent_of(client) == agent


FOLDERS = {
    "file:///home/marit/src/lark%20spur/": "/home/marit/src/lark spur",
    "file://localhost/src": "/src",
    "file://elsewhere/src": "",
    "https://example.com/src": "",
    "file:src": "",
    "file:///a%00b": "",
    "file://[": "",
    "": "",
}


@pytest.mark.parametrize(("uri", "folder"), FOLDERS.items())
def test_a_root_is_a_folder_of_this_machine(uri: str, folder: str) -> None:
    assert folder_of(uri) == folder


@given(st.text(st.characters(categories=["Cs", "L", "P", "Cc"])))
def test_a_line_can_be_read_whatever_halves_stand_in_it(text: str) -> None:
    line = json.dumps({"text": text})
    halves = {chr(code): "\ufffd" for code in range(0xD800, 0xE000)}
    paired = json.loads(line)["text"]
    assert json.loads(whole(line))["text"] == "".join(halves.get(char, char) for char in paired)


@given(st.text())
def test_a_line_without_halves_stays_as_it_is(text: str) -> None:
    line = json.dumps(["\\ud800", text])
    assert whole(line) == line
