"""One window, all the way: extract, judge, merge, commit, and only then the watermark.

The model is asked with no lock held; the merge re-reads the store under the lock (invariant 13). One
window is one commit, which carries the watermarks of the sessions in it (invariant 2). What the user
asked to remember is found by rule and committed first, so that it stands even when the model fails.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from siltstone.pipeline.bookkeeping import booked, noted, trailers
from siltstone.pipeline.candidate import Judged, RelatedEntry
from siltstone.pipeline.extraction.related import related
from siltstone.pipeline.extraction.reply import Extraction
from siltstone.pipeline.extraction.saves import resembling
from siltstone.pipeline.ledger import Outcome, Tally, tally, waits
from siltstone.pipeline.merging.merge import Merged, merge
from siltstone.pipeline.merging.working_copy import View
from siltstone.pipeline.messages import Filtered, Message, Session
from siltstone.pipeline.model.port import Usage
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.proof.verdict import judge_all
from siltstone.pipeline.reading.clean import clean
from siltstone.pipeline.reading.window import Shown, Window, halve
from siltstone.pipeline.rules.extract import saves
from siltstone.pipeline.taken_back import TakenBack, taken_back
from siltstone.pipeline.words import counted
from siltstone.store import commits
from siltstone.store.conflicts import PATH
from siltstone.store.entry import GLOBAL, HEARD, Change, Stored
from siltstone.store.errors import Overflow, ReplyError, Stale
from siltstone.store.history import tombstones
from siltstone.store.layout import INBOX
from siltstone.store.lock import WAIT
from siltstone.store.redaction import redact
from siltstone.store.state import Dealt
from siltstone.store.store import Store

TRIES = 3
"""Times a merge is decided anew when the user changed a file between reading and writing."""


@dataclass(slots=True)
class Learned:
    """What became of a window (or of the halves it was cut into)."""

    tally: Tally = field(default_factory=Tally)
    refused: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    windows: int = 0
    commits: list[str] = field(default_factory=list)
    waits: list[str] = field(default_factory=list)
    """One sentence for each candidate that waits for a file to be repaired."""
    taken_back: list[str] = field(default_factory=list)
    """One sentence for each memory that the user took back and that stands."""

    def count(self, outcomes: Sequence[Outcome], commit: str | None) -> None:
        """Add what one commit did."""
        self.tally += tally(outcomes)
        self.waits += waits(outcomes)
        self.commits += [commit] if commit is not None else []

    def count_cost(self, error: Exception) -> None:
        """Add what a reply cost that could not be read."""
        self.usage += getattr(error, "usage", Usage())
        self.calls += getattr(error, "calls", 0)


def learn(window: Window, parts: Parts, learned: Learned) -> None:
    """Deal with a window; `learned` is added to as each piece of it is committed.

    Raises what the extractor raises, except Overflow, which halves the window until a single message
    is too large. What was committed before an error stays, and is counted in `learned`.
    """
    if not window.typed:
        _book(window, parts, Extraction(()), (), None)
        return
    _ask(window, parts, learned, _keep_saves(window, parts, learned))


def _ask(window: Window, parts: Parts, learned: Learned, saved: tuple[Outcome, ...]) -> None:
    """Ask about a window, or about its halves; `saved` is what rules found in it, for the books."""
    shown = related(window, _readable(parts.store, window.scope), parts.search)
    try:
        extraction = parts.extractor(window, shown)
    except Overflow as error:
        learned.count_cost(error)
        halves = halve(window)
        if halves is None:
            raise ReplyError(f"one message alone is too large for {parts.extractor.name}: {error}") from error
        _ask(halves[0], parts, learned, saved)
        _ask(halves[1], parts, learned, ())
        return
    except ReplyError as error:
        learned.count_cost(error)
        raise
    learned.windows += 1
    learned.calls += extraction.calls
    learned.usage += extraction.usage
    learned.refused += extraction.refused
    judged = judge_all(extraction.candidates, window, redact)
    outcomes, commit = _commit(window, parts, judged, shown, extraction, saved)
    back = taken_back(window, lambda: _readable(parts.store, window.scope))
    learned.taken_back += [one.sentence for one in back]
    _book(window, parts, extraction, outcomes, commit, saved, back)
    learned.count(outcomes, commit)


def _keep_saves(window: Window, parts: Parts, learned: Learned) -> tuple[Outcome, ...]:
    """Commit what the user asked to remember before a model is asked; `rules` finds it by itself."""
    if parts.extractor.name == "rules":
        return ()
    asked = [*saves(window, parts.keywords), *resembling(window, parts.keywords)]
    if not asked:
        return ()
    judged = judge_all(asked, window, redact)
    outcomes, commit = _commit(window, parts, judged, (), None)
    learned.count(outcomes, commit)
    return outcomes


def keep_typed(
    session: Session, text: str, at: datetime, message_id: str, scope: str, parts: Parts, wait: float
) -> tuple[Outcome, ...]:
    """Commit what a message asks to keep while it is typed, before its transcript is read (docs/seeds.md C20,
    E8); one outcome for each thing asked.

    The same rules as for a transcript: redaction, proof, tombstones, merge. No watermark moves: the
    transcript is read later all the same, and what it holds is then found in the store and absorbed.
    `message_id` is "" while it is unknown: the evidence then gets an id that begins with `HEARD`, which
    reading the transcript replaces. `at` is aware, UTC. Raises Locked when another writer holds the store
    for `wait` seconds.
    """
    id_ = message_id or f"{HEARD}{at.timestamp():.3f}"
    message = clean(Message(id_, id_, "user", text, at.replace(microsecond=0)))
    if isinstance(message, Filtered):
        return ()
    window = Window(scope, (Shown(1, session, message),))
    judged = judge_all(saves(window, parts.keywords, alone=True), window, redact)
    return _commit(window, parts, judged, (), None, wait=wait)[0] if judged else ()


def _commit(
    window: Window,
    parts: Parts,
    judged: Sequence[Judged],
    shown: Sequence[RelatedEntry],
    extraction: Extraction | None,
    saved: tuple[Outcome, ...] = (),
    wait: float = WAIT,
) -> tuple[tuple[Outcome, ...], str | None]:
    """Merge under the lock and commit; again from the start when the store changed meanwhile.

    With an `extraction` the commit carries the watermarks, and the books are pending until it stands;
    without one (explicit saves) the window is still to be read.
    """
    for left in reversed(range(TRIES)):
        with parts.store.locked(wait):
            parts.store.settle()
            merged = merge(judged, view_of(parts, window.scope, {e.number: e.path for e in shown}))
            if not merged.changes:
                return merged.outcomes, None
            changes = registered(merged.changes, window.scope, parts)
            lines = [(commits.RUN, parts.run), (commits.OP, "save" if extraction is None else "extract")]
            if extraction is not None:
                lines += trailers(window.marks)
                dealt = _dealt(window, parts, extraction, merged.outcomes, saved)
                parts.state.pending.put(dealt, parts.store.git.head() or "")
            try:
                commit = parts.store.apply(changes, subject(merged, window.scope), lines)
            except Stale:
                if not left:
                    raise
                continue
        written(changes, window.scope, parts)
        return merged.outcomes, commit
    raise AssertionError("unreachable: the last try returns or raises")


def registered(changes: Sequence[Change], scope: str, parts: Parts) -> list[Change]:
    """The changes, and that of the scope's `project.yaml` where they write into the scope's folder."""
    inside = any(change.path.startswith(f"{scope}/") for change in changes)
    return [*changes, *(parts.register(scope) if inside else ())]


def view_of(parts: Parts, scope: str, shown: Mapping[int, str]) -> View:
    """The store as merge needs it, read now."""
    store = parts.store
    scopes = dict.fromkeys((scope, GLOBAL))
    read = [stored for name in scopes for stored in store.entries(name, archived=True)]
    return View(
        scope=scope,
        now=parts.clock(),
        current=[stored for stored in read if not stored.archived],
        archived=[stored for stored in read if stored.archived],
        inbox=store.inbox(),
        tombstones=tombstones(store),
        purged=parts.state.purged.all(),
        conflicts=store.text(PATH),
        unreadable={p: t for name in (*scopes, INBOX) for p, t in store.left_out(name).items()},
        taken={path for name in (*scopes, INBOX) for path in store.taken(name)},
        shown=shown,
    )


def _readable(store: Store, scope: str) -> list[Stored]:
    return [stored for name in dict.fromkeys((scope, GLOBAL)) for stored in store.entries(name)]


def subject(merged: Merged, scope: str) -> str:
    """One line for the log: what changed, about what."""
    kinds = tally(merged.outcomes).kinds
    learnt = (
        sum(kinds[kind] for kind in ("promoted", "updated", "superseded", "conflicted")) + merged.released
    )
    about = "all projects" if scope == GLOBAL else scope.rpartition("/")[2]
    if learnt:
        return f"memory: learn {counted(learnt, 'fact')} about {about}"
    if kinds["quarantined"]:
        return f"memory: put {counted(kinds['quarantined'], 'candidate')} in the inbox"
    return f"memory: confirm {counted(kinds['absorbed'], 'fact')} about {about}"


def written(changes: Sequence[Change], scope: str, parts: Parts) -> None:
    """What follows from a commit and can be made again: the search database, the churn."""
    parts.search.follow(changes, parts.store.read_all)
    churn = Counter(c.path.rpartition("/")[0] for c in changes if c.path.endswith(".md"))
    for folder in (scope, GLOBAL):
        if churn[folder]:
            parts.state.compaction.wrote(folder, churn[folder])


def _book(
    window: Window,
    parts: Parts,
    extraction: Extraction,
    outcomes: Sequence[Outcome],
    commit: str | None,
    saved: Sequence[Outcome] = (),
    back: Sequence[TakenBack] = (),
) -> None:
    dealt = _dealt(window, parts, extraction, outcomes, saved)
    dealt = replace(dealt, rejected=(*dealt.rejected, *noted(dealt.window, back)))
    parts.state.settle(dealt.committed(commit) if commit else dealt)


def _dealt(
    window: Window,
    parts: Parts,
    extraction: Extraction,
    outcomes: Sequence[Outcome],
    saved: Sequence[Outcome],
) -> Dealt:
    name = parts.extractor.name
    return booked(window, parts.state, parts.run, parts.clock(), name, extraction, outcomes, saved)
