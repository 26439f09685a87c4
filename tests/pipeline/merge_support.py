"""Makers of values for the tests of merge, compaction and conflicts."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from siltstone.pipeline.candidate import Candidate, Judged, Verdict
from siltstone.pipeline.ledger import Outcome
from siltstone.pipeline.merging.merge import Merged
from siltstone.pipeline.merging.working_copy import View
from siltstone.store.conflicts import PATH
from siltstone.store.conflicts import parse as parse_conflicts
from siltstone.store.entry import Change, Entry, Evidence, Stored, TextFile, Write
from siltstone.store.frontmatter import parse, render
from siltstone.store.intent import hash_of
from siltstone.store.store import Store

SCOPE = "projects/larkspur"
DAY = datetime(2026, 9, 1, 12, tzinfo=UTC)
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def said(quote: str, day: int = 0, session: str | None = None, message: str = "m1") -> Evidence:
    """Words of one session a day."""
    return Evidence(DAY + timedelta(days=day), "claude", session or f"s{day}", message, quote)


def entry(body: str, *, day: int = 0, quote: str = "", **fields: Any) -> Entry:
    """An entry told once, on `day`."""
    evidence = said(quote or body, day)
    told: dict[str, Any] = {"scope": SCOPE, "name": "note", "type": "project", "source": "extraction"}
    told |= {"origin": "user-said", "description": body.splitlines()[0]} | fields
    return Entry(body=body, created=evidence.at, updated=evidence.at, evidence=(evidence,), **told)


def store(
    of: Entry, *, folder: str = "", user_written: bool = False, pinned: bool = False, archived: bool = False
) -> Stored:
    """The entry as a file; `folder` is a sub-folder of its scope ("archive", "system") or "inbox"."""
    inbox = folder == "inbox"
    base = "inbox" if inbox else f"{of.scope}/{folder}".rstrip("/")
    path = f"{base}/{of.type}-{of.name}.md"
    text = render(of, inbox=inbox)
    return Stored(
        path,
        text,
        sha256(text.encode()).hexdigest(),
        parse(path, text),
        user_written=user_written,
        pinned=pinned or folder == "system",
        archived=archived or folder == "archive",
    )


def judged(
    body: str,
    *,
    day: int = 0,
    quote: str = "",
    evidence: Sequence[Evidence] = (),
    origin: Any = "user-said",
    outcome: Any = "accept",
    reason: str = "accepted",
    **fields: Any,
) -> Judged:
    """A candidate with its verdict, said once on `day`."""
    told: dict[str, Any] = {"action": "create", "type": "project", "scope": "project", "name": "note"}
    told |= {"quotes": (), "description": body.splitlines()[0] if body else ""} | fields
    proof = tuple(evidence) or (said(quote or body, day),)
    return Judged(Candidate(body=body, **told), Verdict(outcome, reason, origin, proof))


def view(*current: Stored, **more: Any) -> View:
    """What a merge sees where these stand and are shown, numbered from 1."""
    return View(SCOPE, NOW, current, shown={n: one.path for n, one in enumerate(current, 1)}, **more)


def asked(merged: Merged) -> list[set[str]]:
    """The sides of each conflict in _CONFLICTS.md, as a merge writes it."""
    texts = [one.text for one in merged.changes if isinstance(one, Write) and one.path == PATH]
    return [{side.path for side in section.sides} for text in texts for section in parse_conflicts(text)]


def kinds(merged: Merged) -> list[str]:
    """What became of each candidate."""
    return [outcome.kind for outcome in merged.outcomes]


def the(merged: Merged) -> Outcome:
    """What became of the one candidate."""
    (outcome,) = merged.outcomes
    return outcome


def applied(stored: Iterable[Stored], changes: Iterable[Change]) -> dict[str, str]:
    """Texts by path after the changes; asserts that each was decided on what really stands."""
    files = {item.path: item.text for item in stored}
    for change in changes:
        now = files.get(change.path)
        assert change.expected == (None if now is None else sha256(now.encode()).hexdigest()), change.path
        if isinstance(change, Write):
            files[change.path] = change.text
        else:
            del files[change.path]
    return files


def entries(files: Mapping[str, str]) -> dict[str, Entry]:
    """The entries in files by path."""
    return {path: parse(path, text) for path, text in sorted(files.items()) if path != PATH}


def text_file(text: str) -> TextFile:
    """A file of this text, as it is read."""
    return TextFile(text, hash_of(text.encode()))


def view_of(store: Store) -> View:
    """What a merge sees of a store on disk."""
    every = store.entries(archived=True)
    return View(
        SCOPE,
        NOW,
        [stored for stored in every if not stored.archived],
        archived=[stored for stored in every if stored.archived],
        inbox=store.inbox(),
        conflicts=store.conflicts_file(),
        taken=store.taken(SCOPE),
    )


def only(files: Mapping[str, str], word: str) -> Entry:
    """The one entry whose body holds a word."""
    found = [found for found in entries(files).values() if word in found.body]
    assert len(found) == 1, [item.body for item in found]
    return found[0]
