"""Files that installing for a project makes, kept out of its git: real repositories, their status, bytes."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.git import git

from siltstone.agents import install
from siltstone.agents.door import DOORS, Block, Place
from siltstone.agents.git_exclude import GIT, exclude, repository
from siltstone.agents.hooks import AGENTS
from siltstone.agents.install import Records
from siltstone.agents.settings_json import Unreadable
from siltstone.store.disk import Disk, Ran
from siltstone.store.errors import SettingsError


class Person:
    """Somebody with a repository."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.disk = Disk()
        self.records = Records(root / "state", self.disk)
        self.project = self.repository("larkspur")

    def repository(self, name: str) -> Path:
        made = self.root / name
        made.mkdir()
        git(made, "init", "-q")
        (made / "code").write_text("1\n", encoding="utf-8")
        git(made, "add", "code")
        git(made, "commit", "-qm", "First")
        return made

    def install(self, project: Path, agents: Sequence[str] = AGENTS, out: bool = False) -> list[Path]:
        """What git will show."""
        decide = install.uninstall if out else install.install
        changes = []
        for agent in agents:
            place = Place({"HOME": str(self.root)}, project, ("/opt/silt",), True, {})
            found = decide(agent, project, DOORS[agent].pieces(place), self.records)
            list(install.write(found, self.records, self.disk))
            changes += found
        found, shown = exclude(project, changes, self.records, os.environ, self.disk)
        list(install.write(found, self.records, self.disk))
        return shown

    def exclude(self, project: Path) -> Path:
        found = repository(project, os.environ, self.disk)
        assert found is not None
        return found[1]


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def linked(person: Person) -> Path:
    git(person.project, "worktree", "add", "-q", "../linked")
    return person.root / "linked"


def submodule(person: Person) -> Path:
    git(person.project, "submodule", "--quiet", "add", str(person.repository("inner")), "inner [1]")
    git(person.project, "commit", "-qm", "Inner")
    return person.project / "inner [1]"


def below(person: Person) -> Path:
    folder = person.project / "deep *"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("place", [lambda person: person.project, linked, submodule, below])
@pytest.mark.parametrize("before", [None, b"", b"# mine\n/own", b"# mine\r\n*.log\n"])
def test_git_shows_nothing_and_has_its_bytes_again(
    person: Person, place: object, before: bytes | None
) -> None:
    assert callable(place)
    project: Path = place(person)
    exclude = person.exclude(project)
    exclude.unlink(missing_ok=True)
    if before is None:
        exclude.parent.rmdir()
    else:
        exclude.write_bytes(before)
    assert person.install(project, AGENTS[:2]) == []
    assert person.install(project) == []
    installed = exclude.read_bytes()
    assert (project / ".claude" / "settings.local.json").exists()
    assert git(project, "status", "--short") == ""
    person.install(project)
    assert exclude.read_bytes() == installed
    person.install(project, out=True)
    assert git(project, "status", "--short") == ""
    assert (exclude.read_bytes() if exclude.exists() else None) == before
    assert exclude.parent.exists() == (before is not None)


def test_what_others_wrote_there_meanwhile_stays(person: Person) -> None:
    exclude = person.exclude(person.project)
    before = exclude.read_bytes()
    person.install(person.project)
    exclude.write_bytes(exclude.read_bytes() + b"/later\n")
    person.install(person.project, AGENTS[:1], out=True)
    assert b"/.claude/" not in exclude.read_bytes()
    assert b"/.codex/hooks.json\n" in exclude.read_bytes()
    person.install(person.project, out=True)
    assert exclude.read_bytes() == before + b"/later\n"


def test_work_trees_of_one_repository_have_a_part_each(person: Person) -> None:
    other = linked(person)
    exclude = person.exclude(person.project)
    assert exclude.resolve() == person.exclude(other).resolve()
    before = exclude.read_bytes()
    for first, last in ((person.project, other), (other, person.project)):
        person.install(person.project)
        person.install(other, ["codex"])
        person.install(first, out=True)
        assert [git(one, "status", "--short") for one in (person.project, other)] == ["", ""]
        person.install(last, out=True)
        assert exclude.read_bytes() == before


def test_files_that_were_there_or_are_committed_are_told_of(person: Person) -> None:
    theirs = person.project / ".gemini" / "settings.json"
    committed = person.project / ".codex" / "hooks.json"
    theirs.parent.mkdir()
    theirs.write_text('{"theme": "dark"}', encoding="utf-8")
    assert person.install(person.project) == [theirs]
    assert git(person.project, "status", "--short", "-uall") == "?? .gemini/settings.json\n"
    git(person.project, "add", "-f", str(committed))
    assert person.install(person.project) == [committed, theirs]
    assert b"hooks.json" not in person.exclude(person.project).read_bytes()


def test_without_git_nothing_is_done(person: Person) -> None:
    plain = person.root / "plain"
    plain.mkdir()
    assert person.install(plain) == []
    assert sorted(path.name for path in plain.iterdir()) == [".claude", ".codex", ".gemini", ".opencode"]
    assert exclude(person.project, [], person.records, {"PATH": ""}, person.disk) == ([], [])


def test_a_repository_that_is_gone_keeps_nothing_of_ours(person: Person) -> None:
    other = linked(person)
    exclude = person.exclude(other)
    before = exclude.read_bytes()
    person.install(other)
    exclude.write_bytes(exclude.read_bytes() + b"/later\n")
    (other / ".git").unlink()
    person.install(other, out=True)
    assert exclude.read_bytes() == before + b"/later\n"
    assert [one.agent for one in person.records.all()] == []


def test_variables_of_another_repository_are_not_followed(person: Person) -> None:
    other = person.repository("other")
    environ = {**os.environ, "GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other)}
    found = repository(person.project, environ, person.disk)
    assert found is not None
    assert found == (person.project, person.project / ".git" / "info" / "exclude")


@pytest.mark.parametrize(
    ("text", "told"),
    [(b"# \xff\n", "line 1: the text is not UTF-8"), (b"", "line 1: the line .* is missing")],
    ids=["no text", "our part is cut"],
)
def test_a_file_that_will_not_do_is_refused(person: Person, text: bytes, told: str) -> None:
    exclude = person.exclude(person.project)
    if not text:
        person.install(person.project, ["codex"])
        ours = exclude.read_text(encoding="utf-8")
        text = ours[ours.index("# siltstone") : ours.rindex("# siltstone")].encode()
    exclude.write_bytes(text)
    with pytest.raises(SettingsError, match=told):
        person.install(person.project)
    assert exclude.read_bytes() == text


def test_a_part_is_replaced_where_it_stands() -> None:
    one, two = (Block(Path("exclude"), Path("/p"), names) for names in (["/a"], ["/b", "/c"]))
    text = one.put("x") + "y\n"
    assert two.put(text) == text.replace("/a\n", "/b\n/c\n")
    assert two.take(text) == "x\ny\n"
    assert Block(Path("exclude"), Path("/q"), ["/d"]).take(text) == text
    with pytest.raises(Unreadable):
        one.put(text.replace(" ends", " end"))
    assert GIT not in AGENTS


class HangingGit(Disk):
    """On which no program comes to an end."""

    def run(self, argv: Sequence[str], *_: object, **__: object) -> Ran:
        raise subprocess.TimeoutExpired(argv, 20.0)


def test_a_git_that_hangs_is_told_in_one_sentence(person: Person) -> None:
    with pytest.raises(SettingsError, match=f"git does not respond in {person.project}"):
        exclude(person.project, [], person.records, os.environ, HangingGit())
