"""How far long work is, told to whoever wants to know."""

from collections.abc import Callable

Tell = Callable[[str, int, int, str], None]
"""Called with what is being done, how much of it is done, of how much, and a word about what was last."""


def tell_nobody(what: str, done: int, of: int, last: str) -> None:
    """Where nobody wants to know."""
