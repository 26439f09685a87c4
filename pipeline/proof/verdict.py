"""The verdict on a candidate: evidence, redaction, gate, then the origin policy (invariants 6 and 8)."""

from collections.abc import Callable, Iterable
from typing import Protocol

from siltstone.pipeline.candidate import Candidate, Judged, Verdict
from siltstone.pipeline.proof.evidence import Proof, beyond, prove
from siltstone.pipeline.proof.gate import assess, gate, is_hard
from siltstone.pipeline.proof.hollow import hollow, only_tags
from siltstone.pipeline.reading.window import Window
from siltstone.store.entry import Origin, Type
from siltstone.store.errors import RedactionError

ACCEPTED = "accepted"
HOLLOW = "only-secret"
"""The reason of a candidate that says nothing besides a redacted secret."""
TAGS = "only-tags"
"""The reason of a candidate that holds tags and no other word."""
NEEDS_THE_USER: frozenset[Type] = frozenset({"user", "feedback", "decision"})
"""Types that only the user's own words may carry (invariant 6)."""


class Clean(Protocol):
    """What `siltstone.store.redaction.redact` returns, as far as it matters here."""

    @property
    def text(self) -> str: ...


def judge(candidate: Candidate, window: Window, redact: Callable[[str], Clean]) -> Verdict:
    """Accept, quarantine (to `inbox/`) or reject, with a stable reason for the ledger.

    Explicit saves skip the gate, nothing else. A candidate in which redaction would change anything is
    rejected as "secret": the window was redacted, so the secret came from elsewhere. So is a candidate that
    cannot be checked.
    """
    proof = prove(candidate, window)
    if hollow(candidate.body):
        return Verdict("reject", HOLLOW, proof.origin)
    if candidate.body and only_tags(candidate.body):
        return Verdict("reject", TAGS, proof.origin)
    if proof.reason is not None:
        return Verdict("reject", proof.reason, proof.origin, proof.evidence)
    told = "\n".join(
        (candidate.name, candidate.description, candidate.body, *(e.quote for e in proof.evidence))
    )
    if not _is_clean(told, redact):
        return Verdict("reject", "secret", proof.origin)
    reason = candidate.refused or _gated(candidate)
    if reason is not None:
        return Verdict("reject", reason, proof.origin, proof.evidence)
    verdict = _by_origin(candidate.type, proof)
    if verdict.outcome == "accept" and candidate.source == "extraction" and beyond(candidate, window):
        return Verdict("quarantine", "beyond-quote", "assistant-inferred", proof.evidence)
    return verdict


def _is_clean(told: str, redact: Callable[[str], Clean]) -> bool:
    try:
        return redact(told).text == told
    except RedactionError:
        return False


def _gated(candidate: Candidate) -> str | None:
    """The gate's reason to reject: a hard one against one part, any other against both together."""
    for part in (candidate.description, candidate.body):
        hard = [reason for reason in assess(candidate.type, part, candidate.source) if is_hard(reason)]
        if hard and part.strip():
            return hard[0]
    return gate(candidate.type, f"{candidate.description}\n{candidate.body}", candidate.source)


def judge_all(
    candidates: Iterable[Candidate], window: Window, redact: Callable[[str], Clean]
) -> tuple[Judged, ...]:
    """Every candidate with its verdict. None is lost, so counts add up (invariant 4)."""
    return tuple(Judged(candidate, judge(candidate, window, redact)) for candidate in candidates)


def _by_origin(type_: Type, proof: Proof) -> Verdict:
    origin: Origin = proof.origin
    if origin == "user-said" or (origin == "tool-observed" and type_ not in NEEDS_THE_USER):
        return Verdict("accept", ACCEPTED, origin, proof.evidence)
    if origin == "assistant-inferred":
        return Verdict("quarantine", "assistant-inferred", origin, proof.evidence)
    reason = "not-user-said" if origin == "tool-observed" else "read-content"
    return Verdict("reject", reason, origin, proof.evidence)
