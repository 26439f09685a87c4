"""Commands that show what is remembered: show, list, search, tree, profile."""

import sys
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated

import typer

from siltstone.cli.card import show_card
from siltstone.cli.context import Context, now
from siltstone.cli.note import note, printable
from siltstone.cli.options import Json, Like, ScopeOption, SessionOption
from siltstone.cli.output import (
    MEMORY_HEADS,
    as_json,
    emit_json,
    mark,
    memory_row,
    show_list,
    show_memories,
    show_styled,
)
from siltstone.cli.terminal import Row
from siltstone.pipeline.conflicts import open_conflicts
from siltstone.store import files
from siltstone.store.entry import Stored, Type
from siltstone.store.state import Used

UNUSED = Used()

app = typer.Typer()


@app.command("show")
def show_memory(
    name: Like,
    session: SessionOption = None,
    raw: Annotated[bool, typer.Option("--raw", help="Print the file as it is.")] = False,
    json: Json = False,
) -> None:
    """Show one memory in full: what it says, who said it and when, in what words, and what it replaced.

    An agent must read a cold memory before it may edit it; --session records that it has.
    Example: silt show package-manager-pnpm
    """
    with Context() as context:
        (stored,) = context.checked([context.memory_like(name)])
        reader = files.Reader(context.store, lambda: context.state.usage, now, files.Session.of(session))
        if remark := files.read(reader, stored.path).remark:
            note(f"could not record that it was read: {remark}")
        if json:
            emit_json(as_json(stored))
            return
        if raw:
            sys.stdout.write(printable(stored.text))
            return
        old = context.store.entries(stored.entry.scope, archived=True)
        replaced = [one for one in old if one.entry.superseded_by == stored.path]
        conflicts = open_conflicts(context.store)
    among = [one for one in conflicts if stored.path in {side.path for side in one.sides}]
    show_card(stored, among, replaced)


@app.command("list")
def list_memories(
    scope: ScopeOption = None,
    type: Annotated[Type | None, typer.Option("--type", help="Only memories of this type.")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Superseded and merged ones too.")] = False,
    usage: Annotated[
        bool, typer.Option("--usage", help="How often each was shown, opened and cited.")
    ] = False,
    json: Json = False,
) -> None:
    """List what is remembered, one memory a line, by scope.

    Example: silt list --scope larkspur --type decision
    """
    with Context() as context:
        entries = context.store.entries(context.scope(scope), archived=archived)
        chosen = context.checked([stored for stored in entries if type in (None, stored.entry.type)])
        is_empty = not chosen and not any(context.store.counts().values())
        complaints = context.store.complaints
        used = context.state.usage.all() if usage else None
        conflicting = {side.path for one in open_conflicts(context.store) for side in one.sides}
    told = [as_json(stored) for stored in chosen]
    if used is not None:
        told = [one | {"usage": used.get(one["path"], UNUSED)._asdict()} for one in told]
    nothing = "no memories yet: `silt run` reads your agents' sessions"
    of_type, where = f" of type {type}" if type else "", f" in {scope}" if scope else ""
    nothing = nothing if is_empty else f"there is no memory{of_type}{where}"
    if chosen or json or not complaints:
        show_list(json, told, *_by_scope(chosen, used, conflicting, nothing))
    note(*complaints)


def _by_scope(
    chosen: list[Stored], used: Mapping[str, Used] | None, conflicting: Collection[str], nothing: str
) -> tuple[list[str], str, Sequence[str], list[Row]]:
    """What `show_list` shows of memories under the headings of their scopes."""
    lines, rows = list[str](), list[Row]()
    scope = None
    for stored in chosen:
        if stored.entry.scope != scope:
            scope = stored.entry.scope
            lines.append(scope)
            rows.append(Row(scope.removeprefix("projects/"), style="bold"))
        kind = "archived " if stored.archived else "pinned " if stored.pinned else ""
        about = f"{stored.entry.description}{mark(stored)}"
        lines.append(f"  {stored.path.removeprefix(scope + '/')}  {kind}— {about}")
        row, use = memory_row(stored, conflicting), ""
        if used is not None:
            counts = used.get(stored.path, UNUSED)
            lines.append(f"    shown {counts.shown}, opened {counts.opened}, cited {counts.cited}")
            times = {"shown": counts.shown, "opened": counts.opened, "cited": counts.cited}
            use = ", ".join(f"{word} {n}" for word, n in times.items() if n) or "never shown"
        rows.append(row._replace(about=(*row.about, use)))
    return lines, nothing, (*MEMORY_HEADS[:-1], "use", MEMORY_HEADS[-1]), rows


@app.command("search")
def search_memories(
    query: Annotated[
        list[str], typer.Argument(help="Words to search for; identifiers and CJK text work too.")
    ],
    scope: ScopeOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200, help="How many at most.")] = 10,
    json: Json = False,
) -> None:
    """Find memories by their words, best match first: those with all words, then those with the rarest.

    Example: silt search postgres upgrade
    """
    text = " ".join(query)
    with Context() as context:
        folder = context.scope(scope)
        found = context.found(text, None if folder is None else [folder], limit)
        complaints = context.store.complaints
        conflicting = {side.path for one in open_conflicts(context.store) for side in one.sides}
    show_memories(found, json, f"nothing found for {text!r}", conflicting)
    note(*(f"not searched: {complaint}" for complaint in complaints))


@app.command("tree")
def show_tree(
    scope: ScopeOption = None,
    json: Json = False,
) -> None:
    """Show the memories as files: path, characters used and allowed, description.

    Example: silt tree --scope larkspur
    """
    with Context() as context:
        depth = context.configured.settings.max_tree_depth
        tree = files.tree(context.checked(context.store.entries(context.scope(scope))), depth)
        complaints = context.store.complaints
    if json:
        told = [
            {key: value for key, value in file._asdict().items() if key != "remark"} for file in tree.files
        ]
        emit_json({"files": told, "folded": dict(tree.folded)})
        return
    show_styled(((line, "") for line in tree.lines()), paged=True)
    note(*complaints)


@app.command("profile")
def show_profile(scope: ScopeOption = None, json: Json = False) -> None:
    """Show what is known about you: memories of type user, hot ones first, then the latest.

    Example: silt profile
    """
    with Context() as context:
        entries = context.store.entries(context.scope(scope))
        known = files.profile(entries, context.configured.settings.max_profile_items)
    nothing = "nothing is known about you yet: `silt remember` with --type user saves a fact"
    show_memories(known, json, nothing)
