"""Tools that change the store: remember, write, edit, delete, promote, demote, rollback, flush."""

from siltstone.cli.mcp.arguments import Edit, Flush, One, Remember, Rollback, Write
from siltstone.cli.mcp.calls import Call, first_lines
from siltstone.cli.parts import parts
from siltstone.cli.rebuild import rebuild
from siltstone.cli.scopes import known_type, movable
from siltstone.pipeline.ledger import FATES, Outcome, waits
from siltstone.pipeline.manual import remember as keep
from siltstone.store import files

REDACTED = "something in it looked like a secret and was left out"


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
    if outcome.reason == "tombstone":
        return "not kept: the user forgot this, and has not said it again"
    if outcome.reason == "bad_feedback":
        return (
            "not kept: it states no rule or wish; if it is a fact, call again with type project or reference"
        )
    return f"{FATES[outcome.kind]}: {outcome.path or outcome.reason}"


def _waiting(path: str) -> str:
    name = path.rpartition("/")[2].removesuffix(".md")
    return f"waits until the user accepts it (`silt inbox accept {name}`)"


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
    return _written(files.write(call.actor(), note))


def edit(call: Call, asked: Edit) -> str:
    """D8."""
    store = call.context.store
    stored = call.meant([one for one in store.resembling(asked.name) if not one.archived], asked.name)
    return _written(files.edit(call.actor(), stored.path, asked.old, asked.new))


def _written(written: files.Written) -> str:
    file = written.file
    done = "unchanged" if written.commit is None else "created" if written.created else "changed"
    waits = f", {_waiting(file.path)}" if written.waiting else ""
    told = [f"{done}: {file.path} ({file.chars}/{file.limit}){waits}"]
    told += [REDACTED] if written.redacted else []
    told += [f"not noted as read: {file.remark}"] if file.remark else []
    return "\n".join(told)


def delete(call: Call, asked: One) -> str:
    """D9, E18 forget."""
    stored = call.meant(call.context.store.resembling(asked.name), asked.name)
    files.delete(call.actor(), stored.path)
    return f"forgot {stored.path}; `silt undo` brings it back"


def promote(call: Call, asked: One) -> str:
    """D10."""
    stored = call.meant(movable(call.context.store, asked.name), asked.name)
    moved = files.promote(call.actor(), stored.path)
    return f"{moved.old} is now {moved.new}"


def demote(call: Call, asked: One) -> str:
    """D10."""
    stored = call.meant(movable(call.context.store, asked.name), asked.name)
    moved = files.demote(call.actor(), stored.path)
    return f"{moved.old} is now {moved.new}"


def rollback(call: Call, asked: Rollback) -> str:
    """D12: one scope, by a new commit."""
    back = files.rollback(call.actor(), call.scope(asked.scope), asked.commit)
    lines = [f"{back.scope} is as it was at {back.target[:8]} in {len(back.restored)} files"]
    lines += [f"  {path}" for path in back.restored]
    lines += [f"left alone: {path} ({why})" for path, why in back.left]
    return first_lines(lines, "`silt log` shows all")


def flush(call: Call, asked: Flush) -> str:
    """D13: hand edits, committed now and as the user's."""
    settled = files.flush(call.actor())
    call.context.state.shown.force("flush")
    lines = [*(f"committed {path}" for path in settled.edited), *settled.refused]
    return first_lines(lines or ["there was nothing to commit"], "`silt log` shows all")
