"""The YAML between the two `---` of a file, as a tree whose parts know where they stand.

Built from libyaml's events and not by its composer: the composer recurses in C and a file of 50,000
brackets would take the process down. Every scalar stays the string that was written (`no` is a word,
a date is text); anchors, aliases, duplicate and non-text keys are refused. Errors name file and line.
"""

import re
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
