"""Whatever a hand (or a broken editor) left in the store: it is named, left alone, and the run goes on."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from person import Person, is_one_sentence, told
from support.commands import call

Edit = Callable[[Path], object]


def adds(data: bytes) -> Edit:
    return lambda path: path.write_bytes(path.read_bytes() + data)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/passwd")


def link_out(person: Person) -> None:
    """The index as a link to a file outside."""
    (person.home / "away").mkdir()
    (person.home / "away" / "victim.md").write_text("mine")
    (person.store / "MEMORY.md").unlink()
    (person.store / "MEMORY.md").symlink_to(person.home / "away" / "victim.md")


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        pytest.param(adds(b"\xff\xfe\n"), "line 1", id="invalid-utf8"),
        pytest.param(adds(b"word " * 1_100_000), "5,000,000 bytes", id="megabytes"),
        pytest.param(pipe, "plain file", id="pipe"),
        pytest.param(link, "is a symbolic link", id="link"),
    ],
)
def test_a_memory_that_cannot_be_read_is_named_and_left_alone(person: Person, edit: Edit, says: str) -> None:
    person.learnt()
    path = person.memory
    edit(path)
    before = path.read_bytes() if path.is_file() else None
    report = told(person.run())
    assert any(str(path.relative_to(person.store)) in one and says in one for one in report["complaints"])
    assert report["outcome"]["promoted"] == 1
    assert (path.read_bytes() if path.is_file() else None) == before
    for words in (["list"], ["search", "copy"], ["status"], ["rebuild"], ["conflicts"]):
        assert call(*words).code == 0
    assert "root:" not in (person.store / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(adds(b"and a \0 in the body\n"), id="NUL-in-body"),
        pytest.param(adds(b"mine\r\n"), id="crlf"),
        pytest.param(
            lambda path: path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes()), id="byte-order-mark"
        ),
        pytest.param(
            lambda path: path.with_name("project-a\nb.md").write_bytes(path.read_bytes()), id="name"
        ),
    ],
)
def test_what_can_be_read_is_committed_as_the_users(person: Person, edit: Edit) -> None:
    person.learnt()
    edit(person.memory)
    told(person.run())
    assert person.git("status", "--porcelain") == ""
    assert person.git("log", "--format=%an").split() == ["siltstone", "user", "siltstone", "siltstone"]


def test_a_name_that_is_no_text_is_named(person: Person) -> None:
    person.learnt()
    odd = Path(os.fsdecode(os.fsencode(person.memory.parent) + b"/project-\xff.md"))
    shutil.copy(person.memory, odd)
    (complaint,) = told(person.run())["complaints"]
    assert "has a name that is not UTF-8" in complaint
    assert odd.exists()


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(
            lambda store: (store / "_CONFLICTS.md").write_bytes(b"\xff\0## \n- [x] 1"), id="garbage"
        ),
        pytest.param(
            lambda store: (store / "_CONFLICTS.md").write_text(
                '## deadbeef\n- [x] 1  2026-01-01 "q"  ../../passwd\n- [x] 2  2026-01-01 "q"  /etc/passwd\n'
            ),
            id="conflict-outside",
        ),
        pytest.param(
            lambda store: (store / "projects/larkspur/project.yaml").write_bytes(b"\xff\0[["), id="project"
        ),
        pytest.param(lambda store: (store / "projects/larkspur/project.yaml").unlink(), id="no-project"),
        pytest.param(lambda store: (store / "inbox").write_text("x"), id="inbox-is-a-file"),
        pytest.param(lambda store: (store / "global").write_text("x"), id="global-is-a-file"),
        pytest.param(lambda store: (store / "notes.txt").write_text("x"), id="stray-file"),
    ],
)
def test_other_files_may_hold_anything(person: Person, edit: Edit) -> None:
    person.learnt()
    edit(person.store)
    told(person.run())
    assert len(person.kept()) == 2
    assert not list(person.home.rglob("passwd"))


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(
            lambda person: ((person.store / "MEMORY.md").unlink(), (person.store / "MEMORY.md").mkdir()),
            id="index-is-a-folder",
        ),
        pytest.param(link_out, id="index-is-a-link"),
    ],
)
def test_what_is_in_the_way_of_writing_is_said(person: Person, edit: Callable[[Person], object]) -> None:
    person.learnt()
    edit(person)
    said = person.run()
    assert is_one_sentence(said, 1)
    assert [path.read_text() for path in person.home.glob("away/*.md")] in ([], ["mine"])
