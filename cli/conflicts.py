"""`silt conflicts`: what contradicts, both sides, and the user's answer."""

import shlex
import subprocess
from typing import Annotated, Literal

import typer

from siltstone.cli.context import Context
from siltstone.cli.note import note
from siltstone.cli.options import Json
from siltstone.cli.output import emit_json, show
from siltstone.cli.parts import parts, rebuild
from siltstone.pipeline.conflicts import apply_ticks, open_conflicts
from siltstone.store.conflicts import Section, Tick
from siltstone.store.errors import Misuse

ANSWERS: dict[str, Tick] = {"1": 1, "2": 2, "both": "both"}
MAX_NOW = 300
"""Characters shown of what a side says today."""

app = typer.Typer(name="conflicts", invoke_without_command=True)


@app.callback()
def list_conflicts(context: typer.Context, json: Json = False) -> None:
    """Show every contradiction with both sides: when it was said, in which words, in which session.

    The same stands in _CONFLICTS.md, where a tick does what `resolve` does. Example: silt conflicts
    """
    if context.invoked_subcommand is not None:
        return
    with Context() as opened:
        sections = open_conflicts(opened.store)
        # What each side says today, on one line: the quote may be older than an edit by hand.
        paths = sorted({side.path for section in sections for side in section.sides})
        bodies = {stored.path: " ".join(stored.entry.body.split()) for stored in opened.store.read_all(paths)}
    now = {path: bodies.get(path, "")[:MAX_NOW] for path in paths}
    if json:
        told = [
            {"id": section.id, "sides": [side._asdict() | {"now": now[side.path]} for side in section.sides]}
            for section in sections
        ]
        emit_json(told)
        return
    for section in sections:
        show(section.id, style="bold")
        for number, side in enumerate(section.sides, 1):
            show(f'  {number}  {side.day.isoformat()}  "{side.quote}"')
            if now[side.path] not in ("", side.quote):
                show(f"     now: {now[side.path]}")
            show(f"     {side.path}  {side.session}", style="dim")
    if sections:
        show(f"settle one: silt conflicts resolve {sections[0].id} --keep 1|2|both|edit")
    else:
        show("no conflicts")


@app.command("resolve")
def resolve(
    id: Annotated[str, typer.Argument(help="Id of a conflict, as `silt conflicts` shows it.")],
    keep: Annotated[Literal["1", "2", "both", "edit"], typer.Option("--keep", help="The side that is true.")],
) -> None:
    """Settle a contradiction: keep one side, keep both, or edit the files by hand.

    The side that is not kept moves to archive/ with `superseded_by`; `silt undo` brings it back.
    Example: silt conflicts resolve a1cabb87 --keep 2
    """
    with Context() as context:
        sections = {section.id: section for section in open_conflicts(context.store)}
        if id not in sections:
            known = f"open are {', '.join(sections)}" if sections else "no conflict is open"
            raise Misuse(f"there is no conflict {id!r}: {known}.")
        if keep == "edit":
            _edit(context, sections[id])
            return
        settled = apply_ticks(parts(context), {id: ANSWERS[keep]})
        rebuild(context)
    show(*settled.settled)
    note(*settled.left)
    if settled.left:
        raise typer.Exit(1)


def _edit(context: Context, section: Section) -> None:
    """Open both files in the user's editor; what is saved is committed as the user's."""
    paths = [str(context.store.root / side.path) for side in section.sides]
    editor = context.configured.environ.get("VISUAL") or context.configured.environ.get("EDITOR")
    if not editor:
        raise Misuse(f"set EDITOR, or edit {paths[0]} and {paths[1]} yourself and delete what is wrong.")
    code = subprocess.run([*shlex.split(editor), *paths], check=False).returncode
    if code:
        raise Misuse(f"{editor} ended with status {code}; nothing was settled.")
    apply_ticks(parts(context))
    rebuild(context)
    show("saved; delete one of the two files, or tick one in _CONFLICTS.md, to close the conflict")
