"""The verdict on a candidate: evidence, redaction, gate, then the origin policy (invariants 6 and 8)."""

from collections.abc import Callable, Iterable

from siltstone.pipeline.candidate import Candidate, Judged, Verdict
from siltstone.pipeline.proof.gate import SOFT, assess, gate, only_secret, only_tags
from siltstone.pipeline.proof.quotes import beyond, prove
from siltstone.pipeline.reading.window import Window
from siltstone.store.entry import Type
from siltstone.store.errors import RedactionError
from siltstone.store.redaction import Redacted

ACCEPTED = "accepted"
NEEDS_THE_USER: frozenset[Type] = frozenset({"user", "feedback", "decision"})
"""Types that only the user's own words may carry (invariant 6)."""


def judge_all(
    candidates: Iterable[Candidate], window: Window, redact: Callable[[str], Redacted]
) -> tuple[Judged, ...]:
    """Every candidate with its verdict. None is lost, so counts add up (invariant 4)."""
    return tuple(Judged(candidate, judge(candidate, window, redact)) for candidate in candidates)


def judge(candidate: Candidate, window: Window, redact: Callable[[str], Redacted]) -> Verdict:
    """Accept, quarantine (to `inbox/`) or reject, with a stable reason for the ledger.

    Explicit saves skip the gate, nothing else. A candidate in which redaction would change anything is
    rejected as "secret": the window was redacted, so the secret came from elsewhere. So is a candidate that
    cannot be checked.
    """
    proof = prove(candidate, window)
    origin, evidence = proof.origin, proof.evidence
    if only_secret(candidate.body):
        return Verdict("reject", "only-secret", origin)
    if candidate.body and only_tags(candidate.body):
        return Verdict("reject", "only-tags", origin)
    if proof.reason is not None:
        return Verdict("reject", proof.reason, origin, evidence)
    text = "\n".join((candidate.name, candidate.description, candidate.body, *(e.quote for e in evidence)))
    try:
        clean = redact(text).text == text
    except RedactionError:
        clean = False
    if not clean:
        return Verdict("reject", "secret", origin)
    # A hard reason counts against one part, any other against both together.
    parts = filter(str.strip, (candidate.description, candidate.body))
    against = (one for part in parts for one in assess(candidate.type, part, candidate.source))
    hard = next((one for one in against if one not in SOFT), None)
    reason = candidate.refused or hard or gate(candidate.type, candidate.claim, candidate.source)
    if reason is not None:
        return Verdict("reject", reason, origin, evidence)
    if origin == "assistant-inferred":
        return Verdict("quarantine", "assistant-inferred", origin, evidence)
    if origin == "read-content":
        return Verdict("reject", "read-content", origin, evidence)
    if origin == "tool-observed" and candidate.type in NEEDS_THE_USER:
        return Verdict("reject", "not-user-said", origin, evidence)
    if candidate.source == "extraction" and beyond(candidate, window):
        return Verdict("quarantine", "beyond-quote", "assistant-inferred", evidence)
    return Verdict("accept", ACCEPTED, origin, evidence)
