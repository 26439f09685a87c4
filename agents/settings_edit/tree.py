"""JSON as people write it (comments, trailing commas), read into values that know where they stand."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

DEEPEST = 100
"""Levels of brackets: no settings file has more, and the stack of this process is finite."""

_TRIVIA = re.compile(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*.*?\*/)*+", re.S)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*+"')
_PLAIN = re.compile(r"-?[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null")


class Unreadable(ValueError):
    """The text is not of its format. `at` is the line, counted from 1."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.at = at


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place: `text[start:end]`."""

    start: int
    end: int
    value: Any
    """Of a scalar its value; else None."""
    children: "tuple[Child, ...] | None" = None
    """Of an object its members, of an array its items; None for a scalar."""
    is_object: bool = False

    def child(self, key: str | int) -> "Node | None":
        """The member or item of that name or number; of members with one name the last, as parsers do."""
        found = [one.node for one in self.children or () if one.key == key]
        return found[-1] if found else None


@dataclass(frozen=True, slots=True)
class Child:
    """A member of an object, or an item of an array with its number for a key."""

    key: str | int
    start: int
    """Where its key begins; of an item its value."""
    node: Node
    comma: int | None
    """Where the comma after it stands; None when there is none."""


def parse(text: str) -> Node:
    """The one value that a text holds; `text` is without a byte order mark. Raises Unreadable."""
    reader = _Reader(text)
    at = reader.skip(0)
    node = reader.value(at, 0)
    rest = reader.skip(node.end)
    if rest != len(text):
        raise reader.unreadable("something stands after the end", rest)
    return node


def plain(node: Node) -> Any:
    """What a parser would give for it: dicts, lists and scalars."""
    if node.children is None:
        return node.value
    if node.is_object:
        return {child.key: plain(child.node) for child in node.children}
    return [plain(child.node) for child in node.children]


def value_at(settings: Any, path: Sequence[str]) -> Any:
    """What settings that are read hold at a path of names; None for nothing."""
    for name in path:
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings


def skip(text: str, at: int) -> int:
    """The first place from `at` on that is neither white space nor a comment."""
    found = _TRIVIA.match(text, at)
    return found.end() if found else at


def line_at(text: str, at: int) -> int:
    """The line that a place is on, counted from 1."""
    return text.count("\n", 0, at) + 1


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def skip(self, at: int) -> int:
        return skip(self._text, at)

    def unreadable(self, what: str, at: int) -> Unreadable:
        return Unreadable(what, line_at(self._text, at))

    def value(self, at: int, depth: int) -> Node:
        opening = self._text[at : at + 1]
        if opening in ("{", "["):
            return self._container(at, depth, opening == "{")
        found = _STRING.match(self._text, at) or _PLAIN.match(self._text, at)
        if found is None:
            raise self.unreadable("a value is missing or not one of JSON", at)
        return Node(at, found.end(), self._scalar(found[0], at))

    def _scalar(self, token: str, at: int) -> Any:
        try:
            return json.loads(token)
        except json.JSONDecodeError:
            raise self.unreadable("a string has an escape that JSON does not know", at) from None
        except ValueError:
            return token  # a number of thousands of digits: ours to keep, not to understand

    def _container(self, at: int, depth: int, is_object: bool) -> Node:
        if depth == DEEPEST:
            raise self.unreadable(f"brackets are nested more than {DEEPEST} deep", at)
        children: list[Child] = []
        here = self.skip(at + 1)
        closing = "}" if is_object else "]"
        while self._text[here : here + 1] != closing:
            if children and children[-1].comma is None:
                raise self.unreadable(f"a comma or {closing} is missing", here)
            child = self._child(here, depth, is_object, len(children))
            children.append(child)
            here = self.skip(child.node.end if child.comma is None else child.comma + 1)
        return Node(at, here + 1, None, tuple(children), is_object)

    def _child(self, at: int, depth: int, is_object: bool, number: int) -> Child:
        key: str | int = number
        here = at
        if is_object:
            found = _STRING.match(self._text, at)
            if found is None:
                raise self.unreadable("a name in double quotes is missing", at)
            key = self._scalar(found[0], at)
            here = self.skip(found.end())
            if self._text[here : here + 1] != ":":
                raise self.unreadable("a colon is missing", here)
            here = self.skip(here + 1)
        node = self.value(here, depth + 1)
        after = self.skip(node.end)
        return Child(key, at, node, after if self._text[after : after + 1] == "," else None)
