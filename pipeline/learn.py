"""One window, all the way: extract, judge, merge, commit, and only then the watermark.

The model is asked with no lock held; the merge re-reads the store under the lock (invariant 13). One
window is one commit, which carries the watermarks of the sessions in it (invariant 2). What the user
asked to remember is found by rule and committed first, so that it stands even when the model fails.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime

from siltstone.pipeline.bookkeeping import REREAD, booked
from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.extraction.extract import ModelExtractor
from siltstone.pipeline.extraction.related import related
from siltstone.pipeline.extraction.reply import Extraction
from siltstone.pipeline.inbox import proposed_before
from siltstone.pipeline.ledger import UNASKED, UNREADABLE, Outcome, rejections, tally, to_do
from siltstone.pipeline.merging.merge import WRITES, Merged, merge
from siltstone.pipeline.merging.working_copy import View
from siltstone.pipeline.messages import Filtered, Message, Session
from siltstone.pipeline.model.asking import THINKING_TOKENS, ThoughtToLimit
from siltstone.pipeline.model.port import Usage
from siltstone.pipeline.parts import Parts
from siltstone.pipeline.proof.verdict import judge_all
from siltstone.pipeline.reading.clean import clean
from siltstone.pipeline.reading.window import Shown, Window, halve, is_half_full
from siltstone.pipeline.rules import candidates
from siltstone.pipeline.rules.extract import resembling, saves
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.taken_back import taken_back
from siltstone.pipeline.words import counted
from siltstone.store import commits
from siltstone.store.entry import GLOBAL, HEARD, Stored
from siltstone.store.errors import Overflow, ReplyError, Stale
from siltstone.store.history import tombstones
from siltstone.store.history_index import SAVE, session_trailer
from siltstone.store.layout import INBOX
from siltstone.store.redaction import redact
from siltstone.store.store import Store

TRIES = 3
"""Times a merge is decided anew when the user changed a file between reading and writing."""


@dataclass(slots=True)
class Learned:
    """What became of a window (or of the halves it was cut into), or of all windows of a run."""

    windows: int = 0
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    kinds: Counter[str] = field(default_factory=Counter)
    """Of outcomes."""
    rejected: Counter[str] = field(default_factory=Counter)
    """Candidates, by reason."""
    refused: Counter[str] = field(default_factory=Counter)
    """Items of replies that were no candidates, by reason."""
    commits: list[str] = field(default_factory=list)
    taken_back: list[str] = field(default_factory=list)
    """One sentence for each memory that the user took back and that stands."""
    changed: list[Outcome] = field(default_factory=list)
    """Of memories that are new or say something else."""
    complaints: list[str] = field(default_factory=list)
    """One sentence for each candidate that waits for a file to be repaired."""

    def add(self, other: "Learned") -> None:
        for one in fields(Learned):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def count(self, done: Merged) -> None:
        self.kinds += tally(done.outcomes)
        self.rejected += rejections(done.outcomes)
        self.changed += [one for one in done.outcomes if one.kind not in ("absorbed", "rejected")]
        self.complaints += to_do(done.outcomes, (UNREADABLE, UNASKED))
        self.commits += [done.commit] if done.commit is not None else []


def learn(window: Window, parts: Parts, learned: Learned) -> None:
    """Deal with a window; `learned` is added to as each piece of it is committed.

    Raises what the extractor raises, except Overflow, which halves the window until a single message
    is too large, or until a short window makes the model think too long. What was committed before an error
    stays, and is counted in `learned`.
    """
    if not window.typed:
        parts.state.settle(booked(window, parts, Extraction(()), ()))
        return
    # Rules find by themselves what the user asked to remember.
    saved = () if parts.extractor.name == "rules" else save(window, parts, learned)
    _ask(window, parts, learned, saved)


def save(window: Window, parts: Parts, learned: Learned) -> tuple[Outcome, ...]:
    """Commit what the user asked to remember in a window. No watermark moves: done again, it is absorbed."""
    asked = [*saves(window, parts.keywords), *resembling(window, parts.keywords)]
    if not asked:
        return ()
    judged = judge_all(asked, window, redact, keywords=parts.keywords)
    done = merge_in(judged, window.scope, parts, SAVE)
    learned.count(done)
    return done.outcomes


def _ask(window: Window, parts: Parts, learned: Learned, saved: tuple[Outcome, ...]) -> None:
    """Ask about a window, or about its halves; `saved` is what rules found in it, for the books."""
    shown = related(window, _readable(parts.store, window.scope), parts.search.query)
    try:
        extraction = parts.extractor(window, shown, proposed_before(parts, window.scope))
    except (Overflow, ReplyError) as error:
        learned.usage += getattr(error, "usage", Usage())  # of a reply that could not be read
        learned.calls += getattr(error, "calls", 0)
        if isinstance(error, ReplyError):
            raise
        thought = isinstance(error, ThoughtToLimit)
        if thought and isinstance(parts.extractor, ModelExtractor):
            parts.extractor.room = THINKING_TOKENS  # the next window is not asked with less first
        halves = None if thought and not is_half_full(window) else halve(window)
        if halves is None:
            alone = "" if thought else f"one message alone is too large for {parts.extractor.name}: "
            raise ReplyError(f"{alone}{error}") from error
        _ask(halves[0], parts, learned, saved)
        _ask(halves[1], parts, learned, ())
        return
    learned.windows += 1
    learned.calls += extraction.calls
    learned.usage += extraction.usage
    learned.refused += extraction.refused

    def pend(outcomes: Sequence[Outcome]) -> None:
        dealt = booked(window, parts, extraction, outcomes, saved)
        parts.state.pending.put(dealt, parts.store.git.head() or "")

    judged = judge_all(extraction.candidates, window, redact, shown, parts.keywords)
    paths = {entry.number: entry.path for entry in shown}
    marks = [session_trailer(m.session.agent, m.session.id, m.message) for m in window.marks if m.message]
    done = merge_in(judged, window.scope, parts, "extract", shown=paths, trailers=marks, pend=pend)
    back = taken_back(window, lambda: _readable(parts.store, window.scope))
    learned.taken_back += [one.sentence for one in back]
    dealt = booked(window, parts, extraction, done.outcomes, saved, back)
    parts.state.settle(dealt.committed(done.commit) if done.commit else dealt)
    learned.count(done)


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
    shown = Shown(1, session, message)
    asked = [candidates.saved(one, shown) for one in hear(message.text, parts.keywords).requests]
    judged = judge_all(asked, Window(scope, (shown,)), redact, keywords=parts.keywords)
    return merge_in(judged, scope, parts, SAVE, wait=wait).outcomes if judged else ()


def merge_in(
    judged: Sequence[Judged],
    scope: str,
    parts: Parts,
    op: str,
    *,
    subject: str = "",
    shown: Mapping[int, str] | None = None,
    trailers: Sequence[tuple[str, str]] = (),
    pend: Callable[[Sequence[Outcome]], None] = lambda outcomes: None,
    wait: float | None = None,
) -> Merged:
    """Merge under the lock and commit; again from the start when the user changed a file meanwhile.

    `shown`: paths of memories by the number that a candidate may name. `pend` is called with the outcomes
    just before the commit, under the lock. The commit that writes a project's first memory registers it.
    """
    for left in reversed(range(TRIES)):
        with parts.store.locked(wait):
            parts.store.settle()
            merged = merge(judged, view_of(parts, scope, shown or {}))
            if not merged.changes:
                return merged
            inside = any(change.path.startswith(f"{scope}/") for change in merged.changes)
            changes = [*merged.changes, *(parts.register(scope) if inside else ())]
            pend(merged.outcomes)
            lines = [(commits.RUN, parts.run), (commits.OP, op), *trailers]
            try:
                commit = parts.store.apply(changes, subject or _subject(merged, scope), lines)
            except Stale:
                if not left:
                    raise
                continue
        parts.search.follow(changes, parts.store.read_all)
        return merged._replace(commit=commit)
    raise AssertionError("unreachable: the last try returns or raises")


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
        tombstones=tombstones(store, parts.state.number(REREAD)),
        purged=parts.state.purged.all(),
        conflicts=store.conflicts_file(),
        unreadable={p: t for name in (*scopes, INBOX) for p, t in store.left_out(name).items()},
        taken={path for name in (*scopes, INBOX) for path in store.taken(name)},
        shown=shown,
    )


def _readable(store: Store, scope: str) -> list[Stored]:
    return [stored for name in dict.fromkeys((scope, GLOBAL)) for stored in store.entries(name)]


def _subject(merged: Merged, scope: str) -> str:
    """One line for the log: what changed, about what."""
    kinds = tally(merged.outcomes)
    learnt = sum(kinds[kind] for kind in WRITES) + merged.released
    about = "all projects" if scope == GLOBAL else scope.rpartition("/")[2]
    if learnt:
        return f"memory: learn {counted(learnt, 'fact')} about {about}"
    if kinds["quarantined"]:
        return f"memory: put {counted(kinds['quarantined'], 'candidate')} in the inbox"
    return f"memory: confirm {counted(kinds['absorbed'], 'fact')} about {about}"
