"""Keeping the store small and consistent: the user's ticks, compaction, the inbox's end.

The order of DESIGN.md "Compaction": the plan is made with no lock held (a model may be asked), checked
and applied under it, in one commit on top of a checkpoint: the commit before it, named in the trailer
`Silt-Checkpoint`, which `silt undo` goes back to. Deciding is `compaction/`; this is its I/O.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from siltstone.pipeline.asking import ask
from siltstone.pipeline.compaction.apply import changes
from siltstone.pipeline.compaction.check import Checked, CompactView, check
from siltstone.pipeline.compaction.describe import describe, summary
from siltstone.pipeline.compaction.due import Upkeep, due
from siltstone.pipeline.compaction.expiry import expired
from siltstone.pipeline.compaction.groups import Group, mark, plan_groups
from siltstone.pipeline.compaction.plain import propose
from siltstone.pipeline.compaction.plan import Op, Plan, Refused, WirePlan, read_plan
from siltstone.pipeline.conflicts import Settlement, Standing
from siltstone.pipeline.conflicts import settle as settle_ticks
from siltstone.pipeline.inbox import expired as ended
from siltstone.pipeline.learn import Parts
from siltstone.pipeline.model import Model, Usage
from siltstone.prompts import Prompt, prompt
from siltstone.store import commits
from siltstone.store.conflicts import PATH, Section, Tick, parse
from siltstone.store.entry import Change, Stored
from siltstone.store.errors import ModelError, ReplyError, Transient
from siltstone.store.redaction import redact
from siltstone.store.state import Rejected
from siltstone.store.store import Store

MAX_BODY = 20_000
"""Characters of the plan that the commit's body tells."""


@dataclass(frozen=True, slots=True)
class When:
    """The settings that say when compaction is due (C31)."""

    churn: int
    interval: timedelta
    min_entries: int


@dataclass(frozen=True, slots=True)
class Wish:
    """What a compaction is asked to do."""

    scope: str | None = None
    force: bool = False
    """More than a quarter of a scope may go."""
    everything: bool = False
    """Judge again what has been judged as it stands."""
    dry_run: bool = False


@dataclass(slots=True)
class Compacted:
    """What a compaction did, or would do."""

    checked: Checked
    groups: int
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    commit: str | None = None
    checkpoint: str | None = None
    judged: list[str] = field(default_factory=list)
    """Hashes of the entries that were asked about."""
    failed: list[str] = field(default_factory=list)
    """One sentence for each group whose plan could not be had; it is asked again next time."""

    @property
    def diff(self) -> str:
        """The plan as a person reads it, refusals with their reasons."""
        return describe(self.checked.accepted, self.checked.refused)

    @property
    def summary(self) -> str:
        return summary(self.checked.accepted, self.checked.refused)


def why_due(parts: Parts, scope: str, entries: Sequence[Stored], when: When) -> str | None:
    """Why a scope should be compacted now; None when there is no need."""
    state = parts.state.compaction.get(scope)
    own = [stored for stored in entries if stored.entry.scope == scope]
    now = parts.clock()
    ended = sum(expired(f"{s.entry.description}\n{s.entry.body}", now) for s in own)
    upkeep = Upkeep(state.writes, state.attempted, state.compacted)
    return due(upkeep, len(own), ended, now, when.churn, when.interval, when.min_entries)


def compact(parts: Parts, model: Model | None, wish: Wish) -> Compacted:
    """Plan, check, and unless it is a dry run apply. Without a model the plain rules propose."""
    live = [s for s in parts.store.entries(wish.scope) if not s.archived]
    done = _planned(parts, model, live, wish)
    scopes = sorted({stored.entry.scope for stored in live})
    if wish.dry_run:
        done.checked = check(done.checked.accepted, _view(parts, wish.force))
        return done
    now = parts.clock()
    for scope in scopes:
        parts.state.compaction.attempted(scope, now)
    with parts.store.locked():
        parts.store.settle()
        view = _view(parts, wish.force)
        checked = check(done.checked.accepted, view)
        done.checked = Checked(checked.accepted, (*done.checked.refused, *checked.refused))
        wanted = changes(checked.accepted, view)
        if wanted:
            done.checkpoint = parts.store.git.head()
            done.commit = _apply(parts, wanted, done)
    parts.state.compaction.judge(done.judged, now)
    if not done.failed:
        for scope in scopes:
            parts.state.compaction.compacted(scope, now)
    parts.search.sync(parts.store.entries())
    return done


def _apply(parts: Parts, wanted: Sequence[Change], done: Compacted) -> str:
    trailers = [("Silt-Run", parts.run), ("Silt-Op", "compact")]
    trailers += [("Silt-Checkpoint", done.checkpoint)] if done.checkpoint else []
    subject = f"memory: compact: {done.summary}"
    return parts.store.apply(wanted, subject, trailers, done.diff[:MAX_BODY])


def _planned(parts: Parts, model: Model | None, live: Sequence[Stored], wish: Wish) -> Compacted:
    """The ops proposed, not yet checked: by the rules, or by the model group by group."""
    if model is None:
        ops = propose(live, parse(parts.store.text(PATH) or ""))
        return Compacted(Checked(tuple(ops), ()), groups=0)
    judged = () if wish.everything else parts.state.compaction.judged([mark(stored) for stored in live])
    groups = plan_groups(live, judged)
    done = Compacted(Checked((), ()), len(groups))
    ops_of: list[Op] = []
    refused: list[Refused] = []
    for group in groups:
        try:
            answer = ask(model, _prompt(group, parts.clock().date()), WirePlan, _reader(group))
        except ReplyError as error:
            _spent(parts, done, getattr(error, "usage", Usage()), getattr(error, "calls", 0))
            done.failed.append(str(error))
            continue
        except (Transient, ModelError) as error:
            done.failed.append(str(error))
            break  # what was planned so far is worth doing; the rest is asked next time
        _spent(parts, done, answer.usage, answer.calls)
        ops_of += answer.value.ops
        refused += answer.value.refused
        done.judged += group.hashes
    done.checked = Checked(tuple(ops_of), tuple(refused))
    return done


def _spent(parts: Parts, done: Compacted, usage: Usage, calls: int) -> None:
    """Count a group's calls at once: the day's ceiling holds for compaction too (invariant 15)."""
    done.usage += usage
    done.calls += calls
    if calls:
        parts.state.spend.add(parts.clock(), usage.prompt + usage.completion, usage.cost or 0.0)


def _prompt(group: Group, today: date) -> Prompt:
    return prompt("compact", today=today, scope=group.scope, entries=group.entries)


def _reader(group: Group) -> Callable[[str], Plan]:
    numbered = group.numbered
    return lambda text: read_plan(text, numbered)


def _view(parts: Parts, force: bool) -> CompactView:
    entries = parts.store.entries(archived=True)
    text = parts.store.text(PATH)
    return CompactView(
        now=parts.clock(),
        current={s.path: s for s in entries if not s.archived},
        archived=[s for s in entries if s.archived],
        sections=parse(text or ""),
        conflicts=text,
        force=force,
        clean=lambda words: redact(words).text == words,
    )


# The inbox's end


def expire_inbox(parts: Parts) -> int:
    """Take away what nobody repeated for 60 days (invariant 6); how many."""
    with parts.store.locked():
        parts.store.settle()
        waiting = parts.store.inbox()
        gone = ended(waiting, _last_written(parts.store), parts.clock()) if waiting else []
        if gone:
            subject = f"memory: let {len(gone)} inbox item{'' if len(gone) == 1 else 's'} expire"
            parts.store.apply(gone, subject, [("Silt-Run", parts.run), ("Silt-Op", "expire")])
    paths = {one.path for one in gone}
    parts.state.ledger.reject(
        Rejected(parts.run, s.path, parts.clock(), "expired", s.entry.type, s.entry.body, "")
        for s in waiting
        if s.path in paths
    )
    return len(gone)


def _last_written(store: Store) -> dict[str, datetime]:
    """When each inbox file was last committed."""
    seen: dict[str, datetime] = {}
    for commit in commits.read(store.git, "HEAD", paths=["inbox"]):
        for touched in commit.touched:
            seen.setdefault(touched.path, commit.at)
    return seen


# The user's answers in _CONFLICTS.md


def apply_ticks(parts: Parts, answers: Mapping[str, Tick] | None = None) -> Settlement:
    """Do what the user ticked in _CONFLICTS.md, or answers by command, in one commit."""
    with parts.store.locked():
        parts.store.settle()
        standing = _standing(parts.store, parts.clock())
        if standing.text is None and standing.before is None:
            return Settlement((), (), (), (), ())
        settlement = settle_ticks(standing, answers)
        if settlement.changes:
            told = [*settlement.settled, *(f"{one}: stands again" for one in settlement.returned)]
            subject = f"memory: settle {len(told)} conflict{'' if len(told) == 1 else 's'}"
            trailers = [("Silt-Run", parts.run), ("Silt-Op", "conflicts")]
            parts.store.apply(settlement.changes, subject, trailers, "\n".join(told))
    parts.search.sync(parts.store.entries())
    return settlement


def open_conflicts(store: Store) -> list[Section]:
    """Conflicts as they stand in the file."""
    return parse(store.text(PATH) or "")


def _standing(store: Store, now: datetime) -> Standing:
    entries = store.entries(archived=True)
    return Standing(
        now,
        [s for s in entries if not s.archived],
        [s for s in entries if s.archived],
        store.text(PATH),
        _as_we_wrote_it(store),
    )


def _as_we_wrote_it(store: Store) -> str | None:
    """_CONFLICTS.md of our last commit that touched it: what a deleted section is told by."""
    for commit in commits.read(store.git, "HEAD", paths=[PATH]):
        for touched in commit.touched:
            if commit.op is not None and touched.path == PATH:
                found = store.git.blobs([touched.new]) if touched.new else {}
                return next((data.decode("utf-8", "replace") for data in found.values()), None)
    return None
