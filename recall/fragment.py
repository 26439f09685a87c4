"""Fragments: memories as they will be shown, made ready when they are written.

Everything costly is done here, so that a hook only reads rows (`prepared.py`) and prints them.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from siltstone.recall import escape
from siltstone.recall.retention import IMPORTANCE, initial
from siltstone.store.entry import MAX_COUNT, Stored, reinforcements

MAX_LINE = 280
"""Longest description in a block, in characters. `silt show` prints all of it."""
SOURCES = {"explicit": 3, "manual": 2, "extraction": 1}
_IMPORTANCE = re.compile(r"^[ \t]*importance:[ \t]*[\"']?(low|normal|high)[\"']?[ \t]*(?:#.*)?\r?$", re.M)
_FRONTMATTER_FENCE = re.compile(r"^---[ \t]*\r?$", re.M)


class Fragment(NamedTuple):
    """One memory as it will be shown. The fields are columns of `recall.sqlite3`."""

    path: str
    scope: str
    type: str
    topic: str
    """ "" for none."""
    name: str
    line: str
    """The description as one safe line (`escape.py`)."""
    more: int
    """1 when the body says more than the line."""
    chars: int
    """Length of the body."""
    limit: int
    hot: int
    """1 for a memory in `system/`, which is shown whole."""
    source: int
    """3 explicit, 2 manual, 1 extraction: breaks ties."""
    clock: float | None
    """Epoch seconds of its newest evidence; None when undated."""
    initial: float
    repeats: int
    """How often it was confirmed, 0 to 6."""
    body: str
    """The body as safe lines, of hot memories only; else ""."""
    in_conflict: int = 0


class Hit(NamedTuple):
    """A memory that fits the current question."""

    fragment: Fragment
    percent: int
    """0 to 100."""


class Scope(NamedTuple):
    """What is known about one scope as a whole."""

    name: str
    activity: float | None
    """Epoch seconds of its newest evidence."""
    totals: Mapping[str, int]
    """Memories in force by type, without hot ones."""
    archived: int
    """Memories that were superseded or merged away."""


class View(NamedTuple):
    """What may be shown for some scopes: all hot memories, and the strongest of the others."""

    scopes: tuple[Scope, ...]
    hot: tuple[Fragment, ...]
    candidates: tuple[Fragment, ...]
    overridden: tuple[str, ...] = ()
    """Paths of global memories that a memory of the project replaces (invariant 11)."""
    unreadable: tuple[str, ...] = ()
    """One sentence for each file that is damaged or holds a secret."""
    conflicts: int = 0
    """Open conflicts that concern these scopes."""


class SessionTexts(NamedTuple):
    """What a block shows besides memories: safe texts within limits of their own, "" for none."""

    text: str = ""
    """Hot session state, core and working memory (A38, B5, B15)."""
    brief: str = ""
    """Quotes from the project's own files (E6)."""
    progress: str = ""
    """The latest machine-made summary of this session (E7, E16)."""
    last: str = ""
    """The machine-made summary of the last session in this project (E7, E16)."""
    sources: tuple[str, ...] = ()
    """One sentence for the receipt about each text above that has a source."""


def fragment(stored: Stored, used: int = 0) -> Fragment:
    """The fragment of an entry in force. Each of the `used` days on which it was used counts as a repeat."""
    entry = stored.entry
    clock = entry.updated.timestamp()
    return Fragment(
        path=stored.path,
        scope=entry.scope,
        type=entry.type,
        topic=entry.topic or "",
        name=entry.name,
        line=escape.line(entry.description, MAX_LINE),
        more=int(_normal(entry.body).strip(" .") not in _normal(entry.description)),
        chars=len(entry.body),
        limit=entry.limit,
        hot=int(stored.pinned),
        source=SOURCES[entry.source],
        clock=clock if clock > 0 else None,
        initial=initial(entry.type, entry.source, _importance(stored.text)),
        repeats=min(reinforcements(entry.evidence) + used, MAX_COUNT),
        body="\n".join(escape.lines(entry.body, entry.limit)) if stored.pinned else "",
    )


def _importance(text: str) -> str:
    """The optional frontmatter key `importance`; "normal" when it is missing or unknown (A21)."""
    if "importance" not in text:
        return "normal"
    fences = _FRONTMATTER_FENCE.finditer(text)
    start, end = next(fences, None), next(fences, None)
    if start is None or end is None or start.start() != 0:
        return "normal"
    found = _IMPORTANCE.search(text, start.end(), end.start())
    return found[1] if found is not None and found[1] in IMPORTANCE else "normal"


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()
