"""Memories and the code they are bound to: stale, confirm."""

import typer

from siltstone.cli.context import Context
from siltstone.cli.note import note
from siltstone.cli.options import Json, Like, ScopeOption
from siltstone.cli.output import as_json, mark, show, show_list
from siltstone.cli.parts import actor
from siltstone.cli.terminal import Row as TableRow
from siltstone.store import files
from siltstone.store.code.status import CodeStatus, Row
from siltstone.store.entry import Anchor, Stored

app = typer.Typer()


@app.command("stale")
def list_stale(scope: ScopeOption = None, json: Json = False) -> None:
    """List memories whose code has changed since they were recorded.

    changed: the file, symbol or lines differ; gone: they no longer exist; elsewhere: recorded on a branch
    that is not merged here; unknown: the project is not on this machine, or git could not be read in time.
    Example: silt stale --scope larkspur
    """
    with Context() as context:
        found = stale_memories(context, context.scope(scope))
        complaints = context.store.complaints
    told, lines, table = [], [], []
    for stored, stale in found:
        why = [why_stale(row) for row in stale]
        rows_told = [{"status": row.status, "file": row.file} | row.anchor._asdict() for row in stale]
        told.append(as_json(stored) | {"stale": rows_told})
        lines += [f"{stored.path} — {stored.entry.description}{mark(stored)}", *(f"    {one}" for one in why)]
        table.append(TableRow(stored.entry.description, ("; ".join(why),), stored.entry.name))
    show_list(json, told, lines, "no memory's code has changed", ("why", "name"), table)
    note(*(f"not compared: {complaint}" for complaint in complaints))


@app.command("confirm")
def confirm_memory(name: Like) -> None:
    """Confirm that a memory is still true: it is bound to the code as it is now.

    Example: silt confirm retry-policy
    """
    with Context() as context:
        show(confirm(context, context.editable(name).path))


def stale_memories(context: Context, scope: str | None = None) -> list[tuple[Stored, list[Row]]]:
    """The memories whose code has changed, each with its anchors that are not fresh."""
    every = context.checked(context.store.entries(scope))
    entries = [one for one in every if one.code not in ("", "fresh")]
    with CodeStatus(context.configured.places.state) as status:
        rows = status.of([one.path for one in entries], context.project_git)
    return [(one, [row for row in rows.get(one.path, ()) if row.status != "fresh"]) for one in entries]


def confirm(context: Context, path: str) -> str:
    """Confirm that a memory still holds. Returns what was done, in a sentence."""
    stored = files.confirm(actor(context), path)
    bound = ", ".join(_what(anchor) for anchor in stored.entry.anchors)
    to = f"bound to {bound}" if bound else "nothing that it names is in its project's code"
    return f"confirmed: {stored.path} ({to})"


def _what(anchor: Anchor) -> str:
    return " ".join(filter(None, (anchor.path, anchor.symbol, f'"{anchor.words}"' if anchor.words else "")))


def why_stale(row: Row) -> str:
    """One sentence about an anchor that is not fresh."""
    anchor = row.anchor
    at = f"{anchor.commit[:8]}{f' on {anchor.branch}' if anchor.branch else ''}"
    moved = f", now {row.file}" if row.file not in ("", anchor.path) else ""
    checked = f", last compared at {row.head[:8]}" if row.status == "unknown" and row.head else ""
    return f"{row.status}: {_what(anchor)}{moved} ({anchor.since} at {at}{checked})"
