"""Replies, item by item: what can be meant is taken, what cannot is refused by name."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.pipeline.candidate import Candidate, Quote, RelatedEntry
from siltstone.pipeline.extraction.reply import MAX_ITEMS, Extraction, WireReply, parse
from siltstone.pipeline.model.json_reply import Unreadable

KEPT = RelatedEntry(1, "feedback", "british", "British English", "Copy is British English.\nWhy: Leeds.", 9)
NUMBERS = range(1, 21)
FULL: dict[str, Any] = {
    "quotes": ["15: free shipping starts at £40"],
    "type": "project",
    "body": "Free shipping starts at £40.",
}
OLDER: dict[str, Any] = {
    "action": "create",
    "target": None,
    "topic": "product-context",
    "scope": "global",
    "name": "../free-shipping",
    "description": "Shipping is free\nfrom £40",
    "evidence": [{"n": 15, "quote": "free shipping starts at £40"}],
}
"""What replies held besides before name, description and scope were made by code."""


def read(*items: object) -> Extraction:
    return parse(json.dumps({"memories": items}), NUMBERS, [KEPT], here)


def here(n: int, quote: str) -> int:
    return n


def one() -> Candidate:
    (candidate,) = read(FULL).candidates
    return candidate


def test_name_description_and_scope_are_made_by_code() -> None:
    quotes, body = (Quote(15, "free shipping starts at £40"),), FULL["body"]
    made = "free-shipping-starts-at-40", "Free shipping starts at £40"
    assert one() == Candidate("create", "project", "project", *made, body, quotes)
    reply = WireReply.model_validate({"memories": [FULL]})
    assert parse(reply.model_dump_json(), NUMBERS, [], here).candidates == (one(),)
    old = {key: value for key, value in (FULL | OLDER).items() if key != "quotes"}
    (candidate,) = read(old).candidates
    told = "free-shipping", "Shipping is free from £40"
    assert candidate == Candidate("create", "project", "global", *told, body, quotes)


def test_the_schema_has_no_defaults_and_no_open_objects() -> None:
    schema = WireReply.model_json_schema()
    for part in (schema, *schema["$defs"].values()):
        assert part["additionalProperties"] is False
        assert set(part["required"]) == set(part["properties"])
        assert not any("default" in told for told in part["properties"].values())


@table(
    "reply",
    "understood",
    ({"description": "x" * 300}, [], "description", "x" * 200),
    ({"name": "n" * 300}, [], "name", "n" * 60),
    ({"quotes": ["3: x"] * 99}, [], "quotes", [[3, "x"]] * 8),
)
def test_understood(changes: dict[str, Any], without: list[str], field: str, wanted: object) -> None:
    told = FULL | changes
    parsed = read({key: value for key, value in told.items() if key not in without})
    assert parsed.scraps == ()
    found = getattr(parsed.candidates[0], field)
    assert ([[quote.n, quote.text] for quote in found] if field == "quotes" else found) == wanted


def test_an_update_of_a_text_that_was_not_shown_is_a_create() -> None:
    line = RelatedEntry(1, "feedback", "british", "British English", "")
    reply = json.dumps({"memories": [FULL | {"action": "update", "target": 1}]})
    (candidate,) = parse(reply, NUMBERS, [line], here).candidates
    assert (candidate.action, candidate.target, candidate.body) == ("create", None, FULL["body"])
    assert candidate.name == one().name


@pytest.mark.parametrize(("named", "scope"), [("project", "project"), ("global", "global"), (None, "global")])
def test_a_scope_that_is_not_given_is_the_targets(named: str | None, scope: str) -> None:
    everywhere = RelatedEntry(1, "user", "uk", "Lives in Leeds", "Lives in Leeds", scope="global")
    item = FULL | {"action": "supersede", "target": 1, "scope": named}
    (candidate,) = parse(json.dumps({"memories": [item]}), NUMBERS, [everywhere], here).candidates
    assert candidate.scope == scope


@table(
    "reply",
    "refused",
    ([FULL], "wrong-type"),
    ({"body": "x" * 5_001}, "too-long"),
    ({"quotes": ["1: " + "x" * 2_001]}, "too-long"),
)
def test_refused(item: object, reason: str) -> None:
    parsed = read(FULL, FULL | item if isinstance(item, dict) else item, FULL)
    assert parsed.refused == {reason: 1}
    assert parsed.candidates == (one(), one())


def test_a_string_is_a_claim_without_evidence_and_no_list_is_no_empty_one() -> None:
    (scrap,) = parse('["Use pnpm"]', NUMBERS, [], here).scraps
    assert (scrap.reason, scrap.text) == ("no-evidence", "Use pnpm")
    with pytest.raises(Unreadable):
        parse("I could not find any.", NUMBERS, [], here)


def test_an_endless_list_ends() -> None:
    parsed = read(*[FULL] * 1_000)
    assert len(parsed.candidates) == MAX_ITEMS
    assert parsed.refused == {"over-limit": 1_000 - MAX_ITEMS}


def test_a_scrap_says_what_it_was() -> None:
    (scrap,) = read(FULL | {"type": "poem", "body": "Free\nshipping " + "x" * 400}).scraps
    assert scrap.text == ("Free shipping " + "x" * 400)[:300]


strange = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("a/.\ud800\0\n#1", max_size=9),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["n", "quote"]), inner),
    max_leaves=4,
)


@settings(max_examples=100)
@given(
    st.lists(
        st.dictionaries(st.sampled_from(sorted(FULL | OLDER)), strange, max_size=9) | strange, max_size=4
    )
)
def test_every_item_is_a_candidate_or_a_scrap(items: list[object]) -> None:
    parsed = read(*items)
    assert len(parsed.candidates) + len(parsed.scraps) == len(items)
    for candidate in parsed.candidates:
        assert candidate.target in (None, KEPT.number)
        assert {quote.n for quote in candidate.quotes} <= set(NUMBERS)
        assert not set("/\\.\0\n") & set(candidate.name)
        "".join([candidate.name, candidate.description, candidate.body]).encode("utf-8")
