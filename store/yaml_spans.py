"""The YAML between the two `---` of a file: read as a tree whose parts know their place, and edited by it.

Reading uses libyaml's events, not its composer: the composer recurses in C, and a file of 50,000 brackets
would take the process down. Every scalar stays the string that was written (`no` is a word, a date is
text). Anchors, aliases, duplicate and non-text keys are refused. Errors name file and line.

Editing sets and drops keys by their spans and leaves every other byte alone. The result is read back: a
change of any other key is an error, never a silent loss.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, NoReturn

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
_NOTHING = ("", "~", "null")


@dataclass(slots=True)
class Node:
    """A scalar, list or mapping. `start` and `end` are offsets into the YAML; trailing comments and
    blank lines are outside."""

    kind: Literal["scalar", "list", "map"]
    start: int
    end: int
    line: int
    """In the file, from 1."""
    flow: bool = False
    bare: bool = False
    """A scalar without quotes."""
    text: str = ""
    items: list["Node"] = field(default_factory=list)
    """Of a mapping its keys and values in turn."""
    fields: dict[str, tuple["Node", "Node"]] = field(default_factory=dict)
    """Key and value of a mapping, by the key's text."""

    @property
    def value(self) -> Any:
        """Text, None for a bare `null` or nothing, a list, or a dict of these."""
        if self.kind == "scalar":
            return None if self.bare and self.text in _NOTHING else self.text
        if self.kind == "list":
            return [item.value for item in self.items]
        return {key: value.value for key, (_, value) in self.fields.items()}


class Head(NamedTuple):
    """A file taken apart: text[start:end] is the YAML, text[body_start:] what follows the second fence."""

    start: int
    end: int
    body_start: int


def find_head(path: str, text: str) -> Head:
    """Where the frontmatter is; all zeros in a file without a first `---`. `path` is for messages only."""
    opened = _OPEN.match(text)
    if opened is None:
        return Head(0, 0, 0)
    closed = _CLOSE.search(text, opened.end())
    if closed is None:
        fail(path, 1, "the frontmatter is never closed; put '---' on a line after it")
    if closed.start() - opened.end() > MAX_HEAD:
        fail(path, 1, f"the frontmatter is longer than {MAX_HEAD:,} characters; shorten it")
    return Head(opened.end(), closed.start(), closed.end())


def fail(path: str, line: int, problem: str) -> NoReturn:
    """Raise the EntryError for `path` at `line` (counted from 1 in the file)."""
    raise EntryError(f"{path}, line {line}: {problem}.")


def read_tree(path: str, head: str) -> Node | None:
    """The mapping that YAML is; None when it is empty. Raises EntryError naming file and line."""
    try:
        root = _build(path, head)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + _FIRST_LINE if mark else _FIRST_LINE
        what = error.problem or "it is not YAML"
        fail(path, line, f"the frontmatter cannot be read ({what}); correct it by hand")
    except (yaml.YAMLError, UnicodeEncodeError):
        fail(path, _FIRST_LINE, "the frontmatter holds a character that YAML forbids; remove it")
    if root is None or (root.kind == "scalar" and not root.text):
        return None
    if root.kind != "map":
        fail(path, root.line, "the frontmatter is not a list of 'key: value' lines; correct it by hand")
    return root


def _build(path: str, head: str) -> Node | None:
    documents = Node("list", 0, 0, _FIRST_LINE)
    stack = [documents]
    for event in yaml.parse(head, Loader=_LOADER):
        if isinstance(event, events.CollectionEndEvent):
            _close(path, stack.pop(), event, head)
        elif isinstance(event, events.NodeEvent):
            node = _node(path, event, head)
            stack[-1].items.append(node)
            if node.kind != "scalar":
                stack.append(node)
            if len(stack) > MAX_DEPTH + 1:
                fail(path, node.line, f"lists are nested more than {MAX_DEPTH} deep; flatten them")
    if len(documents.items) > 1:
        fail(path, documents.items[1].line, "a second document starts here; keep one")
    return documents.items[0] if documents.items else None


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
    return Node(kind, start, start, line, flow=end > start and head[end - 1] in "[{")


def _close(path: str, node: Node, event: events.Event, head: str) -> None:
    """What is known of a list or mapping once it is read: its end, and which key has which value."""
    if node.kind == "map":
        for key, value in zip(node.items[::2], node.items[1::2], strict=True):
            if key.kind != "scalar":
                fail(path, key.line, "a key is not a plain word; correct it by hand")
            if key.text in node.fields:
                fail(path, key.line, f"the key {key.text[:80]!r} occurs twice; keep one")
            if value.kind == "scalar" and value.start == value.end:
                # An empty value has no place of its own: libyaml reports where it gave up looking.
                value.start = value.end = head.find(":", key.end) + 1
            node.fields[key.text] = key, value
    node.end = _span(event)[1] if node.flow else max((item.end for item in node.items), default=node.end)


def _span(event: events.Event) -> tuple[int, int, int]:
    """Start and end in the YAML, and the line in the file."""
    start, end = event.start_mark, event.end_mark
    if start is None or end is None:
        raise yaml.YAMLError("an event without a place")
    return start.index, end.index, start.line + _FIRST_LINE


Value = str | tuple[str, ...]
"""One line of YAML, or the items of a list, one line each."""
Keys = tuple[str] | tuple[str, str]
"""Where a value stands: one or two keys deep."""

_INLINE = re.compile(r"[^\w./ -]")


def edited(path: str, text: str, edits: Mapping[Keys, Value | None]) -> str:
    """`text` with values set, or dropped where they are None; `path` is for messages.

    Raises EntryError when it cannot be done cleanly.
    """
    if not find_head(path, text).body_start:
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        text = f"{mark}---\n---\n{text.removeprefix(mark)}"
    head = find_head(path, text)
    yaml = text[head.start : head.end]
    newline = "\r\n" if "\r\n" in text[: head.body_start] else "\n"
    before = _others(read_tree(path, yaml), edits)
    for keys, value in edits.items():
        root = read_tree(path, yaml)
        if root is not None:
            yaml = _set(path, yaml, root, keys, value, newline)
        elif value is not None:
            yaml += _lines("", keys, value, newline)
    out = text[: head.start] + yaml + text[head.end :]
    if out[find_head(path, out).body_start :] != text[head.body_start :] or before != _others(
        read_tree(path, yaml), edits
    ):
        fail(path, 1, "the frontmatter cannot be changed without touching more of it; edit it by hand")
    return out


def _others(root: Node | None, edits: Mapping[Keys, Value | None]) -> dict[Keys, Any]:
    """Everything that edits do not speak of, by its keys; nothing that is empty."""
    found: dict[Keys, Any] = {}
    for key, (_, node) in root.fields.items() if root is not None else ():
        if node.kind == "map":
            found |= {(key, sub): value.value for sub, (_, value) in node.fields.items()}
        else:
            found[key,] = node.value
    return {keys: value for keys, value in found.items() if keys not in edits and value is not None}


def _set(path: str, yaml: str, node: Node, keys: Keys, value: Value | None, newline: str) -> str:
    """`yaml` with one value below `node` set, or dropped."""
    key, old = keys[0], node.fields[keys[0]][1] if keys[0] in node.fields else None
    if len(keys) == 2:
        if old is not None and old.kind == "map":
            return _set(path, yaml, old, (keys[1],), value, newline)
        if value is None:
            return yaml
        if old is not None and old.value is not None:
            fail(path, old.line, f"'{key}' holds no keys; write them below it, indented")
        if old is not None or node.flow:
            value = f"{{{keys[1]}: {_inline(value)}}}"
            keys = (key,)
    if value is None:
        return yaml if old is None else _drop(yaml, node, key)
    if old is not None and old.kind == "list" and not (old.flow or isinstance(value, str)):
        between = newline + " " * _column(yaml, old.start)
        return yaml[: old.start] + between.join(f"- {item}" for item in value) + yaml[old.end :]
    if old is not None:
        space = "" if old.start != old.end else " "
        return yaml[: old.start] + space + (_inline(value) if node.flow else _flow(value)) + yaml[old.end :]
    if node.flow:
        at = node.items[-1].end if node.items else node.start + 1
        return f"{yaml[:at]}{', ' if node.items else ''}{key}: {_inline(value)}{yaml[at:]}"
    at = _line_end(yaml, node.end)
    return yaml[:at] + _lines(" " * _column(yaml, node.items[0].start), keys, value, newline) + yaml[at:]


def _lines(indent: str, keys: Keys, value: Value, newline: str) -> str:
    if len(keys) == 2:
        return f"{indent}{keys[0]}:{newline}" + _lines(f"{indent}  ", (keys[1],), value, newline)
    if isinstance(value, str):
        return f"{indent}{keys[0]}: {value}{newline}"
    return f"{indent}{keys[0]}:{newline}" + "".join(f"{indent}  - {item}{newline}" for item in value)


def _drop(yaml: str, node: Node, key: str) -> str:
    """Without the whole lines of a key; inside `{}` without the pair and one comma."""
    name, value = node.fields[key]
    start, end = name.start, value.end
    place = list(node.fields).index(key)
    if not node.flow:
        start, end = start - _column(yaml, start), _line_end(yaml, end)
    elif place + 1 < len(node.fields):
        end = node.items[2 * place + 2].start
    elif place:
        start = node.items[2 * place - 1].end
    return yaml[:start] + yaml[end:]


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
