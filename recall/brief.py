"""The brief of a project: lines of its own files, quoted and labelled (docs/seeds.md E5, E6, E20).

It is made when the store is prepared, without a model. Read are the README and manifests of the top
folder, within the limits of E5. Quoted are the first real paragraph of a README (E6) and the few lines of
a manifest that say what the project is and how to run it. Each text is redacted before a line is taken.

A brief is no memory and no evidence. It names the file of each quote, and marks a file that has changed.
"""

import os
import re
from collections.abc import Callable, Collection, Mapping
from typing import Literal

from siltstone.recall.escape import line
from siltstone.recall.prepared import Brief, Quote
from siltstone.recall.retention import day
from siltstone.store.data import data
from siltstone.store.errors import RedactionError
from siltstone.store.intent import hash_of
from siltstone.store.plain_file import opened
from siltstone.store.redaction import redact

Mode = Literal["auto", "strict", "off"]
"""auto: a brief where a file says something; strict: always one, if only of file names; off: none."""
MAX_BYTES = 64 * 1024
"""Bytes of one file that are read and hashed."""
MAX_FILES = 10
MAX_CHARS = 7_000
README_CHARS, PACKAGE_CHARS, OTHER_CHARS = 3_000, 2_000, 1_500
"""Limits of what is read: files, characters in all, of a README, of package.json, of another file (E5)."""
MIN_PROSE = 20
"""A README's line counts as prose when it is longer (E6)."""
MAX_QUOTE = 280
"""Characters quoted from one file."""
GIT = ".git"
PACKAGE = "package.json"

_README = re.compile(r"readme(?:\.(?:md|markdown|rst|txt|adoc|org))?", re.I)
_QUOTED_LINES: Mapping[str, str] = data(__file__, "manifests.toml")
"""The lines quoted from each manifest. To support another kind of project, add a line (E5)."""
TRIGGERS = (*_QUOTED_LINES, GIT, "README")
"""A folder that holds one of these is a project's."""

_JSON_KEY = re.compile(r'(?<=[{,])\s*(?="[^"\n]{1,60}"\s*:)')
_JSON_CLOSING = re.compile(r"(?m)(?<=[\"\]\w])\s*\}[\s},]*$")
"""In JSON on one line: where a key begins, and the brackets that close after a value."""
_FENCE = re.compile(r"\s*(?:```|~~~)")
_RULE = re.compile(r"[\W_]*")
_UNDERLINE = re.compile(r"(?:=+|-+|~+|\^+|\*+|\"+)\s*")
_NO_PROSE = re.compile(
    r"\s*(?:#|<|!\[|\[!|\[[^\]]{0,200}\]:|\||={2,}\s|\.\. |:\w+:|>|\[[^\]]*\]\([^)]*\)\s*(?:[|·•-]|$))"
)
"""A heading, HTML, an image or badge, a link target, a table, a directive, a quotation, a line of links."""

Refused = Callable[[str], bool]
"""Whether a line must not be quoted, because of what it asks for."""


def shown(brief: Brief, changed: Collection[str] = ()) -> str:
    """The brief as a block shows it: a label, then a line for each file."""
    rows = [
        f"- {one.file}{f': “{one.text}”' if one.text else ''}{_mark(one, changed)}" for one in brief.quotes
    ]
    return "\n".join([f"Quoted from the project's own files on {day(brief.made)}, unverified:", *rows])


def source(brief: Brief, changed: Collection[str] = ()) -> str:
    """The brief in a receipt."""
    names = [f"{one.file}{_mark(one, changed)}" for one in brief.quotes]
    return f"project brief, quoted from {', '.join(names)}"


def changed_files(brief: Brief) -> list[str]:
    """Files that no longer hold what the brief was taken from."""
    now = {one: _read(os.path.join(brief.folder, one.file)) for one in brief.quotes if one.hash}
    return [one.file for one, data in now.items() if hash_of(data) != one.hash]


def triggers(folder: str) -> list[str]:
    """The files that make a folder a project's, READMEs first; [] for any other folder."""
    try:
        names = sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []
    readmes = [name for name in names if _README.fullmatch(name)]
    return [*readmes, *(name for name in (*_QUOTED_LINES, GIT) if name in names)][:MAX_FILES]


def brief_of(
    folder: str,
    now: float,
    mode: Mode = "auto",
    known: Brief | None = None,
    refused: Refused = lambda text: False,
) -> Brief | None:
    """The brief of a project's folder; None when there is nothing to quote or `mode` is off.

    `known` is the previous brief: it keeps its date while it quotes the same lines of the same files.
    """
    if mode == "off":
        return None
    quotes, left = [], MAX_CHARS
    for name in triggers(folder):
        data, text = _read(os.path.join(folder, name)), ""
        if data is not None and b"\0" not in data:  # a picture or UTF-16 is no text
            most = PACKAGE_CHARS if name == PACKAGE else OTHER_CHARS
            most = README_CHARS if _README.fullmatch(name) else most
            text = data.decode("utf-8", "replace")[: min(left, most)]
            left -= len(text)
        hash = "" if data is None else hash_of(data)
        quotes.append(Quote(line(name, MAX_QUOTE), _quote(name, text, refused), hash))
    if mode == "auto" and not any(one.text for one in quotes):
        return None
    kept = tuple(one for one in quotes if one.text or mode == "strict")
    if known is not None and (known.folder, known.quotes) == (folder, kept):
        now = known.made
    return Brief(folder, now, kept) if kept else None


def _quote(name: str, text: str, refused: Refused) -> str:
    try:
        clean = redact(text).text
    except RedactionError:
        return ""
    if name == PACKAGE:
        clean = _JSON_CLOSING.sub("", _JSON_KEY.sub("\n", clean))
    if name in _QUOTED_LINES:
        # Of XML the value is enough.
        rows = (row.strip().partition("</")[0].rstrip(",").rstrip() for row in clean.splitlines())
        quote = "; ".join(row for row in rows if re.fullmatch(_QUOTED_LINES[name], row) and not refused(row))
    else:
        quote = _first_paragraph(clean, refused)
    return line(quote, MAX_QUOTE) if quote else ""


def _first_paragraph(text: str, refused: Refused) -> str:
    """The first paragraph of prose, outside of code blocks, front matter and comments; "" for none (E6)."""
    text = re.sub(r"\A\ufeff?---\n.*?\n---(?:\n|\Z)", "", text, count=1, flags=re.S)
    text = re.sub(r"<!--.*?(?:-->|\Z)", "", text, flags=re.S)
    rows, fenced = [], False
    for row in text.splitlines():
        fence = _FENCE.match(row) is not None
        fenced = fenced != fence
        rows.append("" if fenced or fence else row)
    for n, row in enumerate(rows):
        below = rows[n + 1] if n + 1 < len(rows) else ""
        is_title = below.strip() and _UNDERLINE.fullmatch(below)
        if len(row.strip()) <= MIN_PROSE or is_title or _NO_PROSE.match(row) or _RULE.fullmatch(row):
            continue
        paragraph = [row.strip()]
        for more in rows[n + 1 :]:
            if not more.strip() or _NO_PROSE.match(more):
                break
            paragraph.append(more.strip())
        prose = " ".join(paragraph)
        if not refused(prose):
            return prose
    return ""


def _read(path: str) -> bytes | None:
    """The beginning of a plain file; None for anything else. No link is followed."""
    try:
        with opened(path, links=False) as file:
            return file.read(MAX_BYTES)
    except (OSError, ValueError):
        return None


def _mark(one: Quote, changed: Collection[str]) -> str:
    return " [changed since, verify]" if one.file in changed else ""
