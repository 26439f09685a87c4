"""The options of the hook commands, and their help. Typer takes longer to load than they may run."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from functools import partial
from typing import NoReturn

from siltstone.store.errors import Misuse


class Options(ArgumentParser):
    """The options of one command. Whatever is wrong with them is Misuse, as in all commands."""

    def __init__(self, command: str, about: str | None) -> None:
        layout = partial(RawDescriptionHelpFormatter, width=80)
        usage = f"silt {command} [options]"
        super().__init__(usage=usage, description=about, formatter_class=layout, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise Misuse(f"{message}.")
