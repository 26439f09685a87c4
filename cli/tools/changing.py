"""Tools that change the store: remember, write, edit, delete, promote, demote, rollback, flush."""

from typing import Annotated

from pydantic import Field

from siltstone.cli.reading import everything
from siltstone.cli.tools.reading import Known, Name, acting, meant
from siltstone.cli.tools.table import Arguments, Call, Tool, first_lines
from siltstone.cli.work import parts, rebuild
from siltstone.cli.writing import known_type
from siltstone.pipeline.ledger import Outcome, waits
from siltstone.pipeline.manual import remember as keep
from siltstone.store import files

MAX_TEXT = 1_000_000
"""Characters of a text: the largest limit that a memory may have."""
REDACTED = "something in it looked like a secret and was left out"

Text = Annotated[str, Field(max_length=MAX_TEXT)]
Scope = Annotated[
    str, Field(max_length=400, description="project, global, or a project's name; by default this project.")
]


class Remember(Arguments):
    text: Annotated[Text, Field(description="One fact in a sentence or two, with the why.")]
    type: Annotated[Known, Field(description="feedback unless it is something else.")] = "feedback"
    scope: Scope = ""


def remember(call: Call, asked: Remember) -> str:
    """C32, E18 add: an agent's claim, judged by the gate, absorbed where it is known."""
    scope = call.scope(asked.scope)
    made = parts(call.context, call.scopes)
    kept = keep(asked.text, known_type(asked.type or "feedback"), scope, made, call.caller.session)
    rebuild(call.context)
    told = [_fate(kept.outcome), *waits([kept.outcome]), *([REDACTED] if kept.redacted else [])]
    return "\n".join(told)


def _fate(outcome: Outcome) -> str:
    if outcome.kind == "quarantined":
        return f"noted: {outcome.path}, {_waiting(outcome.path or '')}"
    if outcome.kind == "absorbed":
        return f"known already: {outcome.path}"
    if outcome.reason == "tombstone":
        return "not kept: the user forgot this, and has not said it again"
    return f"{'not kept' if outcome.kind == 'rejected' else outcome.kind}: {outcome.path or outcome.reason}"


def _waiting(path: str) -> str:
    name = path.rpartition("/")[2].removesuffix(".md")
    return f"waits until the user accepts it (`silt inbox accept {name}`)"


class Write(Arguments):
    name: Annotated[str, Field(max_length=400, description="A name of a few words, or a path.")]
    content: Annotated[Text, Field(description="All that it is to say: one fact.")]
    description: Annotated[
        str, Field(max_length=1000, description="Its line in the index; else as it was, or the name.")
    ] = ""
    type: Annotated[Known, Field(description="Of a new one.")] = ""
    scope: Scope = ""


def write(call: Call, asked: Write) -> str:
    """D7."""
    note = files.Note(
        call.scope(asked.scope),
        asked.name,
        asked.content,
        known_type(asked.type) if asked.type else None,
        asked.description or None,
        limit=call.context.configured.settings.default_limit,
    )
    return _written(files.write(acting(call), note))


class Edit(Arguments):
    name: Name
    old: Annotated[Text, Field(description="The text to replace: exact, and only once in it.")]
    new: Annotated[Text, Field(description="What takes its place.")]


def edit(call: Call, asked: Edit) -> str:
    """D8."""
    store = call.context.store
    stored = meant(call, [*store.entries(), *store.inbox()], asked.name)
    return _written(files.edit(acting(call), stored.path, asked.old, asked.new))


def _written(written: files.Written) -> str:
    file = written.file
    done = "unchanged" if written.commit is None else "created" if written.created else "changed"
    waits = f", {_waiting(file.path)}" if written.waiting else ""
    told = [f"{done}: {file.path} ({file.chars}/{file.limit}){waits}"]
    told += [REDACTED] if written.redacted else []
    told += [f"not noted as read: {file.remark}"] if file.remark else []
    return "\n".join(told)


class One(Arguments):
    name: Name


def delete(call: Call, asked: One) -> str:
    """D9, E18 forget."""
    stored = meant(call, everything(call.context.store), asked.name)
    files.delete(acting(call), stored.path)
    return f"forgot {stored.path}; `silt undo` brings it back"


def promote(call: Call, asked: One) -> str:
    """D10."""
    stored = meant(call, call.context.store.entries(), asked.name)
    moved = files.promote(acting(call), stored.path)
    return f"{moved.old} is now {moved.new}"


def demote(call: Call, asked: One) -> str:
    """D10."""
    stored = meant(call, call.context.store.entries(), asked.name)
    moved = files.demote(acting(call), stored.path)
    return f"{moved.old} is now {moved.new}"


class Rollback(Arguments):
    commit: Annotated[str, Field(max_length=64, description="A commit, as memory_history shows it.")]
    scope: Scope = ""


def rollback(call: Call, asked: Rollback) -> str:
    """D12: one scope, by a new commit."""
    back = files.rollback(acting(call), call.scope(asked.scope), asked.commit)
    lines = [f"{back.scope} is as it was at {back.target[:8]} in {len(back.restored)} files"]
    lines += [f"  {path}" for path in back.restored]
    lines += [f"left alone: {path} ({why})" for path, why in back.left]
    return first_lines(lines, "`silt log` shows all")


class Flush(Arguments):
    pass


def flush(call: Call, asked: Flush) -> str:
    """D13: hand edits, committed now and as the user's."""
    settled = files.flush(acting(call))
    call.context.state.shown.force("flush")
    lines = [*(f"committed {path}" for path in settled.edited), *settled.refused]
    return first_lines(lines or ["there was nothing to commit"], "`silt log` shows all")


CHANGING = (
    Tool(
        "memory_remember",
        "Keep a durable fact for later sessions: a preference, decision, constraint or pointer. No progress, "
        "no secrets. Your own words wait until the user accepts them.",
        Remember,
        remember,
    ),
    Tool(
        "memory_write",
        "Write a memory under a name, new or in place of what you wrote before; it waits until the user "
        "accepts it.",
        Write,
        write,
    ),
    Tool("memory_edit", "Replace one exact piece of a memory; your version waits likewise.", Edit, edit),
    Tool(
        "memory_delete",
        "Forget a memory that is wrong or no longer wanted; the user can undo it.",
        One,
        delete,
        destroys=True,
    ),
    Tool("memory_promote", "Make a memory hot: every session is shown it whole.", One, promote),
    Tool("memory_demote", "Make a hot memory cold: sessions are shown its line.", One, demote),
    Tool(
        "memory_rollback",
        "Bring the memories of one scope back to what they were at a commit.",
        Rollback,
        rollback,
        destroys=True,
    ),
    Tool("memory_flush", "Commit the edits that the user made to memory files by hand.", Flush, flush),
)
