"""Which memories fit a prompt (docs/seeds.md C10, E7, E19), and which of them an answer uses.

`store/ranking.py` ranks them, as for `silt search`. At a prompt only those are shown that hold enough of what
it asks for, and that are not in view already.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from siltstone.recall.prepared import Fragment, Hit, View
from siltstone.recall.settings import RecallSettings
from siltstone.store.code.status import DOUBTED
from siltstone.store.names import stem
from siltstone.store.ranking import STOP_WORDS
from siltstone.store.search import SearchReader
from siltstone.store.words import words

ENDS = 3_000
"""Characters of a longer prompt that are read at its start, and at its end. The request stands there,
and pasted text between."""


def ends(prompt: str) -> str:
    """What is read of a prompt."""
    return f"{prompt[:ENDS]} {prompt[-ENDS:]}" if len(prompt) > 2 * ENDS else prompt


def relevant(
    prompt: str,
    search: SearchReader,
    fragments: Callable[[Sequence[str]], Mapping[str, Fragment]],
    view: View,
    settings: RecallSettings,
    seen: Collection[str] = (),
) -> list[Hit]:
    """The memories of a view's scopes that fit a prompt, best first.

    Hot and overridden memories and those whose paths are in `seen` are left out, and take no other's
    place. Raises Locked or StateError.
    """
    left_out = {*(one.path for one in view.hot), *view.overridden, *seen}
    scopes = [scope.name for scope in view.scopes]
    found = search.query(ends(prompt), scopes, settings.max_memories, left_out)
    enough = {hit.path: hit.percent for hit in found if hit.percent >= 100 * settings.similarity_threshold}
    hits = [Hit(one, enough[path]) for path, one in fragments(list(enough)).items()]
    return sorted(hits, key=lambda hit: -hit.percent * (DOUBTED if hit.fragment.code else 1.0))


MAX_ANSWER = 200_000
"""Characters of an answer that are searched."""
MIN_QUOTE = 12
"""Letters that a quoted run of words must have, stop words not counted. A Chinese, Japanese or Korean
character counts as two (invariant 6 asks for 12 letters or 6 characters)."""
_MIN_NAME = 8
"""Letters of a name that counts without its type and ".md"."""


def cited(answer: str, shown: Iterable[Fragment]) -> list[str]:
    """Paths of the memories in `shown` that the answer names or quotes.

    Only unmistakable signs count, because a citation slows a memory's decay. A memory that is never cited
    does not decay faster: an agent may follow a rule without mentioning it.
    """
    answer = answer[:MAX_ANSWER]
    in_words = f" {' '.join(words(answer))} "
    folded = answer.casefold()
    found = []
    for one in shown:
        names = [stem(one.path).casefold()]
        if len(one.name) >= _MIN_NAME and "-" in one.name:
            names.append(one.name.casefold())
        present = (rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in names if name in folded)
        if any(re.search(form, folded) for form in present) or _is_quoted(one.line, in_words):
            found.append(one.path)
    return found


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
