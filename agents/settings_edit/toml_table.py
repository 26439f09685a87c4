"""One table of a TOML file: put at its end, renewed where it stands, taken out again. That nothing else
changed is proven by reading the result with the standard parser."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from siltstone.agents.settings_edit.tree import Unreadable, line_at, value_at

Table = Mapping[str, str | Sequence[str] | Mapping[str, Any]]
"""Texts, lists of texts, and tables of texts."""

_MOST_LINES = 50
"""Of one value that is renewed."""
_AT_LINE = re.compile(r"at line (\d+)")
_HEADER = re.compile(r"^[ \t]*\[\[?[^\]\r\n]*\]\]?[ \t]*(?:#[^\r\n]*)?\r?$", re.M)
_BLANK_LINE = re.compile(r"(?:(?<=\n)|\A)\r?\n\Z")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def read(text: str) -> dict[str, Any]:
    """The settings that a text holds. Raises Unreadable."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = _AT_LINE.search(str(error))
        last = text.count("\n") + 1
        raise Unreadable(str(error).partition(" (at")[0], int(line[1]) if line else last) from None
    except RecursionError:
        raise Unreadable("brackets are nested too deep", 1) from None


def with_table(text: str, path: Sequence[str], table: Table) -> str:
    """The text in which the table at the path says all that `table` says: renewed where it stands, with
    whatever else it holds; else added at the end.

    Raises Unreadable, also when the name is taken in a way that is not ours to change.
    """
    settings = read(text)
    there = value_at(settings, path)
    if there is not None:
        return _renewed(text, path, {key: v for key, v in table.items() if there.get(key) != v})
    holder = value_at(settings, path[:1])
    if isinstance(holder, list):
        raise Unreadable(f"{path[0]} is a list, to which no table can be added", line_of(text, path[:1]))
    if holder is not None and not _headed(text, path[:1]):
        name = path[0]
        raise Unreadable(
            f"{name} is written as one value or with dots, to which nothing can be added: "
            f"write what it holds as tables, [{name}.NAME]",
            line_of(text, path),
        )
    newline = _newline(text)
    block = newline.join(_lines(path, table))
    if not text or text.endswith("\n"):
        made = text + (newline if text else "") + block + newline
    else:
        made = text + newline + newline + block
    if read(made) != _set(settings, path, _plain(table)):
        raise Unreadable(f"{'.'.join(path)} cannot be added", made.count("\n") + 1)
    return made


def without_table(text: str, path: Sequence[str]) -> str:
    """The text without the table at the path and those below it.

    Raises Unreadable when it is written as something else than a table with its own header.
    """
    settings = read(text)
    if value_at(settings, path) is None:
        return text
    expected = _unset(settings, path)
    left = text
    while span := _span(left, path):
        left = left[: span[0]] + left[span[1] :]
    if read(left) not in (expected, _pruned(expected, path)):
        raise _not_own(text, path, "take it out by hand")
    return left


def line_of(text: str, path: Sequence[str]) -> int:
    """The line, counted from 1, on which what stands at a path seems to begin: its header, else a line that
    begins with its name or one above it."""
    for header in _HEADER.finditer(text):
        if _is_of(header[0], path):
            return line_at(text, header.start())
    for name in reversed(path):
        found = re.search(rf"^[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*[.=]", text, re.M)
        if found:
            return line_at(text, found.start())
    return 1


def _not_own(text: str, path: Sequence[str], what: str) -> Unreadable:
    return Unreadable(f"{'.'.join(path)} is not written as a table of its own: {what}", line_of(text, path))


def _renewed(text: str, path: Sequence[str], values: Table) -> str:
    """The text with these values in the table that stands at the path."""
    expected = read(text)
    made = text
    for key, value in values.items():
        below = [*path, key]
        expected = _set(expected, below, _plain({key: value})[key])
        there = value_at(read(text), below)
        if isinstance(value, Mapping) and isinstance(there, dict) and _headed(text, below):
            for name in (name for name in value if there.get(name) != value[name]):
                made = _with_value(made, below, name, value[name])
        else:
            made = _with_value(made, path, key, value)
    if _reads(made) != expected:
        raise _not_own(text, path, f"write it as [{'.'.join(path)}] with a line a value")
    return made


def _with_value(text: str, path: Sequence[str], key: str, value: Any) -> str:
    """The text with a value in the table of that header: in the place of the one there, else at its end.
    Where there is no such header, or the value is not on lines of its own, nothing changes."""
    span = _body(text, path)
    if span is None:
        return text
    for start, end in _statements(text, *span):
        said = tomllib.loads(text[start:end])
        if list(said) == [key]:
            told = text[start:end]
            indent = told[: len(told) - len(told.lstrip(" \t"))]
            hashes = (i for i, c in enumerate(told) if c == "#" and _reads(told[:i]) == said)
            rest = told[len(told[: next(hashes, len(told))].rstrip()) :]  # the comment, the line end
            return f"{text[:start]}{indent}{_key(key)} = {_value(value)}{rest}{text[end:]}"
    start, end = span
    here = start + _own_lines(text[start:end])
    gap = "" if text[:here].endswith("\n") else _newline(text)
    after = _newline(text) if text[here:] or not gap else ""
    return f"{text[:here]}{gap}{_key(key)} = {_value(value)}{after}{text[here:]}"


def _body(text: str, path: Sequence[str]) -> tuple[int, int] | None:
    """Where what stands below the table's own header begins and ends."""
    headers = list(_HEADER.finditer(text))
    for number, header in enumerate(headers):
        if _reads(header[0].strip()) == _set({}, path, {}):
            end = headers[number + 1].start() if number + 1 < len(headers) else len(text)
            return min(header.end() + 1, len(text)), end
    return None


def _statements(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where each `key = value` between two places stands, with its line end: the fewest lines that a parser
    takes. What none takes is passed over."""
    lines = text[start:end].splitlines(keepends=True)
    here = 0
    while here < len(lines):
        most = min(_MOST_LINES, len(lines) - here)
        tried = (n for n in range(1, most + 1) if _reads("".join(lines[here : here + n])) is not None)
        size = next(tried, 0)
        if size:
            begin = start + len("".join(lines[:here]))
            yield begin, begin + len("".join(lines[here : here + size]))
        here += size or 1


def _reads(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _headed(text: str, path: Sequence[str]) -> bool:
    """Whether a header names a table at the path or below it."""
    return any(_is_of(header[0], path) for header in _HEADER.finditer(text))


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _span(text: str, path: Sequence[str]) -> tuple[int, int] | None:
    """Where the first table of that path or below it stands, with the blank line before it."""
    headers = list(_HEADER.finditer(text))
    for number, header in enumerate(headers):
        if not _is_of(header[0], path):
            continue
        start = header.start()
        last = number + 1 == len(headers)
        end = len(text) if last else headers[number + 1].start()
        body = text[start:end]
        kept = _own_lines(body)
        end = start + kept
        blank = _BLANK_LINE.search(text, 0, start)
        start = blank.start() if blank else start
        if end == len(text) and not body.endswith("\n"):
            start = len(text[:start].removesuffix("\n").removesuffix("\r"))
        return start, end
    return None


def _own_lines(body: str) -> int:
    """Characters of a table up to its last line that is neither empty nor a comment: what follows is of
    what comes next."""
    size = kept = 0
    for line in body.splitlines(keepends=True):
        size += len(line)
        if line.strip() and not line.lstrip().startswith("#"):
            kept = size
    return kept


def _is_of(header: str, path: Sequence[str]) -> bool:
    return value_at(_reads(header.strip()), path) is not None


def _lines(path: Sequence[str], table: Table) -> list[str]:
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    below = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    return [
        f"[{'.'.join(map(_key, path))}]",
        *(f"{_key(k)} = {_value(v)}" for k, v in {**plain, **below}.items()),
    ]


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(k)} = {_value(v)}' for k, v in value.items())} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    # JSON's escapes are among those of TOML's basic strings, but for DEL and lone surrogates.
    return json.dumps(value, ensure_ascii=False, default=str).replace("\x7f", "\\u007f")


def _plain(table: Table) -> dict[str, Any]:
    return {key: dict(v) if isinstance(v, Mapping) else v for key, v in table.items()}


def _set(settings: dict[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    below = value if len(path) == 1 else _set(settings.get(path[0], {}), path[1:], value)
    return {**settings, path[0]: below}


def _unset(settings: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    if len(path) == 1:
        return {key: value for key, value in settings.items() if key != path[0]}
    return {**settings, path[0]: _unset(settings[path[0]], path[1:])}


def _pruned(settings: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """The settings without the tables above the path that are empty: they had no header of their own."""
    if len(path) == 1 or value_at(settings, path[:-1]):
        return settings
    return _pruned(_unset(settings, path[:-1]), path[:-1])
