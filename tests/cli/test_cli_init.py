"""`silt init`, and the first look that `silt run` takes at a project (E5, E6, E19, E20)."""

import json
from pathlib import Path

import pytest
from support.commands import call

SAYS = "Larkspur sells garden tools to gardeners."


@pytest.fixture
def project(home: Path) -> Path:
    folder = home / "person" / "src" / "larkspur"
    (folder / "README.md").write_text(f"# Larkspur\n\n{SAYS}\n")
    return folder


def transcript(home: Path, folder: Path) -> str:
    """`--root` of a session in a folder, in which nothing is said that lasts."""
    file = home / "said.jsonl"
    said = {"role": "user", "content": "Thanks!", "session": "s1", "cwd": str(folder)}
    file.write_text(json.dumps(said) + "\n")
    return f"plain={file}"


@pytest.mark.usefixtures("project")
def test_a_project_is_met_and_its_files_are_quoted() -> None:
    said = call("init")
    assert said.code == 0
    assert f"- README.md: “{SAYS}”" in said.out
    shown = call("inject", "--receipt")
    assert "project brief:\nQuoted from the project's own files on " in shown.out
    assert SAYS in shown.out
    assert "project brief, quoted from README.md" in shown.err
    assert call("inject", "--json").json["receipt"]["beside"] == ["project brief, quoted from README.md"]
    assert "## Project Brief\nQuoted from" in call("inject", "--layout", "sections").out
    assert call("list", "--json").json == []
    assert call("init").out == said.out
    assert [commit for commit in call("log", "--json").json if "meet" in str(commit)] != []


def test_a_dry_run_changes_nothing(home: Path, project: Path) -> None:
    said = call("init", str(project), "--dry-run")
    assert (said.code, SAYS in said.out) == (0, True)
    assert not (home / "store").exists()
    assert not (home / "state").exists()


def test_a_change_is_marked_until_the_next_write(project: Path) -> None:
    call("init")
    (project / "README.md").write_text("Larkspur sells garden tools and seeds.\n")
    assert "gardeners.” [changed since, verify]" in call("inject").out
    call("rebuild")
    shown = call("inject").out
    assert "tools and seeds.”\n" in shown
    assert "gardeners" not in shown


def test_a_run_takes_a_first_look_by_itself(home: Path, project: Path) -> None:
    assert call("run", "--idle", "0", "--root", transcript(home, project)).code == 0
    assert SAYS in call("inject").out
    commits = len(call("log", "--json").json)
    assert call("run", "--idle", "0", "--root", transcript(home, project)).code == 0
    assert len(call("log", "--json").json) == commits


@pytest.mark.parametrize(
    ("setting", "shown"),
    [('init_mode = "off"', False), ('init_mode = "strict"', True), ('exclude = ["~/src/*"]', False)],
)
def test_settings_say_whether(home: Path, project: Path, setting: str, shown: bool) -> None:
    (project / "go.mod").write_text("module larkspur\n")
    (home / "config.toml").write_text(f"{setting}\n")
    call("run", "--idle", "0", "--root", transcript(home, project))
    call("rebuild")
    assert ("module larkspur" in call("inject").out) is shown


def test_a_project_that_is_excluded_later_is_not_shown(home: Path, project: Path) -> None:
    call("init")
    (home / "config.toml").write_text('exclude = ["~/src/*"]\n')
    said = call("init")
    assert (said.code, "is excluded" in said.err) == (2, True)
    call("rebuild")
    assert call("inject").out == ""


@pytest.mark.parametrize(
    ("place", "says"), [("person", "does not look like a project"), ("person/none", "there is no folder")]
)
def test_what_is_no_project_is_refused(home: Path, place: str, says: str) -> None:
    said = call("init", str(home / place))
    assert (said.code, says in said.err) == (2, True)


def test_the_home_folder_is_no_project(home: Path) -> None:
    (home / "person" / "README.md").write_text(f"{SAYS}\n")
    said = call("init", str(home / "person"))
    assert (said.code, "is your home folder" in said.err) == (2, True)
