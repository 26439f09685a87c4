"""Memories that name code: bound when they are written, and shown with what became of it since."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from support.code import Project
from support.commands import call

CART = '''LIMIT = 3


def retry(n):
    """Try again."""
    return n * LIMIT


class Cart:
    @property
    def total(self):
        return 4

    def tax(self):
        return 5
'''
SHIP = "func Ship(n int) int {\n\treturn n\n}\n\nfunc Send() {}\n"
FILES = {
    "shop/cart.py": CART,
    "shop/notes.txt": "alpha wave\nbeta\n",
    "Makefile": "gen:\n\tpython tools.py\n\ntest:\n\tpytest\n",
    "pyproject.toml": '[project]\nrequires-python = ">=3.11"\nname = "larkspur"\n',
    "ship/ship.go": SHIP,
}
OTHER = CART.replace("n * LIMIT", "n + LIMIT")


@pytest.fixture
def project(home: Path) -> Project:
    return Project(Path.cwd(), FILES)


def statuses() -> dict[str, str]:
    return {one["name"]: one["code"] for one in call("stale", "--json").json}


def keep(text: str) -> Any:
    """Keep a memory, and give it as `silt show --json` does."""
    said = call("remember", text, "--type", "project")
    assert said.code == 0, said.err
    return call("show", said.out.splitlines()[0].split(": ")[1], "--json").json


@pytest.mark.parametrize(
    ("said", "change", "becomes"),
    [
        ("`retry` in shop/cart.py multiplies", {"shop/cart.py": OTHER}, "changed"),
        ("`retry` in cart.py multiplies", {"shop/cart.py": OTHER}, "changed"),
        ("retry() multiplies, wherever it is", {"shop/cart.py": OTHER}, "changed"),
        ("To retry multiplies, wherever it is", {"shop/cart.py": OTHER}, None),
        ("Cart.total never adds tax", {"shop/cart.py": OTHER}, None),
        ("Cart.total never adds tax", {"shop/cart.py": CART.replace("    @property\n", "")}, "changed"),
        ("Cart.total never adds tax", {"shop/cart.py": CART.replace("def total", "def sum")}, "gone"),
        ("`LIMIT` in shop/cart.py counts tries", {"shop/cart.py": f"\n\n{CART}".replace("4", "6")}, None),
        (
            "`LIMIT` in shop/cart.py counts tries",
            {"shop/cart.py": CART.replace("LIMIT = 3", "LIMIT = 4")},
            "changed",
        ),
        ("shop/cart.py holds all of the shop", {"shop/cart.py": f"{CART}\n"}, "changed"),
        ("shop/cart.py holds all of the shop", {"shop/cart.py": ""}, "gone"),
        ("shop/cart.py holds all of the shop", {"other.py": "x = 1\n"}, None),
        ("The `wave` of shop/notes.txt is old", {"shop/notes.txt": "alpha wave\ngamma\n"}, None),
        ("The `wave` of shop/notes.txt is old", {"shop/notes.txt": "a wave\nbeta\n"}, "changed"),
        ("The `wave` of shop/notes.txt is old", {"shop/notes.txt": "beta\n"}, "gone"),
        ("Before a commit run make gen", {"Makefile": FILES["Makefile"].replace("pytest", "tox")}, None),
        ("Before a commit run make gen", {"Makefile": "test:\n\tpytest\n"}, "gone"),
        ("We support Python 3.11", {"pyproject.toml": '[project]\nname = "larkspur"\n'}, "gone"),
        ("We support Python 3.11", {"pyproject.toml": FILES["pyproject.toml"] + "x = 1\n"}, None),
        ("We support Python 3.11", {"pyproject.toml": 'requires-python = ">=3.11,<4"\n'}, "changed"),
        ("`Ship` in ship/ship.go never fails", {"ship/ship.go": SHIP.replace("Send", "Post")}, None),
        ("`Ship` in ship/ship.go never fails", {"ship/ship.go": SHIP.replace("Ship", "Bring")}, "gone"),
    ],
)
def test_what_became_of_the_code(
    project: Project, said: str, change: dict[str, str], becomes: str | None
) -> None:
    name = keep(said)["name"]
    assert statuses() == {}
    project.change(change)
    assert statuses() == ({name: becomes} if becomes else {})
    project.git("revert", "--no-edit", "HEAD")
    assert statuses() == {}


def test_it_says_so_wherever_it_is_shown(project: Project) -> None:
    name = keep("`retry` in shop/cart.py multiplies")["name"]
    project.change({"shop/cart.py": OTHER})
    for command in (("list",), ("search", "retry"), ("show", name), ("stale",), ("tree",)):
        assert "the code has changed: verify" in call(*command).out
        assert call(*command, "--json").out.count('"code": "changed"') == 1
    at = project.git("rev-parse", "HEAD~1")[:8]
    assert f"    changed: shop/cart.py retry (said at {at} on main)\n" in call("stale").out
    assert call("confirm", name).out.endswith("(bound to shop/cart.py retry)\n")
    assert call("stale").out == "no memory's code has changed\n"


def test_agents_are_told_and_shown_what_holds_first(project: Project) -> None:
    keep("`retry` in shop/cart.py multiplies carefully")
    keep("`tax` in shop/cart.py multiplies carefully")
    project.change({"shop/cart.py": OTHER})

    def shown() -> str:
        payload = {"session_id": "s1", "cwd": str(project.top), "hook_event_name": "UserPromptSubmit"}
        given = json.dumps(payload | {"prompt": "what in cart.py multiplies carefully?"})
        return call("hook", "claude", given=given).out

    mark = "[the code has changed: verify]"
    block = call("inject", "--cwd", ".").out
    assert block.index("`tax`") < block.index("`retry`") < block.index(mark)
    assert (block.count(mark), "1 stale" in block) == (1, True)
    assert "(the code has changed: verify)" in call("inject", "--cwd", ".", "--receipt").err
    told = shown()
    assert told.index("`tax`") < told.index("`retry`") < told.index(mark)
    project.change({"shop/cart.py": CART})
    assert mark not in call("inject", "--cwd", ".").out


def test_what_git_cannot_compare_is_told_as_not_checked(project: Project) -> None:
    keep("`retry` in shop/cart.py multiplies")
    block = call("inject", "--cwd", ".").out
    assert "retry" in block
    assert "not checked" not in block
    project.change({"shop/cart.py": OTHER})
    objects = project.top / ".git" / "objects"
    objects.rename(objects.with_name("away"))
    assert "[its code was not checked]" in call("inject", "--cwd", ".").out
    assert "[its code was not checked]" in call("list").out


def test_a_renamed_file_is_followed(project: Project) -> None:
    name = keep("`retry` in shop/cart.py multiplies")["name"]
    for old, new in (("shop/cart.py", "shop/basket.py"), ("shop/basket.py", "store/basket.py")):
        (project.top / new).parent.mkdir(exist_ok=True)
        project.git("mv", old, new)
        project.change({})
    assert statuses() == {}
    project.change({"store/basket.py": OTHER})
    assert statuses() == {name: "changed"}
    assert "shop/cart.py retry, now store/basket.py" in call("stale").out


def test_what_was_said_on_another_branch_is_elsewhere_until_that_is_merged(project: Project) -> None:
    project.git("checkout", "-qb", "fast")
    project.change({"shop/fast.py": "def fast():\n    return 1\n"})
    name = keep("shop/fast.py is for tests only")["name"]
    assert statuses() == {}
    project.git("checkout", "-q", "main")
    assert statuses() == {name: "elsewhere"}
    assert "[said on another branch: verify]" in call("list").out
    project.change({"a.py": "a = 1\n"})
    assert statuses() == {name: "elsewhere"}
    project.git("merge", "-q", "--no-edit", "fast")
    assert statuses() == {}


def test_a_fact_about_a_file_that_is_not_committed_yet_holds_when_it_is(project: Project) -> None:
    project.write({"shop/cart.py": OTHER, "shop/new.py": "NEW = 1\n"})
    first, second = keep("`retry` in shop/cart.py adds"), keep("shop/new.py is new")
    assert statuses() == {}
    project.change({})
    assert statuses() == {}
    project.change({"shop/cart.py": CART, "shop/new.py": "NEW = 2\n"})
    assert statuses() == {first["name"]: "changed", second["name"]: "changed"}


def test_what_was_thrown_away_uncommitted_is_not_fresh(project: Project) -> None:
    project.write({"shop/cart.py": OTHER})
    name = keep("`retry` in shop/cart.py adds")["name"]
    project.git("checkout", "-q", "shop/cart.py")
    assert statuses() == {name: "changed"}


def test_of_a_project_that_is_gone_nothing_is_known(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = keep("`retry` in shop/cart.py multiplies")["name"]
    monkeypatch.chdir(project.top.parent)
    assert statuses() == {}
    project.top.rename(project.top.with_name("elsewhere"))
    assert statuses() == {name: "unknown"}
    assert "[its code was not checked]" in call("list").out


def test_a_rebuild_compares_anew(project: Project, home: Path) -> None:
    name = keep("`retry` in shop/cart.py multiplies")["name"]
    project.change({"shop/cart.py": OTHER})
    assert statuses() == {name: "changed"}
    db = sqlite3.connect(home / "state" / "code.sqlite3")
    db.execute("update anchor set status = 'fresh'")
    db.commit()
    db.close()
    assert statuses() == {}
    call("rebuild")
    assert statuses() == {name: "changed"}


def test_an_amended_commit_is_no_change(project: Project) -> None:
    project.change({"shop/cart.py": OTHER})
    keep("`retry` in shop/cart.py adds")
    project.git("commit", "-q", "--amend", "-m", "Other words")
    project.git("reflog", "expire", "--expire=now", "--all")
    project.git("gc", "-q", "--prune=now")
    assert statuses() == {}
    project.git("mv", "shop/cart.py", "shop/basket.py")
    project.change({})
    assert statuses() == {}


def test_a_work_tree_is_compared_with_what_is_checked_out_there(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = keep("`retry` in shop/cart.py multiplies")["name"]
    tree = project.top.parent / "tree"
    project.git("worktree", "add", "-q", "-b", "other", str(tree))
    (tree / "shop" / "cart.py").write_text(OTHER, encoding="utf-8")
    project.git("-C", str(tree), "commit", "-qam", "Other")
    assert statuses() == {}
    monkeypatch.chdir(tree)
    assert statuses() == {name: "changed"}
    monkeypatch.chdir(project.top)
    assert statuses() == {}


def test_a_submodule_is_not_compared_with_the_project_around_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = project.top / "part"
    Project(part, {"tax.py": "def tax():\n    return 1\n"})
    (project.top / ".git" / "modules").mkdir()
    (part / ".git").rename(project.top / ".git" / "modules" / "part")
    (part / ".git").write_text("gitdir: ../.git/modules/part\n", encoding="utf-8")
    monkeypatch.chdir(part)
    keep("`tax` in tax.py is flat")
    monkeypatch.chdir(project.top)
    assert statuses() == {}


def test_a_memory_edited_by_hand_keeps_its_anchors_unless_it_names_other_code(project: Project) -> None:
    first = keep("It is retry() in shop/cart.py that multiplies")
    path = project.top.parents[2] / "store" / first["path"]
    (anchor,) = first["anchors"]
    project.change({"shop/cart.py": OTHER})

    def edited(old: str, new: str) -> Any:
        lines = path.read_text(encoding="utf-8").split("\n")
        text = "\n".join(line if "quote:" in line else line.replace(old, new) for line in lines)
        path.write_text(text, encoding="utf-8")
        call("promote", first["name"])
        call("demote", first["name"])
        return call("show", first["name"], "--json").json["anchors"]

    assert edited("multiplies", "multiplies, always") == [anchor]
    (changed,) = edited("retry() in shop/cart.py", "Cart.tax")
    assert (changed["symbol"], changed["since"]) == ("Cart.tax", "bound")
    assert changed["commit"] == project.git("rev-parse", "HEAD")[:12]
    assert edited("Cart.tax", "Our shop") == []


def test_the_users_new_words_bind_anew_and_an_undo_brings_the_old_anchors_back(project: Project) -> None:
    first = keep("`retry` in shop/cart.py multiplies")
    project.change({"shop/cart.py": OTHER})
    call("write", first["name"], "`retry` in shop/cart.py adds")
    assert statuses() == {}
    run = dict(call("log", "--json").json[0]["trailers"])["Silt-Run"]
    assert call("undo", run).code == 0
    assert call("show", first["name"], "--json").json["anchors"] == first["anchors"]
    assert statuses() == {first["name"]: "changed"}


def test_a_run_binds_what_was_written_by_hand(project: Project, home: Path, roots: list[str]) -> None:
    keep("We ship on Mondays")
    folder = home / "store" / "projects" / "larkspur"
    (folder / "project-cart.md").write_text("shop/cart.py is the heart.\n", encoding="utf-8")
    (folder / "project-mine.md").write_text("---\nreadonly: true\n---\nshop/cart.py is mine.\n", "utf-8")
    assert call("run", *roots).code == 0
    (anchor,) = call("show", "cart", "--json").json["anchors"]
    assert (anchor["path"], anchor["since"]) == ("shop/cart.py", "bound")
    assert call("show", "mine", "--json").json["anchors"] == []
    assert "bind 1 memory" in call("log").out
    assert call("run", *roots).code == 0
    assert call("log").out.count("to code") == 1
    assert statuses() == {}


FORGED = (
    "---\nname: forged\nmetadata:\n  type: project\n  anchors:\n"
    "    - {path: shop/cart.py, blob: 123456789abc}\n---\nThe shop is large.\n"
)


def test_no_agent_and_no_import_sets_an_anchor(project: Project, tmp_path: Path) -> None:
    said = call("write", "forged", "-", "--session", "claude/s1", given=FORGED)
    assert said.code == 0, said.err
    (item,) = call("inbox", "--json").json
    assert item["anchors"] == []
    call("inbox", "accept", item["path"])
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "forged.md").write_text(FORGED.replace("large", "small"), encoding="utf-8")
    assert call("import", str(tmp_path / "notes"), "--scope", "larkspur").code == 0
    kept = call("list", "--json").json
    assert len(kept) == 2
    assert not any("123456789abc" in str(one["anchors"]) for one in kept)
