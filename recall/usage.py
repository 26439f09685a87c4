"""Which memories an answer uses: those whose file it names, or whose description it quotes.

Only signs that cannot be chance count, for they slow a memory's decay. None ever speeds it up: a rule
that is obeyed without a word is shown and never cited, and stays.
"""

from siltstone.recall.common import WORDS as COMMON
from siltstone.recall.view import Fragment
from siltstone.store.words import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 200_000
"""Characters of an answer that are looked at."""
QUOTE = 12
"""Letters of a description that an answer must repeat in one run, common words not counted; a Chinese,
Japanese or Korean character counts two (as invariant 6 draws the line: 12 letters or 6 characters)."""
_LEAST_NAME = 8
"""Letters of a name that stands alone, without its type and ".md"."""


def cited(answer: str, shown: "Iterable[Fragment]") -> list[str]:
    """Paths of the memories, among those a session was shown, that its answer names or quotes."""
    answer = answer[:MOST]
    said = f" {' '.join(words(answer))} "
    lowered = answer.casefold()
    return [one.path for one in shown if _names(lowered, one) or _quotes(said, one.line)]


def _names(answer: str, one: Fragment) -> bool:
    file = one.path.rpartition("/")[2].removesuffix(".md").casefold()
    called = [file] if len(one.name) < _LEAST_NAME or "-" not in one.name else [file, one.name.casefold()]
    return any(_stands(name, answer) for name in called)


def _stands(name: str, text: str) -> bool:
    """Whether a name stands in a text as a word of its own."""
    at = text.find(name)
    while at >= 0:
        beside = text[max(at - 1, 0) : at] + text[at + len(name) : at + len(name) + 1]
        if not any(char.isalnum() or char in "_-" for char in beside):
            return True
        at = text.find(name, at + 1)
    return False


def _quotes(said: str, line: str) -> bool:
    """Whether a run of the line's words that weighs enough stands in the answer."""
    mine = words(line)
    for start in range(len(mine)):
        weight, run = 0, ""
        for word in mine[start:]:
            run = f"{run} {word}"
            if f"{run} " not in said:
                break
            weight += _weight(word)
            if weight >= QUOTE and " " in run[1:]:
                return True
    return False


def _weight(word: str) -> int:
    """Letters that count. A pair of CJK characters is the one before, moved on by a character."""
    if word in COMMON:
        return 0
    return len(word) if ord(word[0]) < 0x3040 else 2
