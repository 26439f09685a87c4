"""Makers of values for the tests of merge, compaction and conflicts."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Literal

from siltstone.pipeline.candidate import Action, Candidate, Judged, Verdict
from siltstone.pipeline.merging.working_copy import View
from siltstone.store.conflicts import PATH
from siltstone.store.entry import Change, Entry, Evidence, Origin, Source, Stored, Type, Write
from siltstone.store.frontmatter import parse, render
from siltstone.store.store import Store

SCOPE = "projects/larkspur"
DAY = datetime(2026, 9, 1, 12, tzinfo=UTC)
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def said(quote: str, day: int = 0, session: str | None = None, message: str = "m1") -> Evidence:
    """Words of one session a day."""
    return Evidence(DAY + timedelta(days=day), "claude", session or f"s{day}", message, quote)


def entry(
    body: str,
    *,
    name: str = "note",
    type: Type = "project",
    scope: str = SCOPE,
    day: int = 0,
    quote: str | None = None,
    source: Source = "extraction",
    origin: Origin = "user-said",
    description: str | None = None,
    readonly: bool = False,
) -> Entry:
    """An entry told once, on `day`."""
    evidence = said(quote or body, day)
    return Entry(
        scope=scope,
        name=name,
        type=type,
        description=description or body.splitlines()[0],
        body=body,
        source=source,
        origin=origin,
        created=evidence.at,
        updated=evidence.at,
        evidence=(evidence,),
        readonly=readonly,
    )


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
    action: Action = "create",
    target: int | None = None,
    type: Type = "project",
    scope: str = "project",
    day: int = 0,
    quote: str | None = None,
    name: str = "note",
    description: str | None = None,
    origin: Origin = "user-said",
    source: Source = "extraction",
    outcome: Literal["accept", "quarantine", "reject"] = "accept",
    reason: str = "accepted",
    evidence: Sequence[Evidence] | None = None,
) -> Judged:
    """A candidate with its verdict, said once on `day`."""
    proof = (said(quote or body, day),) if evidence is None else tuple(evidence)
    return Judged(
        Candidate(
            action,
            type,
            "global" if scope == "global" else "project",
            name,
            body.splitlines()[0] if description is None else description,
            body,
            (),
            target,
            source=source,
        ),
        Verdict(outcome, reason, origin, proof),
    )


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


def view_of(store: Store) -> View:
    """What a merge sees of a store on disk."""
    every = store.entries(archived=True)
    return View(
        SCOPE,
        NOW,
        [stored for stored in every if not stored.archived],
        archived=[stored for stored in every if stored.archived],
        inbox=store.inbox(),
        conflicts=store.text(PATH),
        taken=store.taken(SCOPE),
    )


def only(files: Mapping[str, str], word: str) -> Entry:
    """The one entry whose body holds a word."""
    found = [found for found in entries(files).values() if word in found.body]
    assert len(found) == 1, [item.body for item in found]
    return found[0]
