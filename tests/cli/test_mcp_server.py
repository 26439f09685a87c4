"""`silt mcp` with the SDK's own client, mostly over a real process, as agents use it (docs/mcp.md)."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp.types import CallToolResult, TextResourceContents, Tool
from support.commands import Said, call
from support.mcp_client import ERAS, Raw, client, client_here, command, environ, talk, text
from support.table import table

CLAIM = "The integration tests need a running Postgres because they create schemas"
MEMORY = {"read", "search", "list", "tree", "history", "profile"}
CHANGING = {"remember", "write", "edit", "delete", "promote", "demote", "rollback", "flush"}
SESSION = {
    "core_memory_update",
    "core_memory_read",
    "working_memory_add",
    "working_memory_clear",
    "working_memory_clear_slot",
    "working_memory_remove",
}
READING_CALLS: dict[str, dict[str, Any]] = {
    "memory_read": {"name": "x"},
    "memory_search": {"query": "x"},
    "memory_list": {},
    "memory_tree": {},
    "memory_history": {"name": "x"},
    "memory_profile": {},
    "session_search": {"query": "x"},
    "session_read": {"session": "x"},
}
STORE = {f"memory_{name}" for name in MEMORY | CHANGING}
PAST = {"session_search", "session_read"}
SETS = {"memory": ((), STORE | PAST), "session": (("--tools", "session"), SESSION)}


async def tools(client: Client) -> list[Tool]:
    return (await client.list_tools()).tools


@pytest.mark.parametrize(("words", "names"), SETS.values(), ids=SETS.keys())
def test_each_set_of_tools_is_offered(home: Path, words: tuple[str, ...], names: set[str]) -> None:
    offered = talk(client(home, words), tools)
    assert {tool.name for tool in offered} == names
    for tool in offered:
        assert tool.output_schema is None, "an agent that sees one may ignore the text"
        assert tool.annotations is not None
        assert tool.annotations.open_world_hint is False
        assert not (tool.annotations.read_only_hint and tool.annotations.destructive_hint)


def test_an_agent_can_tell_what_reads_and_what_takes_away(home: Path) -> None:
    hints = {tool.name: tool.annotations for tool in talk(client(home, ("--tools", "all")), tools)}
    reading = {name for name, hint in hints.items() if hint and hint.read_only_hint}
    taking = {name for name, hint in hints.items() if hint and hint.destructive_hint}
    assert reading == {*(f"memory_{name}" for name in MEMORY), "core_memory_read", *PAST}
    assert {"memory_delete", "memory_rollback"} < taking
    assert not {"memory_remember", "memory_write", "memory_promote"} & taking


@pytest.mark.parametrize("era", ERAS)
def test_a_memory_is_found_read_and_told_as_text_alone(kept: Said, home: Path, era: str) -> None:
    async def script(client: Client) -> list[CallToolResult]:
        found = await client.call_tool("memory_search", {"query": "tuesdays"})
        read = await client.call_tool("memory_read", {"name": text(found).split(" ")[0]})
        return [found, read]

    found, read = talk(client(home, mode=era), script)
    assert not found.is_error
    assert text(read).splitlines()[-1] == "Deploys go out on Tuesdays only"


def test_the_first_root_counts_as_the_client_tells_it_at_the_time(home: Path, tmp_path: Path) -> None:
    roots = [(tmp_path / name).as_uri() for name in ("one shop", "two")]

    async def script(client: Client) -> None:
        for number in range(3):
            arguments = {"name": f"port {number}", "content": f"The port of {number} is 80{number}"}
            assert not (await client.call_tool("memory_write", arguments)).is_error
            roots[:1] = []
            with pytest.warns(MCPDeprecationWarning):
                await client.session.send_roots_list_changed()

    talk(client(home, roots=roots), script)
    scopes = {item["name"]: item["scope"] for item in call("inbox", "--json").json}
    here = f"projects/{Path.cwd().name}"
    assert scopes == {"port-0": "projects/one-shop", "port-1": "projects/two", "port-2": here}


def test_tools_and_resources_that_read_make_no_store(home: Path) -> None:
    async def script(client: Client) -> None:
        for name, arguments in READING_CALLS.items():
            answer = await client.call_tool(name, arguments)
            assert answer.is_error == (name in {"memory_read", "memory_history"}), text(answer)
        for one in (await client.list_resources()).resources:
            await client.read_resource(one.uri)

    talk(client_here(), script)
    assert [place for place in ("store", "state") if (home / place).exists()] == []
    (home / "store").mkdir()
    talk(client_here(), script)
    assert list((home / "store").iterdir()) == []


def test_codex_tells_its_thread_with_each_call(home: Path) -> None:
    async def script(client: Client) -> CallToolResult:
        meta: Any = {"threadId": "01a1fb88"}
        return await client.call_tool("memory_remember", {"text": CLAIM}, meta=meta)

    assert "inbox/" in text(talk(client(home, ("--agent", "codex")), script))
    (item,) = call("inbox", "--json").json
    assert [(one["agent"], one["session"]) for one in item["evidence"]] == [("codex", "01a1fb88")]


def test_what_goes_wrong_is_one_sentence_and_marked(home: Path) -> None:
    async def script(client: Client) -> list[CallToolResult]:
        wrong: list[tuple[str, dict[str, Any]]] = [
            ("memory_read", {}),
            ("memory_read", {"name": "nothing"}),
            ("memory_search", {"query": " "}),
            ("memory_read", {"name": "../../etc/passwd"}),
            ("memory_write", {"name": "../x", "content": CLAIM}),
            ("memory_write", {"name": "x", "content": " "}),
            ("memory_write", {"name": "x", "content": CLAIM, "scope": "not-here"}),
            ("memory_delete", {"name": ""}),
            ("memory_rollback", {"commit": "--all"}),
            ("nothing", {"x": 1}),
        ]
        return [await client.call_tool(name, arguments) for name, arguments in wrong]

    said = talk(client_here(), script)
    assert all(one.is_error for one in said)
    assert text(said[0]) == "memory_read: `name`: Field required."
    assert all("\n" not in text(one) and "`silt " not in text(one) for one in said)
    assert not list(home.rglob("x.md"))
    assert text(said[-1]).startswith("there is no tool 'nothing'; there are memory_read, ")


def test_index_and_conflicts_are_resources(kept: Said, home: Path) -> None:
    async def script(client: Client) -> dict[str, str]:
        offered = (await client.list_resources()).resources
        read = {}
        for one in offered:
            (content,) = (await client.read_resource(one.uri)).contents
            assert isinstance(content, TextResourceContents)
            read[str(one.uri)] = content.text
        with pytest.raises(MCPError, match="there is no resource"):
            await client.read_resource("siltstone://nothing")
        return read

    read = talk(client_here(), script)
    index = (home / "store" / "projects" / "larkspur" / "MEMORY.md").read_text()
    assert read["siltstone://index"].startswith(index)
    assert read["siltstone://conflicts"] == "There are no conflicts.\n"


@table("mcp_server", "wrong_words_are_told_before_anything_is_served")
def test_wrong_words_are_told_before_anything_is_served(
    home: Path, words: tuple[str, ...], sentence: str
) -> None:
    ran = subprocess.run(command(*words), env=environ(home), capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert sentence in ran.stderr


def test_what_no_client_should_send_ends_nothing(home: Path) -> None:
    wire = Raw(home, Path.cwd())
    for line in (b"no json", b"\xff\xfe", b"[]", b"{}", b"\0"):
        wire.send(line)
    half = wire.ask("tools/call", {"name": "memory_search", "arguments": {"query": "\ud800 x"}})
    assert half["result"]["content"] == [{"type": "text", "text": "nothing found"}]
    huge = wire.ask("tools/call", {"name": "memory_remember", "arguments": {"text": "x" * 3_000_000}})
    assert huge["result"]["isError"] is True
    assert wire.ask("prompts/list", {})["error"]["code"] == -32601
    assert wire.end() == (0, "")


def test_a_client_that_goes_away_ends_it_without_a_word(home: Path) -> None:
    wire = Raw(home, Path.cwd())
    assert wire.process.stdout is not None
    wire.process.stdout.close()
    wire.send(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"}).encode())
    assert wire.end() == (0, "")


def test_broken_settings_are_told_with_the_call(home: Path) -> None:
    (home / "config.toml").write_text("nonsense =")
    wire = Raw(home, Path.cwd())
    said = wire.ask("tools/call", {"name": "memory_list", "arguments": {}})["result"]
    assert said["isError"] is True
    assert "config.toml, line 1" in said["content"][0]["text"]
    assert wire.end()[0] == 0


def test_without_the_sdk_it_says_how_to_get_it(home: Path) -> None:
    without = "import sys; sys.modules['mcp'] = None; from siltstone.cli.app import main; main(['mcp'])"
    ran = subprocess.run(
        [sys.executable, "-c", without], env=environ(home), capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "pip install 'siltstone[mcp]'" in ran.stderr
