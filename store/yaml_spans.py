"""The YAML between the two `---` of a file: read as a tree whose parts know their place, and edited by it.

Reading uses libyaml's events, not its composer: the composer recurses in C, and a file of 50,000 brackets
would take the process down. Every scalar stays the string that was written (`no` is a word, a date is
text). Anchors, aliases, duplicate and non-text keys are refused. Errors name file and line.

Editing sets and drops keys by their spans and leaves every other byte alone. The result is read back: a
change of any other key is an error, never a silent loss.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NoReturn

import yaml
from yaml import events

from siltstone.store.errors import EntryError

MAX_HEAD = 1_000_000
"""Characters of frontmatter; more is no frontmatter anyone wrote."""
MAX_DEPTH = 16

_OPEN = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSE = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.M)
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FIRST_LINE = 2
"""Of the frontmatter in its file: line 1 is the fence."""


@dataclass(slots=True)
class Node:
    """A scalar, list or mapping. `start` and `end` are offsets into the head; trailing comments and
    blank lines are outside."""

    kind: Literal["scalar", "list", "map"]
    start: int
    end: int
    line: int
    flow: bool = False
    bare: bool = False
    """A scalar without quotes."""
    text: str = ""
    items: list["Node"] = field(default_factory=list)
    fields: dict[str, "Field"] = field(default_factory=dict)
    waiting: "Node | None" = None
    """While reading a mapping: the key whose value comes next."""


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a mapping and its value."""

    key: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Head:
    """A file taken apart: text[start:end] is the YAML, `body` what follows the second fence."""

    start: int
    end: int
    body_start: int
    root: Node | None
    """None when there is no frontmatter or it is empty."""


def read_head(path: str, text: str) -> Head:
    """Take a file apart. `path` is for messages only.

    A file without a first `---` has no frontmatter. Raises EntryError naming file and line.
    """
    opened = _OPEN.match(text)
    if opened is None:
        return Head(0, 0, 0, None)
    closed = _CLOSE.search(text, opened.end())
    if closed is None:
        fail(path, 1, "the frontmatter is never closed; put '---' on a line after it")
    start, end = opened.end(), closed.start()
    if end - start > MAX_HEAD:
        fail(path, 1, f"the frontmatter is longer than {MAX_HEAD:,} characters; shorten it")
    return Head(start, end, closed.end(), _tree(path, text[start:end]))


def fail(path: str, line: int, problem: str) -> NoReturn:
    """Raise the EntryError for `path` at `line` (counted from 1 in the file)."""
    raise EntryError(f"{path}, line {line}: {problem}.")


def _tree(path: str, head: str) -> Node | None:
    try:
        return _build(path, head)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + _FIRST_LINE if mark else _FIRST_LINE
        what = error.problem or "it is no YAML"
        fail(path, line, f"the frontmatter cannot be read ({what}); correct it by hand")
    except (yaml.YAMLError, UnicodeEncodeError):
        fail(path, _FIRST_LINE, "the frontmatter holds a character that YAML forbids; remove it")


def _build(path: str, head: str) -> Node | None:
    root: Node | None = None
    stack: list[Node] = []
    for event in yaml.parse(head, Loader=_LOADER):
        if isinstance(event, events.DocumentStartEvent) and root is not None:
            fail(path, _span(event)[2], "a second document starts here; keep one")
        if isinstance(event, events.CollectionEndEvent):
            done = stack.pop()
            if done.flow:
                done.end = _span(event)[1]
            if stack and not stack[-1].flow:
                stack[-1].end = max(stack[-1].end, done.end)
        elif isinstance(event, events.NodeEvent):
            node = _node(path, event, head)
            if stack:
                _attach(path, stack[-1], node, head)
            else:
                root = node
            if node.kind != "scalar":
                stack.append(node)
                if len(stack) > MAX_DEPTH:
                    fail(path, node.line, f"lists are nested more than {MAX_DEPTH} deep; flatten them")
    if root is not None and root.kind != "map":
        if root.kind == "scalar" and not root.text:
            return None
        fail(path, root.line, "the frontmatter is no list of 'key: value' lines; correct it by hand")
    return root


def _node(path: str, event: events.NodeEvent, head: str) -> Node:
    start, end, line = _span(event)
    if isinstance(event, events.AliasEvent) or event.anchor is not None:
        fail(path, line, "anchors and aliases ('&', '*') are not supported; write the value out")
    if isinstance(event, events.ScalarEvent):
        first = head[start:end][:1]
        if first in ("|", ">"):
            end = start + len(head[start:end].rstrip())
        return Node("scalar", start, end, line, bare=first not in ("'", '"', "|", ">"), text=event.value)
    kind: Literal["list", "map"] = "list" if isinstance(event, events.SequenceStartEvent) else "map"
    flow = end > start and head[end - 1] in "[{"
    return Node(kind, start, end if flow else start, line, flow=flow)


def _span(event: events.Event) -> tuple[int, int, int]:
    """Start and end in the head, and the line in the file."""
    start, end = event.start_mark, event.end_mark
    if start is None or end is None:
        raise yaml.YAMLError("an event without a place")
    return start.index, end.index, start.line + _FIRST_LINE


def _attach(path: str, parent: Node, node: Node, head: str) -> None:
    if parent.kind == "list":
        parent.items.append(node)
    elif parent.waiting is None:
        if node.kind != "scalar":
            fail(path, node.line, "a key is no plain word; correct it by hand")
        if node.text in parent.fields:
            fail(path, node.line, f"the key {node.text[:80]!r} stands twice; keep one")
        parent.waiting = node
    else:
        key, parent.waiting = parent.waiting, None
        if node.kind == "scalar" and node.start == node.end:
            # An empty value has no place of its own: libyaml reports where it gave up looking.
            node.start = node.end = head.find(":", key.end) + 1
        parent.fields[key.text] = Field(key, node)
    if not parent.flow:
        parent.end = max(parent.end, node.end)


Value = str | tuple[str, ...]
"""One line of YAML, or the items of a list, one line each."""


_INLINE = re.compile(r"[^\w./ -]")


@dataclass(frozen=True, slots=True)
class Edit:
    """Set `path` (one or two keys deep) to `value`; None drops it."""

    path: tuple[str, ...]
    value: Value | None


@dataclass(frozen=True, slots=True, order=True)
class _Splice:
    start: int
    end: int
    text: str


def edited(path: str, text: str, edits: Sequence[Edit]) -> str:
    """`text` after `edits`; `path` is for messages. Raises EntryError when it cannot be done cleanly."""
    head = read_head(path, text)
    newline = "\r\n" if "\r\n" in text[: head.body_start] else "\n"
    yaml = text[head.start : head.end]
    if head.root is None:
        yaml += _block([(edit.path, edit.value) for edit in edits if edit.value is not None], newline)
    else:
        yaml = _spliced(yaml, _splices(path, head.root, yaml, edits, newline))
    if head.body_start:
        out = text[: head.start] + yaml + text[head.end :]
    else:
        mark, rest = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
        out = f"{mark}---\n{yaml}---\n{rest}"
    again = read_head(path, out)
    if (
        _rest(again.root, edits) != _rest(head.root, edits)
        or out[again.body_start :] != text[head.body_start :]
    ):
        fail(path, 1, "the frontmatter cannot be changed without touching more of it; edit it by hand")
    return out


def _block(fields: Sequence[tuple[tuple[str, ...], Value]], newline: str) -> str:
    """New lines for fields, those of one parent together."""
    lines = [_line("", keys[0], value, newline) for keys, value in fields if len(keys) == 1]
    parents = dict.fromkeys(keys[0] for keys, _ in fields if len(keys) == 2)
    for parent in parents:
        lines.append(f"{parent}:{newline}")
        lines += [_line("  ", keys[1], value, newline) for keys, value in fields if keys[:-1] == (parent,)]
    return "".join(lines)


def _line(indent: str, key: str, value: Value, newline: str) -> str:
    if isinstance(value, str):
        return f"{indent}{key}: {value}{newline}"
    return f"{indent}{key}:{newline}" + "".join(f"{indent}  - {item}{newline}" for item in value)


def _splices(path: str, root: Node, yaml: str, edits: Sequence[Edit], newline: str) -> list[_Splice]:
    top = [(edit.path[0], edit.value) for edit in edits if len(edit.path) == 1]
    splices = []
    for parent in dict.fromkeys(edit.path[0] for edit in edits if len(edit.path) == 2):
        below = [(edit.path[1], edit.value) for edit in edits if edit.path[:-1] == (parent,)]
        field = root.fields.get(parent)
        if field is not None and field.value.kind == "map":
            splices += _in_map(field.value, yaml, below, newline)
        elif field is None or (field.value.kind == "scalar" and field.value.text in ("", "~", "null")):
            whole = ", ".join(f"{key}: {_inline(value)}" for key, value in below if value is not None)
            if field is None and not root.flow:
                fields = [((parent, key), value) for key, value in below if value is not None]
                splices.append(_after(root, yaml, _block(fields, newline)))
            elif whole:
                top.append((parent, f"{{{whole}}}"))
        else:
            fail(path, field.value.line, f"'{parent}' holds no keys; write them below it, indented")
    return splices + _in_map(root, yaml, top, newline)


def _in_map(node: Node, yaml: str, edits: Iterable[tuple[str, Value | None]], newline: str) -> list[_Splice]:
    splices, added = [], []
    for key, value in edits:
        field = node.fields.get(key)
        if value is None:
            splices += [_drop(node, key, yaml)] if field else []
        elif field is None:
            added.append((key, value))
        else:
            splices.append(_put(field.value, yaml, _inline(value) if node.flow else value, newline))
    if not added:
        return splices
    if node.flow:
        pairs = ", ".join(f"{key}: {_inline(value)}" for key, value in added)
        last = max((field.value.end for field in node.fields.values()), default=None)
        at = node.start + 1 if last is None else last
        return [*splices, _Splice(at, at, pairs if last is None else f", {pairs}")]
    first = next(iter(node.fields.values())).key
    indent = " " * _column(yaml, first.start)
    return [*splices, _after(node, yaml, "".join(_line(indent, k, v, newline) for k, v in added))]


def _put(old: Node, yaml: str, value: Value, newline: str) -> _Splice:
    """A new value in the place of an old one; a block list stays a block list."""
    if old.kind == "list" and not old.flow and isinstance(value, tuple):
        between = newline + " " * _column(yaml, old.start)
        return _Splice(old.start, old.end, between.join(f"- {item}" for item in value))
    space = "" if old.start != old.end else " "
    return _Splice(old.start, old.end, space + _flow(value))


def _drop(node: Node, key: str, yaml: str) -> _Splice:
    """The key's whole lines; inside `{}` the pair and one comma."""
    field = node.fields[key]
    if not node.flow:
        return _Splice(field.key.start - _column(yaml, field.key.start), _line_end(yaml, field.value.end), "")
    keys = list(node.fields)
    place = keys.index(key)
    if place + 1 < len(keys):
        return _Splice(field.key.start, node.fields[keys[place + 1]].key.start, "")
    start = node.fields[keys[place - 1]].value.end if place else field.key.start
    return _Splice(start, field.value.end, "")


def _after(node: Node, yaml: str, lines: str) -> _Splice:
    at = _line_end(yaml, max((field.value.end for field in node.fields.values()), default=node.end))
    return _Splice(at, at, lines)


def _flow(value: Value) -> str:
    return value if isinstance(value, str) else f"[{', '.join(value)}]"


def _inline(value: Value) -> str:
    """A value inside `{}`, where commas and brackets in bare text mean something."""
    one = _flow(value)
    return json.dumps(one, ensure_ascii=False) if one[:1].isalpha() and _INLINE.search(one) else one


def _column(yaml: str, at: int) -> int:
    return at - (yaml.rfind("\n", 0, at) + 1)


def _line_end(yaml: str, at: int) -> int:
    end = yaml.find("\n", at)
    return len(yaml) if end < 0 else end + 1


def _spliced(yaml: str, splices: Iterable[_Splice]) -> str:
    parts, position = [], 0
    for splice in sorted(splices, key=lambda one: (one.start, one.end)):
        parts += [yaml[position : splice.start], splice.text]
        position = max(position, splice.end)
    return "".join(parts) + yaml[position:]


def _rest(root: Node | None, edits: Sequence[Edit]) -> object:
    """Everything the edits do not speak of, as plain values."""
    plain = _plain(root) if root is not None else {}
    touched = {edit.path for edit in edits}
    if not isinstance(plain, dict):
        return plain
    left: dict[str, object] = {}
    for key, value in plain.items():
        if isinstance(value, dict):
            value = {sub: one for sub, one in value.items() if (key, sub) not in touched}
        if (key,) not in touched and not (
            value in ({}, "", "~", "null") and any(key == p[0] for p in touched)
        ):
            left[key] = value
    return left


def _plain(node: Node) -> object:
    if node.kind == "scalar":
        return node.text
    if node.kind == "list":
        return [_plain(item) for item in node.items]
    return {key: _plain(field.value) for key, field in node.fields.items()}
