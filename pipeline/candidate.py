"""What extraction proposes, and what the rules make of it."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from siltstone.store.entry import Evidence, Importance, Origin, Source, Topic, Type

MAX_QUOTE = 2_000
"""Characters of a quote; a longer one is no quote but a copy."""
MAX_DESCRIPTION = 200
"""Characters of a description: it is one line of the index."""

Action = Literal["create", "update", "confirm", "supersede", "contradict"]


class RelatedEntry(NamedTuple):
    """A stored memory as the model is shown it: under a number, never under its path (invariant 5)."""

    number: int
    """Counted from 1 within one prompt; apart from the numbers of messages."""
    type: Type
    name: str
    description: str
    body: str
    """"" when only its index line is shown: what is not seen is not updated."""
    saved_from: int | None = None
    """Number of the shown message it was saved from: it is not proposed anew."""
    scope: Literal["project", "global"] = "project"
    path: str = ""
    """Where it stands in the store. For code alone: the model does not see it."""

    @property
    def claim(self) -> str:
        """What it says: description and body."""
        return f"{self.description}\n{self.body}"


class Quote(NamedTuple):
    """A claim about message number `n` of the window: these words stand in it."""

    n: int
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed memory. Nothing in it is believed yet."""

    action: Action
    type: Type
    scope: Literal["project", "global"]
    name: str
    description: str
    body: str
    quotes: tuple[Quote, ...]
    target: int | None = None
    """Number of the shown entry it speaks about (update, confirm, supersede, contradict)."""
    topic: Topic | None = None
    source: Source = "extraction"
    importance: Importance | None = None
    """Of an imported memory."""
    refused: str = ""
    """Why the rules that found it do not keep it ("one-task", "corrected", …): the verdict says so."""
    whole: bool = False
    """Nothing is cut from it: it has been written again in vain, and what would be left says little."""
    quotable: bool = False
    """What it quotes says enough by itself to be kept where its text is not proved."""

    @property
    def claim(self) -> str:
        """What it says: description and body."""
        return f"{self.description}\n{self.body}"


class Verdict(NamedTuple):
    """What evidence and gate say of a candidate: accept, quarantine (to `inbox/`) or reject.

    `reason` is stable and goes into the ledger: "accepted", or the rule that spoke (docs/seeds.md A10–A12
    and Source, invariants 6–9): "no-evidence", "read-content", "too-short", "progress_snapshot", …
    """

    outcome: Literal["accept", "quarantine", "reject"]
    reason: str
    origin: Origin
    evidence: tuple[Evidence, ...] = ()


class Judged(NamedTuple):
    """A candidate with its verdict: what merge works on."""

    candidate: Candidate
    verdict: Verdict
