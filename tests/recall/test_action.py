"""Which memories speak of a call: what a memory names on one side, what a call touches on the other."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.recalled import BOTH, LARKSPUR, memory, prepare
from support.table import table

from siltstone.pipeline.proof.commands import programs
from siltstone.recall.action import touched
from siltstone.recall.prepared import Prepared
from siltstone.recall.session.event import Action
from siltstone.store.entry import GLOBAL, Stored

TOP = "/home/dev/larkspur"


def given(folder: Path, *stored: Stored, cwd: str = TOP, **call: Any) -> set[str]:
    """Descriptions of the memories that speak of a call."""
    prepare(folder, stored)
    branch = call.pop("branch", "")
    action = Action(tuple(call.pop("paths", ())), **call)
    run = [one.words for one in programs(action.command)]
    made = touched(action, run, cwd, TOP, branch)
    with Prepared(str(folder)) as prepared:
        found = prepared.steering(made.terms(), BOTH)
    return {one.fragment.line for one in found if made.fits(one.term, one.rest, one.unless)}


@table("action", "given")
def test_a_memory_is_given_at_what_it_names_and_nowhere_else(
    tmp_path: Path, told: str, call: Mapping[str, Any], speaks: bool
) -> None:
    assert given(tmp_path, memory(told, "feedback"), **call) == ({told} if speaks else set())


@table("action", "only_a_rule_speaks")
def test_only_a_rule_speaks(tmp_path: Path, type: Any, text: str, speaks: bool) -> None:
    assert bool(given(tmp_path, memory(text, type), paths=["generated/api.ts"])) is speaks


def test_paths_are_those_below_the_projects_top(tmp_path: Path) -> None:
    rule = memory("Never edit dev/*", "feedback")
    assert given(tmp_path, rule, paths=[f"{TOP}/src/a.ts"]) == set()
    assert given(tmp_path, rule, paths=[f"{TOP}/dev/a.ts"]) == {"Never edit dev/*"}
    assert given(tmp_path, rule, paths=["a.ts"], cwd=f"{TOP}/dev") == {"Never edit dev/*"}
    assert given(tmp_path, memory("Never edit ~/.zshrc", "user"), paths=["/home/dev/.zshrc"]) != set()


def test_other_scopes_and_what_is_gone_do_not_speak(tmp_path: Path) -> None:
    here = memory("Never edit generated/*", "feedback", name="here")
    there = memory("Never touch generated/*", "feedback", scope="projects/heron")
    everywhere = memory("Leave generated/ alone", "user", scope=GLOBAL)
    call: dict[str, Any] = {"paths": ["generated/api.ts"]}
    assert given(tmp_path, here, there, everywhere, **call) == {
        here.entry.description,
        "Leave generated/ alone",
    }
    replaced = here._replace(hash="2", entry=here.entry._replace(superseded_by=f"{LARKSPUR}/x.md"))
    assert given(tmp_path, replaced, **call) == set()
    assert given(tmp_path, **call) == set()


def test_the_sentence_that_names_it_is_told_where_the_line_does_not(tmp_path: Path) -> None:
    body = "Types come from the schema. Never edit generated/*: run make gen."
    prepare(tmp_path, [memory("Generated code", "feedback", body=body)])
    with Prepared(str(tmp_path)) as prepared:
        (found,) = prepared.steering({"d:generated"}, BOTH)
    assert (found.fragment.line, found.sentence) == (
        "Generated code",
        "Never edit generated/*: run make gen.",
    )


@pytest.mark.parametrize(
    "call",
    [
        {"command": "a" * 2_000_000},
        {"command": "(" * 100_000},
        {"command": "cat <<E\n" * 20_000},
        {"command": "x > " * 100_000},
        {"command": "sudo " * 100_000},
        {"paths": ["a/" * 2_000], "after": "import " * 300_000},
        {"paths": ["/" * 4_000] * 500, "after": "a." * 500_000},
        {"paths": ["\ud800", "", "~", ".."], "before": "x\n" * 500_000, "after": '"@' * 500_000},
    ],
)
def test_hostile_calls_end(tmp_path: Path, call: dict[str, Any]) -> None:
    assert given(tmp_path, memory("Never edit generated/*", "feedback"), **call) == set()
