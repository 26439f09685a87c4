"""Working memory of a session: slots for the newest of each kind, and a pool that fades (B10–B14).

A mention adds 1 to an item's score, and every event takes 15% of it: `score · 0.85^events`. An item that is
mentioned once is gone after 29 events. (Source of the row: `exp(−0.85·age) + mentions` loses 57% an event
and never falls below 1.)

The second half finds decisions, things to do, dependencies and paths in texts, by `words.toml`.
"""

import re
from collections.abc import Iterable

from siltstone.recall.session.state import SLOTS, Pooled, Slot
from siltstone.store.data import data
from siltstone.store.redaction import cleaned

_WORDS = data(__file__, "words.toml")

KEEPS = 0.85
LEAST = 0.01
MOST = 50
"""Most items in the pool: those with the highest scores."""
LONGEST = 200
"""Characters of an item."""
_FADED = 200
"""After so many events no score is above LEAST."""
_SEARCHED = 20_000
"""Characters of a text that are searched."""
_MAX_FOUND = 8

_DECISION = re.compile("(?i)" + "|".join(_WORDS["decisions"]))
_TODO = re.compile("(?im)" + "|".join(_WORDS["todos"]))
_MISSING = re.compile(rf"(?:{'|'.join(_WORDS['missing'])})\W{{1,4}}(?P<name>[\w@./+-]{{2,80}})")
_INSTALL = re.compile(
    rf"\b(?:{'|'.join(_WORDS['installs'])})(?P<names>(?: +[\w@./^~=<>!:\[\],+-]{{1,80}}){{1,12}})"
)
_PATH = re.compile(
    r"(?<![\w:/.@-])(?=[\w@+/~-]*+\.[\w@.+/~-])"  # most words hold no full stop and are rejected here
    r"(?:[./~]{0,3}/?(?:[\w@.+-]{1,60}+/){1,12})?[\w@+-][\w@.+-]{0,80}\.[A-Za-z]\w{0,5}(?![\w/])"
)
_EXTENSION = re.compile(
    r"(?i)\.(?:py|pyi|ts|tsx|js|jsx|mjs|cjs|vue|svelte|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|rb|php|scala|clj|exs?"
    r"|erl|hs|ml|sh|bash|zsh|fish|ps1|sql|graphql|proto|jsonc?|ya?ml|toml|ini|cfg|conf|xml|html|s?css|sass|less"
    r"|mdx?|rst|txt|lock|gradle|tf|ipynb|csv|j2)$"
)
_SENTENCE_END = re.compile(r"\s(?:(?<=[.!?。!?]\s)\s*|(?<=\n)\n*)")


def score(item: Pooled, event: int) -> float:
    """What is left of an item's score at an event."""
    age = min(max(event - item.event, 0), _FADED)
    return min(item.score, 1 / (1 - KEEPS)) * KEEPS**age


def mention(pool: tuple[Pooled, ...], texts: Iterable[str], event: int) -> tuple[Pooled, ...]:
    """The pool after texts were mentioned at an event, without what has faded."""
    known = {item.text: item for item in pool}
    for text in dict.fromkeys(texts):
        before = known.get(text, Pooled(text))
        known[text] = Pooled(text, before.mentions + 1, score(before, event) + 1.0, event)
    alive = [item for item in known.values() if score(item, event) >= LEAST]
    return tuple(ranked(alive, event)[:MOST])


def ranked(pool: Iterable[Pooled], event: int) -> list[Pooled]:
    """Highest score first, then the latest."""
    return sorted(pool, key=lambda item: (-score(item, event), -item.event, item.text))


def slot(slots: tuple[Slot, ...], kind: str, texts: Iterable[str], event: int) -> tuple[Slot, ...]:
    """The slots with texts as the newest of their kind; the oldest beyond the kind's number are dropped."""
    new = {text: Slot(kind, text, event) for text in texts}
    same = [one for one in slots if one.kind == kind and one.text not in new] + list(new.values())
    return tuple([one for one in slots if one.kind != kind] + same[-SLOTS[kind] :])


def decisions(text: str) -> list[str]:
    """Sentences that state a decision, questions excluded."""
    text = text[:_SEARCHED]
    if not _DECISION.search(text):
        return []
    return _first(
        sentence
        for sentence in _SENTENCE_END.split(text)
        if _DECISION.search(sentence) and not sentence.rstrip().endswith(("?", "？"))
    )


def todos(text: str) -> list[str]:
    """Things still to be done."""
    rows = text[:_SEARCHED].split("\n")
    return _first(match["what"] or match["rest"] for row in rows for match in _TODO.finditer(row))


def dependencies(command: str, output: str) -> list[str]:
    """Packages that a command installs or its output misses."""
    names = [
        word
        for match in _INSTALL.finditer(command[:_SEARCHED])
        for word in match["names"].split()
        if not word.startswith(("-", ".", "/")) and not word.endswith(".txt")
    ]
    names += [match["name"] for match in _MISSING.finditer(output[-_SEARCHED:])]
    return _first(names)


def paths(text: str) -> list[str]:
    """The first paths that a text names."""
    found = (match.group() for match in _PATH.finditer(text[: _SEARCHED // 3]))
    return _first(path for path in found if _EXTENSION.search(path))


def _first(texts: Iterable[str]) -> list[str]:
    """The first few texts, each once, on one line, redacted."""
    kept: dict[str, None] = {}
    for text in texts:
        if clean := cleaned(" ".join(text.split())[:LONGEST]).strip():
            kept.setdefault(clean)
        if len(kept) >= _MAX_FOUND:
            break
    return list(kept)
