"""What a text repeats of others, word by word."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from siltstone.pipeline.proof.normal_form import spoken
from siltstone.pipeline.proof.origin import not_typed
from siltstone.pipeline.reading.window import Shown, Window
from siltstone.pipeline.words import asian

MIN_ECHO = 6
"""Words in a row that stand elsewhere by no accident."""
MIN_PIECES = 3
"""Of these so many stand between spaces."""


def stood_before(shown: Shown, window: Window) -> str:
    """What nobody typed of a window up to a message, word by word."""
    return _not_typed(tuple(one for one in window.shown if one.n <= shown.n))


def without_echo(clause: str, echoed: str) -> str:
    """A clause without what it repeats word by word; as it is where it repeats too little: a path, or a name
    of code, has many words and may be all that it repeats."""
    parts = ([spoken(one)] if not asian(one) else spoken(one).split() for one in clause.split())
    words = [*filter(None, chain.from_iterable(parts))]
    sizes = [len(one.split()) for one in words]
    least, few = min(MIN_ECHO, sum(sizes)), min(MIN_PIECES, len(words))
    left, at = list[str](), 0
    while at < len(words):
        end = at
        while end < len(words) and " ".join(words[at : end + 1]) in echoed:
            end += 1
        if end - at >= few and sum(sizes[at:end]) >= least:
            at = end
        else:
            left.append(words[at])
            at += 1
    return clause if len(left) == len(words) else " ".join(left)


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
