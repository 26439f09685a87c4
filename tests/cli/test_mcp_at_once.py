"""Several clients, calls and writers at one time over `silt mcp`: nobody waits long, nothing is lost."""

from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult
from support.commands import Said, call
from support.mcp_client import client, client_here, held, talk, text

from siltstone.cli.mcp.server import LONGEST
from siltstone.store.store import Store

CLAIM = "The integration tests need a running Postgres because they create schemas"


def test_two_servers_lose_nothing_of_each_other(home: Path) -> None:
    async def write(client: Client, name: str) -> None:
        arguments = {"name": name, "content": f"{CLAIM}, says {name}."}
        assert not (await client.call_tool("memory_write", arguments)).is_error

    async def run() -> None:
        async with client(home) as one, client(home) as other, anyio.create_task_group() as group:
            for number in range(3):
                group.start_soon(write, one, f"one {number}")
                group.start_soon(write, other, f"other {number}")

    call("list")
    anyio.run(run)
    assert len(call("inbox", "--json").json) == 6
    assert call("doctor").code == 0


def test_a_reader_does_not_wait_for_a_writer(kept: Said, home: Path) -> None:
    async def script(client: Client) -> None:
        async with anyio.create_task_group() as group:
            with Store.open(home / "store").locked():
                group.start_soon(client.call_tool, "memory_write", {"name": "late", "content": CLAIM})
                await client.list_tools()  # by its answer the call before it is on its way
                assert "Tuesdays" in text(await client.call_tool("memory_list", {}))
                assert call("inbox", "--json").json == []

    talk(client(home), script)
    assert [item["name"] for item in call("inbox", "--json").json] == ["late"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_remember", {"text": CLAIM}),
        ("memory_write", {"name": "late", "content": CLAIM}),
        ("memory_flush", {}),
        ("memory_delete", {"name": "claimed"}),
    ],
)
def test_a_store_that_others_hold_is_told_when_the_limit_is_over(
    home: Path, tool: str, arguments: dict[str, str]
) -> None:

    async def script(client: Client) -> list[CallToolResult]:
        await client.call_tool("memory_write", {"name": "claimed", "content": f"{CLAIM} of their own"})
        with held(home / "store"):
            refused = await client.call_tool(tool, arguments)
        return [refused, await client.call_tool(tool, arguments)]

    refused, free = talk(client_here(patience=0.0), script)
    assert refused.is_error
    assert text(refused) == f"another silt process is writing to {home / 'store'}: try again later"
    assert not free.is_error
    assert LONGEST <= 10, "an agent waits for a tool, but not for long"


def test_a_call_that_is_given_up_spoils_no_other(kept: Said, home: Path) -> None:
    async def script(client: Client) -> str:
        arguments = {"name": "late", "content": CLAIM}
        with Store.open(home / "store").locked(), pytest.raises(MCPError):
            await client.call_tool("memory_write", arguments, read_timeout_seconds=0.2)
        return text(await client.call_tool("memory_write", arguments | {"name": "later"}))

    assert talk(client(home), script).startswith("created: inbox/")
    names = {item["name"] for item in call("inbox", "--json").json}
    assert names in ({"later"}, {"late", "later"}), "done whole or not at all"
