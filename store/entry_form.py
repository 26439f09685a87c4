"""The form in which we write values of an entry (docs/store-format.md)."""

import json
import re
from datetime import UTC, datetime

from siltstone.store.entry import Entry
from siltstone.store.errors import EntryError
from siltstone.store.names import title

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


def metadata(entry: Entry, inbox: bool) -> dict[str, str | tuple[str, ...]]:
    """What stands under `metadata:`, key by key, written out; what an entry lacks is left out.

    Evidence comes as the items of its list: flow maps on one line, whose quotes are always JSON."""
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
        "anchors": tuple(
            f"{{{', '.join(f'{key}: {text(value, _ID)}' for key, value in said.items() if value)}}}"
            for said in (
                (one._replace(since="") if one.since == "said" else one)._asdict() for one in entry.anchors
            )
        )
        or None,
        "evidence": tuple(
            f"{{agent: {text(one.agent, _ID)}, session: {text(one.session, _ID)}, "
            f"message: {text(one.message, _ID)}, at: {date(one.at)}, quote: {string(one.quote)}}}"
            for one in entry.evidence
        )
        or None,
    }
    return {key: value for key, value in fields.items() if value is not None}


def text(value: str, bare: str = _PROSE) -> str:
    """A value, by itself on its line: bare where YAML reads back the same text, else JSON."""
    return value if re.fullmatch(bare, value) and not _NO_TEXT.fullmatch(value) else string(value)


def string(value: str) -> str:
    """JSON that is YAML too. A lone surrogate, which no file can hold, becomes U+FFFD."""
    quoted = json.dumps(whole(value), ensure_ascii=False)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def date(at: datetime) -> str:
    """UTC with a Z; fractions only where there are some. Raises EntryError for a naive time."""
    if at.tzinfo is None:
        raise EntryError(f"The time {at.isoformat()} has no time zone; pass an aware one.")
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def instant(text: str) -> datetime:
    """The time in a text (ISO 8601), UTC unless it has a zone. Raises ValueError, OverflowError."""
    at = datetime.fromisoformat(text)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def whole(value: str) -> str:
    """Text that can be encoded."""
    return _SURROGATE.sub("\ufffd", value)


def one_line(value: str, most: int | None = None) -> str:
    """Text on one line of at most so many characters: single spaces, no control characters."""
    line = " ".join(_CONTROL.sub(" ", whole(value)).split())
    return line if most is None or len(line) <= most else f"{line[: most - 1].rstrip()}…"


def described(entry: Entry) -> str:
    """The description on one line; the name read aloud where there is none (D14)."""
    return one_line(entry.description) or title(entry.name)


def plain_body(value: str) -> str:
    """A body as it is kept: no control characters, LF, no blank lines around it."""
    return trim_body(_CONTROL.sub("", whole(value.replace("\r\n", "\n").replace("\r", "\n"))))


def trim_body(value: str) -> str:
    """A body without its line endings' dialect and the blank lines around it."""
    return _BLANK_START.sub("", value.replace("\r\n", "\n").rstrip() + "\n").rstrip()
