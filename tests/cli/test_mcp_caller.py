"""Who calls, out of what agents tell a server; and lines that their halves of characters would spoil."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.table import table

from siltstone.cli.mcp.call import Process, agent_of, caller_of, folder_of
from siltstone.cli.mcp.server import whole


@table("mcp_caller", "callers")
def test_who_calls(
    options: list[str],
    environ: dict[str, str],
    client: str,
    meta: dict[str, Any],
    root: str,
    known: list[object],
) -> None:
    roots = ("https://example.com", f"file://{root}") if root else ()
    found = caller_of(Process(environ, "/here", "mcp-1", *options), client, meta, roots)
    assert [str(found.session), found.known, found.cwd] == known


@pytest.mark.parametrize(
    ("client", "agent"),
    [("gemini-cli-mcp-client", "gemini"), ("Claude Desktop", "claude"), ("", "mcp"), ("日本", "mcp")],
)
def test_a_clients_name_tells_the_agent(client: str, agent: str) -> None:
    assert agent_of(client) == agent


@table("mcp_caller", "roots")
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
