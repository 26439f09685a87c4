"""The tools and resources that agents are offered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from siltstone.cli.mcp import Sets, changing, reading, session
from siltstone.cli.mcp.arguments import (
    Add,
    Arguments,
    ClearSlot,
    Edit,
    Flush,
    History,
    List,
    OfSession,
    One,
    Profile,
    Read,
    Remember,
    Remove,
    Rollback,
    Search,
    Tree,
    Update,
    Write,
)
from siltstone.cli.mcp.caller import Caller
from siltstone.cli.mcp.calls import Answer, Call, answered, sendable


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool."""

    name: str
    does: str
    """What an agent is told of it."""
    arguments: type[Arguments]
    work: Callable[[Call, Any], str]
    """From a call and its arguments to the answer. Raises errors of ours."""
    reads: bool = False
    """It changes nothing."""
    destroys: bool = False
    """It takes something away, or puts something else in its place."""

    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments, without the titles that pydantic repeats the names in."""
        schema = self.arguments.model_json_schema()
        fields: Mapping[str, dict[str, Any]] = schema.get("properties", {})
        told = {name: {k: v for k, v in one.items() if k != "title"} for name, one in fields.items()}
        kept = {key: value for key, value in schema.items() if key not in ("title", "description")}
        return {**kept, "properties": told}


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource; its text is markdown."""

    uri: str
    name: str
    does: str
    work: Callable[[Call], str]


READING = (
    Tool(
        "memory_read",
        "Read one memory whole. A cold one is read before it is edited.",
        Read,
        reading.read,
        reads=True,
    ),
    Tool(
        "memory_search",
        "Find what is remembered by its words. Use it before asking the user what they may have said before.",
        Search,
        reading.search,
        reads=True,
    ),
    Tool("memory_list", "List memories, the latest first.", List, reading.latest, reads=True),
    Tool(
        "memory_tree", "Show memories as files with their sizes and limits.", Tree, reading.tree, reads=True
    ),
    Tool("memory_history", "Show the commits that changed a memory.", History, reading.history, reads=True),
    Tool("memory_profile", "Show what is known of the user.", Profile, reading.profile, reads=True),
)

CHANGING = (
    Tool(
        "memory_remember",
        "Keep a durable fact for later sessions: a preference, decision, constraint or pointer. No progress, "
        "no secrets. Your own words wait until the user accepts them.",
        Remember,
        changing.remember,
    ),
    Tool(
        "memory_write",
        "Write a memory under a name, new or in place of what you wrote before; it waits until the user "
        "accepts it.",
        Write,
        changing.write,
    ),
    Tool(
        "memory_edit",
        "Replace one exact piece of a memory; your version waits likewise.",
        Edit,
        changing.edit,
    ),
    Tool(
        "memory_delete",
        "Forget a memory that is wrong or no longer wanted; the user can undo it.",
        One,
        changing.delete,
        destroys=True,
    ),
    Tool("memory_promote", "Make a memory hot: every session is shown it whole.", One, changing.promote),
    Tool("memory_demote", "Make a hot memory cold: sessions are shown its line.", One, changing.demote),
    Tool(
        "memory_rollback",
        "Bring the memories of one scope back to what they were at a commit.",
        Rollback,
        changing.rollback,
        destroys=True,
    ),
    Tool(
        "memory_flush", "Commit the edits that the user made to memory files by hand.", Flush, changing.flush
    ),
)

SESSION = (
    Tool(
        "core_memory_update",
        "Write a block of this session's core memory, which stays in sight through compaction.",
        Update,
        session.core_update,
    ),
    Tool(
        "core_memory_read",
        "Read this session's core and working memory.",
        OfSession,
        session.core_read,
        reads=True,
    ),
    Tool(
        "working_memory_add",
        "Note something for this session: the newest few stay.",
        Add,
        session.working_add,
    ),
    Tool("working_memory_clear", "Empty working memory.", OfSession, session.working_clear, destroys=True),
    Tool(
        "working_memory_clear_slot",
        "Empty one kind of slot.",
        ClearSlot,
        session.working_clear_slot,
        destroys=True,
    ),
    Tool(
        "working_memory_remove",
        "Take one thing out of working memory.",
        Remove,
        session.working_remove,
        destroys=True,
    ),
)


RESOURCES = (
    Resource(
        "siltstone://index", "index", "One line a memory of this project and of all projects.", reading.index
    ),
    Resource(
        "siltstone://conflicts", "conflicts", "Contradictions that the user has to settle.", reading.conflicts
    ),
)

MEMORY = (*READING, *CHANGING)
OFFERED: dict[Sets, tuple[Tool, ...]] = {
    Sets.MEMORY: MEMORY,
    Sets.SESSION: SESSION,
    Sets.ALL: (*MEMORY, *SESSION),
}


def call(tool: Tool, arguments: Mapping[str, Any], caller: Caller, patience: float) -> Answer:
    """Call a tool. Whatever is wrong with the call, the store or the disk is one sentence."""
    try:
        checked = tool.arguments.model_validate(arguments)
    except ValidationError as error:
        return Answer(sendable(f"{tool.name}: {_first(error)}"), failed=True)
    return answered(caller, patience, lambda call: tool.work(call, checked), reads=tool.reads)


def read(resource: Resource, caller: Caller, patience: float) -> Answer:
    """The text of a resource, made as it is read; what is wrong is one sentence."""
    return answered(caller, patience, resource.work, reads=True)


def _first(error: ValidationError) -> str:
    """The first thing that is wrong with the arguments."""
    wrong = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in wrong["loc"])[:60]
    if wrong["type"] == "missing":
        return f"`{name}` is missing."
    if wrong["type"] == "extra_forbidden":
        return f"there is no argument `{name}`."
    return f"`{name}` cannot be used: {wrong['msg'][:200]}."
