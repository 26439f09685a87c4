"""Tools and resources that change nothing: read, search, list, tree, history, profile (D6, D11, C32, E18)."""

from siltstone.cli.mcp.arguments import History, List, Profile, Read, Search, Tree
from siltstone.cli.mcp.calls import Call, first_lines
from siltstone.cli.output import commit_line
from siltstone.recall.index import index as index_of
from siltstone.store import files
from siltstone.store.by_name import find_like
from siltstone.store.conflicts import PATH, parse
from siltstone.store.entry import GLOBAL, Entry, Stored
from siltstone.store.errors import Misuse
from siltstone.store.frontmatter import UNDATED
from siltstone.store.history import history as history_of
from siltstone.store.layout import INBOX

MAX_BODY = 300
"""Characters of a found memory's text that stand in the answer; the rest is read on demand."""


def read(call: Call, asked: Read) -> str:
    """D6: path, description, chars, limit, readonly, content."""
    store = call.context.store
    entries = store.resembling(asked.name)
    stored = find_like(entries, asked.name, store.unreadable, call.reach(""))
    file = files.read(call.actor(), stored.path)
    entry = stored.entry
    marks = {
        "readonly": file.readonly,
        "hot": file.hot,
        "archived: no longer true": stored.archived,
        "an agent's own claim, which the user has not accepted": stored.path.startswith(f"{INBOX}/"),
    }
    told = [
        f"path: {file.path}",
        f"description: {file.description}",
        f"chars: {file.chars}/{file.limit}",
        *(mark for mark, holds in marks.items() if holds),
        f"type: {entry.type}{_day(entry, 'from ')}, {entry.origin}",
        *([f"not noted as read, so it cannot be edited: {file.remark}"] if file.remark else []),
    ]
    return "\n".join([*told, "---", file.content])


def search(call: Call, asked: Search) -> str:
    """C32, E18: full-text search, the best first."""
    if not asked.query.strip():
        raise Misuse("the query has no words; give one or two, or call `memory_list`.")
    store = call.context.store
    hits = call.context.search.query(asked.query, call.reach(asked.scope), asked.limit)
    lines = [line for hit in hits for line in _found(store.read(hit.path))]
    return "\n".join(lines or ["nothing found"]) + _left_out(call)


def _found(stored: Stored) -> list[str]:
    entry = stored.entry
    body = " ".join(entry.body.split())
    line = f"{stored.path} ({entry.type}{_day(entry)}) — {entry.description}"
    shown = body if len(body) <= MAX_BODY else f"{body[:MAX_BODY].rstrip()}…"
    return [line] if body == entry.description else [line, f"    {shown}"]


def _day(entry: Entry, before: str = "") -> str:
    """The day of what it tells, behind its type; "" of a file by hand that gives none."""
    return f", {before}{entry.updated:%Y-%m-%d}" if entry.updated > UNDATED else ""


def latest(call: Call, asked: List) -> str:
    """E18: the memories of a scope, the latest first."""
    entries = [one for scope in call.reach(asked.scope) for one in call.context.store.entries(scope)]
    chosen = [one for one in entries if asked.type in ("", one.entry.type)]
    chosen.sort(key=lambda one: one.path)
    chosen.sort(key=lambda one: one.entry.updated, reverse=True)
    lines = [
        f"{one.path} ({one.entry.type}{_day(one.entry)}) — {one.entry.description}"
        for one in chosen[: asked.limit]
    ]
    if len(chosen) > len(lines):
        lines.append(f"… and {len(chosen) - len(lines):,} more: raise limit, or give a type or scope")
    return "\n".join(lines or ["nothing is remembered here yet"]) + _left_out(call)


def tree(call: Call, asked: Tree) -> str:
    """D11: the memories as files."""
    entries = [one for scope in call.reach(asked.scope) for one in call.context.store.entries(scope)]
    levels = min(asked.depth, call.context.configured.settings.max_tree_depth)
    return first_lines(files.tree(entries, levels).lines(), "give a scope or a depth of 1") + _left_out(call)


def history(call: Call, asked: History) -> str:
    """D11: the commits that changed a memory, the newest first."""
    store = call.context.store
    stored = call.meant(store.resembling(asked.name), asked.name)
    return "\n".join(commit_line(one) for one in history_of(store, stored.path, asked.limit))


def profile(call: Call, asked: Profile) -> str:
    """E18: what is known of the user."""
    store = call.context.store
    entries = [one for scope in call.reach("") for one in store.entries(scope)]
    known = files.profile(entries, call.context.configured.settings.max_profile_items)
    lines = [line for one in known for line in _found(one)]
    return "\n".join(lines or ["nothing is known of the user yet"])


def _left_out(call: Call) -> str:
    """What could not be read, for the agent to tell the user of."""
    return "".join(f"\nleft out: {complaint}" for complaint in call.context.store.complaints[:3])


def index(call: Call) -> str:
    """The index of this folder's project, then the global one, as MEMORY.md has them (C7, C8)."""
    sections = parse(call.context.store.text(PATH) or "")
    scopes = [scope for scope in call.reach("") if scope != GLOBAL]
    return "\n".join(index_of(one, call.context.store.entries(one), sections) for one in [*scopes, GLOBAL])


def conflicts(call: Call) -> str:
    return call.context.store.text(PATH) or "There are no conflicts.\n"
