"""What a client may read without a tool: the index, and the contradictions that wait for the user."""

from collections.abc import Callable
from dataclasses import dataclass

from siltstone.cli.tools.table import Answer, Call, Caller, answered
from siltstone.recall.index import index
from siltstone.store.conflicts import PATH, parse
from siltstone.store.entry import GLOBAL


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource; its text is markdown, made when it is read."""

    uri: str
    name: str
    does: str
    make: Callable[[Call], str]


def read(resource: Resource, caller: Caller) -> Answer:
    """Its text; whatever is wrong with the store or the disk is one sentence."""
    return answered(caller, resource.make)


def _index(call: Call) -> str:
    """The index of this folder's project, then the global one, as MEMORY.md has them (C7, C8)."""
    sections = parse(call.context.store.text(PATH) or "")
    scopes = call.reach("")
    shown = [index(scope, call.context.store.entries(scope), sections) for scope in scopes if scope != GLOBAL]
    return "\n".join([*shown, index(GLOBAL, call.context.store.entries(GLOBAL), sections)])


def _conflicts(call: Call) -> str:
    return call.context.store.text(PATH) or "There are no conflicts.\n"


RESOURCES = (
    Resource("siltstone://index", "index", "One line a memory of this project and of all projects.", _index),
    Resource("siltstone://conflicts", "conflicts", "Contradictions that the user has to settle.", _conflicts),
)
