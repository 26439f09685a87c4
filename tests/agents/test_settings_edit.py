"""Settings of others: our entries come and go, everything else stays byte for byte."""

import re
import tomllib
from dataclasses import replace
from json import dumps
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


def test_a_hook_of_ours_is_renewed_where_it_stands() -> None:
    text = with_hooks('{\n  "a": 1\n}', GROUPS, mine)
    ours = '"command": "/opt/silt hook claude"'
    edited = text.replace(f"{ours},", f'{ours.replace("opt", "old")}, // slow\n            "mine": 1,', 1)
    after = with_hooks(edited, GROUPS, mine)
    assert after == edited.replace("/old/", "/opt/")
    hook = GROUPS["Stop"]["hooks"][0]
    assert plain_of(after)["hooks"]["Stop"] == [{"hooks": [{**hook, "mine": 1}]}]


def test_the_matcher_of_a_group_that_others_share_is_not_ours_to_change() -> None:
    theirs = {"matcher": "startup", "hooks": [THEIRS, *GROUPS["SessionStart"]["hooks"]]}
    after = plain_of(with_hooks("{}", {"SessionStart": theirs}, lambda command: False))
    told = plain_of(with_hooks(dumps(after), GROUPS, mine))["hooks"]["SessionStart"]
    assert told == [{"matcher": "startup", "hooks": [THEIRS]}, GROUPS["SessionStart"]]


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
KEYS = st.sampled_from(["required", "startup_timeout_sec", "enabled tools", "cwd#"])
MORE = st.booleans() | st.integers(0, 9) | st.lists(st.sampled_from(["a#", "]", '"']), max_size=2)


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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            'model = "m"\n\n[mcp_servers.siltstone]\ncommand = "/old/silt" # mine\nrequired = true\n'
            'args = [\n  "mcp", # [x]\n  "x",\n]\n# below\n[mcp_servers.siltstone.tools]\nx = 1\n',
            'model = "m"\n\n[mcp_servers.siltstone]\ncommand = "/opt/silt" # mine\nrequired = true\n'
            'args = ["mcp"]\nenv = { A = "b" }\n# below\n[mcp_servers.siltstone.tools]\nx = 1\n',
            id="values, remarks and tables beside ours",
        ),
        pytest.param(
            "[mcp_servers.siltstone]\r\n\"command\" = '/old#silt'\r\n  args=['mcp']\r\n"
            "[mcp_servers.siltstone.env]\r\nMINE = '1'\r\nA = 'a'",
            "[mcp_servers.siltstone]\r\ncommand = \"/opt/silt\"\r\n  args=['mcp']\r\n"
            "[mcp_servers.siltstone.env]\r\nMINE = '1'\r\nA = \"b\"",
            id="variables in a table of their own",
        ),
        pytest.param(
            "[mcp_servers.siltstone]",
            '[mcp_servers.siltstone]\ncommand = "/opt/silt"\nargs = ["mcp"]\nenv = { A = "b" }',
            id="a header alone",
        ),
        pytest.param(
            "[mcp_servers]\nsiltstone = {command = '/opt/silt', args = ['mcp'], env = {A = 'b'}}\n",
            "[mcp_servers]\nsiltstone = {command = '/opt/silt', args = ['mcp'], env = {A = 'b'}}\n",
            id="written otherwise, and up to date",
        ),
    ],
)
def test_a_table_is_renewed_where_it_stands(before: str, after: str) -> None:
    env = {"MINE": "1", "A": "b"} if "MINE" in before else {"A": "b"}
    table: Table = {"command": "/opt/silt", "args": ["mcp"], "env": env}
    assert with_table(before, SILT, table) == after
    assert with_table(after, SILT, table) == after


@given(st.lists(LINES, unique=True), st.dictionaries(KEYS, MORE, max_size=3), st.booleans())
def test_what_stands_beside_our_values_in_a_table_stays(
    lines: list[str], more: dict[str, Any], below: bool
) -> None:
    text = with_table("\n".join(lines), SILT, {"command": "/old/silt", "args": [], **more})
    text += "\n[mcp_servers.siltstone.env]\nMINE = 1\n" if below else "\n"
    wanted = {key: value for key, value in TABLE.items() if not (below and key == "env")}
    after = with_table(text, SILT, wanted)
    assert read(after)["mcp_servers"]["siltstone"] == read(text)["mcp_servers"]["siltstone"] | wanted
    assert without_table(after, SILT) == without_table(text, SILT)


@pytest.mark.parametrize(
    ("text", "told", "line"),
    [
        ('a = 1\nmcp_servers = {a = {command = "x"}}\n', "as tables, [mcp_servers.NAME]", 2),
        ('mcp_servers.a.command = "x"\n', "as tables, [mcp_servers.NAME]", 1),
        ("[mcp_servers]\nsiltstone = {command = '/old/silt'}\n", "write it as [mcp_servers.siltstone]", 2),
        ("[mcp_servers.siltstone]\nenv.A = 'c'\nenv.B = ''\n", "write it as [mcp_servers.siltstone]", 1),
    ],
)
def test_a_table_written_otherwise_is_refused_with_its_line_and_what_to_do(
    text: str, told: str, line: int
) -> None:
    with pytest.raises(Unreadable, match=re.escape(told)) as caught:
        with_table(text, SILT, TABLE)
    assert caught.value.at == line


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
