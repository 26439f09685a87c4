"""What waits for the user, and the user's answers: those of `silt conflicts`, `silt inbox`, `silt confirm`.

An answer names what its user saw by a hash. When that is not what stands there now, nothing is done.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from siltstone.cli import code, inbox
from siltstone.cli.card import by_whom
from siltstone.cli.conflicts import settle
from siltstone.cli.context import Context
from siltstone.cli.review import Answer
from siltstone.pipeline.conflicts import open_conflicts
from siltstone.store import commits
from siltstone.store.entry import Stored
from siltstone.store.errors import Stale, Transient
from siltstone.store.names import scope_of_path
from siltstone.ui.show import Piece, differing

KINDS = {"conflict": "Contradictions", "inbox": "Inbox", "stale": "Code changed"}
"""Kinds of what waits, in the order in which they are shown."""


class Side(NamedTuple):
    """A text to look at."""

    title: str
    pieces: Sequence[Piece]
    quote: str
    """What was said, word for word; "" where there is nothing."""
    said: str
    """By whom and when."""
    path: str


class Waiting(NamedTuple):
    kind: str
    id: str
    about: str
    """Why it waits."""
    sides: Sequence[Side]
    answers: Mapping[str, Answer]
    """By key."""
    seen: str
    """Stands for all that is shown of it."""


def waiting(context: Context, kinds: Sequence[str] = tuple(KINDS)) -> list[Waiting]:
    """All that waits for the user, or what is of some kinds."""
    of = {"conflict": _conflicts, "inbox": _inbox, "stale": _stale}
    return [one for kind in kinds if kind in of for one in of[kind](context)]


def answer(context: Context, kind: str, id: str, key: str, seen: str) -> tuple[str, str | None]:
    """Give an answer; what was done, in a sentence, and its commit. Raises Stale when what is answered is not
    there any more, or not as it was `seen`, and what the commands raise."""
    found = next((one for one in waiting(context, [kind]) if one.id == id), None)
    if found is None:
        raise Stale("this was settled elsewhere in the meantime: nothing was done", ())
    if found.seen != seen or key not in found.answers:
        raise Stale("this has changed since you saw it: nothing was done, please look again", ())
    before = context.store.git.head()
    try:
        told = found.answers[key].do()
    except Transient:  # before it was done, or when only what is derived from it was left to do
        commit = _commit(context, found, before)
        if commit is None:
            raise
        return "done; agents will see it after the next run", commit
    return told, _commit(context, found, before)


def _commit(context: Context, item: Waiting, before: str | None) -> str | None:
    """The commit that answered an item after `before`; None for none. Others may have been made meanwhile by
    a batch, or of edits by hand."""
    since = commits.read(
        context.store.git, "--reverse", f"{before}..HEAD", paths=[x.path for x in item.sides]
    )
    return next((commit.id for commit in since if commit.op is not None), None)


def _conflicts(context: Context) -> Iterator[Waiting]:
    sections = open_conflicts(context.store)
    paths = sorted({side.path for section in sections for side in section.sides})
    paths = [path for path in paths if (context.store.root / path).is_file()]
    now = {one.path: one for one in context.store.read_all(paths)}
    for section in sections:
        unread = "(this memory is gone, or its file cannot be read)"
        texts = [now[one.path].entry.body.strip() if one.path in now else unread for one in section.sides]
        sides = [
            Side(
                str(n),
                pieces,
                one.quote,
                f"said to {one.session.partition('/')[0] or 'silt'}, {one.day}",
                one.path,
            )
            for n, (one, pieces) in enumerate(zip(section.sides, differing(*texts), strict=True), 1)
        ]
        answers = {
            "1": Answer("Keep first", partial(settle, context, section.id, 1)),
            "2": Answer("Keep second", partial(settle, context, section.id, 2)),
            "b": Answer("Both are true", partial(settle, context, section.id, "both")),
        }
        hashes = [now[one.path].hash if one.path in now else "" for one in section.sides]
        scopes = {scope_of_path(one.path).removeprefix("projects/") for one in section.sides}
        about = f"two memories of {' and '.join(sorted(scopes))} contradict each other"
        yield Waiting("conflict", section.id, about, sides, answers, _seen(str(section), *hashes))


def _inbox(context: Context) -> Iterator[Waiting]:
    for stored in context.store.inbox():
        entry = stored.entry
        where = entry.scope.removeprefix("projects/")
        old = _replaced(context, stored)
        body = entry.body.strip() or entry.description
        was, says = differing(old[0].entry.body.strip() if old else "", body)
        proposed = _side("proposed", stored, says if old else [(body, False)])
        sides = [*[_side("now", one, was) for one in old], proposed]
        about = f"an agent proposes a new text for {where}" if old else f"an agent claims this of {where}"
        if old and not entry.body:
            about = "an agent asks to forget this"
        answers = {
            "a": Answer("Accept", partial(inbox.keep, context, stored)),
            "r": Answer("Reject", partial(inbox.drop, context, stored)),
        }
        yield Waiting("inbox", stored.path, about, sides, answers, _seen(*(x.hash for x in (stored, *old))))


def _stale(context: Context) -> Iterator[Waiting]:
    for stored, rows in code.stale_memories(context):
        if stored.code == "unknown":  # its project is not on this machine: nobody here can tell
            continue
        side = _side("", stored, [(stored.entry.body.strip(), False)])
        about = "; ".join(map(code.why_stale, rows))
        answers = {"c": Answer("It still holds", partial(code.confirm, context, stored.path))}
        yield Waiting("stale", stored.path, about, [side], answers, _seen(stored.hash, about))


def _replaced(context: Context, item: Stored) -> list[Stored]:
    """The memory that an item of the inbox is a new text for, or asks to forget."""
    named, entry = context.store.resembling(item.entry.name), item.entry
    wanted = (entry.scope, entry.type, entry.name)
    found = [one for one in named if (one.entry.scope, one.entry.type, one.entry.name) == wanted]
    alive = [one for one in found if not one.archived and one.path != item.path]
    return alive[:1] if entry.replaces is not None else []


def _side(title: str, stored: Stored, pieces: Sequence[Piece]) -> Side:
    if not stored.entry.evidence:
        return Side(title, pieces, "", "", stored.path)
    last = max(stored.entry.evidence)
    said = f"{by_whom(last, stored.entry.origin)}, {last.at.astimezone(UTC).date().isoformat()}"
    quote = " ".join(last.quote.split())
    if quote in " ".join(stored.entry.body.split()):
        quote = ""
    return Side(title, pieces, quote, said, stored.path)


def _seen(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
