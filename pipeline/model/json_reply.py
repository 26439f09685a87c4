"""Read the list that a model was asked for from its reply.

Strict JSON is tried first. Then what models write instead is tolerated: fences, text around the list,
comments, trailing commas, single or curly quotes, Python literals, bare keys, raw line ends and unescaped
quotes in strings. A reply that was cut off is never repaired, because half a list would look complete. Every
step is linear in the reply's length.
"""

import json
import re

MAX_CHARS = 1_000_000
"""A longer reply is refused."""
MAX_FAILURES = 40
"""Unrelated brackets after which the search for a list ends."""
MAX_DEPTH = 40

_OPENING = re.compile(r"[\[{]")
_DATA = re.compile(r"[\[{]\s*(?:[\"'“‘{\[]|\w+\s*:)")
_THINKS = "<think>"
_THOUGHT = "</think>"
_FENCE = "```"
_ITEM = {"body", "op"}
"""An object with one of these keys is an item."""
_DECODER = json.JSONDecoder(strict=False)


class Unreadable(ValueError):
    """The reply holds no such list. The message is one clause, which is also sent to the model."""


def items(text: str, key: str) -> list[object]:
    """The list under `key`, or a bare list of objects or strings, or one bare object as a list of one.

    Raises Unreadable. An empty bare list counts only when the reply holds nothing else.
    """
    if len(text) > MAX_CHARS:
        raise Unreadable(f"it holds {len(text):,} characters, more than {MAX_CHARS:,}")
    body = text.strip().lstrip("\ufeff")
    if body.startswith(_THINKS):
        body = body.partition(_THOUGHT)[2].strip()
    body = body.removesuffix(_FENCE).removeprefix(_FENCE).removeprefix("json").strip()
    if not body:
        raise Unreadable("it is empty")
    if body == "[]":
        return []
    values = _values(body)
    dicts = [value for value in values if isinstance(value, dict)]
    keyed = [value[key] for value in dicts if isinstance(value.get(key), list)]
    bare = [value for value in values if isinstance(value, list) and value]
    lists = keyed or [value for value in bare if all(isinstance(item, dict | str) for item in value)]
    if lists:
        return max(lists, key=len)
    objects: list[object] = [value for value in dicts if _ITEM & value.keys()]
    if not objects:
        raise Unreadable(f'it holds no JSON object with a list "{key}"')
    return objects


def _values(text: str) -> list[object]:
    """Every outermost object or list in `text`, in order.

    Raises Unreadable at the first that looks like data and is broken, because what follows may be part of
    it. Other brackets are ignored.
    """
    values: list[object] = []
    at = failures = 0
    while (opening := _OPENING.search(text, at)) and failures < MAX_FAILURES:
        try:
            value, at = _value_at(text, opening.start())
            values.append(value)
        except ValueError as error:
            if _DATA.match(text, opening.start()):
                raise Unreadable(f"its JSON is broken: {error}") from None
            failures += 1
            at = opening.end()
    return values


def _value_at(text: str, start: int) -> tuple[object, int]:
    """The value that begins at `start`, and where it ends. Raises ValueError."""
    try:
        strict: tuple[object, int] = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _Loose(text, start).read()
    return strict


_SPACE = re.compile(r"\s*")
_COMMENTS = {"//": "\n", "#": "\n", "/*": "*/"}
_WORD = re.compile(r"[^\s,:\[\]{}\"']+")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_AFTER_STRING = re.compile(r"\s*(?:[,:\]}]|\Z)")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_LITERALS: dict[str, object] = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
    "undefined": None,
    "nan": None,
}


class _Loose:
    """A reader of almost-JSON: one pass, no going back."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.depth = 0

    def read(self) -> tuple[object, int]:
        return self._value(), self.at

    def _next(self) -> str:
        """The next character that is neither space nor comment; stays before it."""
        while True:
            space = _SPACE.match(self.text, self.at)
            self.at = space.end() if space else self.at
            comment = next((sign for sign in _COMMENTS if self.text.startswith(sign, self.at)), None)
            if not comment:
                break
            end = self.text.find(_COMMENTS[comment], self.at + len(comment))
            self.at = len(self.text) if end < 0 else end + len(_COMMENTS[comment])
        if self.at >= len(self.text):
            raise ValueError("it ends inside a value")
        return self.text[self.at]

    def _value(self) -> object:
        first = self._next()
        if first in "[{":
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise ValueError("it is nested too deep")
            value = self._object() if first == "{" else self._list()
            self.depth -= 1
            return value
        if first in _QUOTES:
            return self._string(_QUOTES[first])
        return self._literal(self._word())

    def _object(self) -> dict[str, object]:
        made: dict[str, object] = {}
        self.at += 1
        while (first := self._next()) != "}":
            if first == ",":
                self.at += 1
                continue
            key = self._string(_QUOTES[first]) if first in _QUOTES else self._word()
            if self._next() != ":":
                raise ValueError(f"a key without a value at character {self.at:,}")
            self.at += 1
            made[key] = self._value()
        self.at += 1
        return made

    def _list(self) -> list[object]:
        made: list[object] = []
        self.at += 1
        while (first := self._next()) != "]":
            if first == ",":
                self.at += 1
                continue
            made.append(self._value())
        self.at += 1
        return made

    def _string(self, end: str) -> str:
        """Up to a closing quote that something may follow: any other quote belongs to the text."""
        self.at += 1
        start = self.at
        while True:
            at = self.text.find(end, self.at)
            if at < 0:
                raise ValueError("it ends inside a value")
            self.at = at + 1
            if not self._escaped(at, start) and _AFTER_STRING.match(self.text, self.at):
                return _ESCAPE.sub(_unescaped, self.text[start:at])

    def _escaped(self, at: int, start: int) -> bool:
        slashes = 0
        while at - slashes - 1 >= start and self.text[at - slashes - 1] == "\\":
            slashes += 1
        return slashes % 2 == 1

    def _word(self) -> str:
        word = _WORD.match(self.text, self.at)
        if not word:
            raise ValueError(f"no value at character {self.at:,}")
        self.at = word.end()
        return word[0]

    def _literal(self, word: str) -> object:
        if word.lower() in _LITERALS:
            return _LITERALS[word.lower()]
        try:
            return int(word) if len(word) < 20 else word
        except ValueError:
            return word


def _unescaped(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else _ESCAPED.get(escape[2], escape[2])
