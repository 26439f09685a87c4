"""Commands that change memories on the user's word: remember, import, write, edit, promote, demote, forget;
and flush and rebuild, which bring the store up to date with its files.

Those that treat memories as files wrap one function of `store/files/` each (docs/files.md).
"""

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from siltstone.cli.context import Context
from siltstone.cli.note import REDACTED, note
from siltstone.cli.options import Like, Name, SessionOption, Where
from siltstone.cli.output import show, why_not
from siltstone.cli.parts import PIECE, actor, parts, rebuild
from siltstone.cli.terminal import progress
from siltstone.pipeline import importer
from siltstone.pipeline.learn import merge_in
from siltstone.pipeline.ledger import FATES, Outcome, in_words, rejections, tally, to_do
from siltstone.pipeline.manual import Line, remember, remember_lines
from siltstone.pipeline.merging.merge import by_evidence
from siltstone.pipeline.rules.candidates import kind
from siltstone.pipeline.words import counted
from siltstone.store import files
from siltstone.store.entry import GLOBAL, MAX_LIMIT, Type
from siltstone.store.entry_reader import MAX_BYTES
from siltstone.store.errors import GitError, Misuse
from siltstone.store.names import exactly

_LISTED = re.compile(r"\s*(?:[-*+•]|[0-9]{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")

app = typer.Typer()


@app.command("remember")
def remember_text(
    text: Annotated[
        str,
        typer.Argument(
            help="What to remember, in a sentence or two; `-` reads standard input, one memory a line."
        ),
    ],
    type: Annotated[Type | None, typer.Option("--type", help="By default what the text suggests.")] = None,
    scope: Where = None,
) -> None:
    """Save a fact now, on your word. Secrets in it are left out.

    Without --scope, what you say about yourself or about all your projects is kept for all of them. `silt
    remember - < facts.txt` saves many facts in one commit, one a line.

    Example: silt remember "Deploys go out on Tuesdays only" --type project --scope larkspur
    """
    lines, text = text == "-", given(text)
    if lines:
        _remember_lines(text, type, scope)
        return
    with Context(makes=True) as context:
        found, everywhere = kind(text)
        chosen = GLOBAL if scope is None and everywhere else context.scope_or_here(scope)
        kept = remember(text, type or found, chosen, parts(context))
        rebuild(context)
    if kept.redacted:
        note(REDACTED)
    note(*to_do([kept.outcome]))
    if kept.reworded:
        note("a memory said this in other words; it now has your words (`silt undo` reverts that)")
    if kept.outcome.path is None:
        note(f"not kept: {why_not(kept.outcome.reason)}")
        raise typer.Exit(1)
    show(f"{FATES[kept.outcome.kind]}: {kept.outcome.path}")
    if kept.outcome.kind == "promoted" and (type is None or scope is None):
        whom = "all your projects" if chosen == GLOBAL else chosen.removeprefix("projects/")
        again = "to change that, `silt undo`, then give --type and --scope"
        show(f"saved as type {type or found}, for {whom}; {again}", style="dim")


def _remember_lines(text: str, type: Type | None, scope: str | None) -> None:
    """Keep each line. Exit status 1 when one of them is not kept."""
    if not text.strip():
        raise Misuse("standard input is empty; give one memory a line.")
    with Context(makes=True) as context:
        chosen = context.scope_or_here(scope)
        lines: list[Line] = []
        for number, line in enumerate(map(_unlisted, text.splitlines()), 1):
            if line:
                found, everywhere = kind(line)
                where = GLOBAL if scope is None and everywhere else chosen
                lines.append(Line(number, line, type or found, where))
        told = remember_lines(lines, chosen, parts(context))
        rebuild(context)
    kept = [one for one in told.values() if not isinstance(one, str)]
    outcomes = [one.outcome for one in kept]
    note(*to_do(outcomes))
    if redacted := sum(one.redacted for one in kept):
        note(f"{counted(redacted, 'line')} held something that looked like a secret; it was left out")
    note(*(f"line {number}: {why}" for number, why in told.items() if isinstance(why, str)))
    known = sum(one.kind == "absorbed" for one in outcomes)
    refused = len(told) - len(kept)
    show(f"{len(kept) - known} kept, {known} already known{f', {refused} not kept' if refused else ''}")
    if refused:
        raise typer.Exit(1)


def _unlisted(line: str) -> str:
    """A line without its list bullet or number; "" for a heading."""
    found = _LISTED.match(line)
    return "" if line.lstrip().startswith("#") else line[found.end() if found else 0 :].strip()


@app.command("import")
def import_memories(
    path: Annotated[Path, typer.Argument(help="A file or folder with another system's memories.")],
    scope: Where = None,
) -> None:
    """Import memories: workspace-memory.json, folders of notes, memfs folders, Claude Code's own.

    They go through redaction and the gate, and count as saved by you.
    Example: silt import ~/.claude/projects/-home-marit-src-larkspur/memory --scope larkspur
    """
    found = importer.read(Path(os.path.expanduser(path)))
    if not found.items and not set(found.skipped) - {"link", "too-large"}:
        note(*found.complaints)
        raise Misuse(f"nothing in {path} looks like memories; give a folder of notes or one file.")
    items, outcomes = sorted(found.items, key=by_evidence), list[Outcome]()
    with Context(makes=True) as context, progress() as tell:
        chosen = context.scope_or_here(scope)
        made = parts(context)
        for done in range(0, len(items), PIECE):
            tell("importing memories", done, len(items), "")
            piece = items[done : done + PIECE]
            subject = f"memory: import {counted(len(piece), 'memory')}"
            outcomes += merge_in(piece, chosen, made, "import", subject=subject).outcomes
        rebuild(context)
    show(in_words(tally(outcomes)) or "nothing to import")
    show(*(f"{count} not kept ({why_not(reason)})" for reason, count in sorted(rejections(outcomes).items())))
    show(*(f"{count} skipped ({reason})" for reason, count in sorted(found.skipped.items())))
    note(*found.complaints)


@app.command("write")
def write_memory(
    name: Annotated[str, typer.Argument(help="Its name, or its path as shown by `silt tree`.")],
    text: Annotated[str, typer.Argument(help="What it says; `-` reads standard input.")] = "-",
    type: Annotated[Type | None, typer.Option("--type", help="The type of a new one.")] = None,
    description: Annotated[
        str | None,
        typer.Option("--description", help="Its line in the index; by default unchanged, or the first line."),
    ] = None,
    scope: Where = None,
    hot: Annotated[bool, typer.Option("--hot", help="Agents see a new one in full.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, max=MAX_LIMIT, help="Characters that it may have.")
    ] = None,
    readonly: Annotated[
        bool, typer.Option("--readonly", help="From now on only your editor changes it.")
    ] = False,
    session: SessionOption = None,
) -> None:
    """Write a new memory, or replace the text of one. Secrets are left out.

    With --session the words are an agent's: they wait in the inbox until you accept them.
    Example: silt write hosting "Hosting is Vercel. Why: previews." --description "Where the shop runs"
    """
    if session is not None and (limit or readonly):
        raise Misuse("an agent cannot set a limit or make a memory read-only: leave out --session.")
    with Context(makes=True) as context:
        where = context.scope_or_here(scope)
        if scope is None and not context.here:  # outside of projects a name means what it does to `silt edit`
            same = [one for one in exactly(context.store.entries(), name) if not one.archived]
            where = same[0].entry.scope if len(same) == 1 else where
        content = given(text)
        default = context.configured.settings.default_limit
        asked = files.Note(where, name, content, type, description, hot, limit, default, readonly)
        written = files.write(actor(context, session), asked)
    _tell(written)


@app.command("edit")
def edit_memory(
    name: Like,
    old: Annotated[str, typer.Option("--old", help="The exact text to replace; it must occur only once.")],
    new: Annotated[str, typer.Option("--new", help="The new text; `-` reads standard input.")],
    session: SessionOption = None,
) -> None:
    """Replace part of a memory's text. An agent (--session) must have read a cold memory first.

    Example: silt edit hosting --old Vercel --new Hetzner
    """
    with Context() as context:
        path = context.editable(name).path
        written = files.edit(actor(context, session), path, old, given(new))
    _tell(written)


def _tell(written: files.Written) -> None:
    file = written.file
    if written.redacted:
        note(REDACTED)
    if file.remark:
        note(f"could not record that it was read: {file.remark}")
    where = ", waiting for `silt inbox accept`" if written.waiting else ", hot" if file.hot else ""
    done = "unchanged" if written.commit is None else "created" if written.created else "changed"
    show(f"{done}: {file.path} ({file.chars}/{file.limit}{where})")


PROMOTE = """Make a memory hot: agents see it in full, not only its line.

Example: silt promote hosting
"""
DEMOTE = """Make a hot memory cold: agents see its line, and read it when they need it.

Example: silt demote hosting
"""


@app.command("promote", help=PROMOTE)
@app.command("demote", help=DEMOTE)
def move_memory(called: typer.Context, name: Like) -> None:
    """Both commands."""
    with Context() as context:
        hot = called.info_name == "promote"
        moved = files.move(actor(context), context.movable(name).path, hot=hot)
    show(f"{moved.old} is now {moved.new}")


@app.command("forget")
def forget_memory(name: Name) -> None:
    """Delete a memory. It is not learned again from what was said before; saying it again may bring it back.

    Git history keeps it: `silt undo` brings it back, `silt purge` removes it from history too.
    Example: silt forget package-manager-pnpm
    """
    with Context() as context:
        stored = context.memory(name)
        files.delete(actor(context), stored.path)
    show(f"forgot {stored.path}")


@app.command("flush")
def flush_edits() -> None:
    """Commit the edits that you made to files by hand, now and as yours.

    Example: silt flush
    """
    with Context() as context:
        settled = files.flush(actor(context))
        context.state.shown.force("flush")
    note(*settled.refused)
    show(*[f"committed {path}" for path in settled.edited] or ["nothing to commit"])


@app.command("rebuild")
def rebuild_derived() -> None:
    """Rebuild the indexes, projects.md, PROTOCOL.md, and what `silt search` and `silt inject` read.

    Example: silt rebuild
    """
    with Context() as context:
        with suppress(GitError):  # the store says so by itself, and the indexes are no memories
            context.store.check_git()
        with progress() as tell:
            made = rebuild(context, anew=True, tell=tell)
    show(
        f"{counted(len(made.files), 'file')} written, {counted(made.searched, 'search entry')} and "
        f"{counted(made.prepared, 'memory')} for `silt inject` changed"
    )
    note(*made.left)


def given(text: str) -> str:
    """A text as it was typed, for `-` the one on standard input. Raises Misuse if it is not UTF-8, or too
    long."""
    if text != "-":
        if text.encode(errors="ignore").decode() != text:
            raise Misuse("the text is not UTF-8; set the terminal to UTF-8, or give it on standard input.")
        return text
    if sys.stdin.isatty():
        note("type the text; Ctrl-D on a line of its own ends it")
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise Misuse(f"standard input holds more than {MAX_BYTES:,} bytes; give less at a time.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Misuse(f"standard input is not UTF-8 in line {line}; save it as UTF-8.") from None
