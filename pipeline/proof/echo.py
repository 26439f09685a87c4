"""What a text repeats of others, word by word."""

from collections.abc import Sequence
from functools import lru_cache

from siltstone.pipeline.proof.normal_form import spoken
from siltstone.pipeline.proof.origin import not_typed
from siltstone.pipeline.reading.window import Shown, Window

MIN_ECHO = 6
"""Words in a row that stand elsewhere by no accident."""


def stood_before(shown: Shown, window: Window) -> str:
    """What nobody typed of a window up to a message, word by word."""
    return _not_typed(tuple(one for one in window.shown if one.n <= shown.n))


def without_echo(clause: str, echoed: str) -> str:
    """A clause without what it repeats word by word; as it is where it repeats too little."""
    said = spoken(clause).split()
    left, at, least = list[str](), 0, min(MIN_ECHO, len(said))
    while at < len(said):
        end = at + least
        if end <= len(said) and " ".join(said[at:end]) in echoed:
            while end < len(said) and " ".join(said[at : end + 1]) in echoed:
                end += 1
            at = end
        else:
            left.append(said[at])
            at += 1
    return clause if len(left) == len(said) else " ".join(left)


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
