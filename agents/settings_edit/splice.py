"""Single changes to a JSON text, everything else byte for byte as it was: comments, order, white space."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siltstone.agents.settings_edit.tree import Child, Node, Unreadable, line_at, parse, plain, skip

Path = Sequence[str | int]
_BLANK = " \t\r\n"


def get(text: str, path: Path) -> Node | None:
    """The value at a path of names and numbers; None when there is none. Raises Unreadable."""
    node: Node | None = parse(text)
    for key in path:
        node = node.child(key) if node else None
    return node


def put(text: str, path: Path, value: Any) -> str:
    """The text with `value` at the path: in the place of what is there, else as the last member of its
    object. Objects on the way are made.

    Raises Unreadable, also where something on the way is no object.
    """
    there = get(text, path)
    if there is not None:
        written = _Style.of(text).written(value, _indent_of(text, there.start))
        return text[: there.start] + written + text[there.end :]
    holder, left = _way(text, path)
    for key in reversed(left[1:]):
        value = {key: value}
    return _appended(text, holder, value, str(left[0]))


def renewed_in(text: str, path: Path, values: Mapping[str, Any]) -> str:
    """The text in which the object at the path says all that `values` says; what else it holds stays, at any
    depth. Raises Unreadable."""
    for key, value in values.items():
        here = [*path, key]
        there = get(text, here)
        if there is not None and there.is_object and isinstance(value, Mapping):
            text = renewed_in(text, here, value)
        elif there is None or plain(there) != value:
            text = put(text, here, value)
    return text


def add(text: str, path: Path, value: Any) -> str:
    """The text with `value` as the last item of the array at the path, which is made when missing.

    Raises Unreadable, also where something is neither object nor array as the path wants.
    """
    there = get(text, path)
    if there is None:
        return put(text, path, [value])
    if there.children is None or there.is_object:
        raise Unreadable(f"{_told(path)} is no list", line_at(text, there.start))
    return _appended(text, there, value, None)


def drop(text: str, path: Path) -> str:
    """The text without the member or item at the path, which is there. Raises Unreadable, KeyError."""
    holder = get(text, path[:-1])
    if holder is None or not holder.children:
        raise KeyError(_told(path))
    children = holder.children
    number = max(i for i, child in enumerate(children) if child.key == path[-1])
    child = children[number]
    start = len(text[: child.start].rstrip(_BLANK))
    if child.comma is not None:
        end = child.comma + 1
        if start == child.start:  # written without a break: what parted it from the next goes along
            end = len(text) - len(text[end:].lstrip(" \t"))
        return text[:start] + text[end:]
    if number:
        comma = children[number - 1].comma or 0
        return text[:comma] + text[comma + 1 : start] + text[child.node.end :]
    left = text[:start] + text[child.node.end :]
    inner = text[holder.start + 1 : start] + text[child.node.end : holder.end - 1]
    if not inner.strip(_BLANK):
        left = text[: holder.start + 1] + text[holder.end - 1 :]
    return left


@dataclass(frozen=True, slots=True)
class _Style:
    """How a text is laid out."""

    newline: str
    """Line end; "" for a text on one line."""
    unit: str
    """What one level is indented by."""

    @classmethod
    def of(cls, text: str) -> "_Style":
        at = text.find("\n")
        if at < 0:
            bare = not parse(text).children
            return cls("\n" if bare else "", "  ")
        newline = "\r\n" if text[at - 1 : at] == "\r" else "\n"
        first: tuple[Child, ...] = parse(text).children or ()
        unit = _indent_of(text, first[0].start) if first else ""
        return cls(newline, unit or "  ")

    def written(self, value: Any, indent: str) -> str:
        """JSON of a value that begins on a line with that indent."""
        if not self.newline:
            return json.dumps(value, ensure_ascii=False)
        told = json.dumps(value, ensure_ascii=False, indent=self.unit)
        return told.replace("\n", self.newline + indent)


def _way(text: str, path: Path) -> tuple[Node, Path]:
    """The deepest object on the way to a path, and the names that are missing from there on."""
    node = parse(text)
    for number, key in enumerate(path):
        if not node.is_object:
            raise Unreadable(f"{_told(path[:number])} is no object", line_at(text, node.start))
        below = node.child(key)
        if below is None:
            return node, path[number:]
        node = below
    raise AssertionError("the path is there")


def _appended(text: str, holder: Node, value: Any, key: str | None) -> str:
    """The text with one more child at the end of an object (with a key) or array."""
    style = _Style.of(text)
    children = holder.children or ()
    close = holder.end - 1
    inside = _content_end(text, holder)
    broken = bool(style.newline) and (not children or "\n" in text[holder.start : close])
    indent = _indent_of(text, children[-1].start if children else holder.start)
    if not children or "\n" not in text[holder.start : children[-1].start]:
        indent = _indent_of(text, holder.start) + style.unit
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    if not broken:
        style = _Style("", style.unit)
    child = (style.newline + indent if broken else "") + name + style.written(value, indent)
    if not children:
        blank = text[inside:close]
        if broken and "\n" not in blank:
            blank = style.newline + _indent_of(text, holder.start)
        return text[:inside] + child + blank + text[close:]
    last = children[-1]
    gap = "" if broken else " "
    if last.comma is not None:
        return text[:inside] + gap + child + "," + text[inside:]
    return text[: last.node.end] + "," + text[last.node.end : inside] + gap + child + text[inside:]


def _content_end(text: str, holder: Node) -> int:
    """Where what stands in a container ends: after its last child, comma or comment."""
    at = holder.start + 1
    if holder.children:
        last = holder.children[-1]
        at = last.node.end if last.comma is None else last.comma + 1
    end = skip(text, at)
    return max(at, len(text[:end].rstrip(_BLANK)))


def _indent_of(text: str, at: int) -> str:
    """The white space that the line of a place begins with."""
    begin = text.rfind("\n", 0, at) + 1
    line = text[begin:at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _told(path: Path) -> str:
    return ".".join(map(str, path)) or "the whole"
