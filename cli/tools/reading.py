"""Tools that change nothing: read, search, list, tree, history, profile (D6, D11, C32, E18)."""

from collections.abc import Sequence

from siltstone.cli.hands import hand
from siltstone.cli.telling import commit_line
from siltstone.cli.tools.calls import Call, Work, first_lines
from siltstone.cli.tools.offered import History, List, Profile, Read, Search, Tree
from siltstone.store import files
from siltstone.store.by_name import find, find_like
from siltstone.store.entry import Entry, Stored
from siltstone.store.errors import Misuse
from siltstone.store.files import Actor
from siltstone.store.frontmatter import UNDATED
from siltstone.store.history import history as history_of
from siltstone.store.layout import INBOX

MAX_BODY = 300
"""Characters of a found memory's text that stand in the answer; the rest is read on demand."""


def acting(call: Call) -> Actor:
    """The hand of the agent whose session calls: its words are its own claims (invariant 6)."""
    return hand(call.context, str(call.caller.session), call.scopes)


def meant(call: Call, entries: Sequence[Stored], name: str) -> Stored:
    """The memory that is called `name`, here or else anywhere. Raises Misuse and EntryError."""
    return find(entries, name, call.context.store.unreadable, call.reach(""))


def read(call: Call, asked: Read) -> str:
    """D6: path, description, chars, limit, readonly, content."""
    store = call.context.store
    entries = store.resembling(asked.name)
    stored = find_like(entries, asked.name, store.unreadable, call.reach(""))
    file = files.read(acting(call), stored.path)
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
        raise Misuse("there is nothing to look for in that; give a word or two, or call `memory_list`.")
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
    stored = meant(call, store.resembling(asked.name), asked.name)
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


WORK: Work = {
    "memory_read": read,
    "memory_search": search,
    "memory_list": latest,
    "memory_tree": tree,
    "memory_history": history,
    "memory_profile": profile,
}
