"""`silt conflicts`: contradictions, both sides of each, and the user's answer."""

from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Literal

import typer

from siltstone.cli.context import Context
from siltstone.cli.note import note
from siltstone.cli.options import Json
from siltstone.cli.output import emit_json, show, when
from siltstone.cli.parts import parts, rebuild
from siltstone.cli.review import Answer, Item, can_ask, edit_files, go_through
from siltstone.pipeline.conflicts import apply_ticks, open_conflicts
from siltstone.store.conflicts import Section, Tick
from siltstone.store.errors import Misuse

ANSWERS: dict[str, Tick] = {"1": 1, "2": 2, "both": "both"}
MAX_NOW = 300
"""How many characters of a side's current text are shown."""

app = typer.Typer(name="conflicts", invoke_without_command=True)


@app.callback()
def list_conflicts(context: typer.Context, json: Json = False) -> None:
    """Show every contradiction with both sides: when each was said, in what words, in which session.

    On a terminal it asks about them one by one, and each answer can be undone. _CONFLICTS.md lists the same;
    a tick there does what `resolve` does. Example: silt conflicts
    """
    if context.invoked_subcommand is not None:
        return
    with Context() as opened:
        sections = open_conflicts(opened.store)
        if sections and not json and can_ask():
            go_through(opened, [_item(opened, section) for section in sections])
            return
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
    """Settle a contradiction: keep one side, keep both, or edit the files.

    The side that is not kept moves to archive/ with `superseded_by`; `silt undo` brings it back.
    Example: silt conflicts resolve a1cabb87 --keep 2
    """
    with Context() as context:
        sections = {section.id: section for section in open_conflicts(context.store)}
        if id not in sections:
            known = f"these are open: {', '.join(sections)}" if sections else "no conflict is open"
            raise Misuse(f"there is no conflict {id!r}: {known}.")
        if keep == "edit":
            show(_edit(context, sections[id]))
            show("delete one of the two files, or tick one in _CONFLICTS.md, to close the conflict")
            return
        settled = apply_ticks(parts(context), {id: ANSWERS[keep]})
        rebuild(context)
    show(*settled.settled)
    note(*settled.left)
    if settled.left:
        raise typer.Exit(1)


def _item(context: Context, section: Section) -> Item:
    """A conflict to ask about."""
    lines = []
    for number, side in enumerate(section.sides, 1):
        at = datetime(side.day.year, side.day.month, side.day.day, tzinfo=UTC)
        agent = side.session.partition("/")[0]
        said = f"said {when(at)} to {agent}" if agent not in ("", "silt") else f"written by you {when(at)}"
        lines += [(f'  {number}  "{side.quote}"', ""), (f"     {said}, {side.path}", "dim")]

    answers = {
        "1": Answer("keep [1]", partial(settle, context, section.id, 1)),
        "2": Answer("keep [2]", partial(settle, context, section.id, 2)),
        "b": Answer("[b]oth are true", partial(settle, context, section.id, "both")),
        "e": Answer("[e]dit", partial(_edit, context, section)),
    }
    return Item(lines, answers, lambda: section.id in {one.id for one in open_conflicts(context.store)})


def settle(context: Context, id: str, tick: Tick) -> str:
    """Apply the user's answer to one conflict. Returns what was done, in a sentence. Raises Misuse."""
    settled = apply_ticks(parts(context), {id: tick})
    rebuild(context)
    if settled.left:
        raise Misuse("; ".join(settled.left))
    return "; ".join(settled.settled)


def _edit(context: Context, section: Section) -> str:
    return edit_files(context, [side.path for side in section.sides])
