"""The gate: what no memory may be (docs/seeds.md A10–A12, "Source", "Defects there").

`tests/data/gate/sentences.jsonl` holds reports and facts in several languages, each with the reason for which
it is refused, or none.
"""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import lines

from siltstone.pipeline.proof.gate import MAX_RUN, RULES, assess, gate, readable

SENTENCES = lines("gate/sentences")
REASONS = {*RULES} | {"too_short"}


def test_reports_are_refused_for_their_reason() -> None:
    found: dict[str, list[bool]] = defaultdict(list)
    for one in SENTENCES:
        if one["reason"]:
            reasons = {gate(one["type"], one["text"], "extraction")}
            reasons |= set(assess(one["type"], one["text"], "extraction"))
            found[one["reason"]].append(one["reason"] in reasons)
    assert found.keys() == REASONS
    shares = {reason: sum(hits) / len(hits) for reason, hits in found.items()}
    assert {reason: share for reason, share in shares.items() if share < 0.9} == {}


def test_every_report_is_refused_and_facts_that_sound_like_reports_are_kept() -> None:
    kept = {one["text"] for one in SENTENCES if gate(one["type"], one["text"], "extraction") is None}
    facts = {one["text"] for one in SENTENCES if one["reason"] is None}
    reports = {one["text"] for one in SENTENCES} - facts
    assert len(kept & reports) <= 0.02 * len(reports), kept & reports
    assert len(facts - kept) <= 0.05 * len(facts), facts - kept


def test_a_command_that_takes_paths_is_no_list_of_paths() -> None:
    paths = "src/mill/lamps.toml src/mill/spare.toml"
    assert gate("project", f"Lamps: {paths}", "extraction") == "path_heavy"
    assert gate("project", f"Lamps: `sudo cp {paths}`", "extraction") is None
    told = "The ferry list is inside `.quay/mills`, not in `$BARN`"
    assert gate("project", f"{told}\n{told}.", "extraction") is None


@pytest.mark.parametrize("verb", ["Be sure to weigh", "Break", "Build", "Check", "Commit", "Number", "Treat"])
def test_what_orders_something_is_feedback(verb: str) -> None:
    assert gate("feedback", f"{verb} the sacks twice", "extraction") is None


def test_commands_and_what_they_printed_say_nothing_by_themselves() -> None:
    bare = '`millctl lamps --all` → "2 lamps burn"; `millctl wheel` → "stands still"'
    assert gate("project", bare, "extraction") == "only_output"
    assert gate("project", f"{bare}, since the pond is low", "extraction") is None


def test_explicit_saves_skip_the_gate() -> None:
    assert gate("project", "57 tests pass", "explicit") is None
    assert assess("project", "57 tests pass", "explicit") == ()


@given(st.text(max_size=300), st.sampled_from(["user", "feedback", "project", "decision", "reference"]))
@settings(max_examples=100)
def test_any_text_gets_known_reasons(text: str, type_: str) -> None:
    assert set(assess(type_, text, "extraction")) <= REASONS


@pytest.mark.parametrize("run", ["7", "７", "a", "1.", "x-9_"])
def test_no_rule_sees_a_long_run(run: str) -> None:
    words = readable(f"The build {run * 8_000} passed").split()
    assert words[:2] == ["The", "build"]
    assert max(map(len, words)) <= MAX_RUN


def test_prose_without_spaces_is_seen_whole() -> None:
    text = "发布前必须先跑许可证检查" * 40
    assert readable(text) == text
