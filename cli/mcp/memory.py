"""The tools and resources of the store (D6–D13, C32, E18): each wraps what the command of that name does."""

from collections.abc import Callable, Iterable
from typing import Annotated, Literal

from pydantic import Field

from siltstone.cli.mcp.call import Call, first_lines, tool
from siltstone.cli.note import REDACTED
from siltstone.cli.output import commit_line, excerpts, mark
from siltstone.cli.parts import parts, rebuild
from siltstone.pipeline import manual
from siltstone.pipeline.conflicts import open_conflicts
from siltstone.pipeline.ledger import FATES, UNREADABLE, Outcome, to_do
from siltstone.recall.index import index as index_of
from siltstone.store import files
from siltstone.store.entry import GLOBAL, MAX_LIMIT, UNDATED, Entry, Stored
from siltstone.store.errors import Misuse
from siltstone.store.history import history, log
from siltstone.store.names import in_inbox, stem

Name = Annotated[str, Field(max_length=400, description="Path, file name or name of the memory.")]
Reach = Annotated[
    str,
    Field(
        max_length=400,
        description="project, global, all, or a project's name; by default this project and global.",
    ),
]
Scope = Annotated[
    str, Field(max_length=400, description="project, global, or a project's name; by default this project.")
]
Known = Literal["", "user", "feedback", "project", "decision", "reference"]
Many = Annotated[int, Field(ge=1, le=100, description="How many at most.")]
Text = Annotated[str, Field(max_length=MAX_LIMIT)]


@tool(reads=True)
def memory_read(call: Call, name: Name) -> str:
    """Read one memory whole. A cold one is read before it is edited."""
    (stored,) = call.context.checked([call.context.memory_like(name)])
    file = files.read(call.actor(), stored.path)
    marks = {
        "readonly": file.readonly,
        "hot": file.hot,
        "archived: no longer true": stored.archived,
        "an agent's own claim, which the user has not accepted": in_inbox(stored.path),
        mark(stored).strip(" []"): mark(stored),
    }
    told = [
        f"path: {file.path}",
        f"description: {file.description}",
        f"chars: {file.chars}/{file.limit}",
        *(mark for mark, holds in marks.items() if holds),
        f"type: {stored.entry.type}{_day(stored.entry, 'from ')}, {stored.entry.origin}",
        *([f"not noted as read, so it cannot be edited: {file.remark}"] if file.remark else []),
    ]
    return "\n".join([*told, "---", file.content])


@tool(reads=True)
def memory_search(
    call: Call,
    query: Annotated[str, Field(max_length=2000, description="Words to search for.")],
    scope: Reach = "",
    limit: Many = 10,
) -> str:
    """Find what is remembered by its words. Use it before asking the user what they may have said before."""
    if not query.strip():
        raise Misuse("the query has no words; give one or two, or call `memory_list`.")
    found = call.context.found(query, call.reach(scope), limit)
    return _found(found, "nothing found") + _left_out(call)


@tool(reads=True)
def memory_list(
    call: Call,
    scope: Reach = "",
    type: Annotated[Known, Field(description="Only this type.")] = "",
    limit: Many = 50,
) -> str:
    """List memories, the latest first."""
    chosen = [one for one in _entries(call, scope) if type in ("", one.entry.type)]
    chosen.sort(key=lambda one: one.path)
    chosen.sort(key=lambda one: one.entry.updated, reverse=True)
    lines = [_line(one) for one in call.context.checked(chosen[:limit])]
    if len(chosen) > len(lines):
        lines.append(f"… and {len(chosen) - len(lines):,} more: raise limit, or give a type or scope")
    return "\n".join(lines or ["no memories here yet"]) + _left_out(call)


@tool(reads=True)
def memory_tree(call: Call, scope: Reach = "") -> str:
    """Show memories as files with their sizes and limits."""
    tree = files.tree(
        call.context.checked(_entries(call, scope)), call.context.configured.settings.max_tree_depth
    )
    return first_lines(tree.lines(), "give a scope") + _left_out(call)


@tool(reads=True)
def memory_history(
    call: Call,
    name: Annotated[
        str, Field(max_length=400, description="As in memory_read; without it all memories.")
    ] = "",
    limit: Many = 10,
) -> str:
    """Show the commits that changed a memory, or all of them."""
    store = call.context.store
    commits = history(store, call.context.memory_like(name).path, limit) if name else log(store, limit)
    return "\n".join(commit_line(one) for one in commits)


@tool(reads=True)
def memory_profile(call: Call) -> str:
    """Show what is known of the user."""
    most = call.context.configured.settings.max_profile_items
    known = call.context.checked(files.profile(_entries(call, ""), most))
    return _found(known, "nothing is known about the user yet")


def _entries(call: Call, scope: str) -> list[Stored]:
    return [one for scope in call.reach(scope) for one in call.context.store.entries(scope)]


def _found(entries: Iterable[Stored], nothing: str) -> str:
    """The line of each, and behind it its text where that says more; the rest is read on demand."""
    found = list(entries)
    rows = [f"{_line(one)}\n{body}".rstrip() for one, body in zip(found, excerpts(found), strict=True)]
    return "\n".join(rows or [nothing])


def _line(stored: Stored) -> str:
    return (
        f"{stored.path} ({stored.entry.type}{_day(stored.entry)}) — {stored.entry.description}{mark(stored)}"
    )


def _day(entry: Entry, before: str = "") -> str:
    """The day of what it tells, behind its type; "" of a file by hand that gives none."""
    return f", {before}{entry.updated:%Y-%m-%d}" if entry.updated > UNDATED else ""


def _left_out(call: Call) -> str:
    """What could not be read, for the agent to tell the user of."""
    return "".join(f"\nleft out: {complaint}" for complaint in call.context.store.complaints[:3])


@tool()
def memory_remember(
    call: Call,
    text: Annotated[Text, Field(description="One fact in a sentence or two, with the why.")],
    type: Annotated[Known, Field(description="feedback for a rule or a wish; project for a plain fact.")] = (
        "feedback"
    ),
    scope: Scope = "",
) -> str:
    """Keep a durable fact for later sessions: a preference, decision, constraint or pointer. No progress, no
    secrets. Your own words wait until the user accepts them."""
    made = parts(call.context)
    kept = manual.remember(text, type or "feedback", call.scope(scope), made, call.caller.session)
    rebuild(call.context)
    return "\n".join(
        [_fate(kept.outcome), *to_do([kept.outcome], [UNREADABLE]), *([REDACTED] if kept.redacted else [])]
    )


def _fate(outcome: Outcome) -> str:
    if outcome.kind == "quarantined":
        return f"noted: {outcome.path}, {_waiting(outcome.path or '')}"
    if outcome.reason == "tombstone":
        return "not kept: the user forgot this, and has not said it again"
    if outcome.reason == "bad_feedback":
        return (
            "not kept: it states neither a rule nor a wish; if it is a fact, call again with type "
            "project or reference"
        )
    return f"{FATES[outcome.kind]}: {outcome.path or outcome.reason}"


def _waiting(path: str) -> str:
    return f"waiting until the user accepts it (`silt inbox accept {stem(path)}`)"


@tool()
def memory_write(
    call: Call,
    name: Annotated[str, Field(max_length=400, description="A name of a few words, or a path.")],
    content: Annotated[Text, Field(description="Its whole text: one fact.")],
    description: Annotated[
        str,
        Field(max_length=1000, description="Its line in the index; by default unchanged, or the first line."),
    ] = "",
    type: Annotated[Known, Field(description="The type of a new one.")] = "",
    scope: Scope = "",
) -> str:
    """Write a memory under a name, new or in place of what you wrote before; it waits until the user accepts
    it."""
    limit = call.context.configured.settings.default_limit
    note = files.Note(
        call.scope(scope), name, content, type or None, description or None, default_limit=limit
    )
    return _written(files.write(call.actor(), note))


@tool()
def memory_edit(
    call: Call,
    name: Name,
    old: Annotated[Text, Field(description="The exact text to replace; it must occur only once.")],
    new: Annotated[Text, Field(description="The new text.")],
) -> str:
    """Replace one exact piece of a memory; your version waits likewise."""
    return _written(files.edit(call.actor(), call.context.editable(name).path, old, new))


def _written(written: files.Written) -> str:
    file = written.file
    done = "unchanged" if written.commit is None else "created" if written.created else "changed"
    waits = f", {_waiting(file.path)}" if written.waiting else ""
    told = [f"{done}: {file.path} ({file.chars}/{file.limit}){waits}"]
    told += [REDACTED] if written.redacted else []
    told += [f"not noted as read: {file.remark}"] if file.remark else []
    return "\n".join(told)


@tool(destroys=True)
def memory_delete(call: Call, name: Name) -> str:
    """Forget a memory of this project that is wrong or no longer wanted. What the user said or wrote
    is forgotten once they accept that."""
    stored = call.context.memory(name)
    if stored.entry.scope != call.scope(""):
        raise Misuse(
            f"{stored.path} belongs to another project: only the user can forget it, or an agent there."
        )
    asked = files.delete(call.actor(), stored.path)
    return f"{asked} {_waiting(asked)}" if asked else f"forgot {stored.path}; `silt undo` brings it back"


@tool()
def memory_promote(call: Call, name: Name) -> str:
    """Make a memory hot: every session is shown it whole."""
    moved = files.move(call.actor(), call.context.movable(name).path, hot=True)
    return f"{moved.old} is now {moved.new}"


@tool()
def memory_demote(call: Call, name: Name) -> str:
    """Make a hot memory cold: sessions are shown its line."""
    moved = files.move(call.actor(), call.context.movable(name).path, hot=False)
    return f"{moved.old} is now {moved.new}"


@tool(destroys=True)
def memory_rollback(
    call: Call,
    commit: Annotated[str, Field(max_length=64, description="A commit, as memory_history shows it.")],
) -> str:
    """Bring the memories of this project back to what they were at a commit, except the user's own."""
    back = files.rollback(call.actor(), call.scope(""), commit)
    lines = [f"{back.scope} is as it was at {back.target[:8]} in {len(back.restored)} files"]
    lines += [f"  {path}" for path in back.restored]
    lines += [f"left alone: {path} ({why})" for path, why in back.left]
    return first_lines(lines, "`silt log` shows all")


@tool()
def memory_flush(call: Call) -> str:
    """Commit the edits that the user made to memory files by hand."""
    settled = files.flush(call.actor())
    call.context.state.shown.force("flush")
    lines = [*(f"committed {path}" for path in settled.edited), *settled.refused]
    return first_lines(lines or ["nothing to commit"], "`silt log` shows all")


MEMORY = (
    *(memory_read, memory_search, memory_list, memory_tree, memory_history, memory_profile),
    *(memory_remember, memory_write, memory_edit, memory_delete),
    *(memory_promote, memory_demote, memory_rollback, memory_flush),
)


def index(call: Call) -> str:
    """One line a memory of this project and of all projects."""
    sections = open_conflicts(call.context.store)
    scopes = [*call.context.here] or [GLOBAL]
    return "\n".join(index_of(one, call.context.store.entries(one), sections) for one in scopes)


def conflicts(call: Call) -> str:
    """Contradictions that the user has to settle."""
    file = call.context.store.conflicts_file()
    return file.text if file else "There are no conflicts.\n"


RESOURCES: dict[str, Callable[[Call], str]] = {"siltstone://index": index, "siltstone://conflicts": conflicts}
"""URI → what makes its text, markdown; the function's name and docstring are told to agents."""
