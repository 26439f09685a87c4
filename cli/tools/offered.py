"""What agents are told of the tools: names, sentences, arguments. Every word of it is context they pay for.

Light, as `table.py` is: what the tools do is loaded with the first call.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from siltstone.cli.tools.table import Arguments, Resource, Tool
from siltstone.recall.session.working_memory import LONGEST
from siltstone.store.layout import MAX_DEPTH

MAX_TEXT = 1_000_000
"""Characters of a text: the largest limit that a memory may have."""

Name = Annotated[str, Field(max_length=400, description="Path, file name or name of the memory.")]
Reach = Annotated[
    str,
    Field(
        max_length=400,
        description="project, global, all, or a project's name; by default this project and global.",
    ),
]
Known = Literal["", "user", "feedback", "project", "decision", "reference"]
Many = Annotated[int, Field(ge=1, le=100, description="How many at most.")]
Text = Annotated[str, Field(max_length=MAX_TEXT)]
Scope = Annotated[
    str, Field(max_length=400, description="project, global, or a project's name; by default this project.")
]


class Read(Arguments):
    name: Name


class Search(Arguments):
    query: Annotated[str, Field(max_length=2000, description="Words to look for.")]
    scope: Reach = ""
    limit: Many = 10


class List(Arguments):
    scope: Reach = ""
    type: Annotated[Known, Field(description="Only this type.")] = ""
    limit: Many = 50


class Tree(Arguments):
    scope: Reach = ""
    depth: Annotated[int, Field(ge=1, le=MAX_DEPTH, description="Levels.")] = MAX_DEPTH


class History(Arguments):
    name: Name
    limit: Many = 10


class Profile(Arguments):
    pass


class Remember(Arguments):
    text: Annotated[Text, Field(description="One fact in a sentence or two, with the why.")]
    type: Annotated[Known, Field(description="feedback for a rule or a wish; project for a plain fact.")] = (
        "feedback"
    )
    scope: Scope = ""


class Write(Arguments):
    name: Annotated[str, Field(max_length=400, description="A name of a few words, or a path.")]
    content: Annotated[Text, Field(description="All that it is to say: one fact.")]
    description: Annotated[
        str, Field(max_length=1000, description="Its line in the index; else as it was, or the name.")
    ] = ""
    type: Annotated[Known, Field(description="Of a new one.")] = ""
    scope: Scope = ""


class Edit(Arguments):
    name: Name
    old: Annotated[Text, Field(description="The text to replace: exact, and only once in it.")]
    new: Annotated[Text, Field(description="What takes its place.")]


class One(Arguments):
    name: Name


class Rollback(Arguments):
    commit: Annotated[str, Field(max_length=64, description="A commit, as memory_history shows it.")]
    scope: Scope = ""


class Flush(Arguments):
    pass


BlockName = Annotated[
    Literal["goal", "progress", "context"],
    Field(description="goal: the one task; progress: done, in progress, blocked; context: files, patterns."),
]
Kind = Literal["error", "decision", "todo", "dependency", "other"]
Which = Annotated[
    str,
    Field(max_length=200, description="AGENT/ID, where not the one that runs here."),
]


class OfSession(Arguments):
    session: Which = ""


class Update(OfSession):
    block: BlockName
    content: Annotated[str, Field(max_length=100_000, description="What it is to say.")]
    append: Annotated[bool, Field(description="On a new line at its end.")] = False


class Add(OfSession):
    kind: Annotated[Kind, Field(description="other: into the pool, which fades.")]
    content: Annotated[str, Field(max_length=100_000, description=f"A line of at most {LONGEST} characters.")]


class ClearSlot(OfSession):
    slot: Literal["error", "decision", "todo", "dependency"]


class Remove(OfSession):
    content: Annotated[str, Field(max_length=100_000, description="The thing, in the words it is shown in.")]


READING = (
    Tool("memory_read", "Read one memory whole. A cold one is read before it is edited.", Read, True),
    Tool(
        "memory_search",
        "Find what is remembered by its words. Use it before asking the user what they may have said before.",
        Search,
        True,
    ),
    Tool("memory_list", "List memories, the latest first.", List, True),
    Tool("memory_tree", "Show memories as files with their sizes and limits.", Tree, True),
    Tool("memory_history", "Show the commits that changed a memory.", History, True),
    Tool("memory_profile", "Show what is known of the user.", Profile, True),
)

CHANGING = (
    Tool(
        "memory_remember",
        "Keep a durable fact for later sessions: a preference, decision, constraint or pointer. No progress, "
        "no secrets. Your own words wait until the user accepts them.",
        Remember,
    ),
    Tool(
        "memory_write",
        "Write a memory under a name, new or in place of what you wrote before; it waits until the user "
        "accepts it.",
        Write,
    ),
    Tool("memory_edit", "Replace one exact piece of a memory; your version waits likewise.", Edit),
    Tool(
        "memory_delete",
        "Forget a memory that is wrong or no longer wanted; the user can undo it.",
        One,
        destroys=True,
    ),
    Tool("memory_promote", "Make a memory hot: every session is shown it whole.", One),
    Tool("memory_demote", "Make a hot memory cold: sessions are shown its line.", One),
    Tool(
        "memory_rollback",
        "Bring the memories of one scope back to what they were at a commit.",
        Rollback,
        destroys=True,
    ),
    Tool("memory_flush", "Commit the edits that the user made to memory files by hand.", Flush),
)

SESSION = (
    Tool(
        "core_memory_update",
        "Write a block of this session's core memory, which stays in sight through compaction.",
        Update,
    ),
    Tool("core_memory_read", "Read this session's core and working memory.", OfSession, True),
    Tool("working_memory_add", "Note something for this session: the newest few stay.", Add),
    Tool("working_memory_clear", "Empty working memory.", OfSession, destroys=True),
    Tool("working_memory_clear_slot", "Empty one kind of slot.", ClearSlot, destroys=True),
    Tool(
        "working_memory_remove",
        "Take one thing out of working memory.",
        Remove,
        destroys=True,
    ),
)


RESOURCES = (
    Resource("siltstone://index", "index", "One line a memory of this project and of all projects."),
    Resource("siltstone://conflicts", "conflicts", "Contradictions that the user has to settle."),
)


class Sets(StrEnum):
    """Sets of tools: every tool that is offered costs the agent context."""

    MEMORY = "memory"
    SESSION = "session"
    ALL = "all"


MEMORY = (*READING, *CHANGING)
OFFERED: dict[Sets, tuple[Tool, ...]] = {
    Sets.MEMORY: MEMORY,
    Sets.SESSION: SESSION,
    Sets.ALL: (*MEMORY, *SESSION),
}
