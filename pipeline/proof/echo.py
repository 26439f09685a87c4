"""What a text repeats of others, word by word."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from siltstone.pipeline.merging.likeness import CJK
from siltstone.pipeline.proof.normal_form import as_one_word, spoken
from siltstone.pipeline.proof.origin import not_typed
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.words import asian

MIN_ECHO = 6
"""Words in a row that stand elsewhere by no accident."""
FEW_PIECES = 3
"""Where so many words are fewer pieces than that, parted by spaces, each is a path or a name of code."""


_IN_PROSE = re.compile(
    rf"([^/~]*[{CJK}])([/~][!-~]\S*?[\w/])((?:(?<=\.[a-z]{{2}})|(?<=\.[a-z]{{3}})|(?<=\.[a-z]{{4}}))[{CJK}]\S*)?"
)
"""A path in Chinese, Japanese and Korean, which have no spaces, with what stands before it and behind it."""


def is_rooted(name: str) -> bool:
    """Whether it is a path from the root or the home folder; it may have letters of any script."""
    return name.startswith(("/", "~/")) and name.count("/") > 1


def stood_before(shown: Shown, window: Window) -> str:
    """What nobody typed of a window up to a message, word by word."""
    return _not_typed(tuple(one for one in window.shown if one.n <= shown.n))


def without_echo(clause: str, echoed: str, names: bool = False) -> str:
    """A clause without what it repeats word by word; as it is where it repeats too little. With `names` a
    path or a name of code stays, as one word, if hardly anything is repeated beside it: what it is made of
    was not said."""
    apart = (found.groups("") if (found := _IN_PROSE.fullmatch(one)) else [one] for one in clause.split())
    pieces = [(one, spoken(one).split()) for some in apart for one in some]
    words = [word for _, its in pieces for word in its]
    least = min(MIN_ECHO, len(words))
    again = [False] * len(words)
    for at in range(len(words) - least + 1):
        if " ".join(words[at : at + least]) in echoed:
            again[at : at + least] = [True] * least
    if not any(again):
        return clause
    ends = accumulate(len(its) for _, its in pieces)
    told = [(one, its, again[end - len(its) : end]) for (one, its), end in zip(pieces, ends, strict=True)]
    alone = names and sum(any(repeated) for _, _, repeated in told) < FEW_PIECES
    left: list[str] = []
    for one, its, repeated in told:
        if not any(repeated):
            left.append(one)
        elif alone and len(its) > 1 and (is_rooted(one) or not asian(one)):
            left.append(as_one_word(one))
        else:
            left += (word for word, said in zip(its, repeated, strict=True) if not said)
    return " ".join(left)


def repeats(text: str, before: str) -> bool:
    """Whether a text repeats, word by word, some of what others had said."""
    return without_echo(text, before) != text


def others_wrote(messages: Sequence[Shown]) -> str:
    """What neither the user nor the agent wrote of messages, word by word."""
    return _not_typed(tuple(one for one in messages if one.message.role != "assistant"))


@lru_cache(maxsize=256)
def _not_typed(messages: tuple[Shown, ...]) -> str:
    """Everything in messages that the user did not type, word by word."""
    return "\n".join(spoken(text) for one in messages for text in not_typed(one))
