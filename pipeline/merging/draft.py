"""The entry that a candidate would become; names and dates are made here, by code (invariants 2, 5)."""

from siltstone.pipeline.candidate import MAX_DESCRIPTION, Judged
from siltstone.pipeline.merging.desk import View
from siltstone.store.entry import GLOBAL, Entry
from siltstone.store.names import slug


def draft(item: Judged, view: View) -> Entry:
    """An entry with the candidate's words and the evidence's dates.

    `created` and `updated` are when it was said, so that reading the same sessions on another day
    gives the same store; only what has no evidence takes the clock's time.
    """
    candidate, verdict = item.candidate, item.verdict
    evidence = tuple(sorted(set(verdict.evidence)))
    description = " ".join((candidate.description or candidate.body).split())
    return Entry(
        scope=GLOBAL if candidate.scope == "global" else view.scope,
        name=slug(candidate.name or description),
        type=candidate.type,
        description=description[:MAX_DESCRIPTION].rstrip(),
        body=candidate.body.strip() or description,
        source=candidate.source,
        origin=verdict.origin,
        created=evidence[0].at if evidence else view.now,
        updated=evidence[-1].at if evidence else view.now,
        evidence=evidence,
        topic=candidate.topic,
        importance=candidate.importance,
    )
