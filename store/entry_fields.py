"""An entry out of parsed frontmatter, with the defaults of a hand-written note (C4, D14)."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import NoReturn, cast

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
from siltstone.store.entry_form import one_line, trim_body
from siltstone.store.names import Place, is_scope, is_slug, title
from siltstone.store.yaml_head import Node, fail

UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""`created` and `updated` of a file that gives neither dates nor evidence."""

_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})
_NOTHING = frozenset({"", "~", "null"})
_MAX_DIGITS = 9


def read_fields(path: str, where: Place, root: Node | None, body: str) -> Entry:
    """The entry that `root` and `body` say, completed from `where`. Raises EntryError with the line."""
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
        description=one_line(top.text("description") or "") or title(name),
        body=trim_body(body),
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
