"""Every command has help, an example and its place in docs/commands.md."""

import os
import re
import subprocess
import sys

import pytest
from support.commands import DOCUMENT, call, commands, help_of, manual
from support.table import table

from siltstone.cli.app import ALL, COMMANDS, HIDDEN


@pytest.mark.parametrize("name", commands())
def test_every_command_says_what_it_does_and_gives_an_example(name: str) -> None:
    said = help_of(name)
    assert said.split("\n\n")[1].endswith("."), said
    assert "Example" in said, f"silt {name} has no example"


@pytest.mark.parametrize("name", commands())
def test_every_option_and_argument_has_help(name: str) -> None:
    for parameter in commands()[name].params:
        assert getattr(parameter, "help", None), f"silt {name}: {parameter.name} has no help"
    bare = re.search(r"^  -\S+( \S+)*$(?!\n {4})", help_of(name).partition("ptions:\n")[2], re.M)
    assert not bare, f"silt {name}: {bare} has no help"


def test_the_manual_is_what_the_commands_say() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == manual(), "run `make docs`"


def test_the_help_names_each_command_that_people_call_on_one_line_of_80_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    listed = re.findall(r"^  ([a-z]+)  +([A-Z].*\.)$", call("--help").out.partition("Every day:")[2], re.M)
    assert {name for name, _ in listed} == {name for name in ALL if name not in COMMANDS[HIDDEN]}


@pytest.mark.parametrize("name", [name for name in ALL if name not in COMMANDS[HIDDEN]])
def test_the_help_of_a_command_fits_80_columns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert [line for line in call(name, "-h").out.splitlines() if len(line) > 80] == []


@table("help", "the_shell_completes_commands_options_and_names")
def test_the_shell_completes_commands_options_and_names(kept: object, typed: str, offered: list[str]) -> None:
    words = {"_SILT_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    silt = [
        sys.executable,
        "-c",
        "import sys; sys.argv[0] = 'silt'; from siltstone.__main__ import main; main()",
    ]
    done = subprocess.run(silt, env=os.environ | words, capture_output=True, text=True, check=False)
    assert done.stdout.split() == offered


def test_help_loads_no_command() -> None:
    code = (
        "import sys; from siltstone.cli.app import main\n"
        "try:\n    main(['--help'])\nfinally:\n    print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.rpartition("\n\n")[2].split())
    assert "siltstone.cli.app" in loaded
    assert not loaded & {"pydantic", "litellm", "rich", "jinja2", "yaml", "siltstone.cli.context"}


def test_a_mistyped_command_is_answered_with_the_nearest() -> None:
    said = call("serach", "x")
    assert said.code == 2
    assert "Did you mean 'search'" in said.err


def test_help_reads_like_a_manual_page() -> None:
    said = call("--help")
    assert said.code == 0
    assert "Exit status: 0 done" in " ".join(said.out.split())
