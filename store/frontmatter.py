"""Entries as files: read, write, and change in place (docs/store-format.md, C4, C5, D14).

A file in exactly our own form is read by `entry_form.quick`; any other by YAML, with the defaults of
a hand-written note. `edit` touches only the spans of keys that differ, so comments, order, quoting
and unknown keys survive byte for byte; it proves that by reading the result back.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from typing import NoReturn, cast

from siltstone.store import entry_form
from siltstone.store.entry import (
    DEFAULT_LIMIT,
    GLOBAL,
    IMPORTANCES,
    ORIGINS,
    SOURCES,
    TOPICS,
    TYPES,
    Entry,
    Evidence,
    Importance,
    Origin,
    Source,
    Topic,
    Type,
)
from siltstone.store.errors import EntryError
from siltstone.store.names import Place, is_scope, is_slug, place, title
from siltstone.store.yaml_spans import Edit, Node, edited, fail, read_head

UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""`created` and `updated` of a file that gives neither dates nor evidence."""

_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})
_NOTHING = frozenset({"", "~", "null"})
_MAX_DIGITS = 9
_MERGE = tuple(re.compile(rf"^{mark * 7}(?: |\r?$)", re.M) for mark in "<=>")


def parse(path: str, text: str) -> Entry:
    """The entry in a file at `path` (relative to the store).

    Folder and file name give what the file leaves out: scope, type, name, and the description from
    the name (D14). A missing source is "manual", a missing origin "user-said": only people leave them
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
    return from_yaml(path, where, head.root, text[head.body_start :])


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


def from_yaml(path: str, where: Place, root: Node | None, body: str) -> Entry:
    """The entry in parsed frontmatter and body, completed from `where`. Raises EntryError with the line."""
    top = _Fields(path, root)
    meta = top.below("metadata")
    name = top.text("name") or ""
    name = name if is_slug(name) else where.name
    evidence = tuple(one.evidence() for one in meta.maps("evidence"))
    created, updated = meta.date("created"), meta.date("updated")
    created = created or updated or min((one.at for one in evidence), default=UNDATED)
    scope = where.scope or meta.scope()
    return Entry(
        scope=scope,
        name=name,
        type=cast(Type, meta.word("type", TYPES) or where.type or ("user" if scope == GLOBAL else "project")),
        description=entry_form.one_line(top.text("description") or "") or title(name),
        body=entry_form.trim_body(body),
        source=cast(Source, meta.word("source", SOURCES) or "manual"),
        origin=cast(Origin, meta.word("origin", ORIGINS) or "user-said"),
        created=created,
        updated=updated or max((one.at for one in evidence), default=created),
        evidence=evidence,
        topic=cast(Topic | None, meta.word("topic", TOPICS)),
        importance=meta.importance() or top.importance(),
        limit=top.number("limit", DEFAULT_LIMIT),
        readonly=top.flag("readonly"),
        agrees_with=meta.texts("agrees_with"),
        superseded_by=meta.text("superseded_by"),
        superseded_at=meta.date("superseded_at"),
        replaces=meta.text("replaces"),
    )


class _Fields:
    """A mapping whose values are asked for by key and kind; a wrong kind is named with its line."""

    def __init__(self, path: str, node: Node | None) -> None:
        self.path = path
        self.node = node

    def text(self, key: str) -> str | None:
        """None where the key is absent or empty."""
        node = self._get(key)
        if node is None:
            return None
        if node.kind != "scalar":
            fail(self.path, node.line, f"'{key}' is no text; write it on one line")
        return node.text

    def word(self, key: str, known: Collection[str]) -> str | None:
        said = self.text(key)
        if said is not None and said not in known:
            self._fail(key, f"is {said[:40]!r}, which is none of {', '.join(known)}")
        return said

    def date(self, key: str) -> datetime | None:
        said = self.text(key)
        if said is None:
            return None
        try:
            at = datetime.fromisoformat(said)
            return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        except (ValueError, OverflowError):
            self._fail(key, f"is {said[:40]!r}, which is no date like 2026-11-20T10:01:58Z")

    def number(self, key: str, default: int) -> int:
        said = self.text(key)
        if said is None:
            return default
        if not (said.isascii() and said.isdigit() and len(said) <= _MAX_DIGITS):
            self._fail(key, f"is {said[:40]!r}, which is no whole number")
        return int(said)

    def flag(self, key: str) -> bool:
        said = (self.text(key) or "false").lower()
        if said not in _TRUE | _FALSE:
            self._fail(key, f"is {said[:40]!r}, which is neither true nor false")
        return said in _TRUE

    def scope(self) -> str:
        said = self.text("scope") or ""
        if not is_scope(said):
            self._fail("scope", "must say 'global' or 'projects/<name>' in a file of the inbox")
        return said

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        node = self._get(key)
        if node is None:
            return ()
        items = node.items if node.kind == "list" else [node]
        if any(item.kind != "scalar" for item in items):
            fail(self.path, node.line, f"'{key}' is no list of texts; correct it by hand")
        return tuple(item.text for item in items)

    def importance(self) -> Importance | None:
        """None for anything but a word we know: the key is the user's own."""
        node = self._get("importance")
        return next((one for one in IMPORTANCES if node is not None and node.text == one), None)

    def below(self, key: str) -> "_Fields":
        node = self._get(key)
        if node is not None and node.kind != "map":
            fail(self.path, node.line, f"'{key}' holds no keys; write them below it, indented")
        return _Fields(self.path, node)

    def maps(self, key: str) -> "list[_Fields]":
        node = self._get(key)
        if node is None:
            return []
        if node.kind != "list" or any(item.kind != "map" for item in node.items):
            fail(self.path, node.line, f"'{key}' is no list of '- {{…}}' lines; correct it by hand")
        return [_Fields(self.path, item) for item in node.items]

    def evidence(self) -> Evidence:
        at = self.date("at")
        if at is None:
            self._fail("at", "is missing; every piece of evidence has a date")
        return Evidence(at, *((self.text(key) or "") for key in ("agent", "session", "message", "quote")))

    def _get(self, key: str) -> Node | None:
        field = self.node.fields.get(key) if self.node is not None else None
        if field is None or (
            field.value.kind == "scalar" and field.value.bare and field.value.text in _NOTHING
        ):
            return None
        return field.value

    def _fail(self, key: str, problem: str) -> NoReturn:
        field = self.node.fields.get(key) if self.node is not None else None
        line = field.key.line if field is not None else self.node.line if self.node is not None else 1
        fail(self.path, line, f"'{key}' {problem}; correct it by hand")
