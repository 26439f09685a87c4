"""Reading a model's plan: whatever it sends, numbers become entries or the item is refused (invariant 5)."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from merge_support import entry, store

from siltstone.pipeline.compaction.plan import Drop, Flag, Merge, Op, Rewrite, read_plan
from siltstone.pipeline.model.json_reply import Unreadable

PORT = store(entry("The API listens on port 8080.", name="port"))
NGINX = store(entry("The API stands behind nginx.", name="nginx", day=2))
LEEDS = store(entry("The client lives in Leeds.", name="leeds", day=3))
FORTY = store(entry("Free shipping starts at £40.", name="forty"))
FIFTY = store(entry("Free shipping is from £50.", name="fifty", day=9))
STORE = (PORT, NGINX, LEEDS, FORTY, FIFTY)


def wire(op: str, targets: list[object], **more: object) -> dict[str, object]:
    empty = {"by": None, "reason": None, "body": None}
    return {"op": op, "targets": targets, **empty, **more}


NUMBERED = dict(enumerate(STORE, 1))
READABLE = {
    "merge": (
        wire("merge", [1, 2], body="One.\nTwo.", name="../x"),
        Merge((PORT, NGINX), "One. Two", "One.\nTwo."),
    ),
    "delete": (wire("delete", [1], by=2, reason="duplicate_of"), Drop(PORT, "duplicate_of", NGINX)),
    "delete for no proven reason": (wire("delete", [1], reason="boring"), Drop(PORT, None)),
    "rewrite": (wire("rewrite", [3], body=" b b. "), Rewrite(LEEDS, "b b", "b b.")),
    "flag": (wire("flag", [4, 5]), Flag(FORTY, FIFTY)),
    "nulls left out": ({"op": "flag", "targets": [4, 5]}, Flag(FORTY, FIFTY)),
}


@pytest.mark.parametrize("case", READABLE.values(), ids=READABLE.keys())
def test_an_op_is_read_over_the_entries_that_were_shown(case: tuple[dict[str, object], Op]) -> None:
    assert read_plan(json.dumps({"ops": [case[0]]}), NUMBERED) == ([case[1]], [])


UNREADABLE = {
    "unknown number": (wire("flag", [4, 99]), "unknown-target"),
    "unknown survivor": (wire("delete", [1], by=0, reason="duplicate_of"), "unknown-target"),
    "a path for a number": (wire("delete", ["../../etc/passwd"]), "unreadable"),
    "unknown op": (wire("erase", [1]), "unreadable"),
    "merge of one": (wire("merge", [1], body="b"), "unreadable"),
    "merge of one, twice": (wire("merge", [1, 1], body="b"), "unreadable"),
    "flag of three": (wire("flag", [1, 2, 3]), "unreadable"),
    "no op at all": ("delete everything", "unreadable"),
    "true for a number": (wire("delete", [True]), "unreadable"),
    "endless body": (wire("rewrite", [1], body="x" * 30_000), "over-limit"),
}


@pytest.mark.parametrize("case", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_an_item_that_is_no_op_refuses_itself_alone(case: tuple[object, str]) -> None:
    ops, refused = read_plan(json.dumps({"ops": [case[0], wire("flag", [4, 5])]}), NUMBERED)
    assert ops == [Flag(FORTY, FIFTY)]
    assert [one.rule for one in refused] == [case[1]]


@pytest.mark.parametrize(
    "text", ["", "I would rather not.", '{"ops": 3}', "{" * 9_999], ids=["empty", "prose", "number", "deep"]
)
def test_a_reply_without_a_list_is_an_error(text: str) -> None:
    with pytest.raises(Unreadable):
        read_plan(text, NUMBERED)


def test_an_endless_list_is_cut_and_said_so() -> None:
    ops, refused = read_plan(json.dumps({"ops": [wire("flag", [4, 5])] * 500}), NUMBERED)
    assert (len(ops), [one.rule for one in refused]) == (200, ["too-long"])


@given(st.text(max_size=300))
def test_any_reply_is_read_or_refused(text: str) -> None:
    for reply in (text, json.dumps({"ops": [{"op": "merge", "targets": [1, 2], "body": text}]})):
        with contextlib.suppress(Unreadable):
            read_plan(reply, NUMBERED)


def test_of_an_item_that_is_no_op_no_secret_is_told() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    for item in (wire("erase", [1], body=f"The token is {secret}"), f"{'word ' * 34}{secret}"):
        (refused,) = read_plan(json.dumps({"ops": [item]}), NUMBERED)[1]
        assert (refused.rule, secret[:10] in refused.detail) == ("unreadable", False)
