"""JSON settings as people write them (comments, trailing commas): values are changed in place, and every
other byte stays as it was: comments, order, indentation, line ends."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

DEEPEST = 100
"""Levels of brackets. No settings file has more, and our stack is finite."""

_TRIVIA = re.compile(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*.*?\*/)*+", re.S)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*+"')
_PLAIN = re.compile(r"-?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null")
_BLANK = " \t\r\n"


class Unreadable(ValueError):
    """The text is not of its format, or not of the shape we need. `line` is counted from 1."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.line = line


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place: `text[start:end]`."""

    start: int
    end: int
    value: Any
    """Of a scalar its value, else None."""
    children: "tuple[Child, ...] | None" = None
    """The members of an object or the items of an array; None for a scalar."""
    is_object: bool = False


@dataclass(frozen=True, slots=True)
class Child:
    """A member of an object, or an item of an array with its number for a key."""

    key: str | int
    start: int
    """Where its key begins; for an item, its value."""
    node: Node
    comma: int | None
    """Where the comma after it stands, if there is one."""


def read(text: str) -> Any:
    """The settings in a text. Raises Unreadable."""
    return _plain(_parse(text))


def value_at(settings: Any, path: Sequence[str]) -> Any:
    """What parsed settings hold at a path of names; None for nothing."""
    for name in path:
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings


def with_value(settings: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """The settings with a value at a path; with None, without what is there."""
    name, *below = path
    inner = with_value(settings.get(name, {}), below, value) if below else value
    left = {key: one for key, one in settings.items() if key != name}
    return left if inner is None else {**left, name: inner}


def pruned(settings: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """The settings without the tables on the path that are empty."""
    while path and value_at(settings, path) == {}:
        settings, path = with_value(settings, path, None), path[:-1]
    return settings


def line_of(text: str, path: Sequence[str]) -> int:
    """The line of the value at a path, or of the nearest value above it. Raises Unreadable."""
    return _line(text, _node(text, path).start)


def changed(text: str, settings: Any) -> str:
    """The text that says `settings` instead of what it says, with as few changes as possible.

    Raises Unreadable.
    """
    made = text if read(text) == settings else _changed(text, (), settings)
    if read(made) != settings:
        raise Unreadable("a name stands there twice; remove one of them", 1)
    return made


def _changed(text: str, path: tuple[str | int, ...], wanted: Any) -> str:
    node = _node(text, path)
    there = _plain(node)
    if isinstance(there, dict) and isinstance(wanted, Mapping):
        for key in [key for key in there if key not in wanted]:
            text = _without(text, path, key)
        for key, value in wanted.items():
            if key in there:
                text = text if there[key] == value else _changed(text, (*path, key), value)
            else:
                text = _appended(text, _node(text, path), value, key)
        return text
    if isinstance(there, list) and isinstance(wanted, list):
        return _changed_list(text, path, there, wanted)
    written = _dumped(wanted, _newline(text), _unit(text), _indent(text, node.start))
    return text[: node.start] + written + text[node.end :]


def _changed_list(text: str, path: tuple[str | int, ...], there: list[Any], wanted: list[Any]) -> str:
    """Items that are gone are dropped; the others are changed in their places, and new ones appended."""
    surplus = len(there) - len(wanted)
    kept = 0
    for item in there:
        if surplus > 0 and (kept == len(wanted) or item != wanted[kept]):
            text = _without(text, path, kept)
            surplus -= 1
        else:
            text = text if item == wanted[kept] else _changed(text, (*path, kept), wanted[kept])
            kept += 1
    for item in wanted[kept:]:
        text = _appended(text, _node(text, path), item, None)
    return text


def _without(text: str, path: tuple[str | int, ...], key: str | int) -> str:
    """The text without the member or item of that key."""
    holder = _node(text, path)
    children = holder.children or ()
    number = max(i for i, child in enumerate(children) if child.key == key)
    child = children[number]
    start = len(text[: child.start].rstrip(_BLANK))
    if child.comma is not None:
        end = child.comma + 1
        if start == child.start:  # there is no break before it, so the one behind it goes
            end = len(text) - len(text[end:].lstrip(" \t"))
        return text[:start] + text[end:]
    if number:
        comma = children[number - 1].comma or 0
        return text[:comma] + text[comma + 1 : start] + text[child.node.end :]
    inner = text[holder.start + 1 : start] + text[child.node.end : holder.end - 1]
    if not inner.strip(_BLANK):
        return text[: holder.start + 1] + text[holder.end - 1 :]
    return text[:start] + text[child.node.end :]


def _appended(text: str, holder: Node, value: Any, key: str | None) -> str:
    """The text with one more child at the end of an object (with a key) or array."""
    children = holder.children or ()
    newline, unit = _newline(text), _unit(text)
    close = holder.end - 1
    at = holder.start + 1
    if children:
        last = children[-1]
        at = last.node.end if last.comma is None else last.comma + 1
    inside = max(at, len(text[: _skip(text, at)].rstrip(_BLANK)))  # behind comments, too
    broken = bool(newline) and (not children or "\n" in text[holder.start : close])
    indent = _indent(text, children[-1].start if children else holder.start)
    if not children or "\n" not in text[holder.start : children[-1].start]:
        indent = _indent(text, holder.start) + unit
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    child = name + _dumped(value, newline if broken else "", unit, indent)
    if broken:
        child = newline + indent + child
    if not children:
        blank = text[inside:close]
        if broken and "\n" not in blank:
            blank = newline + _indent(text, holder.start)
        return text[:inside] + child + blank + text[close:]
    gap = "" if broken else " "
    if last.comma is not None:
        return text[:inside] + gap + child + "," + text[inside:]
    return text[: last.node.end] + "," + text[last.node.end : inside] + gap + child + text[inside:]


def _dumped(value: Any, newline: str, unit: str, indent: str) -> str:
    """JSON of a value that begins on a line with that indent; on one line where `newline` is ""."""
    if not newline:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    return (newline + indent).join(lines)


def _newline(text: str) -> str:
    """How lines end; "" for settings on one line."""
    at = text.find("\n")
    if at < 0:
        return "" if _parse(text).children else "\n"
    return "\r\n" if text[at - 1 : at] == "\r" else "\n"


def _unit(text: str) -> str:
    """What one level is indented by."""
    children = _parse(text).children
    return (_indent(text, children[0].start) if children and "\n" in text else "") or "  "


def _indent(text: str, at: int) -> str:
    """The white space that the line of a place begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _skip(text: str, at: int) -> int:
    """The first place from `at` on that is neither white space nor a comment."""
    found = _TRIVIA.match(text, at)
    return found.end() if found else at


def _node(text: str, path: Sequence[str | int]) -> Node:
    """The value at a path, or the nearest one above it. Of members with one name the last counts, as for
    parsers."""
    node = _parse(text)
    for key in path:
        found = [child.node for child in node.children or () if child.key == key]
        if not found:
            break
        node = found[-1]
    return node


def _plain(node: Node) -> Any:
    """What a parser would give for it."""
    if node.children is None:
        return node.value
    if node.is_object:
        return {child.key: _plain(child.node) for child in node.children}
    return [_plain(child.node) for child in node.children]


def _parse(text: str) -> Node:
    """The one value of a text, which has no byte order mark. Raises Unreadable."""
    node = _value(text, _skip(text, 0), 0)
    rest = _skip(text, node.end)
    if rest != len(text):
        raise Unreadable("something stands after the end", _line(text, rest))
    return node


def _value(text: str, at: int, depth: int) -> Node:
    opening = text[at : at + 1]
    if opening in ("{", "["):
        return _container(text, at, depth, opening == "{")
    found = _STRING.match(text, at) or _PLAIN.match(text, at)
    if found is None:
        raise Unreadable("a value is missing or not one of JSON", _line(text, at))
    return Node(at, found.end(), _scalar(text, found[0], at))


def _scalar(text: str, token: str, at: int) -> Any:
    try:
        return json.loads(token)
    except json.JSONDecodeError:
        raise Unreadable("a string has an escape that JSON does not know", _line(text, at)) from None
    except ValueError:
        return token  # a number of thousands of digits


def _container(text: str, at: int, depth: int, is_object: bool) -> Node:
    if depth == DEEPEST:
        raise Unreadable(f"brackets are nested more than {DEEPEST} deep", _line(text, at))
    children: list[Child] = []
    here = _skip(text, at + 1)
    closing = "}" if is_object else "]"
    while text[here : here + 1] != closing:
        if children and children[-1].comma is None:
            raise Unreadable(f"a comma or {closing} is missing", _line(text, here))
        key: str | int = len(children)
        start = here
        if is_object:
            name = _STRING.match(text, here)
            if name is None:
                raise Unreadable("a name in double quotes is missing", _line(text, here))
            key = _scalar(text, name[0], here)
            here = _skip(text, name.end())
            if text[here : here + 1] != ":":
                raise Unreadable("a colon is missing", _line(text, here))
            here = _skip(text, here + 1)
        node = _value(text, here, depth + 1)
        after = _skip(text, node.end)
        comma = after if text[after : after + 1] == "," else None
        children.append(Child(key, start, node, comma))
        here = after if comma is None else _skip(text, comma + 1)
    return Node(at, here + 1, None, tuple(children), is_object)
