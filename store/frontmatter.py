"""Entries as files: read, write, and change in place (docs/store-format.md, C4, C5, D14).

A file in exactly our own form is read by `entry_form.quick`; any other by YAML, with the defaults of
a hand-written note. `edit` touches only the spans of keys that differ, so comments, order, quoting
and unknown keys survive byte for byte; it proves that by reading the result back.
"""

import re
from dataclasses import replace
from datetime import UTC

from siltstone.store import entry_form
from siltstone.store.entry import Entry, Evidence
from siltstone.store.entry_fields import UNDATED, read_fields
from siltstone.store.errors import EntryError
from siltstone.store.names import place
from siltstone.store.yaml_edit import Edit, edited
from siltstone.store.yaml_head import fail, read_head

__all__ = ["UNDATED", "edit", "kept", "parse", "render"]

_MERGE = tuple(re.compile(rf"^{mark * 7}(?: |\r?$)", re.M) for mark in "<=>")


def parse(path: str, text: str) -> Entry:
    """The entry in a file at `path` (relative to the store).

    Folder and file name give what the file leaves out: scope, type, name, and the description from
    the name (D14). A missing source is "manual", a missing origin "user-said": only hands leave them
    out. Missing dates come from the evidence, else UNDATED. Raises EntryError naming file and line.
    """
    where = place(path)
    if where is None:
        fail(path, 1, "no memory can stand here; move it to global/, projects/<name>/ or inbox/")
    quick = entry_form.quick(where.scope, text)
    if quick is not None:
        return quick
    if all(mark.search(text) for mark in _MERGE):
        line = text[: text.index("<<<<<<<")].count("\n") + 1
        fail(path, line, "git left conflict markers here; resolve them and commit")
    head = read_head(path, text)
    return read_fields(path, where, head.root, text[head.body_start :])


def render(entry: Entry, *, inbox: bool = False) -> str:
    """A whole new file. `inbox=True` adds `metadata.scope`, which only files in `inbox/` carry.

    `parse` gives `kept(entry)` back. Raises EntryError for a time without zone.
    """
    return entry_form.write(entry, inbox)


def kept(entry: Entry) -> Entry:
    """What a file can hold of an entry: one-line description, clean body, times in UTC."""
    return replace(
        entry,
        description=entry_form.described(entry),
        body=entry_form.plain_body(entry.body),
        created=entry.created.astimezone(UTC),
        updated=entry.updated.astimezone(UTC),
        superseded_at=entry.superseded_at and entry.superseded_at.astimezone(UTC),
        evidence=tuple(_whole(one) for one in entry.evidence),
    )


def edit(text: str, new: Entry, *, inbox: bool = False) -> str:
    """`text`, changed so that it says `new`, and nothing else changed.

    Works on any file that `parse` reads, our own form or a person's; the result is read back and
    must be `kept(new)`. With `inbox=False` a `metadata.scope` left from the inbox goes. Raises
    EntryError when the file cannot be read or cannot be changed without touching more.
    """
    file = f"{new.type}-{new.name}.md"
    path = f"{new.scope}/{file}"
    if _is_ours(new.scope, text):
        return entry_form.write(new, inbox)
    old, new = parse(path, text), kept(new)
    out = edited(path, text, _edits(path, text, old, new, inbox))
    if old.body != new.body:
        out = _with_body(path, out, new.body)
    if parse(f"inbox/{file}" if inbox else path, out) != new:
        raise EntryError(f"{path} cannot be changed without touching more of it; edit it by hand.")
    return out


def _is_ours(scope: str, text: str) -> bool:
    """Whether the file stands exactly as we write it, in a folder or in the inbox."""
    here, waiting = entry_form.quick(scope, text), entry_form.quick(None, text)
    return (here is not None and entry_form.write(here, inbox=False) == text) or (
        waiting is not None and entry_form.write(waiting, inbox=True) == text
    )


def _edits(path: str, text: str, old: Entry, new: Entry, inbox: bool) -> list[Edit]:
    """Keys to set or drop. Name and type are written even where only the file name said them."""
    root = read_head(path, text).root
    top = root.fields if root is not None else {}
    meta = top["metadata"].value.fields if "metadata" in top else {}
    edits = [
        Edit((key,), value)
        for key, value, differs in (
            ("name", entry_form.text(new.name), old.name != new.name or "name" not in top),
            ("description", entry_form.text(new.description), old.description != new.description),
            ("limit", str(new.limit), old.limit != new.limit),
            ("readonly", entry_form.flag(new.readonly), old.readonly != new.readonly),
        )
        if differs
    ]
    before, after = entry_form.metadata(old, inbox=False), entry_form.metadata(new, inbox)
    if "scope" in meta:
        before["scope"] = entry_form.text(meta["scope"].value.text)
    for key in dict.fromkeys([*after, *before]):
        if before.get(key) != after.get(key) or (key == "type" and key not in meta):
            edits.append(Edit(("metadata", key), after.get(key)))
    return edits


def _with_body(path: str, text: str, body: str) -> str:
    head = read_head(path, text)
    newline = "\r\n" if "\r\n" in text[: head.body_start] else "\n"
    fence = text[: head.body_start]
    fence += "" if fence.endswith("\n") else newline
    return fence + body.replace("\n", newline) + newline


def _whole(one: Evidence) -> Evidence:
    texts = (entry_form.whole(value) for value in (one.agent, one.session, one.message, one.quote))
    return Evidence(one.at.astimezone(UTC), *texts)
