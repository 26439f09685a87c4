"""Arguments of the tools. An agent reads each description: every word is context that it pays for."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

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


class Arguments(BaseModel):
    """Arguments of a tool: what is unknown is refused by name."""

    model_config = ConfigDict(extra="forbid", frozen=True)


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
        str, Field(max_length=1000, description="Its line in the index; else as it was, or the first line.")
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
