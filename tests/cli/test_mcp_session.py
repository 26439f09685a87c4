"""The session tools (B3, B4, B14) as a server calls them, and whose session they speak of."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.commands import call
from support.table import table

from siltstone.cli.mcp.call import Answer, Caller
from siltstone.cli.mcp.call import call as call_tool
from siltstone.cli.mcp.session import SESSION
from siltstone.store.files import Session
from siltstone.store.state import State

TOOLS = {tool.name: tool for tool in SESSION}


@pytest.fixture
def heard(home: Path) -> Path:
    """Two sessions of Claude in this folder and one elsewhere; s-2 was heard of last in this one."""
    said = {"event": "message", "agent": "claude", "role": "user", "text": "Move the cart"}
    for session, cwd, at in (("s-1", Path.cwd(), 1.0), ("s-2", Path.cwd(), 2.0), ("s-3", home, 3.0)):
        call("event", given=json.dumps(said | {"session": session, "cwd": str(cwd), "at": at}))
    return home


def use(name: str, arguments: dict[str, Any], id: str = "s-1", known: bool = True) -> Answer:
    return call_tool(TOOLS[name], arguments, Caller(Session("claude", id), known, str(Path.cwd())), 1.0)


def told(name: str, arguments: dict[str, Any], id: str = "s-1", known: bool = True) -> str:
    said = use(name, arguments, id, known)
    assert not said.failed, said.text
    return said.text


def test_core_memory_is_replaced_appended_to_and_read(heard: Path) -> None:
    said = told("core_memory_update", {"block": "goal", "content": "Move the cart"})
    assert said == "goal replaced: 13 of 1,000 characters (session claude/s-1)"
    told("core_memory_update", {"block": "goal", "content": "to the new rates", "append": True})
    assert "goal (30/1000):\nMove the cart\nto the new rates\n" in told("core_memory_read", {})
    assert "goal (0/1000)" in told("core_memory_read", {}, "s-2")


def test_working_memory_is_added_to_and_emptied(heard: Path) -> None:
    for kind in ("todo", "decision"):
        told("working_memory_add", {"kind": kind, "content": f"a {kind} of the cart"})
    assert "- a todo of the cart" in told("core_memory_read", {})
    told("working_memory_clear_slot", {"slot": "todo"})
    assert "a todo of the cart" not in told("core_memory_read", {})
    told("working_memory_remove", {"content": "a decision of the cart"})
    assert told("working_memory_clear", {}).startswith("cleared: 0 ")


WHOSE = {
    "told with the call": ({}, "s-1", True, "s-1"),
    "named by the agent": ({"session": "claude/s-3"}, "s-1", True, "s-3"),
    "told at the start, and running": ({}, "s-1", False, "s-1"),
    "told at the start, and gone": ({}, "s-0", False, "s-2"),
    "not told": ({}, "mcp-12345678", False, "s-2"),
}


@pytest.mark.parametrize(("arguments", "id", "known", "meant"), WHOSE.values(), ids=WHOSE.keys())
def test_whose_session_is_meant(
    heard: Path, arguments: dict[str, Any], id: str, known: bool, meant: str
) -> None:
    assert told("core_memory_read", arguments, id, known).startswith(f"session claude/{meant}\n")


@table("mcp_session", "where_no_session_was_heard_of_nothing_is_read_or_noted")
def test_where_no_session_was_heard_of_nothing_is_read_or_noted(
    home: Path, arguments: dict[str, str], said: str
) -> None:
    note = {"block": "goal", "content": "Move the cart"}
    read = use("core_memory_read", arguments, "mcp-1", known=False)
    assert (read.failed, read.text.startswith(said)) == (True, True)
    assert call("session", "--json").json == []
    assert call("session", "show", "claude/s-1").code == 2
    assert not (home / "state").exists()
    noted = use("core_memory_update", {**note, **arguments}, "mcp-1", known=False)
    assert (noted.failed, noted.text.startswith(said)) == (True, True)
    assert call("session", "--json").json == []


def test_a_state_in_use_is_one_sentence(heard: Path) -> None:
    db = State.open(str(heard / "state"))
    with db.transaction():
        said = use("core_memory_update", {"block": "goal", "content": "Move the cart"})
    db.close()
    assert said.failed
    assert "is in use by another process" in said.text
