"""Compacting scopes: what is due, what a model would be asked, and doing it (docs/architecture.md).

    due ─▶ look_back, groups ─▶ plan (with_model or without_model) ─▶ check ─▶ apply

The plan is made without the lock, because a model may be asked. It is checked and applied under the lock, in
one commit. The commit before it is the checkpoint, named in the trailer `Silt-Checkpoint`: `silt undo` goes
back to it. A scope that another process reads or compacts is left to that process. Of this folder's modules
`churn.py` and `look_back.py`, which reads the session archive, do I/O too.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from siltstone.pipeline.compaction import with_model, without_model
from siltstone.pipeline.compaction.apply import changes
from siltstone.pipeline.compaction.check import Checked, check
from siltstone.pipeline.compaction.churn import count_writes
from siltstone.pipeline.compaction.due import When, due, expired
from siltstone.pipeline.compaction.groups import Group, live_by_scope, plan_groups
from siltstone.pipeline.compaction.look_back import Page, pages, settled
from siltstone.pipeline.compaction.plan import CompactView, Flag
from siltstone.pipeline.compaction.with_model import Looking, Proposed
from siltstone.pipeline.conflicts import open_conflicts
from siltstone.pipeline.model.port import Model
from siltstone.pipeline.parts import Parts, leased
from siltstone.store import commits
from siltstone.store.conflicts import parse
from siltstone.store.entry import Stored
from siltstone.store.redaction import redact
from siltstone.store.session_archive import SessionArchive
from siltstone.store.state import State
from siltstone.store.store import Store

MAX_BODY = 20_000
"""Characters of the plan in the commit's body."""


class Wish(NamedTuple):
    scope: str | None = None
    force: bool = False
    """More than a quarter of a scope may leave."""
    everything: bool = False
    """Judge again what was judged before and has not changed."""


@dataclass(slots=True)
class Compacted:
    checked: Checked
    asked: Proposed
    """What a model was asked; nothing where rules planned."""
    commit: str | None = None
    checkpoint: str | None = None
    busy: list[str] = field(default_factory=list)
    """Scopes that another process is working on."""


def why_due(store: Store, state: State, scope: str, when: When, now: datetime) -> str | None:
    """Why a scope should be compacted now; None when there is no need.

    Its memories are read only when it may be due.
    """
    count_writes(store, state)
    churn = state.compaction.get(scope)
    if due(churn, when.min_entries, 1, now, when) is None:
        return None
    entries = [stored.entry for stored in _live(store, scope)]
    return due(churn, len(entries), sum(expired(one.claim, now) for one in entries), now, when)


def groups_of(store: Store, state: State, wish: Wish) -> list[Group]:
    """What a model would be asked about: groups with an entry that is new or changed since it was judged."""
    return plan_groups(_live(store, wish.scope), () if wish.everything else state.compaction.judged())


def pages_of(store: Store, state: State, scopes: Iterable[str], archive: SessionArchive) -> list[Page]:
    """What a model would be asked in looking back at the sessions of these scopes."""
    judged = state.compaction.judged()
    return [page for scope in sorted(scopes) for page in pages(_live(store, scope), archive, judged)]


def plain_plan(store: Store, wish: Wish, now: datetime) -> Checked:
    """What compaction without a model would do; nothing is written."""
    ops = without_model.propose(_live(store, wish.scope), open_conflicts(store))
    return check(ops, _view(store, wish.force, now))


def compact(parts: Parts, model: Model | None, wish: Wish) -> Compacted:
    """Plan, check and apply, in every scope that no other process works on. Without a model, rules plan."""
    wanted = parts.store.scopes() if wish.scope is None else [wish.scope]
    with ExitStack() as held:
        ours = [scope for scope in wanted if held.enter_context(leased(parts, scope))]
        done = _compact(parts, model, ours, wish)
    done.busy = [scope for scope in wanted if scope not in ours]
    return done


def compact_due(
    parts: Parts, model: Model | None, when: When, looking: Looking | None = None
) -> Iterator[tuple[str, str, Compacted]]:
    """Compact each scope that is due, and look back at its sessions: the scope, why, and what was done."""
    for scope in parts.store.scopes():
        with leased(parts, scope) as ours:
            # Ask only once the scope is ours: another run may have compacted it meanwhile.
            now = parts.clock()
            why = why_due(parts.store, parts.state, scope, when, now) if ours else None
            if why is not None:
                yield scope, why, _compact(parts, model, [scope], Wish(), looking)
            elif ours and due(parts.state.compaction.get(scope), when.min_entries, 1, now, when):
                parts.state.compaction.compacted(scope, now)  # none has ended: they are read again later


def _compact(
    parts: Parts,
    model: Model | None,
    scopes: Sequence[str],
    wish: Wish,
    looking: Looking | None = None,
) -> Compacted:
    with parts.store.locked():
        parts.store.settle()  # else the plan is made of what a killed pass had half written
    live = [stored for scope in scopes for stored in _live(parts.store, scope)]
    sections, flags = open_conflicts(parts.store), list[Flag]()
    if model is None:
        asked = Proposed(list(without_model.propose(live, sections)))
    else:
        known = frozenset[str]() if wish.everything else parts.state.compaction.judged()
        asked = with_model.propose(parts, model, live, sections, known, looking)
        for entries in live_by_scope(live).values():  # also what was judged before: a pair may have waited
            flags += without_model.contradictions(entries, sections)
    now = parts.clock()
    tried = sorted({stored.entry.scope for stored in live})
    count_writes(parts.store, parts.state)
    with parts.store.locked():
        parts.store.settle()
        view = _view(parts.store, wish.force, now)
        checked = check(asked.ops, view, flags)
        done = Compacted(Checked(checked.accepted, (*asked.refused, *checked.refused)), asked)
        wanted = changes(checked.accepted, view)
        if wanted:
            done.checkpoint = parts.store.git.head()
            trailers = [(commits.RUN, parts.run), (commits.OP, "compact")]
            trailers += [(commits.CHECKPOINT, done.checkpoint)] if done.checkpoint else []
            subject = f"memory: compact: {done.checked.summary}"
            done.commit = parts.store.apply(wanted, subject, trailers, done.checked.diff[:MAX_BODY])
    parts.state.compaction.judge(settled(asked.judged, checked.accepted, checked.refused), now)
    for scope in tried:
        if asked.failed:
            parts.state.compaction.attempted(scope, now)
        else:
            parts.state.compaction.compacted(scope, now)
    parts.search.follow(wanted, parts.store.read_all)
    return done


def _live(store: Store, scope: str | None) -> list[Stored]:
    return [stored for stored in store.entries(scope) if not stored.archived]


def _view(store: Store, force: bool, now: datetime) -> CompactView:
    entries = store.entries(archived=True)
    conflicts = store.conflicts_file()
    return CompactView(
        now=now,
        current={s.path: s for s in entries if not s.archived},
        archived=[s for s in entries if s.archived],
        sections=parse(conflicts.text if conflicts else ""),
        conflicts=conflicts,
        force=force,
        clean=lambda words: redact(words).text == words,
    )
