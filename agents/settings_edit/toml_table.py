"""One table of a TOML file: put at its end, taken out again. That nothing else changed is proven by reading
the result with the standard parser."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from siltstone.agents.settings_edit.tree import Unreadable

Table = Mapping[str, str | Sequence[str] | Mapping[str, str]]
"""Texts, lists of texts, and tables of texts."""

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
    """The text with that table at its end; as it is when one that says the same stands there already.

    Raises Unreadable, also when the name is taken in a way that is not ours to change.
    """
    wanted = {key: dict(v) if isinstance(v, Mapping) else v for key, v in table.items()}
    if _at(read(text), path) == wanted:
        return text
    text = without_table(text, path)
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join(_lines(path, table))
    if not text or text.endswith("\n"):
        made = text + (newline if text else "") + block + newline
    else:
        made = text + newline + newline + block
    if read(made) != _set(read(text), path, wanted):
        raise Unreadable(f"{'.'.join(path)} cannot be added", made.count("\n") + 1)
    return made


def without_table(text: str, path: Sequence[str]) -> str:
    """The text without the table at the path and those below it.

    Raises Unreadable when it is written as something else than a table with its own header.
    """
    settings = read(text)
    if _at(settings, path) is None:
        return text
    expected = _unset(settings, path)
    left = text
    while span := _span(left, path):
        left = left[: span[0]] + left[span[1] :]
    if read(left) not in (expected, _pruned(expected, path)):
        line = text[: text.find(path[-1])].count("\n") + 1
        raise Unreadable(f"{'.'.join(path)} is not written as a table of its own: take it out by hand", line)
    return left


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
    try:
        found: Any = tomllib.loads(header.strip())
    except tomllib.TOMLDecodeError:
        return False
    return _at(found, path) is not None


def _lines(path: Sequence[str], table: Table) -> list[str]:
    lines = [f"[{'.'.join(map(_key, path))}]"]
    lines += [f"{_key(k)} = {_value(v)}" for k, v in table.items() if not isinstance(v, Mapping)]
    for key, below in table.items():
        if isinstance(below, Mapping):
            told = ", ".join(f"{_key(k)} = {_value(v)}" for k, v in below.items())
            lines.append(f"{_key(key)} = {{ {told} }}")
    return lines


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: str | Sequence[str]) -> str:
    if isinstance(value, str):
        # JSON's escapes are among those of TOML's basic strings, but for DEL and lone surrogates.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"[{', '.join(map(_value, value))}]"


def _at(settings: Any, path: Sequence[str]) -> Any:
    for key in path:
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings


def _set(settings: dict[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    below = value if len(path) == 1 else _set(settings.get(path[0], {}), path[1:], value)
    return {**settings, path[0]: below}


def _unset(settings: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    if len(path) == 1:
        return {key: value for key, value in settings.items() if key != path[0]}
    return {**settings, path[0]: _unset(settings[path[0]], path[1:])}


def _pruned(settings: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """The settings without the tables above the path that are empty: they had no header of their own."""
    if len(path) == 1 or _at(settings, path[:-1]):
        return settings
    return _pruned(_unset(settings, path[:-1]), path[:-1])
