"""What a rule-made candidate does to an entry that was shown: confirm, supersede, contradict."""

from collections.abc import Sequence
from dataclasses import replace

from siltstone.pipeline.candidate import Action, Candidate, RelatedEntry
from siltstone.pipeline.merging.contradictions import names_old_value, opposed
from siltstone.pipeline.merging.likeness import content, overlap, repeats
from siltstone.pipeline.rules.change import denies, says_change

ABOUT = 0.5
"""Share that makes them speak about one thing."""


def aimed(candidate: Candidate, related: Sequence[RelatedEntry]) -> Candidate:
    """Turns a create into what it does to an entry that was shown."""
    said = candidate.body
    best: tuple[float, Action, int] | None = None
    for entry in related:
        alike = overlap(content(said), content(entry.body or entry.description))
        action = _against(said, entry.claim, alike)
        if action is not None and (best is None or alike > best[0]):
            best = (alike, action, entry.number)
    if best is None:
        return candidate
    return replace(candidate, action=best[1], target=best[2])


def _against(said: str, old: str, alike: float) -> Action | None:
    clash, denied = opposed(said, old), denies(said, old)
    if (clash or names_old_value(said, old)) and (says_change(said) or denied):
        return "supersede"
    if denied and says_change(said) and alike >= ABOUT:
        return "supersede"
    if clash:
        return "contradict"
    return "confirm" if not says_change(said) and repeats(said, old) else None
