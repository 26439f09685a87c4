"""How the summary of an ended session is shown: apart from making it, so that showing loads nothing more."""

import time

from siltstone.recall.escape import lines

TYPE_CHECKING = False
if TYPE_CHECKING:  # a hot command has no time for what types alone need
    from siltstone.store.state.summaries import Ended

CHARS = 900
"""Characters of one summary."""


def last(ended: "Ended") -> str:
    """The summary, labelled as a machine's."""
    return shown(f"Machine-made by {told(ended)}, unverified:", ended.text)


def told(ended: "Ended") -> str:
    """Where it is from."""
    day = time.strftime("%Y-%m-%d", time.gmtime(ended.at))
    return " ".join(lines(f"{ended.maker} of a session with {ended.agent} on {day}", CHARS)[:1]).strip()


def shown(head: str, text: str) -> str:
    """A head of ours and the safe lines of a summary below it."""
    return "\n".join([head, *lines(text, CHARS + 1)])
