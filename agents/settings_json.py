"""JSON settings as people write them (comments, trailing commas): values are changed in place, and every
other byte stays as it was: comments, order, indentation, line ends."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*+")|//[^\r\n]*+|/\*.*?\*/', re.S)
_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=[ \t\r\n]*+[\]}])', re.S)
_SPACE = re.compile(r"[ \t\r\n]*+")
_BLANK = " \t\r\n"

Path = Sequence[str | int]
"""Names of members and numbers of items, from the whole inwards."""


class Unreadable(ValueError):
    """The text is not of its format, or not of the shape we need. `line` is counted from 1."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.line = line


def read(text: str, strict: bool = False) -> Any:
    """The settings in a text; `strict`: without comments and trailing commas. Raises Unreadable."""
    source = _Source(text)
    if strict and source.strict != text:
        at = next(n for n, (one, other) in enumerate(zip(text, source.strict, strict=True)) if one != other)
        raise Unreadable("a comment or a trailing comma, which the agent cannot read", _line(text, at))
    return source.settings


def value_at(settings: Any, path: Path) -> Any:
    """What parsed settings hold at a path; None for nothing."""
    for key in path:
        if isinstance(settings, dict):
            settings = settings.get(key)
        elif isinstance(settings, list) and isinstance(key, int) and key < len(settings):
            settings = settings[key]
        else:
            return None
    return settings


def line_of(text: str, path: Path) -> int:
    """The line of the value at a path, or of the nearest value above it. Raises Unreadable."""
    return _line(text, _Source(text).place(path)[0])


def put(text: str, path: Path, value: Any) -> str:
    """The text with a value at a path, with as few changes as possible; the number behind the last item of a
    list appends to it. Raises Unreadable."""
    source = _Source(text)
    start, end, depth = source.place(path)
    there = _DECODER.raw_decode(source.strict, start)[0]
    if depth < len(path):
        holder, kind = (list, "a list") if isinstance(path[depth], int) else (dict, "an object")
        if not isinstance(there, holder):
            what = ".".join(map(str, path[:depth])) or "the file"
            raise Unreadable(f"{what} must be {kind}", _line(text, start))
        for key in reversed(path[depth + 1 :]):
            value = [value] if isinstance(key, int) else {key: value}
        return _appended(source, start, end, value, path[depth])
    if isinstance(there, dict) and isinstance(value, Mapping):
        for key, one in value.items():
            if key not in there or there[key] != one:
                text = put(text, (*path, key), one)
        return text
    if there == value:
        return text
    return text[:start] + source.dumped(value, source.newline, source.indent(start)) + text[end:]


def drop(text: str, path: Path) -> str:
    """The text without the member or item at a path. Raises Unreadable."""
    source = _Source(text)
    if value_at(source.settings, path) is None:
        return text
    start, end, _ = source.place(path[:-1])
    children = source.children(start)
    number = max(n for n, child in enumerate(children) if child.key == path[-1])
    if [child.key for child in children].count(path[-1]) > 1:
        raise Unreadable("a name occurs twice; remove one of them", _line(text, children[number].start))
    child = children[number]
    begin = len(text[: child.start].rstrip(_BLANK))
    if child.comma is not None:
        after = child.comma + 1
        if begin == child.start:  # there is no break before it, so the one behind it goes
            after = len(text) - len(text[after:].lstrip(" \t"))
        return text[:begin] + text[after:]
    if number:
        comma = children[number - 1].comma or 0
        return text[:comma] + text[comma + 1 : begin] + text[child.end :]
    inner = text[start + 1 : begin] + text[child.end : end - 1]
    if not inner.strip(_BLANK):
        return text[: start + 1] + text[end - 1 :]
    return text[:begin] + text[child.end :]


def take(text: str, path: Path) -> str:
    """The text without the value at a path, and what only that filled. Raises Unreadable."""
    return text if value_at(read(text), path) is None else drop_empty(drop(text, path), path[:-1])


def drop_empty(text: str, path: Path) -> str:
    """The text without the objects and lists on a path that are empty, from its end on. Raises Unreadable."""
    while path and value_at(read(text), path) in ({}, []):
        text, path = drop(text, path), path[:-1]
    return text


def _appended(source: "_Source", start: int, end: int, value: Any, key: str | int) -> str:
    """The text with one more child at the end of the object or array in a place."""
    text, children = source.text, source.children(start)
    last = children[-1] if children else None
    close, at = end - 1, start + 1
    if last:
        at = last.end if last.comma is None else last.comma + 1
    inside = max(at, len(text[: source.skip(at)].rstrip(_BLANK)))  # behind comments, too
    broken = bool(source.newline) and (not children or "\n" in text[start:close])
    if last and "\n" in text[start : last.start]:
        indent = source.indent(last.start)
    else:
        indent = source.indent(start) + source.unit
    child = source.dumped(value, source.newline if broken else "", indent)
    if isinstance(key, str):
        child = json.dumps(key, ensure_ascii=False) + ": " + child
    if broken:
        child = source.newline + indent + child
    if last is None:
        blank = text[inside:close]
        if broken and "\n" not in blank:
            blank = source.newline + source.indent(start)
        return text[:inside] + child + blank + text[close:]
    gap = "" if broken else " "
    if last.comma is not None:
        return text[:inside] + gap + child + "," + text[inside:]
    return text[: last.end] + "," + text[last.end : inside] + gap + child + text[inside:]


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _blanked(found: re.Match[str]) -> str:
    """White space of the same length and lines; a string stays."""
    return found[1] or re.sub(r"[^\r\n]", " ", found[0])


_DECODER = json.JSONDecoder()


class _Child(NamedTuple):
    """A member of an object, or an item of an array with its number for a key."""

    key: str | int
    start: int
    """Where its key begins; for an item, its value."""
    at: int
    """Where its value begins …"""
    end: int
    """… and ends."""
    comma: int | None
    """Where the comma after it stands, if there is one."""


class _Source:
    """A text, its settings, and how it is laid out. Raises Unreadable."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.bare = _COMMENT.sub(_blanked, text)
        """With spaces for comments …"""
        self.strict = _TRAILING.sub(_blanked, self.bare)
        """… and for trailing commas: places are the same in all three."""
        try:
            self.settings = _DECODER.decode(self.strict)
        except json.JSONDecodeError as error:
            raise Unreadable(error.msg[0].lower() + error.msg[1:], error.lineno) from None
        except ValueError as error:  # a number without end
            raise Unreadable(str(error), 1) from None
        except RecursionError:
            raise Unreadable("brackets are nested too deep", 1) from None
        whole = self.skip(0)
        top = self.children(whole) if isinstance(self.settings, (dict, list)) else []
        at = text.find("\n")
        self.newline = "\r\n" if text[at - 1 : at + 1] == "\r\n" else "\n" if at >= 0 or not top else ""
        """How lines end; "" for settings on one line."""
        self.unit = (self.indent(top[0].start) if top and at >= 0 else "") or "  "
        """What one level is indented by."""

    def skip(self, at: int) -> int:
        """The first place from `at` on that is neither white space nor a comment."""
        found = _SPACE.match(self.bare, at)
        return found.end() if found else at

    def children(self, at: int) -> list[_Child]:
        """What the object or array that begins there holds."""
        found: list[_Child] = []
        here = self.skip(at + 1)
        while self.bare[here] not in "]},":  # `[,]` is empty, with a trailing comma
            start, key = here, len(found)
            if self.bare[at] == "{":
                key, here = _DECODER.raw_decode(self.strict, here)
                here = self.skip(self.skip(here) + 1)  # behind the colon
            end = _DECODER.raw_decode(self.strict, here)[1]
            after = self.skip(end)
            comma = after if self.bare[after] == "," else None
            found.append(_Child(key, start, here, end, comma))
            here = after if comma is None else self.skip(comma + 1)
        return found

    def place(self, path: Path) -> tuple[int, int, int]:
        """Where the value at a path begins and ends, or the nearest one above it; and how many steps of the
        path lead there. Of members with one name the last counts, as for parsers."""
        start, depth = self.skip(0), 0
        end = _DECODER.raw_decode(self.strict, start)[1]
        while depth < len(path) and self.bare[start] == ("[" if isinstance(path[depth], int) else "{"):
            found = [child for child in self.children(start) if child.key == path[depth]]
            if not found:
                break
            start, end, depth = found[-1].at, found[-1].end, depth + 1
        return start, end, depth

    def indent(self, at: int) -> str:
        """The white space that the line of a place begins with."""
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def dumped(self, value: Any, newline: str, indent: str) -> str:
        """JSON of a value that begins on a line with that indent; on one line where `newline` is ""."""
        if not newline:
            return json.dumps(value, ensure_ascii=False)
        lines = json.dumps(value, ensure_ascii=False, indent=self.unit).split("\n")
        return (newline + indent).join(lines)
