"""One memory as a person reads it: what it says, who said it when to which agent, and what it replaced."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from siltstone.cli import terminal
from siltstone.cli.output import show, when
from siltstone.pipeline.words import counted
from siltstone.recall.steering import steers
from siltstone.store.code.status import MARKS
from siltstone.store.conflicts import Section
from siltstone.store.entry import GLOBAL, UNDATED, Evidence, Stored

MOST_QUOTES = 3
"""Quotes that are shown. A fact that was repeated often has more."""
BY = {
    "user-said": "you said it to {0}",
    "tool-observed": "printed by a command that {0} ran",
    "assistant-inferred": "only {0} said it",
    "read-content": "{0} read it somewhere",
}
"""Whose words the evidence is, by the memory's origin."""


def show_card(stored: Stored, conflicts: Sequence[Section], replaced: Sequence[Stored]) -> None:
    """Print it. Labels are dim on a terminal, where long texts are wrapped between words."""
    entry, told = stored.entry, list(facts(stored, conflicts, replaced))
    begins_so = " ".join(entry.body.split()).startswith(entry.description.rstrip("…"))
    says = [entry.body.strip("\n")] if begins_so else [entry.description, "", entry.body.strip("\n")]
    if terminal.here():
        terminal.show_card("\n".join(says), told)
    else:
        show(*says, "", *(f"{label:<{terminal.LABEL}}{text}" for label, text in told))


def facts(
    stored: Stored, conflicts: Sequence[Section] = (), replaced: Sequence[Stored] = ()
) -> Iterator[tuple[str, str]]:
    """Label and text of each thing known about a memory; an empty label continues the last one. `replaced`:
    the archived memories that it replaced."""
    entry = stored.entry
    where = "all your projects" if entry.scope == GLOBAL else entry.scope.removeprefix("projects/")
    yield "type", f"{entry.type}, for {where}"
    said = sorted(entry.evidence, reverse=True)
    for one in said[:MOST_QUOTES]:
        ago = f" ({when(one.at)})" if terminal.here() else ""
        yield "said", f"{_day(one.at)}{ago}: {by_whom(one, entry.origin)}"
        yield "", f'"{" ".join(one.quote.split())}"'
    if len(said) > MOST_QUOTES:
        yield "", f"and {counted(len(said) - MOST_QUOTES, 'time')} earlier (--raw shows all)"
    yield "status", ", ".join(_status(stored))
    if stored.code:
        bound = ", ".join(" ".join(filter(None, one[:3])) for one in stored.entry.anchors)
        yield "code", f"{MARKS[stored.code].strip(' []') or 'as it was'} ({bound})"
    for section in conflicts:
        other = next(side for side in section.sides if side.path != stored.path)
        yield "conflict", f'"{other.quote}" contradicts it: silt conflicts'
    for old in replaced:
        yield "replaced", f"{old.entry.description} ({_day(old.entry.superseded_at)})"
    yield "file", stored.path


def by_whom(one: Evidence, origin: str) -> str:
    return "you typed it at `silt`" if one.agent == "silt" else BY[origin].format(one.agent)


def _status(stored: Stored) -> Iterator[str]:
    entry = stored.entry
    if entry.superseded_by:
        yield f"archived, replaced by {entry.superseded_by}"
    elif entry.superseded_at is not None:
        yield f"archived, over since {_day(entry.superseded_at)}"
    elif stored.archived:
        yield "archived"
    elif stored.path.startswith("inbox/"):
        yield f"waiting for your review: silt inbox accept {entry.name}"
    else:
        yield f"in force since {_day(entry.created)}"
    if stored.pinned:
        yield "pinned: agents see it in full"
    if entry.enforce:
        yield "enforced" if steers(entry) else "enforced without effect: no rule in it names a call"
    if entry.readonly:
        yield "read-only"
    elif stored.user_written:
        yield "written by you, so nothing else may rewrite it"


def _day(at: datetime | None) -> str:
    return "an unknown date" if at in (None, UNDATED) else at.date().isoformat()
