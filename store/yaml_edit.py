"""Set and drop keys of a file's frontmatter by their spans, leaving every other byte alone.

Values come in written out (one line of YAML each); a list comes as its items. The result is read
back: a key that was not to change and did is an error, never a silent loss.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from siltstone.store.yaml_head import Node, fail, read_head

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
