"""Hooks that Codex passes over: what it approved, told by the hash that it makes of each."""

import json
from typing import Any

import pytest

from siltstone.agents.codex.door import Skipped, skipped_hooks

SILT = "silt hook codex"
SEEN = {
    "no timeout": ("PostToolUse", {}, {}, "cdb1058165f929591b11b6f4faea6f25a29eb5b0f5e61b16827dc487a7c4ef12"),
    "async, with a matcher": (
        "PostCompact",
        {"matcher": "*"},
        {"timeout": 5, "async": True},
        "48a0f8b973b4441255ffd4f52f4c57c8a72271d63aa1e5eb5076d31fbc8d28fe",
    ),
    "with a matcher": (
        "SessionStart",
        {"matcher": "startup"},
        {"timeout": 5},
        "1bf3925ba82bede3491de0b962f67ca78e219b92cc22574e492506d030d35a9f",
    ),
    "at a session's end": (
        "SessionEnd",
        {},
        {"timeout": 9},
        "06d782cb5680228ea7fe275a70fce1c4500aa29b6ab36d05ac7541215aaf81b7",
    ),
    "with a matcher that does not count": (
        "Stop",
        {"matcher": "x"},
        {"timeout": 5},
        "10f3f82462a78afc8fa45f999c2450989197ef120a3200a136089175d1b23190",
    ),
}
"""Hashes that Codex (the version of docs/doors.md) told of such hooks through its app server."""


def hooks(event: str, group: dict[str, Any], more: dict[str, Any]) -> str:
    handler = {"type": "command", "command": SILT, **more}
    return json.dumps({"hooks": {event: [{**group, "hooks": [handler]}]}})


def state(key: str, **told: object) -> dict[str, object]:
    return {"hooks": {"state": {key: told}}}


def snake(event: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in event).lstrip("_")


@pytest.mark.parametrize(("event", "group", "more", "seen"), SEEN.values(), ids=SEEN)
def test_a_hash_is_the_one_that_codex_tells(
    event: str, group: dict[str, Any], more: dict[str, Any], seen: str
) -> None:
    key, text = f"/h:{snake(event)}:0:0", hooks(event, group, more)
    assert skipped_hooks({"/h"}, text, state(key, trusted_hash=f"sha256:{seen}")) == Skipped()
    moved = text.replace(SILT, "/new/silt hook codex")
    assert skipped_hooks({"/h"}, moved, state(key, trusted_hash=f"sha256:{seen}")) == Skipped(changed=[event])
    off = state(key, trusted_hash=f"sha256:{seen}", enabled=False)
    assert skipped_hooks({"/h"}, text, off) == Skipped(off=[event])


def test_of_a_hook_that_says_what_we_do_not_know_its_approval_is_taken_as_it_is() -> None:
    text = hooks("Stop", {}, {"commandWindows": "silt.exe hook codex"})
    assert skipped_hooks({"/h"}, text, state("/h:stop:0:0", trusted_hash="sha256:0")) == Skipped()


def test_an_approval_is_of_one_place() -> None:
    theirs = {"hooks": [{"type": "command", "command": "echo mine"}]}
    ours = json.loads(hooks("Stop", {}, {"timeout": 5}))["hooks"]["Stop"][0]
    told = state("/h:stop:0:0", trusted_hash=f"sha256:{SEEN['with a matcher that does not count'][3]}")
    text = json.dumps({"hooks": {"Stop": [theirs, ours]}})
    assert skipped_hooks({"/h"}, text, told) == Skipped(unapproved=["Stop"])


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"hooks": 3},
        {"hooks": {"state": 3}},
        {"hooks": {"state": {"/h:stop:0:0": 3}}},
        {"hooks": {"state": {"/h:stop:0:0": {"trusted_hash": 3}}}},
        {"hooks": {"state": {"/h:stop:0:0": {"enabled": 3}}}},
    ],
)
def test_settings_of_any_shape_approve_nothing(settings: dict[str, object]) -> None:
    assert skipped_hooks({"/h"}, hooks("Stop", {}, {}), settings) == Skipped(unapproved=["Stop"])


@pytest.mark.parametrize("more", [{"timeout": "5"}, {"timeout": True}, {"async": 3}, {"statusMessage": []}])
def test_hooks_of_any_shape_are_read(more: dict[str, Any]) -> None:
    told = state("/h:stop:0:0", trusted_hash="sha256:0")
    assert skipped_hooks({"/h"}, hooks("Stop", {"matcher": 3}, more), told).unapproved == []
