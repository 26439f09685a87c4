"""What a memory names in code, and what of it is bound: to the code of the time it was said."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from merge_support import SCOPE, entry
from support.code import Project
from support.snapshots import snapshot_of

from siltstone.pipeline.binding import MAX_ANCHORS, bound
from siltstone.pipeline.identifiers import code_names
from siltstone.store.code.project_git import ProjectGit
from siltstone.store.code.status import CodeStatus, worst
from siltstone.store.entry import Anchor, Entry, Evidence, Stored, Write
from siltstone.store.frontmatter import parse, render
from siltstone.store.repository import checkout

PATH = f"{SCOPE}/project-note.md"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("See src/app.ts:42 and ./src/../api.go.", {"paths": ("src/app.ts", "src/../api.go")}),
        ("`tests/test_x.py::test_y` fails", {"paths": ("tests/test_x.py",), "symbols": ("test_y",)}),
        ("`Git.run` and Cart::total and MAX_BODY", {"symbols": ("Git.run", "Cart.total", "MAX_BODY")}),
        ("parseConfig() reads `limit`", {"symbols": ("limit", "parseConfig")}),
        ("Run `make check` and npm run build first", {"commands": (("make", "check"), ("npm", "build"))}),
        (
            "Python 3.11, node 20 and pnpm@9",
            {"versions": (("Python", "3.11"), ("node", "20"), ("pnpm", "9"))},
        ),
        ("We deploy on Tuesdays, see https://example.com/src/app.ts", {}),
    ],
)
def test_what_a_text_names(text: str, names: dict[str, Any]) -> None:
    found = code_names(text)
    assert {key: value for key, value in found._asdict().items() if value} == {
        key: value for key, value in names.items() if value
    }


def bind(project: Project, folder: Path, of: Entry, **changes: Any) -> tuple[Anchor, ...]:
    """The anchors that an entry gets when it is written."""
    there = checkout(str(project.top), {"/"})
    git = ProjectGit(there, folder, dict(os.environ), 30.0) if there else None
    (write,) = bound([Write(PATH, render(of._replace(**changes)), None)], lambda scope: git)
    assert isinstance(write, Write)
    return parse(PATH, write.text).anchors


def test_it_is_bound_to_the_code_of_the_time_it_was_said(tmp_path: Path) -> None:
    project = Project(tmp_path / "p", {"old.txt": "x\n"})
    one = project.change({"cart.py": "LIMIT = 3\n"}, at="2031-03-01T12:00:00Z")
    project.change({"cart.py": "LIMIT = 4\n"}, at="2031-04-01T12:00:00Z")
    said = datetime(2031, 3, 15, tzinfo=UTC)
    text = "`LIMIT` in cart.py counts the tries"
    note = entry(text)._replace(evidence=(Evidence(said, "claude", "s1", "m1", text),), updated=said)
    (anchor,) = bind(project, tmp_path, note)
    assert (anchor.commit, anchor.branch, anchor.since) == (one[:12], "main", "said")
    with CodeStatus(tmp_path) as status:
        status.sync(snapshot_of([Stored(PATH, "", "1", note._replace(anchors=(anchor,)))]))
        there = checkout(str(project.top), {"/"})
        assert there is not None
        rows = status.of([PATH], lambda scope: ProjectGit(there, tmp_path, dict(os.environ), 30.0))
    assert worst(rows[PATH]) == "changed"
    early = datetime(2001, 1, 1, tzinfo=UTC)
    (late,) = bind(project, tmp_path, note, updated=early)
    assert (late.commit, late.since) == (project.git("rev-parse", "HEAD")[:12], "bound")


def test_what_may_mean_several_things_is_not_bound(tmp_path: Path) -> None:
    files = {
        "a/cart.py": "def total():\n    pass\n",
        "web/cart.py": "def total():\n    pass\n",
        "web/one.py": "x = 1\n",
    }
    files |= {"notes.jsonl": "the type of it is JavaScript\n", "setup.cfg": "Status :: 3\n"}
    project = Project(tmp_path / "p", files)
    assert bind(project, tmp_path, entry("I like JavaScript, and it ends with status 3")) == ()
    assert bind(project, tmp_path, entry("cart.py has `total` and `nowhere`, see gone.py")) == ()
    assert [one.path for one in bind(project, tmp_path, entry("a/cart.py has it, and one.py"))] == [
        "a/cart.py",
        "web/one.py",
    ]
    (folder,) = bind(project, tmp_path, entry("Never touch ./web by hand"))
    assert (folder.path, folder.blob) == ("web", "")


def test_anchors_are_few_and_those_that_stand_are_kept(tmp_path: Path) -> None:
    files = {f"f{n}.py": f"x = {n}\n" for n in range(12)}
    project = Project(tmp_path / "p", files)
    text = " ".join(files)
    first = bind(project, tmp_path, entry(text))
    assert len(first) == MAX_ANCHORS
    project.change({"f0.py": "y = 1\n"})
    assert bind(project, tmp_path, entry(text), anchors=first) == first
    gone = bind(project, tmp_path, entry(text.replace("f0.py", "")), anchors=first)
    assert first[0] not in gone
    assert set(first[1:]) <= set(gone)


@pytest.mark.parametrize("folder", ["inbox", "global", f"{SCOPE}/archive"])
def test_nothing_is_bound_but_memories_of_a_project_in_force(tmp_path: Path, folder: str) -> None:
    write = Write(f"{folder}/project-note.md", render(entry("cart.py is it"), inbox=folder == "inbox"), None)
    assert bound([write], lambda scope: pytest.fail("its project was asked for")) == [write]
