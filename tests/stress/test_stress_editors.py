"""Several processes edit one memory at once: every edit stands whole, or was refused in one sentence."""

import sys

from person import Person
from process import started
from support.commands import call

EDITORS = 4
PATH = "projects/larkspur/system/project-list.md"


def at_once(person: Person, *calls: tuple[str, ...]) -> list[tuple[int, str]]:
    """Exit status and errors of commands that were started together."""
    running = [started(person.home, [sys.executable, "-m", "siltstone", *words]) for words in calls]
    ended = [process.communicate() for process in running]
    return [(process.returncode, told[1].strip()) for process, told in zip(running, ended, strict=True)]


def written(person: Person) -> str:
    body = "\n".join(f"Line {n} is old." for n in range(EDITORS))
    assert call("write", "list", body, "--hot").code == 0
    return body


def test_edits_of_different_lines_all_stand(person: Person) -> None:
    body = written(person)
    edits = [
        ("edit", PATH, "--old", f"Line {n} is old.", "--new", f"Line {n} is new.") for n in range(EDITORS)
    ]
    assert at_once(person, *edits) == [(0, "")] * EDITORS
    assert call("show", PATH, "--json").json["body"] == body.replace("old", "new")
    assert [c["subject"] for c in call("log", "--json").json].count("memory: edit list") == EDITORS


def test_of_edits_of_one_line_one_stands(person: Person) -> None:
    body = written(person)
    edits = [("edit", PATH, "--old", "Line 0 is old.", "--new", f"Now it is {n}.") for n in range(EDITORS)]
    ended = at_once(person, *edits)
    assert sorted(code for code, _ in ended) == [0] + [1] * (EDITORS - 1)
    won = [code for code, _ in ended].index(0)
    assert call("show", PATH, "--json").json["body"] == body.replace("Line 0 is old.", f"Now it is {won}.")
    assert all("does not contain that text" in said for code, said in ended if code)
