"""Our MCP server among an agent's: what users added to it stays, theirs stays theirs, tools are chosen."""

import json
from typing import Any, get_args

import pytest
from support.table import table

from siltstone.agents import settings_json, settings_toml
from siltstone.agents.entries import (
    MARK,
    is_our_server,
    mcp_words,
    renewed_server,
    server_entry,
    server_words,
    tools_in,
    users_server,
    with_server,
)
from siltstone.cli.options import Sets

OLD = server_entry(("/old/silt",), "", {"SILT_HOME": "/a"})
NEW = server_entry(("/usr/bin/python3", "-P", "-m", "siltstone"), "", {"SILT_HOME": "/b"})
MORE: dict[str, Any] = {"required": True, "startup_timeout_sec": 9, "enabled_tools": ["memory_read"]}
PATHS = {False: ("mcpServers", "siltstone"), True: ("mcp_servers", "siltstone")}
both_formats = pytest.mark.parametrize("toml", [False, True], ids=["json", "toml"])


def put(text: str, entry: dict[str, Any] | None, toml: bool) -> str:
    return with_server(text, PATHS[toml], entry, toml)


def entry_in(text: str, toml: bool) -> Any:
    settings = (settings_toml if toml else settings_json).read(text)
    return settings_json.value_at(settings, PATHS[toml])


def add_more(text: str, toml: bool) -> str:
    """The text with more in our entry, as a person writes it."""
    if not toml:
        entry = {**entry_in(text, toml), **MORE}
        entry["args"] = [*entry["args"], "--tools", "all"]
        entry["env"] = {**entry["env"], "MINE": "1"}
        return json.dumps({"mcpServers": {"siltstone": entry}}, indent=1)
    text = text.replace('["mcp"]', '["mcp", "--tools", "all"]').replace("env = {", 'env = { MINE = "1",')
    return text + "".join(f"{key} = {json.dumps(value)} # mine\n" for key, value in MORE.items())


@both_formats
def test_what_was_added_to_our_values_stays_when_they_are_renewed(toml: bool) -> None:
    mine = add_more(put("" if toml else "{}\n", OLD, toml), toml)
    assert put(mine, OLD, toml) == mine
    renewed = put(mine, NEW, toml)
    assert entry_in(renewed, toml) == {
        **NEW,
        **MORE,
        "args": [*NEW["args"], "--tools", "all"],
        "env": {"SILT_HOME": "/b", "MINE": "1", MARK: "1"},
    }
    assert entry_in(put(renewed, None, toml), toml) is None


@both_formats
@table("servers", "theirs")
def test_a_server_of_the_users_own_stays_to_the_byte(toml: bool, theirs: dict[str, Any]) -> None:
    text = json.dumps({"mcpServers": {"siltstone": theirs}})
    if toml:
        lines = "".join(
            f"{key}={json.dumps(value) if key != 'env' or value == 3 else toml_table(value)} # mine\n"
            for key, value in theirs.items()
        )
        text = f"a = 1\n[mcp_servers.siltstone]\n{lines}"
    assert [put(text, NEW, toml), put(text, None, toml)] == [text] * 2
    assert users_server(text, PATHS[toml], toml) == ("line 2" if toml else "line 1")


def toml_table(value: dict[str, str]) -> str:
    return "{ " + ", ".join(f"{key} = {json.dumps(one)}" for key, one in value.items()) + " }"


@pytest.mark.parametrize("there", [None, 3, [], {}, {"command": 3}, {"command": "silt", "args": "mcp"}])
def test_an_entry_of_any_shape_is_not_ours(there: object) -> None:
    assert not server_words(there)
    assert not is_our_server(there)


@both_formats
@pytest.mark.parametrize("theirs", ["3", "[[]]", '{"env": 3}'])
def test_what_is_no_entry_is_left(toml: bool, theirs: str) -> None:
    text = f'{{"mcpServers": {{"siltstone": {theirs}}}}}'
    if toml:
        text = "[[mcp_servers.siltstone]]\nenv = 3\n"
    assert put(text, NEW, toml) == text
    assert put(text, None, toml) == text


@table("servers", "tools")
def test_the_chosen_tools_stay_until_others_are_chosen(
    there: list[str], chosen: str, args: list[str]
) -> None:
    entry = {"command": "/old/silt", "args": there, "env": {MARK: "1"}}
    assert renewed_server(entry, server_entry(("/new/silt",), chosen, {})) == {
        "command": "/new/silt",
        "args": args,
        "env": {MARK: "1"},
    }


@pytest.mark.parametrize("one", [*get_args(Sets), ""])
def test_a_set_is_read_as_it_was_written(one: str) -> None:
    assert tools_in(mcp_words(one)) == one
