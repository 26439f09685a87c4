"""Hooks that Codex passes over: what it approved, told by the hash that it makes of each."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.table import rows, table

from siltstone.agents.codex.door import CHANGED, NOT_YET, OFF, skipped_hooks

SILT = "silt hook codex"
SEEN = {row["id"]: row["seen"] for row in rows("approvals", "hashes")}
"""Hashes that Codex (the version of docs/doors.md) told of such hooks through its app server."""


def hooks(event: str, group: dict[str, Any], more: dict[str, Any]) -> str:
    handler = {"type": "command", "command": SILT, **more}
    return json.dumps({"hooks": {event: [{**group, "hooks": [handler]}]}})


def state(key: str, **told: object) -> dict[str, object]:
    return {"hooks": {"state": {key: told}}}


def snake(event: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in event).lstrip("_")


@table("approvals", "hashes")
def test_a_hash_is_the_one_that_codex_tells(
    event: str, group: dict[str, Any], more: dict[str, Any], seen: str
) -> None:
    key, text = f"/h:{snake(event)}:0:0", hooks(event, group, more)
    assert skipped_hooks(Path("/h"), text, state(key, trusted_hash=f"sha256:{seen}")) == {}
    moved = text.replace(SILT, "/new/silt hook codex")
    assert skipped_hooks(Path("/h"), moved, state(key, trusted_hash=f"sha256:{seen}")) == {CHANGED: [event]}
    off = state(key, trusted_hash=f"sha256:{seen}", enabled=False)
    assert skipped_hooks(Path("/h"), text, off) == {OFF: [event]}


def test_of_a_hook_that_says_what_we_do_not_know_its_approval_is_taken_as_it_is() -> None:
    text = hooks("Stop", {}, {"commandWindows": "silt.exe hook codex"})
    assert skipped_hooks(Path("/h"), text, state("/h:stop:0:0", trusted_hash="sha256:0")) == {}


def test_an_approval_is_of_one_place() -> None:
    theirs = {"hooks": [{"type": "command", "command": "echo mine"}]}
    ours = json.loads(hooks("Stop", {}, {"timeout": 5}))["hooks"]["Stop"][0]
    told = state("/h:stop:0:0", trusted_hash=f"sha256:{SEEN['with a matcher that does not count']}")
    text = json.dumps({"hooks": {"Stop": [theirs, ours]}})
    assert skipped_hooks(Path("/h"), text, told) == {NOT_YET: ["Stop"]}


PLACE = "/h:stop:0:0"
SHAPES: list[dict[str, Any]] = [{}, {"hooks": 3}, {"hooks": {"state": 3}}, {"hooks": {"state": {PLACE: 3}}}]
SHAPES += [state(PLACE, trusted_hash=3), state(PLACE, enabled=3)]


@pytest.mark.parametrize("settings", SHAPES)
def test_settings_of_any_shape_approve_nothing(settings: dict[str, object]) -> None:
    assert skipped_hooks(Path("/h"), hooks("Stop", {}, {}), settings) == {NOT_YET: ["Stop"]}


@pytest.mark.parametrize("more", [{"timeout": "5"}, {"timeout": True}, {"async": 3}, {"statusMessage": []}])
def test_hooks_of_any_shape_are_read(more: dict[str, Any]) -> None:
    told = state("/h:stop:0:0", trusted_hash="sha256:0")
    assert skipped_hooks(Path("/h"), hooks("Stop", {"matcher": 3}, more), told).keys() <= {CHANGED}
