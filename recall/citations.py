"""Which memories an answer uses: it names their file or quotes their description.

Only unmistakable signs count, because a citation slows a memory's decay. A memory that is never cited
does not decay faster: an agent may follow a rule without mentioning it.
"""

import re
from collections.abc import Iterable

from siltstone.recall.prepared import Fragment
from siltstone.recall.relevance import STOP_WORDS
from siltstone.store.names import stem
from siltstone.store.words import words

MAX_ANSWER = 200_000
"""Characters of an answer that are searched."""
MIN_QUOTE = 12
"""Letters that a quoted run of words must have, stop words not counted. A Chinese, Japanese or Korean
character counts as two (invariant 6 asks for 12 letters or 6 characters)."""
_MIN_NAME = 8
"""Letters of a name that counts without its type and ".md"."""


def cited(answer: str, shown: Iterable[Fragment]) -> list[str]:
    """Paths of the memories in `shown` that the answer names or quotes."""
    answer = answer[:MAX_ANSWER]
    in_words = f" {' '.join(words(answer))} "
    folded = answer.casefold()
    return [one.path for one in shown if _is_named(one, folded) or _is_quoted(one.line, in_words)]


def _is_named(fragment: Fragment, answer: str) -> bool:
    file = stem(fragment.path).casefold()
    names = [file]
    if len(fragment.name) >= _MIN_NAME and "-" in fragment.name:
        names.append(fragment.name.casefold())
    return any(
        name in answer and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", answer) for name in names
    )


def _is_quoted(line: str, answer: str) -> bool:
    """Whether the answer repeats a run of the line's words that is long enough."""
    in_line = words(line)
    for start in range(len(in_line)):
        weight, run = 0, ""
        for word in in_line[start:]:
            run = f"{run} {word}"
            if f"{run} " not in answer:
                break
            if word not in STOP_WORDS:  # pairs of CJK characters overlap, so each adds one character
                weight += len(word) if ord(word[0]) < 0x3040 else 2
            if weight >= MIN_QUOTE and " " in run[1:]:
                return True
    return False
