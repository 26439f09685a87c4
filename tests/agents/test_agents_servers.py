"""Our MCP server among an agent's: what users put beside it stays, theirs stays theirs, tools are chosen."""

import json
from pathlib import Path
from typing import Any

import pytest

from siltstone.agents import servers
from siltstone.agents.pieces import Shared
from siltstone.agents.settings_edit.hooks import plain_of
from siltstone.agents.settings_edit.toml_table import read
from siltstone.cli.tools.offered import Sets

OLD = servers.entry(("/old/silt",), "", {"SILT_HOME": "/a"})
NEW = servers.entry(("/usr/bin/python3", "-P", "-m", "siltstone"), "", {"SILT_HOME": "/b"})
MORE: dict[str, Any] = {"required": True, "startup_timeout_sec": 9, "enabled_tools": ["memory_read"]}


def json_piece(told: dict[str, Any] | None) -> Shared:
    return servers.server_file(Path("settings.json"), ("mcpServers", "siltstone"), told, strict=False)


def toml_piece(told: dict[str, Any] | None) -> Shared:
    return servers.table_file(Path("config.toml"), ("mcp_servers", "siltstone"), told)


both_formats = pytest.mark.parametrize("piece", [json_piece, toml_piece], ids=["json", "toml"])


def entry_in(text: str) -> Any:
    settings = plain_of(text) if text.startswith("{") else read(text)
    return (settings.get("mcpServers") or settings.get("mcp_servers") or {}).get("siltstone")


def put_beside(text: str) -> str:
    """The text with more in our entry, as a person writes it."""
    if text.startswith("{"):
        entry = {**entry_in(text), **MORE}
        entry["args"] = [*entry["args"], "--tools", "all"]
        entry["env"] = {**entry["env"], "MINE": "1"}
        return json.dumps({"mcpServers": {"siltstone": entry}}, indent=1)
    text = text.replace('["mcp"]', '["mcp", "--tools", "all"]').replace("env = {", 'env = { MINE = "1",')
    return text + "".join(f"{key} = {json.dumps(value)} # mine\n" for key, value in MORE.items())


@both_formats
def test_what_was_put_beside_our_values_stays_when_they_are_renewed(piece: Any) -> None:
    mine = put_beside(piece(OLD).put(piece(OLD).least, False))
    assert piece(OLD).put(mine, True) == mine
    renewed = piece(NEW).put(mine, True)
    assert entry_in(renewed) == {
        **NEW,
        **MORE,
        "args": [*NEW["args"], "--tools", "all"],
        "env": {"SILT_HOME": "/b", "MINE": "1"},
    }
    assert renewed.count("# mine") == mine.count("# mine")
    assert entry_in(piece(NEW).take(renewed, True)) is None


THEIRS = {
    "another program": {"command": "/opt/mem", "args": ["mcp"]},
    "a wrapper": {"command": "uvx", "args": ["siltstone", "mcp"]},
    "elsewhere": {"url": "http://127.0.0.1:1/mcp"},
    "nothing": {"command": "/old/silt"},
    "other words": {"command": "/old/silt", "args": ["serve", "mcp"]},
}


@both_formats
@pytest.mark.parametrize("theirs", THEIRS.values(), ids=THEIRS)
def test_a_server_of_the_users_own_stays_to_the_byte(piece: Any, theirs: dict[str, Any]) -> None:
    text = json.dumps({"mcpServers": {"siltstone": theirs}})
    if piece is toml_piece:
        lines = "".join(f"{key}={json.dumps(value)} # mine\n" for key, value in theirs.items())
        text = f"a = 1\n[mcp_servers.siltstone]\n{lines}"
    for wrote in (True, False, None):
        left = [piece(NEW).put(text, wrote), piece(None).put(text, wrote), piece(NEW).take(text, wrote)]
        assert left == [text] * 3
    there, line = piece(NEW).server(text)
    assert (there, line) == (theirs, 1 if piece is json_piece else 2)


@pytest.mark.parametrize("there", [None, 3, [], {}, {"command": 3}, {"command": "silt", "args": "mcp"}])
def test_an_entry_of_any_shape_is_not_ours(there: object) -> None:
    assert not servers.starts_silt(there)
    assert not any(servers.is_ours(there, wrote) for wrote in (True, False, None))


@pytest.mark.parametrize(
    ("there", "looks_so"),
    [
        ({}, True),
        ({"args": ["-P", "-m", "siltstone", "mcp"], "command": "/usr/bin/python3"}, True),
        ({"args": ["mcp", "--tools", "all"]}, True),
        ({"command": "silt"}, False),
        ({"args": ["mcp", "--agent", "x"]}, False),
        ({"args": ["mcp", "--tools", "all", "--tools", "all"]}, False),
        ({"required": True}, False),
        ({"env": {"SILT_HOME": "/a", "MINE": "1"}}, False),
        ({"env": 3}, False),
    ],
)
def test_one_that_starts_silt_is_ours_by_the_record_else_by_its_looks(
    there: dict[str, Any], looks_so: bool
) -> None:
    told = {**OLD, **there}
    assert [servers.is_ours(told, wrote) for wrote in (True, False, None)] == [True, False, looks_so]


@both_formats
@pytest.mark.parametrize("theirs", ["3", "null", "[[]]", '{"env": 3}'])
def test_what_is_no_entry_is_left(piece: Any, theirs: str) -> None:
    text = f'{{"mcpServers": {{"siltstone": {theirs}}}}}'
    if piece is toml_piece:
        text = "[[mcp_servers.siltstone]]\nenv = 3\n"
    if theirs == "null" and piece is json_piece:
        assert piece(NEW).server(text) is None
    else:
        assert piece(NEW).put(text, True) == text
    assert piece(NEW).take(text, True) == text


@pytest.mark.parametrize(
    ("there", "chosen", "args"),
    [
        (["mcp"], "", ["mcp"]),
        (["mcp"], "all", ["mcp", "--tools", "all"]),
        (["mcp", "--tools", "all"], "", ["mcp", "--tools", "all"]),
        (["mcp", "--tools", "all", "--agent", "x"], "session", ["mcp", "--tools", "session", "--agent", "x"]),
        (["mcp", "--agent", "x", "--tools=all"], "memory", ["mcp", "--tools", "memory", "--agent", "x"]),
        (["mcp", "--tools"], "all", ["mcp", "--tools", "all"]),
    ],
)
def test_the_chosen_tools_stay_until_others_are_chosen(
    there: list[str], chosen: str, args: list[str]
) -> None:
    entry = {"command": "/old/silt", "args": there}
    assert servers.renewed(entry, servers.entry(("/new/silt",), chosen)) == {
        "command": "/new/silt",
        "args": args,
    }


@pytest.mark.parametrize("one", [*Sets, ""])
def test_a_set_is_read_as_it_was_written(one: str) -> None:
    assert servers.tools_in(servers.words(one)) == one
