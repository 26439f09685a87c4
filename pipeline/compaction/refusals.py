"""The rules that refuse an op of compaction (docs/architecture.md; invariants 6, 8, 9, 10, 11).

A table of small functions with stable names. Each gives the detail of its objection, or None. To add a
rule, add a function to RULES.
"""

from collections.abc import Callable, Collection

from siltstone.pipeline.compaction.due import expired
from siltstone.pipeline.compaction.plan import Checking, Drop, Flag, Merge, Op, Rewrite, targets
from siltstone.pipeline.conflicts import MAX_OPEN, agreed, flagged
from siltstone.pipeline.identifiers import identifiers, lost
from siltstone.pipeline.merging.contradictions import announces, contradict, opposed
from siltstone.pipeline.merging.likeness import content
from siltstone.pipeline.merging.survivor import survivor
from siltstone.pipeline.proof import exchange
from siltstone.pipeline.proof.coverage import beyond
from siltstone.pipeline.proof.dates import near, relative
from siltstone.pipeline.proof.phrases import only_in
from siltstone.pipeline.rules.language import language_of
from siltstone.store.entry import Entry, Stored, links

QUARTER = 4
"""At most one in four entries of a scope leaves at once, and at least one may."""
KEPT_WORDS = 0.5
"""Share of a text's words that its rewrite must carry."""
SAID_WORDS = 0.3
"""Share that is enough when the rewrite carries every word of the quotes: what a rambling note was taken
from is all there then."""
BOUNDS = ("limits", "restricts")
"""Words of `phrases.toml` that say when or for whom something holds."""


Rule = Callable[[Op, Checking], str | None]


def _changed_of(op: Op) -> tuple[Stored, ...]:
    """Entries whose file or body the op changes. A duplicate's survivor only gains evidence."""
    match op:
        case Drop():
            return (op.target,)
        case Flag():
            return ()
        case _:
            return targets(op)


def _same_twice(op: Op, so_far: Checking) -> str | None:
    paths = [stored.path for stored in targets(op)]
    return f"{paths[0]} is named twice" if len(set(paths)) < len(paths) else None


def _gone_or_changed(op: Op, so_far: Checking) -> str | None:
    for stored in targets(op):
        now = so_far.view.current.get(stored.path)
        if now is None:
            return f"{stored.path} is gone"
        if now.hash != stored.hash:
            return f"{stored.path} was changed meanwhile"
    return None


def _already_used(op: Op, so_far: Checking) -> str | None:
    for stored in targets(op):
        earlier = so_far.used.get(stored.path)
        if earlier is not None and not (isinstance(op, Flag) and _may_be_asked_about(stored, earlier)):
            return f"{stored.path} is part of an earlier op"
    return None


def _may_be_asked_about(stored: Stored, earlier: Op) -> bool:
    """A question about an entry can follow what leaves the entry where it is."""
    match earlier:
        case Flag() | Rewrite():
            return True
        case Merge():
            return stored.path == survivor(earlier.sources).path
        case Drop():
            return stored.path != earlier.target.path


def _readonly(op: Op, so_far: Checking) -> str | None:
    touched = targets(op) if isinstance(op, Drop) else _changed_of(op)
    return next((f"{s.path} is readonly" for s in touched if s.entry.readonly), None)


def _pinned(op: Op, so_far: Checking) -> str | None:
    return next((f"{s.path} is pinned" for s in _changed_of(op) if s.pinned), None)


def _user_written(op: Op, so_far: Checking) -> str | None:
    return next((f"{s.path} was written by the user" for s in _changed_of(op) if s.user_written), None)


def _crosses_scopes(op: Op, so_far: Checking) -> str | None:
    scopes = sorted({stored.entry.scope for stored in targets(op)})
    return None if len(scopes) == 1 else " and ".join(scopes)


def _crosses_origins(op: Op, so_far: Checking) -> str | None:
    if isinstance(op, Flag) or (isinstance(op, Drop) and op.because != "duplicate_of"):
        return None
    origins = sorted({stored.entry.origin for stored in targets(op)})
    return None if len(origins) == 1 else " and ".join(origins)


def _in_conflict(op: Op, so_far: Checking) -> str | None:
    """A side of an open conflict stays as it is until the user has spoken."""
    if isinstance(op, Flag):
        return None
    return next(
        (f"{s.path} is waiting in _CONFLICTS.md" for s in targets(op) if s.path in so_far.waiting), None
    )


def _already_flagged(op: Op, so_far: Checking) -> str | None:
    if not isinstance(op, Flag):
        return None
    one, other = op.one, op.other
    if agreed(one.entry, one.path, other.entry, other.path):
        return "the user said that both are true"
    if frozenset((one.path, other.path)) in so_far.flags or flagged(
        so_far.view.sections, one.path, other.path
    ):
        return "the user has already been asked"
    return None


def _too_many_open(op: Op, so_far: Checking) -> str | None:
    """The pair stands, and is found again by a later compaction."""
    asked = len(so_far.view.sections) + len(so_far.flags)
    return f"{asked} conflicts are open" if isinstance(op, Flag) and asked >= MAX_OPEN else None


def _empty(op: Op, so_far: Checking) -> str | None:
    if isinstance(op, Merge | Rewrite) and not (op.description and op.body):
        return "no description or no body"
    return None


def _over_limit(op: Op, so_far: Checking) -> str | None:
    if not isinstance(op, Merge | Rewrite):
        return None
    limit = min(stored.entry.limit for stored in targets(op))
    return f"{len(op.body)} of {limit} characters" if len(op.body) > limit else None


def _secret(op: Op, so_far: Checking) -> str | None:
    if isinstance(op, Merge | Rewrite) and not so_far.view.clean(f"{op.description}\n{op.body}"):
        return "the new text seems to contain a secret"
    return None


def _contradiction(op: Op, so_far: Checking) -> str | None:
    """Merging two that contradict would be a guess."""
    if not isinstance(op, Merge):
        return None
    for i, one in enumerate(op.sources):
        for other in op.sources[i + 1 :]:
            if contradict(one.entry, other.entry):
                return f"{one.path} contradicts {other.path}"
    return None


def _loses_handle(op: Op, so_far: Checking) -> str | None:
    if isinstance(op, Merge | Rewrite):
        new = f"{op.description}\n{op.body}"
        missing = {h for s in targets(op) for h in _lost(s.entry, new)}
        missing |= {f"[[{name}]]" for s in targets(op) for name in links(s.entry.body) - links(new)}
        missing -= {f"[[{s.entry.name}]]" for s in targets(op)}
    elif isinstance(op, Drop) and op.because == "duplicate_of" and op.by is not None:
        missing = {*_lost(op.target.entry, op.by.entry.claim)}
    else:
        return None
    return ", ".join(sorted(missing)) or None


def _lost(entry: Entry, new: str) -> Collection[str]:
    """What a memory names and a text does not. Of a quotation the marks, and who speaks in it, may go, unless
    it quotes what was asked or turned down."""
    if exchange.needs_all_lines(entry.body):
        return exchange.missing_lines(entry.body, new)
    return lost("\n".join(line.text for line in exchange.lines(entry.claim)), new)


def _loses_words(op: Op, so_far: Checking) -> str | None:
    """A text without handles may still not be replaced by another one. One in another language may, where its
    numbers and names are kept (`loses-handle`)."""
    if not isinstance(op, Merge | Rewrite):
        return None
    new, spoken = content(f"{op.description}\n{op.body}"), language_of(op.body)
    for stored in targets(op):
        translated = spoken and language_of(stored.entry.body) not in (None, spoken)
        if isinstance(op, Merge) and translated and identifiers(stored.entry.body):
            continue
        old = content(stored.entry.body)
        quoted = content(stored.entry.quotes)
        enough = SAID_WORDS if quoted and quoted <= new else KEPT_WORDS
        if len(old & new) < enough * len(old):
            return f"most words of {stored.path}"
    return None


def _adds_handle(op: Op, so_far: Checking) -> str | None:
    """Evidence or nothing (invariant 6): no number, name or path that no source and no quote holds.

    A source that says "last Monday" may be given the date: one near the day when it was said.
    """
    if not isinstance(op, Merge | Rewrite):
        return None
    known = "\n".join(f"{s.entry.claim}\n{s.entry.quotes}" for s in targets(op))
    said = [s.entry for s in targets(op) if relative(s.entry.claim)]
    days = {proof.at.date() for entry in said for proof in entry.evidence}
    added = {h for h in lost(f"{op.description}\n{op.body}", known) if not near(h, days)}
    return ", ".join(sorted(added)) or None


def _says_otherwise(op: Op, so_far: Checking) -> str | None:
    """Evidence or nothing (invariant 6): the new text says what its sources say, with their noes, in their
    order, and under their conditions."""
    if not isinstance(op, Merge | Rewrite):
        return None
    new, kept = f"{op.description}\n{op.body}", [stored.entry for stored in targets(op)]
    said, quotes = "\n".join(one.claim for one in kept), "\n".join(one.quotes for one in kept)
    added = (only_in(words, new, f"{said}\n{quotes}") for words in BOUNDS)
    if bound := next(filter(None, added), ""):
        return f"“{bound}” is new"
    return _loses_bound(said, quotes, new) or beyond(new, kept, kept[0].scope) or None


def _loses_bound(said: str, quotes: str, new: str) -> str:
    """Says which word of a memory is gone that bounds what it says; "" for none. It may go where a text has
    the words of the quotes alone, and these know no such bound."""
    as_quoted = content(new) <= content(quotes)
    gone = (only_in(words, quotes if as_quoted else said, new) for words in BOUNDS)
    return next((f"“{one}” is gone" for one in gone if one), "")


def _not_duplicate(op: Op, so_far: Checking) -> str | None:
    if not (isinstance(op, Drop) and op.because == "duplicate_of"):
        return None
    if op.by is None:
        return "of what was not said"
    old, kept = content(op.target.entry.body), content(op.by.entry.claim)
    if exchange.needs_all_lines(op.by.entry.body) and not exchange.needs_all_lines(op.target.entry.body):
        return f"{op.by.path} quotes what was asked or turned down"
    if gone := _loses_bound(op.target.entry.claim, op.target.entry.quotes, op.by.entry.claim):
        return f"{op.by.path}: {gone}"
    if opposed(op.target.entry.body, op.by.entry.body) or len(old & kept) < KEPT_WORDS * len(old):
        return f"{op.by.path} says something else"
    return None


def _no_word_of_change(op: Op, so_far: Checking) -> str | None:
    if not (isinstance(op, Drop) and op.because == "superseded_by"):
        return None
    if op.by is None:
        return "by what was not said"
    old, new = op.target.entry, op.by.entry
    if new.origin != "user-said" or not any(announces(one.quote, old.claim) for one in new.evidence):
        return f"{op.by.path} quotes no word of change about it"
    return f"{op.by.path} is not newer" if new.updated <= old.updated else None


def _not_expired(op: Op, so_far: Checking) -> str | None:
    if (
        isinstance(op, Drop)
        and op.because == "expired"
        and not expired(op.target.entry.claim, so_far.view.now)
    ):
        return "no date in its own text has passed"
    return None


def _not_over(op: Op, so_far: Checking) -> str | None:
    ends = isinstance(op, Drop) and op.because == "over" and op.ended is None
    return "no later message of the user was named" if ends else None


def _linked_from_protected(op: Op, so_far: Checking) -> str | None:
    """A link in a body that is the user's cannot be rewritten, so what it names stays."""
    leaving = op.sources if isinstance(op, Merge) else (op.target,) if isinstance(op, Drop) else ()
    for stored in leaving:
        linker = so_far.linked.get((stored.entry.scope, stored.entry.name))
        if linker is not None and linker != stored.path:
            return f"{linker} links to {stored.path}"
    return None


def _too_many(op: Op, so_far: Checking) -> str | None:
    """Sources of a checked merge do not count: nothing of them is lost."""
    if not isinstance(op, Drop) or so_far.view.force:
        return None
    scope = op.target.entry.scope
    total = so_far.sizes[scope]
    allowed = max(1, total // QUARTER)
    if so_far.leaving[scope] >= allowed:
        return f"{allowed} of the {total} entries in {scope} are going already; --force lifts this limit"
    return None


RULES: tuple[tuple[str, Rule], ...] = (
    ("named-twice", _same_twice),
    ("changed", _gone_or_changed),
    ("contradiction", _contradiction),
    ("already-used", _already_used),
    ("readonly", _readonly),
    ("pinned", _pinned),
    ("user-written", _user_written),
    ("crosses-scopes", _crosses_scopes),
    ("crosses-origins", _crosses_origins),
    ("in-conflict", _in_conflict),
    ("already-flagged", _already_flagged),
    ("too-many-open", _too_many_open),
    ("empty", _empty),
    ("over-limit", _over_limit),
    ("secret", _secret),
    ("loses-handle", _loses_handle),
    ("loses-words", _loses_words),
    ("adds-handle", _adds_handle),
    ("says-otherwise", _says_otherwise),
    ("not-duplicate", _not_duplicate),
    ("no-word-of-change", _no_word_of_change),
    ("not-expired", _not_expired),
    ("not-over", _not_over),
    ("linked-from-protected", _linked_from_protected),
    ("too-many", _too_many),
)
"""Rules by their stable names, the plainest objection first."""
