"""Settings of others: our entries come and go, everything else stays byte for byte."""

import re
import tomllib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from settings_texts import SETTINGS, VALUES, Layout, layouts

from siltstone.agents.settings_edit.hooks import commands, emptied, plain_of, with_hooks, without_hooks
from siltstone.agents.settings_edit.splice import add, drop, get, put
from siltstone.agents.settings_edit.toml_table import Table, read, with_table, without_table
from siltstone.agents.settings_edit.tree import DEEPEST, Unreadable, parse, plain

SERVER = {"command": "/opt/silt", "args": ["mcp"]}
GROUPS: dict[str, dict[str, Any]] = {
    "Stop": {"hooks": [{"type": "command", "command": "/opt/silt hook claude", "timeout": 5}]},
    "SessionStart": {"matcher": "*", "hooks": [{"type": "command", "command": "/opt/silt hook claude"}]},
}
THEIRS = {"type": "command", "command": "echo done"}


def mine(command: str) -> bool:
    return "silt hook" in command


def remarks(text: str) -> int:
    return len(re.findall(r"// (?:head|why)", text))


@given(VALUES, layouts())
def test_a_text_is_read_as_what_it_says(value: Any, layout: Layout) -> None:
    assert plain(parse(layout.text(value))) == value


@given(SETTINGS, layouts())
def test_a_member_comes_and_goes_without_a_trace(settings: dict[str, Any], layout: Layout) -> None:
    before = layout.text(settings)
    after = put(before, ("mcpServers", "siltstone"), SERVER)
    assert plain_of(after) == settings | {"mcpServers": {"siltstone": SERVER}}
    assert remarks(after) == remarks(before)
    assert emptied(drop(after, ("mcpServers", "siltstone")), ["mcpServers"]) == before


@given(
    SETTINGS, st.dictionaries(st.sampled_from(["Stop", "Other"]), st.just([{"hooks": [THEIRS]}])), layouts()
)
def test_hooks_come_and_go_beside_those_of_others(
    settings: dict[str, Any], theirs: dict[str, Any], layout: Layout
) -> None:
    whole = settings | ({"hooks": theirs} if theirs else {})
    before = layout.text(whole)
    after = with_hooks(before, GROUPS, mine)
    told = plain_of(after)
    assert {event: groups[-1] for event, groups in told["hooks"].items() if event in GROUPS} == GROUPS
    assert with_hooks(after, GROUPS, mine) == after
    assert without_hooks(after, mine) == before


@given(SETTINGS, VALUES, layouts(), layouts())
def test_what_others_write_meanwhile_stays(
    settings: dict[str, Any], added: Any, layout: Layout, rewritten: Layout
) -> None:
    after = with_hooks(layout.text(settings), GROUPS, mine)
    by_the_agent = replace(rewritten, remarks=False).text(plain_of(after) | {"theme": added})
    assert with_hooks(by_the_agent, GROUPS, mine) == by_the_agent
    assert plain_of(without_hooks(by_the_agent, mine)) == settings | {"theme": added}
    assert plain_of(without_hooks(put(after, ("theme",), added), mine)) == settings | {"theme": added}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("{}\n", '{\n  "k": [\n    1\n  ]\n}\n', id="empty"),
        pytest.param('{"a": 1}', '{"a": 1, "k": [1]}', id="one line"),
        pytest.param('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": [\n\t\t1\n\t]\n}', id="tabs"),
        pytest.param(
            '{\r\n  "a": 1, // why\r\n}',
            '{\r\n  "a": 1, // why\r\n  "k": [\r\n    1\r\n  ],\r\n}',
            id="comma at the end",
        ),
        pytest.param(
            '{\n  "a": 1 /* b */ // c\n  // d\n}',
            '{\n  "a": 1, /* b */ // c\n  // d\n  "k": [\n    1\n  ]\n}',
            id="remarks after the last",
        ),
        pytest.param('{\n  "k": [0]\n}', '{\n  "k": [0, 1]\n}', id="a list on one line"),
        pytest.param('{"k": 1, "k": [0]}', '{"k": 1, "k": [0, 1]}', id="one name twice: the last counts"),
    ],
)
def test_the_layout_of_a_text_is_kept(before: str, after: str) -> None:
    assert add(before, ("k",), 1) == after


def test_what_others_put_into_a_group_of_ours_stays_in_it() -> None:
    text = with_hooks("{}", GROUPS, mine)
    text = add(text, ("hooks", "Stop", 0, "hooks"), THEIRS)
    assert plain_of(without_hooks(text, mine)) == {"hooks": {"Stop": [{"hooks": [THEIRS]}]}}


def test_older_hooks_of_ours_are_replaced() -> None:
    older = with_hooks("{}", {"Gone": GROUPS["Stop"], "Stop": GROUPS["Stop"]}, lambda command: False)
    newer = with_hooks(older, GROUPS, mine)
    assert plain_of(newer)["hooks"] == {event: [group] for event, group in GROUPS.items()}
    assert commands(plain_of(newer), mine) == dict.fromkeys(GROUPS, "/opt/silt hook claude")


def test_a_remark_keeps_its_container() -> None:
    text = '{\n  "hooks": {\n    // mine\n  }\n}'
    after = with_hooks(text, GROUPS, mine)
    assert without_hooks(after, mine) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("{\n", 2),
        ('{\n"a": 1\n"b": 2}', 3),
        ('{"a": }', 1),
        ("{'a': 1}", 1),
        ('{"a" 1}', 1),
        ('{"a": "\\x"}', 1),
        ('{"a": 1} 2', 1),
        ("{} /* x", 1),
        ("[" * (DEEPEST + 1), 1),
        ('{"hooks": []}', 1),
        ('{"hooks":\n{"Stop": {}}}', 2),
        ("[]", 1),
    ],
)
def test_a_text_that_will_not_do_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(Unreadable) as caught:
        with_hooks(text, GROUPS, mine)
    assert caught.value.at == line


@pytest.mark.parametrize("hooks", [[], 3, {"Stop": 3}, {"Stop": [3, {"hooks": [3, {"command": 3}]}]}])
def test_hooks_of_another_shape_hold_none_of_ours(hooks: Any) -> None:
    assert commands({"hooks": hooks}, mine) == {}


@given(st.text(alphabet='{}[]",:/*\\ \n\t1a', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse(text)
    except Unreadable:
        return
    assert get(text, ()) is not None


LINES = st.sampled_from(
    [
        "",
        "a = 1",
        "# [mcp_servers.siltstone]",
        "[mcp_servers.other]",
        '[x."b]c"]',
        "[[many]]",
        "l = [\n  [1],\n]",
    ]
)
TABLE: Table = {"command": "/opt/silt", "args": ["mcp"], "env": {"SILT_HOME": 'C:\\a "b"\x7f'}}
SILT = ("mcp_servers", "siltstone")


@given(st.lists(LINES, unique=True), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans())
def test_a_table_comes_and_goes_without_a_trace(
    lines: list[str], newline: str, end: bool, more: bool
) -> None:
    before = newline.join("\n".join(lines).split("\n")) + (newline if end else "")
    after = with_table(before, SILT, TABLE)
    assert read(after)["mcp_servers"]["siltstone"] == TABLE
    assert with_table(after, SILT, TABLE) == after
    assert without_table(after, SILT) == before
    if more and after.endswith(newline):
        others = f"{newline}[theirs]{newline}b = 2{newline}"
        assert without_table(after + others, SILT) == before + others


def test_a_table_that_says_otherwise_is_replaced() -> None:
    older = with_table('model = "m"\n', SILT, {"command": "/old/silt", "env": {"A": "b"}})
    older += "[mcp_servers.siltstone.tools]\nx = 1\n"
    assert without_table(older, SILT) == 'model = "m"\n'
    assert with_table(older, SILT, TABLE) == with_table('model = "m"\n', SILT, TABLE)


@pytest.mark.parametrize(
    "text",
    [
        "[a\n",
        "a = 1\na = 2\n",
        "mcp_servers = 3\n",
        "mcp_servers = {}\n",
        'mcp_servers.siltstone.command = "x"\n',
        "a = " + "[" * 9999,
    ],
    ids=["header", "twice", "number", "inline", "dotted", "deep"],
)
def test_a_file_that_will_not_do_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        with_table(text, SILT, TABLE)


def test_a_header_in_a_long_text_is_no_header() -> None:
    text = 's = """\n[mcp_servers.siltstone]\n"""\n'
    assert tomllib.loads(with_table(text, SILT, TABLE))["s"] == "[mcp_servers.siltstone]\n"
