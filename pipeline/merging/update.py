"""Updates: a memory gains text and loses nothing that is still valid (docs/seeds.md C21)."""

from dataclasses import replace

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.ledger import Outcome
from siltstone.pipeline.merging.contradiction import against
from siltstone.pipeline.merging.contradictions import rivals
from siltstone.pipeline.merging.likeness import content
from siltstone.pipeline.merging.placing import absorb, promote
from siltstone.pipeline.merging.survivor import ORIGIN_RANK, stronger_source
from siltstone.pipeline.merging.working_copy import WorkingCopy
from siltstone.store.entry import Entry, links

KEPT_WORDS = 0.6
"""Share of the old body's words that a rewrite must keep."""
_CARRIED = ("why:", "related:")


def revise(copy: WorkingCopy, item: Judged, entry: Entry, target: str) -> Outcome:
    """Rewrite the target if that loses nothing, else append to it. A contradiction is handled as one.

    A body that only the user may change, or that has a better origin, stays, and the candidate becomes a
    memory of its own.
    """
    old = copy.live[target]
    if rivals(old.body, entry.body) or rivals(old.description, entry.description):
        return against(copy, item, entry, target)
    if copy.protected(target) or ORIGIN_RANK[entry.origin] < ORIGIN_RANK[old.origin]:
        return promote(copy, item, entry)
    rewritten = _rewritten(old, entry)
    body = _carry(old.body, entry.body) if rewritten else _appended(old.body, entry.body)
    if body == old.body:
        return absorb(copy, item, entry, target, "duplicate")
    if len(body) > old.limit:
        return Outcome("rejected", "over-limit", item.candidate, item.verdict)
    evidence = tuple(sorted({*old.evidence, *entry.evidence}))
    copy.live[target] = replace(
        old,
        body=body,
        description=entry.description if rewritten else old.description,
        topic=entry.topic or old.topic,
        source=stronger_source(old.source, entry.source),
        created=min(old.created, entry.created),
        updated=max(old.updated, entry.updated),
        evidence=evidence,
    )
    return Outcome("updated", item.verdict.reason, item.candidate, item.verdict, target)


def _rewritten(old: Entry, entry: Entry) -> bool:
    """Whether the new text may replace the old: newer, keeping identifiers, links and most words."""
    claim = "\n".join(line for line in old.body.splitlines() if not line.strip().lower().startswith(_CARRIED))
    words = content(claim)
    return (
        entry.updated >= old.updated
        and not lost(f"{old.description}\n{claim}", entry.claim)
        and links(claim) <= links(entry.body)
        and len(words & content(entry.body)) >= KEPT_WORDS * len(words)
    )


def _appended(old: str, new: str) -> str:
    """The old text with the lines of the new one that it does not hold."""
    known = content(old)
    fresh = [
        line for line in new.splitlines() if line.strip() and (not content(line) <= known or lost(line, old))
    ]
    return "\n".join([old.rstrip(), *fresh]) if fresh else old


def _carry(old: str, new: str) -> str:
    """The new text with the "Why:" and "Related:" lines of the old one that it leaves out."""
    have = {line.split(":")[0].strip().lower() + ":" for line in new.splitlines() if ":" in line}
    lines = [
        line
        for line in old.splitlines()
        if line.strip().lower().startswith(_CARRIED) and line.split(":")[0].strip().lower() + ":" not in have
    ]
    return "\n".join([new.rstrip(), *lines]) if lines else new
