"""Which memory a command means by a name: that of the project in whose folder it is called, if it has one."""

import os
from collections.abc import Sequence

from siltstone.cli.context import Context
from siltstone.cli.hands import Scopes
from siltstone.recall.lookup import find, find_like
from siltstone.store.entry import GLOBAL, Stored


def named(context: Context, entries: Sequence[Stored], name: str) -> Stored:
    """The one entry that is called `name`. Raises Misuse and EntryError, as `find`."""
    return find(entries, name, context.store.unreadable, here(context))


def named_like(context: Context, entries: Sequence[Stored], name: str) -> Stored:
    """The one entry that is called `name` or whose name begins so. Raises Misuse and EntryError."""
    return find_like(entries, name, context.store.unreadable, here(context))


def here(context: Context) -> Sequence[str]:
    """The scopes in which a name is looked for first; none outside of a project."""
    try:
        scope = Scopes(context).of(os.getcwd())
    except FileNotFoundError:
        return ()
    return () if scope == GLOBAL else (scope, GLOBAL)
