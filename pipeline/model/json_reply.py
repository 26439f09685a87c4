"""Read the list that a model was asked for from its reply.

Strict JSON is tried first. Then what models write instead is rewritten as JSON: comments, trailing commas,
single or curly quotes, Python literals, bare keys, unescaped quotes in strings. Fences and text around the
list are skipped. A reply that was cut off is never repaired, because half a list would look complete; what it
holds of whole items `whole_items` tells. Every step is linear in the reply's length.
"""

import json
import re

MAX_CHARS = 1_000_000
"""A longer reply is refused."""
MAX_FAILURES = 40
"""Unrelated brackets after which the search for a list ends."""

_OPENING = re.compile(r"[\[{]")
_BETWEEN = re.compile(r"[\s,]*")
_DATA = re.compile(r"[\[{]\s*(?:[\"'“‘{\[]|\w+\s*:)")
_FENCE = "```"
_ITEM = {"body", "op"}
"""An object with one of these keys is an item."""
_DECODER = json.JSONDecoder(strict=False)

_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
# A quote that nothing may follow belongs to the text.
_STRINGS = "|".join(
    rf"{begin}((?:[^\\{end}]++|\\.|{end}(?!\s*(?:[,:\]}}]|\Z)))*+){end}" for begin, end in _QUOTES.items()
)
_TOKEN = re.compile(
    rf"{_STRINGS}|(?P<unclosed>[\"'“‘])|(?P<comment>//[^\n]*|\#[^\n]*|/\*(?s:.*?)(?:\*/|\Z))"
    r"|(?P<mark>[\[\]{},:])|(?P<word>[^\s,:\[\]{}\"'“‘]+)",
    re.DOTALL,
)
_IN_STRING = re.compile(r"(\\u[0-9a-fA-F]{4}|\\[\"\\/bfnrt])|\\(.)|\"", re.DOTALL)
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,18})")
_LITERALS = {"true": "true", "false": "false"} | dict.fromkeys(("null", "none", "undefined", "nan"), "null")


class Unreadable(ValueError):
    """The reply holds no such list. The message is one clause, which is also sent to the model."""


def items(text: str, key: str) -> list[object]:
    """The list under `key`, or a bare list of objects or strings, or one bare object as a list of one.

    Raises Unreadable. An empty bare list counts only when the reply holds nothing else.
    """
    if len(text) > MAX_CHARS:
        raise Unreadable(f"it holds {len(text):,} characters, more than {MAX_CHARS:,}")
    body = text.strip().lstrip("\ufeff")
    if body.startswith("<think>"):
        body = body.partition("</think>")[2].strip()
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


def whole_items(text: str, key: str) -> list[object]:
    """The items that stand whole in a reply that was cut off in its list."""
    found: list[object] = []
    opening = re.search(rf'"{key}"\s*:\s*\[', text[:MAX_CHARS])
    at = opening.end() if opening else len(text)
    while (begins := _BETWEEN.match(text, at)) and begins.end() < len(text):
        try:
            item, at = _DECODER.raw_decode(text, begins.end())
        except (ValueError, RecursionError):
            break
        found.append(item)
    return found


def _values(text: str) -> list[object]:
    """Every outermost object or list in `text`, in order.

    Raises Unreadable at the first that looks like data and is broken, because what follows may be part of
    it. Other brackets are ignored.
    """
    values: list[object] = []
    at = failures = 0
    while (opening := _OPENING.search(text, at)) and failures < MAX_FAILURES:
        try:
            value, at = _DECODER.raw_decode(text, opening.start())
            values.append(value)
            continue
        except (ValueError, RecursionError):
            strict = _as_json(text, opening.start())
        try:
            value, at = _DECODER.raw_decode(strict)
            values.append(value)
            text = strict
        except (ValueError, RecursionError) as error:
            if _DATA.match(text, opening.start()):
                raise Unreadable(f"its JSON is broken: {error}") from None
            failures += 1
            at = opening.end()
    return values


def _as_json(text: str, start: int) -> str:
    """Almost-JSON from `start` on as JSON. It ends where a string is not closed."""
    written: list[str] = []
    for token in _TOKEN.finditer(text, start):
        if token["unclosed"]:
            break
        if (word := token["word"]) is not None:
            literal = _LITERALS.get(word.lower())
            written.append(literal or (word if _INTEGER.fullmatch(word) else json.dumps(word)))
        elif (mark := token["mark"]) is not None:
            if mark in "]}" and written[-1] == ",":
                written.pop()
            written.append(mark)
        elif not token["comment"]:
            inside = _IN_STRING.sub(lambda found: found[1] or found[2] or '\\"', token[0][1:-1])
            written.append(f'"{inside}"')
    return " ".join(written)
