"""Two copies of one store, each with a state of its own, that pull from one another."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.commands import Said, call
from support.git import git

In = Callable[[str], None]


@pytest.fixture
def copy(home: Path, monkeypatch: pytest.MonkeyPatch) -> In:
    """Goes over to the copy "ours" or "theirs"; each knows what was remembered in run 0001."""

    def go(name: str) -> None:
        monkeypatch.setenv("SILT_HOME", str(home / name))
        monkeypatch.setenv("SILT_STATE", str(home / f"{name}-state"))

    go("ours")
    remember("Deploys go out on Tuesdays only")
    git(home, "clone", "-q", "--bare", "ours", "hub")
    git(home / "ours", "remote", "add", "hub", str(home / "hub"))
    git(home, "clone", "-q", "-o", "hub", "hub", "theirs")
    return go


def remember(text: str) -> Said:
    said = call("remember", text, "--type", "project")
    assert said.code == 0
    return said


def run_of_last() -> str:
    return str(dict(call("log", "--json").json[0]["trailers"])["Silt-Run"])


def pull(folder: Path) -> None:
    branch = git(folder, "branch", "--show-current").strip()
    git(folder, "push", "-q", "hub", branch)
    other = folder.with_name("theirs" if folder.name == "ours" else "ours")
    git(other, "pull", "-q", "--rebase", "hub", branch)


def test_a_number_is_larger_than_any_that_was_pulled(copy: In, home: Path) -> None:
    for text in ("Staging is in Frankfurt", "Invoices are PDF/A"):
        remember(text)
    pull(home / "ours")
    copy("theirs")
    remember("The mini-basket is a drawer")
    assert run_of_last().startswith("0004-")
    pull(home / "theirs")
    copy("ours")
    remember("The printer stands in the cellar")
    assert run_of_last().startswith("0005-")


def test_undo_asks_which_run_of_one_number_is_meant(copy: In, home: Path) -> None:
    remember("Staging is in Frankfurt")
    ours = run_of_last()
    copy("theirs")
    remember("The mini-basket is a drawer")
    theirs = run_of_last()
    assert (ours[:5], theirs[:5], ours == theirs) == ("0002-", "0002-", False)
    copy("ours")
    pull(home / "ours")
    pull(home / "theirs")
    asked = call("undo", "0002")
    assert asked.code == 2
    assert all(run in asked.err for run in (ours, theirs))
    (commit,) = (one["id"] for one in call("log", "--json").json if ["Silt-Run", ours] in one["trailers"])
    assert commit[:8] in asked.err
    assert f"run {ours} undone: " in call("undo", commit[:8]).out
    left = {one["description"] for one in call("list", "--json").json}
    assert left == {"Deploys go out on Tuesdays only", "The mini-basket is a drawer"}
