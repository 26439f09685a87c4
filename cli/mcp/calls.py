"""How a call of a tool is answered: always with text, never with an exception of ours."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from siltstone.cli.actor import actor
from siltstone.cli.context import Context
from siltstone.cli.mcp.caller import Caller
from siltstone.cli.note import printable
from siltstone.cli.scopes import Scopes
from siltstone.cli.settings import configure
from siltstone.store.by_name import find
from siltstone.store.entry import GLOBAL, Stored
from siltstone.store.errors import Misuse, SiltError
from siltstone.store.files import Actor

MAX_LINES = 200
"""Lines that a listing answers with: more would fill the agent's context."""
AS_TOOLS = {
    "show": "memory_read",
    "list": "memory_list",
    "search": "memory_search",
    "promote": "memory_promote",
    "log": "memory_history",
    "forget": "memory_delete",
}
"""What an agent calls instead of the commands that sentences for people name."""
_COMMAND = re.compile(rf"`silt ({'|'.join(AS_TOOLS)})\b[^`]*`")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call comes back with."""

    text: str
    failed: bool = False


class Call:
    """What a tool works with during one call: opened anew, so that no answer is stale (D18)."""

    def __init__(self, context: Context, caller: Caller) -> None:
        self.context = context
        self.caller = caller

    @cached_property
    def scopes(self) -> Scopes:
        return Scopes(self.context)

    def scope(self, said: str) -> str:
        """The scope that `said` means; "" and "project" are the one of the folder. Raises Misuse."""
        if said in ("", "project"):
            if not self.caller.cwd:
                raise Misuse("the folder of this session is gone; give a scope: global, or a project's name.")
            return self.scopes.of(self.caller.cwd)
        return self.context.scope(GLOBAL if said == "user" else said) or GLOBAL

    def reach(self, said: str) -> list[str]:
        """The scopes to look in: without a name the folder's and the global one, for "all" each."""
        if said == "all":
            return self.context.store.scopes()
        if said or not self.caller.cwd:
            return [self.scope(said or GLOBAL)]
        return list(dict.fromkeys([self.scope(""), GLOBAL]))

    def actor(self) -> Actor:
        """The agent whose session calls: its words are its own claims (invariant 6)."""
        return actor(self.context, str(self.caller.session), self.scopes)

    def meant(self, entries: Sequence[Stored], name: str) -> Stored:
        """The memory that is called `name`, here or else anywhere. Raises Misuse and EntryError."""
        return find(entries, name, self.context.store.unreadable, self.reach(""))


def answered(caller: Caller, patience: float, make: Callable[[Call], str], *, reads: bool) -> Answer:
    """What `make` tells, or the one sentence that says why it cannot.

    What others hold is waited for during `patience` seconds: agents give a tool only so long. One that reads
    makes no store where there is none: agents let such tools be called unasked.
    """
    try:
        configured = configure()
        dry = reads and not configured.places.store.exists()
        with Context(configured, makes=True, dry=dry, patience=patience) as context:
            return Answer(sendable(make(Call(context, caller))))
    except SiltError as error:
        return Answer(sendable(_for_agents(str(error))), failed=True)
    except OSError as error:
        what = error.filename if isinstance(error.filename, str) else "the disk"
        told = f"{what} cannot be used ({error.strerror}); tell the user, and try again when it is fixed"
        return Answer(sendable(told), failed=True)


def first_lines(lines: list[str], narrower: str) -> str:
    """As many lines as an answer holds; `narrower` says how to ask for less."""
    left = len(lines) - MAX_LINES
    return "\n".join(lines if left <= 0 else [*lines[:MAX_LINES], f"… and {left:,} more: {narrower}"])


def _for_agents(sentence: str) -> str:
    return _COMMAND.sub(lambda found: f"`{AS_TOOLS[found[1]]}`", sentence)


def sendable(text: str) -> str:
    """Text as JSON and terminals take it: no half characters, none that steer."""
    return printable(text.encode("utf-8", "replace").decode())
