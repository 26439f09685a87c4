"""Settings of others: our entries come and go, everything else stays byte for byte."""

import re
import tomllib
from dataclasses import replace
from json import dumps
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from settings_texts import SETTINGS, VALUES, Layout, layouts
from support.table import table

from siltstone.agents import settings_json
from siltstone.agents.entries import handlers, is_our_hook, with_hooks, without_hooks
from siltstone.agents.settings_json import Unreadable, drop, drop_empty, put
from siltstone.agents.settings_toml import put as with_table
from siltstone.agents.settings_toml import read
from siltstone.agents.settings_toml import take as without_table

SERVER = {"command": "/opt/silt", "args": ["mcp"]}
GROUPS: dict[str, dict[str, Any]] = {
    "Stop": {"hooks": [{"type": "command", "command": "/opt/silt hook claude", "timeout": 5}]},
    "SessionStart": {"matcher": "*", "hooks": [{"type": "command", "command": "/opt/silt hook claude"}]},
}
THEIRS = {"type": "command", "command": "echo done"}


AGENT = "claude"


def put_hooks(text: str) -> str:
    return with_hooks(text, AGENT, GROUPS)


def take_hooks(text: str) -> str:
    return without_hooks(text, AGENT)


def ours(settings: Any) -> dict[str, str]:
    return {event: hook["command"] for event, _, _, hook in handlers(settings) if is_our_hook(hook, AGENT)}


def remarks(text: str) -> int:
    return len(re.findall(r"// (?:head|why)", text))


@given(VALUES, layouts())
def test_a_text_is_read_as_what_it_says(value: Any, layout: Layout) -> None:
    assert settings_json.read(layout.text(value)) == value


@given(SETTINGS, layouts())
def test_a_member_comes_and_goes_without_a_trace(settings: dict[str, Any], layout: Layout) -> None:
    before = layout.text(settings)
    wanted = settings | {"mcpServers": {"siltstone": SERVER}}
    after = put(before, ("mcpServers", "siltstone"), SERVER)
    assert settings_json.read(after) == wanted
    assert remarks(after) == remarks(before)
    assert drop_empty(drop(after, ("mcpServers", "siltstone")), ("mcpServers",)) == before


@given(
    SETTINGS, st.dictionaries(st.sampled_from(["Stop", "Other"]), st.just([{"hooks": [THEIRS]}])), layouts()
)
def test_hooks_come_and_go_beside_those_of_others(
    settings: dict[str, Any], theirs: dict[str, Any], layout: Layout
) -> None:
    whole = settings | ({"hooks": theirs} if theirs else {})
    before = layout.text(whole)
    after = put_hooks(before)
    told = settings_json.read(after)
    assert {event: groups[-1] for event, groups in told["hooks"].items() if event in GROUPS} == GROUPS
    assert put_hooks(after) == after
    assert take_hooks(after) == before


@given(SETTINGS, VALUES, layouts(), layouts())
def test_what_others_write_meanwhile_stays(
    settings: dict[str, Any], added: Any, layout: Layout, rewritten: Layout
) -> None:
    after = put_hooks(layout.text(settings))
    by_the_agent = replace(rewritten, remarks=False).text(settings_json.read(after) | {"theme": added})
    assert put_hooks(by_the_agent) == by_the_agent
    assert settings_json.read(take_hooks(by_the_agent)) == settings | {"theme": added}
    by_a_person = put(after, ("theme",), added)
    assert settings_json.read(take_hooks(by_a_person)) == settings | {"theme": added}


@table("settings", "layouts")
def test_the_layout_of_a_text_is_kept(before: str, after: str) -> None:
    settings = settings_json.read(before)
    assert put(before, ("k", len(settings.get("k", []))), 1) == after


def test_what_others_put_into_a_group_of_ours_stays_in_it() -> None:
    text = put(put_hooks("{}"), ("hooks", "Stop", 0, "hooks", 1), THEIRS)
    assert settings_json.read(take_hooks(text)) == {"hooks": {"Stop": [{"hooks": [THEIRS]}]}}


def test_a_hook_of_ours_is_renewed_where_it_stands() -> None:
    text = put_hooks('{\n  "a": 1\n}')
    ours = '"command": "/opt/silt hook claude"'
    edited = text.replace(f"{ours},", f'{ours.replace("opt", "old")}, // slow\n            "mine": 1,', 1)
    after = put_hooks(edited)
    assert after == edited.replace("/old/", "/opt/")
    hook = GROUPS["Stop"]["hooks"][0]
    assert settings_json.read(after)["hooks"]["Stop"] == [{"hooks": [{**hook, "mine": 1}]}]


def test_the_matcher_of_a_group_that_others_share_is_not_ours_to_change() -> None:
    theirs = {"matcher": "startup", "hooks": [THEIRS, *GROUPS["SessionStart"]["hooks"]]}
    after = {"hooks": {"SessionStart": [theirs]}}
    told = settings_json.read(put_hooks(dumps(after)))["hooks"]["SessionStart"]
    assert told == [{"matcher": "startup", "hooks": [THEIRS]}, GROUPS["SessionStart"]]


def test_older_hooks_of_ours_are_replaced() -> None:
    older = dumps({"hooks": {"Gone": [GROUPS["Stop"]], "Stop": [GROUPS["Stop"]]}})
    newer = put_hooks(older)
    assert settings_json.read(newer)["hooks"] == {event: [group] for event, group in GROUPS.items()}
    assert ours(settings_json.read(newer)) == dict.fromkeys(GROUPS, "/opt/silt hook claude")


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
        ("[" * 99_999, 1),
        ('{"hooks": []}', 1),
        ('{"hooks":\n{"Stop": {}}}', 2),
        ("[]", 1),
    ],
)
def test_a_text_that_will_not_do_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(Unreadable) as caught:
        put_hooks(text)
    assert caught.value.line == line


@pytest.mark.parametrize("hooks", [[], 3, {"Stop": 3}, {"Stop": [3, {"hooks": [3, {"command": 3}]}]}])
def test_hooks_of_another_shape_hold_none_of_ours(hooks: Any) -> None:
    assert ours({"hooks": hooks}) == {}


@given(st.text(alphabet='{}[]",:/*\\ \n\t1a', max_size=40))
@example("[,]")
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        settings = settings_json.read(text)
    except Unreadable:
        return
    assert put(text, (), settings) == text


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
TABLE: dict[str, Any] = {"command": "/opt/silt", "args": ["mcp"], "env": {"SILT_HOME": 'C:\\a "b"\x7f'}}
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


@table("settings", "tables")
def test_a_table_is_renewed_where_it_stands(before: str, after: str) -> None:
    env = {"MINE": "1", "A": "b"} if "MINE" in before else {"A": "b"}
    there = settings_json.value_at(read(before), SILT)
    table: dict[str, Any] = {**there, "command": "/opt/silt", "args": ["mcp"], "env": env}
    assert with_table(before, SILT, table) == after
    assert with_table(after, SILT, table) == after


@given(st.lists(LINES, unique=True), st.dictionaries(KEYS, MORE, max_size=3), st.booleans())
def test_a_table_is_replaced_and_the_rest_stays(lines: list[str], more: dict[str, Any], below: bool) -> None:
    before = "\n".join(lines)
    text = with_table(before, SILT, {"command": "/old/silt", "args": [], **more})
    text += "\n[mcp_servers.siltstone.env]\nMINE = 1\n" if below else "\n"
    after = with_table(text, SILT, {**TABLE, **more})
    assert read(after)["mcp_servers"]["siltstone"] == {**TABLE, **more}
    assert without_table(after, SILT).strip() == without_table(text, SILT).strip() == before.strip()


@table("settings", "otherwise")
def test_a_table_written_otherwise_is_refused_with_its_line_and_what_to_do(
    text: str, told: str, line: int
) -> None:
    with pytest.raises(Unreadable, match=re.escape(told)) as caught:
        with_table(text, SILT, TABLE)
    assert caught.value.line == line


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
