"""The verdict on a candidate: evidence, redaction, gate, then the origin policy (invariants 6 and 8)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from siltstone.pipeline.candidate import Candidate, Judged, RelatedEntry, Verdict
from siltstone.pipeline.proof.coverage import covered
from siltstone.pipeline.proof.gate import SOFT, TOO_LITTLE, assess, gate, injects, only_secret, only_tags
from siltstone.pipeline.proof.ground import NEEDS_THE_USER
from siltstone.pipeline.proof.normal_form import spoken
from siltstone.pipeline.proof.phrases import pattern
from siltstone.pipeline.proof.quotation import quotation
from siltstone.pipeline.proof.quotes import Proof, prove
from siltstone.pipeline.reading.window import Window
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.saves import wide
from siltstone.pipeline.rules.sentences import cut
from siltstone.store.errors import RedactionError
from siltstone.store.redaction import Redacted

ACCEPTED = "accepted"
BEYOND_QUOTE = "beyond-quote"
"""A claim goes beyond its quotes, and nothing of it stands alone without the rest."""


def judge_all(
    candidates: Iterable[Candidate],
    window: Window,
    redact: Callable[[str], Redacted],
    shown: Sequence[RelatedEntry] = (),
    keywords: tuple[str, ...] = (),
) -> tuple[Judged, ...]:
    """Every candidate with its verdict. None is lost, so counts add up (invariant 4).

    `shown`: the memories that were shown with the window, by which a candidate's target is numbered.
    `keywords`: the user's own words that ask to keep something.
    """
    known = {entry.number: entry for entry in shown}
    return tuple(judge(one, window, redact, known.get(one.target or 0), keywords) for one in candidates)


def judge(
    candidate: Candidate,
    window: Window,
    redact: Callable[[str], Redacted],
    target: RelatedEntry | None = None,
    keywords: tuple[str, ...] = (),
) -> Judged:
    """Accept, quarantine (to `inbox/`) or reject, with a stable reason for the ledger.

    What a model proposes loses what its quotes do not hold (coverage.py), and holds for one project unless
    the user said more. Explicit saves skip that and the gate, nothing else. A candidate in which redaction
    would change anything is rejected as "secret": the window was redacted, so the secret came from elsewhere.
    So is a candidate that cannot be checked.
    """
    proof = prove(candidate, window, keywords)
    origin, evidence = proof.origin, proof.evidence

    def refused(reason: str, *, told: bool = True) -> Judged:
        return Judged(candidate, Verdict("reject", reason, origin, evidence if told else ()))

    if only_secret(candidate.body):
        return refused("only-secret", told=False)
    if candidate.body and only_tags(candidate.body):
        return refused("only-tags", told=False)
    if proof.reason is not None:
        return refused(proof.reason)
    text = "\n".join((candidate.name, candidate.description, candidate.body, *(e.quote for e in evidence)))
    try:
        clean = redact(text).text == text
    except RedactionError:
        clean = False
    if not clean:
        return refused("secret", told=False)
    goes_beyond = False
    if candidate.source == "extraction" and proof.said:
        if candidate.scope == "global" and not _is_wide(candidate, proof):
            candidate = replace(candidate, scope="project")
        if candidate.action != "confirm":
            known = target if candidate.action == "update" else None
            proved = _without_the_rest(candidate, window, proof, known)
            goes_beyond = proved is None
            candidate = proved or candidate
    reason = candidate.refused or _against(candidate, target)
    if reason is not None:
        return refused(reason)
    if origin == "assistant-inferred":
        return Judged(candidate, Verdict("quarantine", "assistant-inferred", origin, evidence))
    if origin == "read-content":
        return refused("read-content")
    if origin == "tool-observed" and candidate.type in NEEDS_THE_USER:
        return refused("not-user-said")
    quotable = goes_beyond and candidate.quotable
    exchange = quotation(candidate, window, proof, keywords) if quotable else None
    if exchange and not (only_secret(exchange.body) or any(map(injects, cut(exchange.body)))):
        return Judged(exchange, Verdict("accept", ACCEPTED, origin, evidence))
    if goes_beyond:
        return Judged(candidate, Verdict("quarantine", BEYOND_QUOTE, "assistant-inferred", evidence))
    return Judged(candidate, Verdict("accept", ACCEPTED, origin, evidence))


def _without_the_rest(
    candidate: Candidate, window: Window, proof: Proof, known: RelatedEntry | None
) -> Candidate | None:
    """The candidate without what goes beyond its quotes; None where nothing stands, or too little to say
    anything."""
    left = covered(candidate, window, proof.said, known, proof.denied)
    little = left is not None and left != candidate and _against(left, known) in TOO_LITTLE
    return None if little else left


def _against(candidate: Candidate, target: RelatedEntry | None) -> str | None:
    """The gate's reason against a candidate. A hard one counts against description or body, any other against
    both together. Of an update only what it adds counts, of a confirm nothing."""
    type_, source = candidate.type, candidate.source
    stored = target is not None and candidate.action in ("update", "confirm")
    known = spoken(target.claim) if target is not None and stored else ""
    begins = candidate.description.endswith("…")  # only the body says all of it
    parts = [candidate.body] if begins else [candidate.description, candidate.body]
    if stored:
        told = parts if candidate.action == "update" else []
        parts = [one for text in told for one in cut(text) if spoken(one) not in known]
    against = (one for part in filter(str.strip, parts) for one in assess(type_, part, source))
    hard = next((one for one in against if one not in SOFT), None)
    return hard or (None if stored else gate(type_, "\n".join(parts), source))


def _is_wide(candidate: Candidate, proof: Proof) -> bool:
    """Whether the user said that it holds for all projects, or told of themselves. A memory that is spoken
    about keeps its scope."""
    if candidate.action != "create":
        return True
    typed = [own_words(one.shown.message.text) for one in proof.said if one.origin == "user-said"]
    told = candidate.type == "user" and any(pattern("first_person").search(text) for text in typed)
    return told or any(map(wide, typed))
