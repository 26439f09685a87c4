"""Score a redaction against the corpus: what got through, and what was harmed."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from support.redaction_corpus import Block, Case

Redact = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Miss:
    """A secret that survived, whole or in a piece long enough to matter."""

    case: Case
    survivor: str
    after: str


@dataclass(frozen=True, slots=True)
class Harm:
    """A benign line that came out otherwise than it went in."""

    kind: str
    before: str


def misses(redact: Redact, cases: Iterable[Case]) -> list[Miss]:
    """The cases of which a secret survived, one Miss each."""
    found = []
    for case in cases:
        after = redact(case.text)
        around = _without(case.text, case.secrets)
        survivor = next(filter(None, (_survivor(secret, after, around) for secret in case.secrets)), None)
        if survivor:
            found.append(Miss(case, survivor, after))
    return found


def harms(redact: Redact, blocks: Iterable[Block]) -> list[Harm]:
    """The lines of the blocks that did not survive unchanged, each line counted once a kind."""
    found: dict[Harm, None] = {}
    for block in blocks:
        before = block.lines
        after = redact("\n".join(before)).split("\n")
        for tag, start, end, _, _ in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if tag != "equal":
                found.update((Harm(block.kind, line), None) for line in before[start:end])
    return list(found)


def distinct_lines(blocks: Iterable[Block]) -> Counter[str]:
    """How many different lines the blocks hold, by kind."""
    return Counter(kind for kind, _ in {(block.kind, line) for block in blocks for line in block.lines})


def _survivor(secret: str, after: str, around: str) -> str | None:
    """The secret in the text, or the first piece of it: half of it, at least 4 and at most 16 characters.

    A piece that stands in the words around the secret as well ("sword" of "password") tells nothing.
    """
    if secret in after:
        return secret
    size = min(len(secret), max(4, min(16, (len(secret) + 1) // 2)))
    pieces = (secret[start : start + size] for start in range(len(secret) - size + 1))
    return next((piece for piece in pieces if piece in after and piece not in around), None)


def _without(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "\n")
    return text
