"""The outcome of every candidate, in counts that add up (invariant 4; docs/seeds.md A17, A18).

    candidates = promoted + updated + absorbed + superseded + conflicted + quarantined + rejected

Each candidate has exactly one outcome, so that nothing pending is tried for ever.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from siltstone.pipeline.candidate import Candidate, Verdict
from siltstone.pipeline.words import counted

Kind = Literal["promoted", "updated", "absorbed", "superseded", "conflicted", "quarantined", "rejected"]

KINDS: tuple[Kind, ...] = get_args(Kind)


class Outcome(NamedTuple):
    """The outcome of one candidate.

    `reason` is stable. Absorbed: "confirm" (the model said so), "duplicate" (code found it) or "older" (a
    later fact is stored). Quarantined and rejected: the rule that decided.
    """

    kind: Kind
    reason: str
    candidate: Candidate
    verdict: Verdict
    path: str | None = None
    """The file that says it now; None for a rejected candidate."""
    other: str | None = None
    """The file it replaced (superseded), contradicts (conflicted) or waits for (unreadable)."""


UNASKED = "unasked"
"""The reason of a memory that contradicts another, about which the user is not asked yet."""
UNREADABLE = "unreadable"
"""The reason of a quarantined candidate that an unreadable file may already say."""


def in_words(kinds: Mapping[str, int]) -> str:
    """Counts of outcomes as a person reads them; "" for none. Rejected ones are not in it."""
    said = {
        "promoted": counted(kinds.get("promoted", 0), "new memory"),
        "updated": f"{kinds.get('updated', 0):,} updated",
        "superseded": f"{kinds.get('superseded', 0):,} replaced",
        "absorbed": f"{kinds.get('absorbed', 0):,} already known",
        "quarantined": f"{kinds.get('quarantined', 0):,} waiting for your review (`silt inbox`)",
        "conflicted": f"{counted(kinds.get('conflicted', 0), 'contradiction')} to settle (`silt conflicts`)",
    }
    return ", ".join(words for kind, words in said.items() if kinds.get(kind))


FATES: Mapping[Kind, str] = {
    "promoted": "kept",
    "updated": "updated",
    "superseded": "kept in place of an older memory",
    "absorbed": "already known",
    "quarantined": "waiting for your review",
    "conflicted": "kept",
    "rejected": "not kept",
}
"""What became of one candidate, as a person reads it before its path or reason."""


_TO_DO = {
    UNREADABLE: "{0.path} is waiting in the inbox: {0.other} cannot be read and may say the same; repair "
    "or delete it",
    "conflicted": "{0.path} contradicts {0.other}; settle it with `silt conflicts`",
    UNASKED: "{0.path} contradicts {0.other}; you will be asked once others are settled (`silt conflicts`)",
}


def to_do(outcomes: Sequence[Outcome], among: Iterable[str] = tuple(_TO_DO)) -> list[str]:
    """One sentence for each candidate about which the user has something to do, by kind or reason."""
    return [_TO_DO[what].format(one) for what in among for one in outcomes if what in (one.kind, one.reason)]


def tally(outcomes: Iterable[Outcome]) -> Counter[str]:
    """How many outcomes there are of each kind."""
    return Counter(one.kind for one in outcomes)


def rejections(outcomes: Iterable[Outcome]) -> Counter[str]:
    """How many candidates were rejected for each reason."""
    return Counter(one.reason for one in outcomes if one.kind == "rejected")
