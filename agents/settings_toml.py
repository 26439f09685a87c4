"""One table of a TOML file: added at its end, renewed in its place, taken out again.

The text is cut at headers; that nothing else changed is checked by parsing the result.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from siltstone.agents import settings_json
from siltstone.agents.settings_json import Unreadable, value_at
from siltstone.store.plain_file import content

_AT_LINE = re.compile(r"at line (\d+)")
_HEADER = re.compile(r"^[ \t]*\[\[?[^\]\r\n]*\]\]?[ \t]*(?:#[^\r\n]*)?\r?$", re.M)
_BLANK_LINE = re.compile(r"(?:(?<=\n)|\A)\r?\n\Z")
BARE = re.compile(r"[A-Za-z0-9_-]+")
"""A name that needs no quotes."""


def settings_in(path: Path) -> Any:
    """The settings in a file, JSON or TOML; None where it cannot be read."""
    with suppress(OSError, ValueError):
        text = content(path).decode("utf-8-sig")
        return read(text) if path.suffix == ".toml" else settings_json.read(text)
    return None


def read(text: str) -> dict[str, Any]:
    """The settings in a text. Raises Unreadable."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = _AT_LINE.search(str(error))
        last = text.count("\n") + 1
        raise Unreadable(str(error).partition(" (at")[0], int(line[1]) if line else last) from None
    except RecursionError:
        raise Unreadable("brackets are nested too deep", 1) from None


def line_of(text: str, path: Sequence[str]) -> int:
    """The line, counted from 1, on which the value at a path seems to begin: its header, else a line that
    begins with its name or with one above it."""
    found = next((one for one in _HEADER.finditer(text) if _is_of(one[0], path)), None)
    for name in reversed(path):
        found = found or re.search(rf"^[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*[.=]", text, re.M)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def put(text: str, path: Sequence[str], table: Mapping[str, Any]) -> str:
    """The text in which the table at the path is `table`, written where it stood, else at the end.

    Raises Unreadable, also when the path is taken by something that is not a table with its own header.
    """
    settings = read(text)
    there, spans, holder = value_at(settings, path), _spans(text, path), settings.get(path[0])
    if there == table:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(k)} = {_value(v)}" for k, v in table.items())]
    block = newline.join(lines)
    if there is not None and spans:
        made = _cut(text, spans[1:])
        start, end = spans[0]
        last = "" if end == len(text) and not text.endswith("\n") else newline
        made = made[:start] + block + last + made[end:]
    elif isinstance(holder, list):
        raise Unreadable(f"{path[0]} is a list, to which no table can be added", line_of(text, path[:1]))
    elif there is None and holder is not None and not _spans(text, path[:1]):
        what = f"{path[0]} is written as one value or with dots, to which nothing can be added"
        raise Unreadable(f"{what}: write its contents as tables, [{path[0]}.NAME]", line_of(text, path))
    else:
        gap = "" if not text else newline if text.endswith("\n") else newline * 2
        made = text + gap + block + (newline if not text or text.endswith("\n") else "")
    return _checked(made, text, path, _with(settings, path, table))


def take(text: str, path: Sequence[str]) -> str:
    """The text without the table at the path, those below it, and the blank line before it.

    Raises Unreadable when it is not a table with its own header.
    """
    settings = read(text)
    if value_at(settings, path) is None:
        return text
    cuts = []
    for start, end in _spans(text, path):
        blank = _BLANK_LINE.search(text, 0, start)
        start = blank.start() if blank else start
        if end == len(text) and not text.endswith("\n"):
            start = len(text[:start].removesuffix("\n").removesuffix("\r"))
        cuts.append((start, end))
    without = [_with(settings, path, None)]
    for depth in range(len(path) - 1, 0, -1):  # a table above it was perhaps never written
        if value_at(without[-1], path[:depth]) == {}:
            without.append(_with(without[-1], path[:depth], None))
    return _checked(_cut(text, cuts), text, path, *without)


def _checked(made: str, text: str, path: Sequence[str], *wanted: Mapping[str, Any]) -> str:
    """The text that was made, where it says one of what is wanted."""
    try:
        if tomllib.loads(made) in wanted:
            return made
    except tomllib.TOMLDecodeError:
        pass
    name = ".".join(path)
    raise Unreadable(f"{name} is not a table with its own header: write it as [{name}]", line_of(text, path))


def _with(settings: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """The settings with a value at a path; with None, without what is there."""
    name, *below = path
    inner = _with(settings.get(name, {}), below, value) if below else value
    left = {key: one for key, one in settings.items() if key != name}
    return left if inner is None else {**left, name: inner}


def _spans(text: str, path: Sequence[str]) -> list[tuple[int, int]]:
    """Where the tables of that path and below it stand, up to their last line that is not a comment: a
    comment after it belongs to what follows."""
    headers = list(_HEADER.finditer(text))
    spans = []
    for header, after in zip(headers, [*headers[1:], None], strict=False):
        if _is_of(header[0], path):
            end = size = header.start()
            for line in text[size : after.start() if after else None].splitlines(keepends=True):
                size += len(line)
                if line.strip() and not line.lstrip().startswith("#"):
                    end = size
            spans.append((header.start(), end))
    return spans


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def _is_of(header: str, path: Sequence[str]) -> bool:
    try:
        return value_at(tomllib.loads(header.strip()), path) is not None
    except (tomllib.TOMLDecodeError, RecursionError):
        return False


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(k)} = {_value(v)}' for k, v in value.items())} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, (str, bool, int)):
        # JSON's escapes are among those of TOML's basic strings, except for DEL.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)  # a float or a date
