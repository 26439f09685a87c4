"""The options of the hook commands."""

from argparse import ArgumentParser
from typing import NoReturn

from siltstone.store.errors import Misuse


class Options(ArgumentParser):
    """The options of one command. Whatever is wrong with them is Misuse, as in all commands."""

    def __init__(self) -> None:
        super().__init__(add_help=False, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise Misuse(f"{message}.")
