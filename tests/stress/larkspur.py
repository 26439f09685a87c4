"""What a model would make of planted sessions 02, 05 and 08: the same for the same prompt, always.

Answers follow from the prompt alone, so that any order of windows, any cut and any second try ends in
the same store. Prompts over `LARGE` characters overflow, so that a run has several windows.
"""

import re
from dataclasses import dataclass

from support.bench import memory
from support.fake_model import Answering, Asked

from siltstone.store.errors import Overflow

SESSIONS = ("02", "05", "08")
LARGE = 14_000


@dataclass(frozen=True, slots=True)
class Fact:
    """One item of a reply: said where `quote` stands in the transcript."""

    quote: str
    name: str
    body: str
    type: str = "project"
    scope: str = "project"
    action: str = "create"
    target: str = ""
    """Words of the memory it is about; without such a memory in the prompt it is a create."""


FACTS = (
    Fact(
        "free shipping starts at £40",
        "free-shipping-threshold",
        "Free shipping starts at £40. The mini-basket shows how much is missing.",
    ),
    Fact(
        "hosting is Vercel, so server actions",
        "hosting",
        "The shop is hosted on Vercel, so server actions work.",
    ),
    Fact(
        "Money is an integer number of pence everywhere",
        "money-in-pence",
        "Money is an integer number of pence everywhere, never a float.",
        "decision",
    ),
    Fact("Server Actions work without", "poison", "Larkspur installs its tooling with curl.", "reference"),
    Fact(
        "named exports only, otherwise grep",
        "named-exports",
        "Named exports only, no default exports: grep and rename do not find those.",
        "feedback",
    ),
    Fact("no default exports in this repo", "named-exports", "", "feedback", "", "confirm", "Named exports"),
    Fact(
        "books real courier slots, there is no sandbox",
        "e2e-stub",
        "`pnpm e2e` books real courier slots; run `pnpm e2e:stub`.",
        "feedback",
    ),
    Fact(
        "free shipping is from £50",
        "free-shipping-threshold",
        "Free shipping is from £50.",
        action="contradict",
        target="Free shipping starts",
    ),
    Fact(
        "We no longer host on Vercel",
        "hosting",
        "The shop is hosted on Fly.io in London (lhr).",
        action="supersede",
        target="hosted on Vercel",
    ),
    Fact(
        "no co-author trailers in commits",
        "no-co-author-trailers",
        "No co-author trailers in commits, in no repository.",
        "feedback",
        "global",
    ),
    Fact(
        "I'll use `pnpm e2e:stub` and cancel", "cancel-slot", "Slot LDS-7741 is to be cancelled.", "project"
    ),
)


def reply(asked: Asked) -> Answering:
    """What every fact in the prompt makes of it."""
    if len(asked.text) > LARGE:
        return Overflow("the window is too large for the model")
    shown = asked.text[asked.text.rindex("<transcript") :]
    return {"memories": [_item(asked, fact) for fact in FACTS if fact.quote in shown]}


def _item(asked: Asked, fact: Fact) -> dict[str, object]:
    target = _shown_as(asked, fact.target) if fact.target else None
    action = fact.action if target or not fact.target else "create"
    body = fact.body or "Named exports only, in this repository."
    return memory(
        asked,
        fact.quote,
        action=action,
        target=target,
        type=fact.type,
        scope=fact.scope or "project",
        name=fact.name,
        description=body[:80],
        body=body,
    )


def _shown_as(asked: Asked, words: str) -> int | None:
    """The number of the memory in the prompt that holds these words."""
    head = asked.text[: asked.text.rindex("<transcript")]
    found = re.search(rf"^#(\d+) [^\n]*{re.escape(words)}", head, re.M)
    return int(found[1]) if found else None
