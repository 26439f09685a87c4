"""The options of the hook commands, and their help. Typer takes longer to load than they may run."""

from argparse import ArgumentParser, HelpFormatter
from typing import NoReturn

from siltstone.store.errors import Misuse


class Paragraphs(HelpFormatter):
    """Fills each paragraph of a description to the width of the terminal."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        return "\n\n".join(fill(part, width, indent) for part in text.split("\n\n"))


class Options(ArgumentParser):
    """The options of one command. Whatever is wrong with them is Misuse, as in all commands."""

    def __init__(self, command: str, about: str | None) -> None:
        usage = f"silt {command} [options]"
        super().__init__(usage=usage, description=about, formatter_class=Paragraphs, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise Misuse(f"{message}.")
