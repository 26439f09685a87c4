"""The form in which we write an entry (docs/store-format.md), and its exact inverse.

`write` is the only place that knows the layout. `quick` reads back exactly what `write` makes, at a
tenth of the price of YAML, and answers None for everything else; that the two readings agree is a
property test.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import cast

from siltstone.store.entry import (
    IMPORTANCES,
    ORIGINS,
    SOURCES,
    TOPICS,
    TYPES,
    Entry,
    Evidence,
    Importance,
    Origin,
    Source,
    Topic,
    Type,
)
from siltstone.store.errors import EntryError
from siltstone.store.names import is_scope, is_slug, title

# What YAML forbids or folds inside quotes, and JSON leaves as it is.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_BLANK_START = re.compile(r"\A(?:[ \t]*\n)+")

_PROSE = r"[^\W\d_](?:[\w ./()+,@%£€$'’“”–—&;!?=<>…-]*[\w.)!?%…])?"
_ID = r"[A-Za-z0-9][A-Za-z0-9_./+-]*"
_NO_TEXT = re.compile(
    r"(?i:null|true|false|yes|no|on|off|y|n)"
    r"|[0-9_.]+(?:[eE][-+]?[0-9]+)?|0[xXoObB][0-9a-fA-F_]+|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
)
_STRING = (
    r'"(?:[^"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]'
    r'|\\["\\bfnrt]|\\u(?!d[89a-f])[0-9a-f]{4})*+"'
)
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{6})?Z"
_TEXT = f"{_STRING}|{_PROSE}"
_KEY = f"{_STRING}|{_ID}"
_EVIDENCE = re.compile(
    rf"    - \{{agent: ({_KEY}), session: ({_KEY}), message: ({_KEY}), at: ({_DATE}), quote: ({_STRING})\}}\n"
)
_HEAD = re.compile(
    rf"""---
name: (?P<name>{_TEXT})
description: (?P<description>{_TEXT})
metadata:
  type: (?P<type>[a-z]+)
(?:  topic: (?P<topic>[a-z-]+)
)?(?:  importance: (?P<importance>[a-z]+)
)?(?:  scope: (?P<scope>{_TEXT})
)?(?:  replaces: (?P<replaces>{_STRING})
)?  source: (?P<source>[a-z]+)
  origin: (?P<origin>[a-z-]+)
  created: (?P<created>{_DATE})
  updated: (?P<updated>{_DATE})
(?:  agrees_with: \[(?P<agrees>(?:{_STRING})(?:, (?:{_STRING}))*)\]
)?(?:  superseded_by: (?P<by>{_STRING})
)?(?:  superseded_at: (?P<at>{_DATE})
)?(?:  evidence:
(?P<evidence>(?:    - [^\n]*+\n)++))?limit: (?P<limit>[0-9]{{1,9}})
readonly: (?P<readonly>true|false)
---
"""
)


def write(entry: Entry, inbox: bool) -> str:
    """The file of an entry. Only an entry of the inbox says its scope (elsewhere the folder does)."""
    fields = "".join(
        f"  {key}: {value}\n"
        if isinstance(value, str)
        else f"  {key}:\n" + "".join(f"    - {item}\n" for item in value)
        for key, value in metadata(entry, inbox).items()
    )
    return (
        f"---\nname: {text(entry.name)}\ndescription: {text(described(entry))}\n"
        f"metadata:\n{fields}limit: {entry.limit}\nreadonly: {flag(entry.readonly)}\n"
        f"---\n{plain_body(entry.body)}\n"
    )


def metadata(entry: Entry, inbox: bool) -> dict[str, str | tuple[str, ...]]:
    """What stands under `metadata:`, key by key, written out; what an entry lacks is left out.

    Evidence comes as the items of its list."""
    fields: dict[str, str | tuple[str, ...] | None] = {
        "type": entry.type,
        "topic": entry.topic,
        "importance": entry.importance,
        "scope": text(entry.scope) if inbox else None,
        "replaces": string(entry.replaces) if entry.replaces is not None else None,
        "source": entry.source,
        "origin": entry.origin,
        "created": date(entry.created),
        "updated": date(entry.updated),
        "agrees_with": f"[{', '.join(map(string, entry.agrees_with))}]" if entry.agrees_with else None,
        "superseded_by": string(entry.superseded_by) if entry.superseded_by is not None else None,
        "superseded_at": date(entry.superseded_at) if entry.superseded_at is not None else None,
        "evidence": tuple(map(evidence, entry.evidence)) or None,
    }
    return {key: value for key, value in fields.items() if value is not None}


def evidence(one: Evidence) -> str:
    """Evidence as a flow map on one line; the quote is always JSON."""
    return (
        f"{{agent: {_id(one.agent)}, session: {_id(one.session)}, message: {_id(one.message)}, "
        f"at: {date(one.at)}, quote: {string(one.quote)}}}"
    )


def text(value: str) -> str:
    """A value of its own line: bare where YAML reads back the same text, else JSON."""
    bare = re.fullmatch(_PROSE, value) and not _NO_TEXT.fullmatch(value)
    return value if bare else string(value)


def string(value: str) -> str:
    """JSON that is YAML too. A lone surrogate, which no file can hold, becomes U+FFFD."""
    quoted = json.dumps(whole(value), ensure_ascii=False)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def date(at: datetime) -> str:
    """UTC with a Z; fractions only where there are some. Raises EntryError for a naive time."""
    if at.tzinfo is None:
        raise EntryError(f"The time {at.isoformat()} has no time zone; pass an aware one.")
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def flag(value: bool) -> str:
    """A truth value as YAML writes it."""
    return "true" if value else "false"


def whole(value: str) -> str:
    """Text that can be encoded."""
    return _SURROGATE.sub("\ufffd", value)


def one_line(value: str) -> str:
    """A description: one line, single spaces, no control characters."""
    return " ".join(_CONTROL.sub(" ", whole(value)).split())


def described(entry: Entry) -> str:
    """The description on one line; the name read aloud where there is none (D14)."""
    return one_line(entry.description) or title(entry.name)


def plain_body(value: str) -> str:
    """A body as it is kept: no control characters, LF, no blank lines around it."""
    return trim_body(_CONTROL.sub("", whole(value.replace("\r\n", "\n").replace("\r", "\n"))))


def trim_body(value: str) -> str:
    """A body without its line endings' dialect and the blank lines around it."""
    return _BLANK_START.sub("", value.replace("\r\n", "\n").rstrip() + "\n").rstrip()


def quick(scope: str | None, file: str) -> Entry | None:
    """Read a file that stands exactly as `write` wrote it; None for any other, right or wrong.

    `scope` is what the folder says; None in the inbox.
    """
    found = _HEAD.match(file)
    if found is None:
        return None
    said = found.groupdict()
    if not _known(said) or (scope is None) != (said["scope"] is not None):
        return None
    try:
        return _entry(scope, said, file[found.end() :])
    except ValueError:
        return None


def _known(said: Mapping[str, str | None]) -> bool:
    topic, importance = said["topic"], said["importance"]
    return (
        said["type"] in TYPES
        and said["source"] in SOURCES
        and said["origin"] in ORIGINS
        and (topic is None or topic in TOPICS)
        and (importance is None or importance in IMPORTANCES)
    )


def _entry(scope: str | None, said: Mapping[str, str], body: str) -> Entry:
    """Raises ValueError where a value is shaped right and means nothing (month 13)."""
    name, scope = _value(said["name"]), scope if scope is not None else _value(said["scope"])
    description = one_line(_value(said["description"]))
    if not is_slug(name) or not is_scope(scope) or not description:
        raise ValueError(name, scope)
    return Entry(
        scope=scope,
        name=name,
        type=cast(Type, said["type"]),
        description=description,
        body=trim_body(body),
        source=cast(Source, said["source"]),
        origin=cast(Origin, said["origin"]),
        created=datetime.fromisoformat(said["created"]),
        updated=datetime.fromisoformat(said["updated"]),
        evidence=_evidence(said["evidence"] or ""),
        topic=cast("Topic | None", said["topic"]),
        importance=cast("Importance | None", said["importance"]),
        limit=int(said["limit"]),
        readonly=said["readonly"] == "true",
        agrees_with=tuple(json.loads(f"[{said['agrees']}]")) if said["agrees"] else (),
        superseded_by=_value(said["by"]) if said["by"] else None,
        superseded_at=datetime.fromisoformat(said["at"]) if said["at"] else None,
        replaces=_value(said["replaces"]) if said["replaces"] else None,
    )


def _evidence(lines: str) -> tuple[Evidence, ...]:
    found = []
    position = 0
    while position < len(lines):
        line = _EVIDENCE.match(lines, position)
        if line is None:
            raise ValueError(lines[position : position + 80])
        agent, session, message, at, quote = line.groups()
        ids = (_value(agent), _value(session), _value(message))
        found.append(Evidence(datetime.fromisoformat(at), *ids, json.loads(quote)))
        position = line.end()
    return tuple(found)


def _value(written: str) -> str:
    if written.startswith('"'):
        return str(json.loads(written))
    if written == "null":
        raise ValueError("YAML reads a bare null as nothing")
    return written


def _id(value: str) -> str:
    bare = re.fullmatch(_ID, value) and not _NO_TEXT.fullmatch(value)
    return value if bare else string(value)
