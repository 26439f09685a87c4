"""The memory tools, called as a server calls them: D6–D13, E18 and C32 for agents."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hook_calls import prompted
from support.code import Project
from support.commands import Said, call
from support.table import table

from siltstone.cli.mcp.call import Answer, Caller
from siltstone.cli.mcp.call import call as call_tool
from siltstone.cli.mcp.command import OFFERED
from siltstone.cli.mcp.memory import MEMORY
from siltstone.store.files import Session

TOOLS = {tool.name: tool for tool in MEMORY}
WHO = Session("codex", "t-1")
FACT = "Deploys go out on Tuesdays only"
CLAIM = "The integration tests need a running Postgres because they create schemas"
LARKSPUR = "projects/larkspur"


def use(name: str, arguments: Mapping[str, Any] | None = None, who: Session = WHO, cwd: str = "") -> Answer:
    """One call by an agent that works in the folder of the test."""
    return call_tool(TOOLS[name], arguments or {}, Caller(who, True, cwd or str(Path.cwd())), 1.0)


def told(tool: str, /, **arguments: Any) -> str:
    said = use(tool, arguments)
    assert not said.failed, said.text
    return said.text


def refused(tool: str, /, **arguments: Any) -> str:
    said = use(tool, arguments)
    assert said.failed, said.text
    assert "\n" not in said.text
    return said.text


def path_of(said: str) -> str:
    found = re.search(r"[\w/-]+\.md", said)
    assert found is not None, said
    return found[0]


@pytest.mark.usefixtures("nobody_waits", "home")
def test_a_long_text_is_shown_to_the_end_of_a_sentence_wherever_it_is_found() -> None:
    more = " ".join(f"Clause {n} of the invoice says what follows from clause {n - 1}." for n in range(60))
    call("write", "invoice", more, "--description", "How an invoice is numbered", "--type", "project")
    asked = "how is an invoice numbered?"
    for shown in (prompted(asked), call("search", asked).out, told("memory_search", query=asked)):
        body = shown.partition("How an invoice is numbered")[2].splitlines()[1]
        assert body.startswith("  Clause 0 of the invoice")
        assert body.endswith(". …")
        assert 500 < len(body) <= 700
    for n in range(20):
        call("write", f"n{n}", "x y z. " * 80, "--description", f"Also an invoice {n}", "--type", "project")
    found = call("search", "invoice", "-n", "21").out
    assert found.count("Also an invoice") == 20
    assert len(found) < 5_000


def test_what_is_remembered_is_read_found_listed_and_in_the_tree(kept: Said) -> None:
    path = path_of(kept.out)
    lines = told("memory_read", name=path).splitlines()
    assert lines[:3] == [f"path: {path}", f"description: {FACT}", f"chars: {len(FACT)}/5000"]
    assert lines[-2:] == ["---", FACT]
    for text in (
        told("memory_search", query="tuesdays deploys"),
        told("memory_list"),
        told("memory_list", type="project", scope="larkspur"),
        told("memory_tree"),
        told("memory_search", query="deploys", scope="all"),
    ):
        assert text.startswith(path)
        assert FACT in text
    assert told("memory_history", name="tuesdays") == told("memory_history", name=path)
    assert told("memory_history", name=path) in told("memory_history")
    assert told("memory_list", type="user") == "no memories here yet"
    assert told("memory_search", query="deploys", scope="user") == "nothing found"
    assert told("memory_remember", text=FACT) == f"already known: {path}"
    assert call("inbox", "--json").json == []


def test_an_agent_is_told_when_the_code_of_a_memory_changed(home: Path) -> None:
    project = Project(Path.cwd(), {"cart.py": "LIMIT = 3\n"})
    call("remember", "cart.py holds the limit of the cart", "--type", "project")
    project.change({"cart.py": "LIMIT = 4\n"})
    answers = (
        told("memory_search", query="limit of the cart"),
        told("memory_list"),
        told("memory_read", name="cart-py-holds"),
    )
    assert all("the code has changed: verify" in answer for answer in answers)


def test_a_file_by_hand_that_gives_no_date_has_none(kept: Said, tmp_path: Path) -> None:
    (tmp_path / "store" / Path(path_of(kept.out)).parent / "hosting.md").write_text("Hosting is Vercel.\n")
    for said in (
        told("memory_list"),
        told("memory_search", query="Vercel"),
        told("memory_read", name="hosting"),
    ):
        assert "Vercel" in said or "hosting.md" in said
        assert "1970" not in said


def test_other_projects_are_looked_at_only_when_asked(kept: Said, tmp_path: Path) -> None:
    elsewhere = tmp_path / "person" / "src" / "thrift"
    elsewhere.mkdir()
    for arguments, found in (({}, False), ({"scope": "all"}, True), ({"scope": "larkspur"}, True)):
        said = use("memory_search", {"query": "deploys"} | arguments, cwd=str(elsewhere))
        assert (FACT in said.text) is found


def test_what_an_agent_remembers_waits_for_the_user_and_no_second_session_lifts_it(home: Path) -> None:
    said = told("memory_remember", text=CLAIM, type="project")
    assert said.startswith("noted: inbox/project-")
    assert "`silt inbox accept project-" in said
    (item,) = call("inbox", "--json").json
    assert (item["origin"], item["scope"]) == ("assistant-inferred", LARKSPUR)
    assert [(one["agent"], one["session"]) for one in item["evidence"]] == [("codex", "t-1")]
    assert "an agent's own claim" in told("memory_read", name=item["path"])
    again = use("memory_remember", {"text": CLAIM, "type": "project"}, Session("claude", "s-2"))
    assert again.text.startswith("noted: inbox/")
    assert told("memory_list") == "no memories here yet"
    assert call("list", "--json").json == []


@table("mcp_memory", "the_gate_judges_an_agents_claim")
def test_the_gate_judges_an_agents_claim(home: Path, text: str, type: str | None, said: str) -> None:
    refusal = told("memory_remember", text=text, **({"type": type} if type else {}))
    assert refusal.startswith(f"not kept: {said}")
    assert type or "type project" in refusal
    assert call("inbox", "--json").json == []


def test_what_an_agent_would_forget_of_the_users_goes_once_they_accept_it(home: Path) -> None:
    line = {"role": "user", "content": f"Please remember: {FACT}", "cwd": str(Path.cwd())}
    said = home / "said.jsonl"
    said.write_text(json.dumps(line) + "\n")
    call("run", "--root", f"plain={said}", "--idle", "0")
    path = path_of(told("memory_list"))
    other = home / "elsewhere"
    other.mkdir()
    assert "belongs to another project" in use("memory_delete", {"name": path}, cwd=str(other)).text
    item = path_of(told("memory_delete", name=path))
    assert path_of(told("memory_delete", name=path)) == item, "it is asked for once"
    assert path in told("memory_list")
    assert f"{item}  (larkspur) — Forget: " in call("inbox").out
    assert call("inbox", "accept", item).out == f"forgot {path}; `silt undo` brings it back\n"
    assert told("memory_list") == "no memories here yet"
    call("run", "--root", f"plain={said}", "--idle", "0", "--reread")
    assert told("memory_list") == "no memories here yet", "nor is it learned again"
    assert call("undo").code == 0
    assert path in told("memory_list")


def test_a_secret_is_left_out_and_that_is_said(home: Path) -> None:
    token = "ghp_" + "aB3d" * 9
    said = told("memory_write", name="token", content=f"The deploy token of the shop is {token} for now.")
    assert "looked like a secret" in said
    assert token not in told("memory_read", name="token")


def test_an_edit_wants_a_reading_and_waits(kept: Said) -> None:
    path = path_of(kept.out)
    edit = {"name": path, "old": "Tuesdays", "new": "Wednesdays"}
    assert "`memory_read`" in refused("memory_edit", **edit)
    told("memory_read", name=path)
    assert told("memory_edit", **edit).startswith("created: inbox/")
    assert FACT in told("memory_read", name=path)


def test_hot_and_cold_and_back_where_a_new_text_waits(kept: Said) -> None:
    path = path_of(kept.out)
    told("memory_read", name=path)
    told("memory_edit", name=path, old="Tuesdays", new="Wednesdays")
    hot = f"{LARKSPUR}/system/{path.rpartition('/')[2]}"
    assert told("memory_promote", name=Path(path).stem) == f"{path} is now {hot}"
    assert told("memory_demote", name=hot) == f"{hot} is now {path}"
    assert "promote" in told("memory_history", name=path)


@pytest.mark.parametrize("tool", ["memory_promote", "memory_demote"])
def test_what_waits_in_the_inbox_is_hot_or_cold_once_the_user_accepted_it(home: Path, tool: str) -> None:
    told("memory_write", name="hosting", content="Hosting is Vercel.", type="project")
    said = "not a memory until the user accepts it (`silt inbox accept project-hosting`)"
    assert said in refused(tool, name="hosting")
    assert said in call(tool.removeprefix("memory_"), "project-hosting").err
    assert call("inbox", "accept", "project-hosting").code == 0
    assert "is now projects/larkspur/system/" in told("memory_promote", name="hosting")


def test_a_deletion_can_be_undone_and_a_scope_rolled_back(home: Path) -> None:
    told("memory_write", name="cache", content="The build cache lives on the CI box.")
    assert told("memory_delete", name="cache").startswith("forgot inbox/project-cache.md")
    commit = call("log", "--json").json[0]["id"]
    call("remember", FACT, "--type", "project")
    assert told("memory_rollback", commit=commit).startswith(f"{LARKSPUR} is as it was at ")
    assert "not found" in refused("memory_rollback", commit="fffffff")


def test_an_agents_rollback_leaves_what_the_user_put_there(kept: Said) -> None:
    before = call("log", "--json").json[0]["id"]
    call("write", "hosting", "Hosting is Vercel.", "--type", "project")
    call("remember", "Tea is served at four", "--type", "project")
    said = told("memory_rollback", commit=before)
    assert "in 0 files" in said
    assert said.count("(the user put it there)") == 2
    assert "project-hosting.md (the user put it there)" in said
    assert len(call("list", "--json").json) == 3
    assert "2 files as at" in call("rollback", before, "--scope", "larkspur").out


def test_hand_edits_are_committed_as_the_users(kept: Said, tmp_path: Path) -> None:
    path = path_of(kept.out)
    file = tmp_path / "store" / path
    file.write_text(file.read_text().replace("Tuesdays", "Mondays"))
    assert told("memory_flush") == f"committed {path}"
    assert told("memory_flush") == "nothing to commit"


TOO_LONG = {"text": "x" * 1_000_001}


@table("mcp", "mistakes", ("memory_remember", TOO_LONG, "memory_remember: `text`: "))
def test_a_mistake_is_one_sentence(home: Path, name: str, arguments: dict[str, Any], said: str) -> None:
    assert refused(name, **arguments).startswith(said)


def test_a_store_that_is_none_is_one_sentence(home: Path) -> None:
    (home / "store").write_text("a file")
    assert str(home / "store") in refused("memory_list")


def test_a_folder_that_is_gone_is_asked_for(home: Path) -> None:
    caller = Caller(WHO, True, "")
    assert not call_tool(TOOLS["memory_list"], {}, caller, 1.0).failed
    assert "give a scope" in call_tool(TOOLS["memory_remember"], {"text": CLAIM}, caller, 1.0).text


def test_the_profile_is_the_users_and_long_listings_say_what_they_leave_out(home: Path) -> None:
    call("remember", "Marit reads patches on a small screen", "--type", "user", "--scope", "global")
    assert "Marit reads patches on a small screen" in told("memory_profile")
    facts = "\n".join(f"Fact number {number} about the warehouse" for number in range(3))
    call("remember", "-", "--type", "project", given=facts)
    assert told("memory_list", limit=1).splitlines()[1].startswith("… and 3 more")


@pytest.mark.parametrize("tool", OFFERED["all"], ids=lambda tool: tool.name)
def test_every_tool_tells_an_agent_what_it_takes(tool: Any) -> None:
    schema = tool.schema()
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert tool.does.endswith(".")
    for field in schema["properties"].values():
        assert "title" not in field
        assert field["type"] in ("string", "integer", "boolean")
