"""Updates: a memory gains words and loses nothing that is still valid (docs/seeds.md C21)."""

from dataclasses import replace

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.handles import lost
from siltstone.pipeline.ledger import Outcome
from siltstone.pipeline.likeness import content
from siltstone.pipeline.merging.contradict import against
from siltstone.pipeline.merging.desk import Desk
from siltstone.pipeline.merging.lookup import text_of
from siltstone.pipeline.merging.placing import absorb, promote
from siltstone.pipeline.merging.survivor import ORIGIN_RANK, stronger_source
from siltstone.pipeline.rivals import rivals
from siltstone.store.entry import Entry
from siltstone.store.links import links

KEPT_WORDS = 0.6
"""Share of the old body's words that a rewrite must carry; below it, it is another text."""
_CARRIED = ("why:", "related:")


def revise(desk: Desk, item: Judged, entry: Entry, target: str) -> Outcome:
    """Rewrites the target if nothing is lost, else appends to it; against it, it is a contradiction.

    What may not be rewritten (the user's own body, better proven words) stays, and the candidate
    becomes a memory of its own.
    """
    old = desk.live[target]
    if rivals(old.body, entry.body) or rivals(old.description, entry.description):
        return against(desk, item, entry, target)
    if desk.protected(target) or ORIGIN_RANK[entry.origin] < ORIGIN_RANK[old.origin]:
        return promote(desk, item, entry)
    rewritten = _rewritten(old, entry)
    body = entry.body if rewritten else _appended(old.body, entry.body)
    if rewritten:
        body = _carry(old.body, body)
    if body == old.body:
        return absorb(desk, item, entry, target, "duplicate")
    if len(body) > old.limit:
        return Outcome("rejected", "over-limit", item.candidate, item.verdict)
    evidence = tuple(sorted({*old.evidence, *entry.evidence}))
    desk.live[target] = replace(
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
    """Whether the new text may stand in the old one's place: newer, every handle, link and most words."""
    claim = _claim(old.body)
    words = content(claim)
    return (
        entry.updated >= old.updated
        and not lost(f"{old.description}\n{claim}", text_of(entry))
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
    """A reason or a link line that the new text leaves out goes with it."""
    have = {line.split(":")[0].strip().lower() + ":" for line in new.splitlines() if ":" in line}
    lines = [
        line
        for line in old.splitlines()
        if line.strip().lower().startswith(_CARRIED) and line.split(":")[0].strip().lower() + ":" not in have
    ]
    return "\n".join([new.rstrip(), *lines]) if lines else new


def _claim(body: str) -> str:
    return "\n".join(line for line in body.splitlines() if not line.strip().lower().startswith(_CARRIED))
