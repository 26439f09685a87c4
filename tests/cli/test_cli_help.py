"""Every command has help, an example and its place in docs/commands.md."""

import pytest
from support.commands import DOCUMENT, call, commands, manual


@pytest.mark.parametrize("name", commands())
def test_every_command_says_what_it_does_and_gives_an_example(name: str) -> None:
    said = commands()[name].help or ""
    assert said.strip().splitlines()[0].endswith("."), said
    assert "Example" in said, f"silt {name} has no example"


@pytest.mark.parametrize("name", commands())
def test_every_option_and_argument_has_help(name: str) -> None:
    for parameter in commands()[name].params:
        assert getattr(parameter, "help", None), f"silt {name}: {parameter.name} has no help"


def test_the_manual_is_what_the_commands_say() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == manual(), "run `make docs`"


def test_help_reads_like_a_manual_page() -> None:
    said = call("--help")
    assert said.code == 0
    assert "Exit status: 0 done" in " ".join(said.out.split())
