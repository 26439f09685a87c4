"""Commands that change the store by the user's word: remember, forget, import, undo, rebuild."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from siltstone.cli.actor import actor
from siltstone.cli.context import Context
from siltstone.cli.note import note
from siltstone.cli.options import Json
from siltstone.cli.output import emit_json, show
from siltstone.cli.parts import parts
from siltstone.cli.reading import Name
from siltstone.cli.rebuild import rebuild, scrub
from siltstone.cli.scopes import Scopes, chosen_scope, known_type, named
from siltstone.pipeline import importer
from siltstone.pipeline.learn import merge_in
from siltstone.pipeline.ledger import FATES, disputed, in_words, tally, waits
from siltstone.pipeline.manual import Line, remember, remember_lines
from siltstone.pipeline.reading.watermarks import read_again
from siltstone.pipeline.rules.candidates import kind
from siltstone.pipeline.words import counted
from siltstone.store import files
from siltstone.store.commits import SESSION
from siltstone.store.entry import GLOBAL, TYPES, Type
from siltstone.store.entry_reader import MAX_BYTES
from siltstone.store.errors import GitError, Misuse
from siltstone.store.history import runs
from siltstone.store.history_index import session_of
from siltstone.store.undo import undo

Where = Annotated[
    str | None,
    typer.Option("--scope", metavar="SCOPE", help="`global` or a project; else this folder's project."),
]


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    app.command("remember")(remember_text)
    app.command("forget")(forget_memory)
    app.command("import")(import_memories)
    app.command("undo")(undo_run)
    app.command("rebuild")(rebuild_derived)


def remember_text(
    text: Annotated[
        str,
        typer.Argument(
            help="What to remember, in a sentence or two; `-` reads standard input, a memory a line."
        ),
    ],
    type: Annotated[
        str | None,
        typer.Option("--type", metavar="TYPE", help=f"One of {', '.join(TYPES)}; else what the text says."),
    ] = None,
    scope: Where = None,
) -> None:
    """Keep a fact on your word, at once. Secrets in it are left out.

    Without --scope, what you say of yourself or of all your projects is kept for all of them. Many facts are
    kept in one commit by `silt remember - < facts.txt`, a line each.

    Example: silt remember "Deploys go out on Tuesdays only" --type project --scope larkspur
    """
    named_type = known_type(type) if type else None
    if text == "-":
        _remember_lines(standard_input(), named_type, scope)
        return
    with Context(makes=True) as context:
        scopes = Scopes(context)
        found, everywhere = kind(text)
        chosen = GLOBAL if scope is None and everywhere else chosen_scope(context, scopes, scope)
        kept = remember(text, named_type or found, chosen, parts(context, scopes))
        rebuild(context)
    if kept.redacted:
        note("something in it looked like a secret and was left out")
    for sentence in (*waits([kept.outcome]), *disputed([kept.outcome])):
        note(sentence)
    if kept.reworded:
        note("a memory said this in other words; it has your words now (`silt undo` takes that back)")
    show(f"{FATES[kept.outcome.kind]}: {kept.outcome.path or kept.outcome.reason}")


def _remember_lines(text: str, type: Type | None, scope: str | None) -> None:
    """Keep each line. Exit status 1 when one of them is not kept."""
    if not text.strip():
        raise Misuse("there is nothing on standard input; give one memory a line.")
    with Context(makes=True) as context:
        scopes = Scopes(context)
        chosen = chosen_scope(context, scopes, scope)
        lines: list[Line] = []
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                found, everywhere = kind(line)
                where = GLOBAL if scope is None and everywhere else chosen
                lines.append(Line(number, line, type or found, where))
        told = remember_lines(lines, chosen, parts(context, scopes))
        rebuild(context)
    for sentence in (*waits(told.outcomes), *disputed(told.outcomes)):
        note(sentence)
    if told.redacted:
        note(f"{counted(told.redacted, 'line')} held something that looked like a secret; it was left out")
    for number, why in told.refused.items():
        note(f"line {number}: {why}")
    refused = f", {len(told.refused)} not kept" if told.refused else ""
    show(f"{told.kept} kept, {told.known} already known{refused}")
    if told.refused:
        raise typer.Exit(1)


def forget_memory(name: Name) -> None:
    """Delete a memory. It is not learned again from what was said before; new words may bring it back.

    Git history keeps it: `silt undo` brings it back, `silt purge` takes it out of history too.
    Example: silt forget package-manager-pnpm
    """
    with Context() as context:
        stored = named(context, context.store.resembling(name), name)
        files.delete(actor(context), stored.path)
    show(f"forgot {stored.path}")


def import_memories(
    path: Annotated[Path, typer.Argument(help="A file or folder of another system's memories.")],
    scope: Where = None,
    json: Json = False,
) -> None:
    """Take over memories: workspace-memory.json, folders of notes, memfs folders, Claude Code's own.

    They pass redaction and the gate, and count as kept by you.
    Example: silt import ~/.claude/projects/-home-marit-src-larkspur/memory --scope larkspur
    """
    with Context(makes=True) as context:
        scopes = Scopes(context)
        chosen = chosen_scope(context, scopes, scope)
        made = parts(context, scopes)
        found = importer.read(Path(os.path.expanduser(path)))
        if not found.items and not set(found.skipped) - {"link", "too-large"}:
            for complaint in found.complaints:
                note(complaint)
            raise Misuse(f"nothing in {path} looks like memories; give a folder of notes or one file.")
        judged = [importer.judge(item) for item in found.items]
        subject = f"memory: import {len(judged)} memories"
        outcomes = merge_in(judged, chosen, made, "import", subject=subject).outcomes if judged else ()
        rebuild(context)
    counts = tally(outcomes)
    if json:
        emit_json({"found": len(judged), "outcome": counts.outcome(), "rejected": dict(counts.rejected)})
    else:
        show(in_words(counts.outcome()) or "there was nothing to import")
        for reason, count in sorted(counts.rejected.items()):
            show(f"{count} not kept ({reason})")
        for reason, count in sorted(found.skipped.items()):
            show(f"{count} skipped ({reason})")
    for complaint in found.complaints:
        note(complaint)


def undo_run(
    run: Annotated[
        str | None, typer.Argument(help="A run or a commit, as `silt log` shows it; else the last run.")
    ] = None,
    reread: Annotated[
        bool, typer.Option("--reread", help="Read the sessions of that run again with the next run.")
    ] = False,
) -> None:
    """Take a run back with a new commit. What was changed since is left alone and listed.

    Exit status 3 when all of it was. Example: silt undo 0007
    """
    with Context() as context:
        undone = undo(context.store, run, context.store.clock)
        if reread and undone.run is not None:
            reread_run(context, undone.run)
        rebuild(context)
    if undone.run is None:
        show("there is nothing to undo: no run has changed this store since the last undo")
    elif undone.restored:
        count = len(undone.restored)
        files = "1 file is" if count == 1 else f"{count} files are"
        show(f"run {undone.run} taken back: {files} as before it")
    else:
        show(f"run {undone.run}: there is nothing to undo: every file was changed since that run")
    for path in undone.restored:
        show(f"  {path}")
    for left in undone.left:
        note(f"{left.path} was left alone: {left.why}")
    for one in undone.loose:
        note(str(one))
    if undone.left and not undone.restored:
        raise typer.Exit(3)


def reread_run(context: Context, run: str) -> None:
    """Take back every session that a run's commits name, so that the next run reads it from its start."""
    chosen = [one for one in runs(context.store) if one.id == run]
    for commit in (commit for one in chosen for commit in one.commits):
        told = [session_of(value) for key, value in commit.trailers if key == SESSION]
        for agent, session, _ in filter(None, told):
            context.state.sources.forget(agent, session)
    read_again(context.store, context.state)


def rebuild_derived() -> None:
    """Make the indexes, projects.md, PROTOCOL.md, and what `silt search` and `silt inject` read, anew.

    Example: silt rebuild
    """
    with Context() as context:
        with suppress(GitError):  # the store says so by itself, and the indexes are no memories
            context.store.check_git()
        made = rebuild(context, anew=True)
        left = scrub(context)
    show(
        f"{counted(len(made.files), 'file')} written, {counted(made.searched, 'search entry')} and "
        f"{counted(made.prepared, 'memory')} for `silt inject` changed"
    )
    for sentence in left:
        note(sentence)


def standard_input() -> str:
    """What stands on standard input. Raises Misuse for what is no text, or too much of it."""
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise Misuse(f"standard input holds more than {MAX_BYTES:,} bytes; give less at a time.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Misuse(f"standard input is not UTF-8 in line {line}; save it as UTF-8.") from None
