"""Entries as files: read, write, and change in place (docs/store-format.md, C4, C5, D14).

What a file leaves out is filled in as for a hand-written note. `edit` touches only the spans of keys that
differ, so comments, order, quoting and unknown keys survive byte for byte; it proves that by reading the
result back.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NoReturn, TypeVar

from siltstone.store import entry_form
from siltstone.store.entry import (
    DEFAULT_LIMIT,
    GLOBAL,
    IMPORTANCES,
    ORIGINS,
    SOURCES,
    TOPICS,
    TYPES,
    UNDATED,
    Anchor,
    Entry,
    Evidence,
)
from siltstone.store.errors import EntryError
from siltstone.store.names import Place, is_scope, is_slug, place, title
from siltstone.store.yaml_spans import Keys, Node, Value, edited, fail, find_head, read_tree

_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})
_MAX_DIGITS = 9
_MARKER = re.compile(r"^<{7} ", re.MULTILINE)
_INSIDE = re.compile(r"(?![/-]|(?:.*/)?\.{1,2}(?:/|\Z))[^\x00-\x1f\x7f]+")
"""A path in a repository, which no program takes for an option."""
_DIGITS = re.compile(r"[0-9a-f]{0,128}")
_Word = TypeVar("_Word", bound=str)


def parse(path: str, text: str) -> Entry:
    """The entry in a file at `path` (relative to the store).

    Folder and file name give what the file leaves out: scope, type, name, and the description from
    the name (D14). A missing source is "manual", a missing origin "user-said": only people leave them
    out. Missing dates come from the evidence, else UNDATED. Raises EntryError naming file and line.
    """
    where = place(path)
    if where is None:
        fail(path, 1, "a memory cannot be here; move it to global/, projects/<name>/ or inbox/")
    if line := marker_line(text):
        fail(path, line, "has git conflict markers; resolve them by hand")
    head = find_head(path, text)
    top = _Fields(path, read_tree(path, text[head.start : head.end]))
    return _entry(where, top, text[head.body_start :])


def marker_line(text: str) -> int | None:
    """The line of git's conflict markers, from 1; None when there are none."""
    marker = _MARKER.search(text) if "\n>>>>>>> " in text else None
    return None if marker is None else text.count("\n", 0, marker.start()) + 1


def render(entry: Entry, *, inbox: bool = False) -> str:
    """A whole new file. `inbox=True` adds `metadata.scope`, which only files in `inbox/` carry.

    `parse` gives `kept(entry)` back. Raises EntryError for a time without zone.
    """
    fields = "".join(
        f"  {key}: {value}\n"
        if isinstance(value, str)
        else f"  {key}:\n" + "".join(f"    - {item}\n" for item in value)
        for key, value in entry_form.metadata(entry, inbox).items()
    )
    enforced = "enforce: true\n" if entry.enforce else ""
    return (
        f"---\nname: {entry_form.text(entry.name)}\n"
        f"description: {entry_form.text(entry_form.described(entry))}\n"
        f"metadata:\n{fields}limit: {entry.limit}\nreadonly: {str(entry.readonly).lower()}\n"
        f"{enforced}---\n{entry_form.plain_body(entry.body)}\n"
    )


def kept(entry: Entry) -> Entry:
    """What a file can hold of an entry: one-line description, clean body, text that can be encoded."""
    evidence = tuple(Evidence(at, *map(entry_form.whole, texts)) for at, *texts in entry.evidence)
    body = entry_form.plain_body(entry.body)
    return entry._replace(description=entry_form.described(entry), body=body, evidence=evidence)


def edit(text: str, new: Entry, *, inbox: bool = False) -> str:
    """`text`, changed so that it says `new`, and nothing else changed.

    Works on any file that `parse` reads, our own form or a person's; the result is read back and
    must be `kept(new)`. With `inbox=False` a `metadata.scope` left from the inbox goes. Raises
    EntryError when the file cannot be read or cannot be changed without touching more.
    """
    file = f"{new.type}-{new.name}.md"
    path = f"{new.scope}/{file}"
    old = parse(path, text)
    head = find_head(path, text)
    top = _Fields(path, read_tree(path, text[head.start : head.end]))
    scope = top.below("metadata").text("scope")
    if text == (render(old) if scope is None else render(old._replace(scope=scope), inbox=True)):
        return render(new, inbox=inbox)
    new = kept(new)
    out = edited(path, text, _edits(top, old, new, inbox))
    if old.body != new.body:
        fence = out[: find_head(path, out).body_start]
        newline = "\r\n" if "\r\n" in fence else "\n"
        fence += "" if fence.endswith("\n") else newline
        out = fence + new.body.replace("\n", newline) + newline
    if parse(f"inbox/{file}" if inbox else path, out) != new:
        raise EntryError(f"{path} cannot be changed without touching more of it; edit it by hand.")
    return out


def _edits(top: "_Fields", old: Entry, new: Entry, inbox: bool) -> dict[Keys, Value | None]:
    """Keys to set or drop. Name and type are written even where only the file name said them."""
    meta = top.below("metadata")
    edits: dict[Keys, Value | None] = {}
    if old.name != new.name or top.values.get("name") is None:
        edits["name",] = entry_form.text(new.name)
    if old.description != new.description:
        edits["description",] = entry_form.text(new.description)
    if old.limit != new.limit:
        edits["limit",] = str(new.limit)
    if old.readonly != new.readonly:
        edits["readonly",] = str(new.readonly).lower()
    if old.enforce != new.enforce:
        edits["enforce",] = "true" if new.enforce else None
    before, after = entry_form.metadata(old, inbox=False), entry_form.metadata(new, inbox)
    if scope := meta.text("scope"):
        before["scope"] = entry_form.text(scope)
    for key in dict.fromkeys([*after, *before]):
        if before.get(key) != after.get(key) or (key == "type" and meta.text("type") is None):
            edits["metadata", key] = after.get(key)
    return edits


def _entry(where: Place, top: "_Fields", body: str) -> Entry:
    """The entry in frontmatter and body, completed from `where`."""
    meta = top.below("metadata")
    name = top.text("name") or ""
    name = name if is_slug(name) else where.name
    evidence = meta.evidence()
    created, updated = meta.date("created"), meta.date("updated")
    created = created or updated or min((one.at for one in evidence), default=UNDATED)
    scope = where.scope or meta.text("scope") or ""
    if not is_scope(scope):
        meta.refuse("scope", "must say 'global' or 'projects/<name>' in a file of the inbox")
    importances = meta.values.get("importance"), top.values.get("importance")
    return Entry(
        scope=scope,
        name=name,
        type=meta.word("type", TYPES) or where.type or ("user" if scope == GLOBAL else "project"),
        description=entry_form.one_line(top.text("description") or "") or title(name),
        body=entry_form.trim_body(body),
        source=meta.word("source", SOURCES) or "manual",
        origin=meta.word("origin", ORIGINS) or "user-said",
        created=created,
        updated=updated or max((one.at for one in evidence), default=created),
        evidence=evidence,
        topic=meta.word("topic", TOPICS),
        # The key is the user's own: any word but ours means nothing to us.
        importance=next((known for said in importances for known in IMPORTANCES if known == said), None),
        limit=top.number("limit", DEFAULT_LIMIT),
        readonly=top.flag("readonly"),
        enforce=top.flag("enforce"),
        agrees_with=meta.texts("agrees_with"),
        superseded_by=meta.text("superseded_by"),
        superseded_at=meta.date("superseded_at"),
        replaces=meta.text("replaces"),
        anchors=meta.anchors(),
    )


class _Fields:
    """A mapping whose values are asked for by key and kind. None where a key is absent or empty.

    A value of another kind raises EntryError, which names the line of its key, else `line`.
    """

    def __init__(self, path: str, node: Node | None, line: int = 1) -> None:
        self._path = path
        self._nodes = {} if node is None else node.fields
        self._line = line
        self.values: dict[str, Any] = {} if node is None else node.value
        """Text, None for a bare `null` or nothing, lists, and maps of the same."""

    def _line_of(self, key: str) -> int:
        return self._nodes[key][0].line if key in self._nodes else self._line

    def refuse(self, key: str, problem: str) -> NoReturn:
        fail(self._path, self._line_of(key), f"'{key}' {problem}; correct it by hand")

    def text(self, key: str) -> str | None:
        said = self.values.get(key)
        if said is not None and not isinstance(said, str):
            self.refuse(key, "must be text on one line")
        return said

    def word(self, key: str, known: tuple[_Word, ...]) -> _Word | None:
        said = self.text(key)
        found = next((one for one in known if one == said), None)
        if said is not None and found is None:
            self.refuse(key, f"is {said[:40]!r}, which is not one of {', '.join(known)}")
        return found

    def date(self, key: str) -> datetime | None:
        said = self.text(key)
        if said is None:
            return None
        try:
            return entry_form.instant(said)
        except (ValueError, OverflowError):
            self.refuse(key, f"is {said[:40]!r}, which is not a date like 2026-11-20T10:01:58Z")

    def number(self, key: str, default: int) -> int:
        said = self.text(key)
        if said is None:
            return default
        if not (said.isascii() and said.isdigit() and len(said) <= _MAX_DIGITS):
            self.refuse(key, f"is {said[:40]!r}, which is not a whole number")
        return int(said)

    def flag(self, key: str) -> bool:
        said = (self.text(key) or "false").lower()
        if said not in _TRUE | _FALSE:
            self.refuse(key, f"is {said[:40]!r}, which is neither true nor false")
        return said in _TRUE

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        said = self.values.get(key)
        items = said if isinstance(said, list) else [] if said is None else [said]
        texts = tuple(item or "" for item in items if item is None or isinstance(item, str))
        if len(texts) < len(items):
            self.refuse(key, "must be a list of texts")
        return texts

    def below(self, key: str) -> "_Fields":
        said = self.values.get(key)
        if said is not None and not isinstance(said, dict):
            self.refuse(key, "holds no keys: write them below it, indented")
        return _Fields(self._path, None if said is None else self._nodes[key][1], self._line_of(key))

    def maps(self, key: str) -> Iterator["_Fields"]:
        """Each map of a list of them; a single map counts as a list of one."""
        node = None if self.values.get(key) is None else self._nodes[key][1]
        for item in () if node is None else node.items if node.kind == "list" else (node,):
            if item.kind != "map":
                self.refuse(key, "must be a list of '- {…}' lines")
            yield _Fields(self._path, item, item.line)

    def anchors(self) -> tuple[Anchor, ...]:
        found = []
        for one in self.maps("anchors"):
            said = Anchor(**{key: text for key in Anchor._fields if (text := one.text(key)) is not None})
            if not (_INSIDE.fullmatch(said.path) and _DIGITS.fullmatch(said.blob + said.commit)):
                self.refuse("anchors", "holds one that is none of ours")
            found.append(said)
        return tuple(found)

    def evidence(self) -> tuple[Evidence, ...]:
        found = []
        for one in self.maps("evidence"):
            at = one.date("at")
            if at is None:
                one.refuse("at", "is missing; every piece of evidence has a date")
            ids = (one.text(key) or "" for key in ("agent", "session", "message", "quote"))
            found.append(Evidence(at, *ids))
        return tuple(found)
