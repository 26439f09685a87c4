"""What a client may read without a tool: the index, and the contradictions that wait for the user."""

from siltstone.cli.tools.calls import Call
from siltstone.recall.index import index as index_of
from siltstone.store.conflicts import PATH, parse
from siltstone.store.entry import GLOBAL


def index(call: Call) -> str:
    """The index of this folder's project, then the global one, as MEMORY.md has them (C7, C8)."""
    sections = parse(call.context.store.text(PATH) or "")
    scopes = [scope for scope in call.reach("") if scope != GLOBAL]
    return "\n".join(index_of(one, call.context.store.entries(one), sections) for one in [*scopes, GLOBAL])


def conflicts(call: Call) -> str:
    return call.context.store.text(PATH) or "There are no conflicts.\n"


WORK = {"siltstone://index": index, "siltstone://conflicts": conflicts}
