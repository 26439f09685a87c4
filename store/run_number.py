"""The name of a run: "0007", or "0007-3fa2" in a store with a remote (trailer `Silt-Run`)."""

from secrets import token_hex

from siltstone.store import commits
from siltstone.store.errors import GitError
from siltstone.store.git import LONG_TIMEOUT
from siltstone.store.state import State
from siltstone.store.store import Store

RUNS = "runs"
"""Name of the state value that counts runs."""
NUMBERED = "runs-numbered-to"
"""Name of the state value that holds the commit up to which run numbers were looked at."""
MAX_DIGITS = 9
"""Of a run's number: a commit may claim anything."""
COPY = "copy"
"""Name of the state value that tells this copy of the store from others: four hex digits."""


def next_run(store: Store, state: State) -> str:
    """The next run's name.

    The number is larger than that of every commit the store can see, pulled ones too. Two copies of a
    store count on by themselves between pulls, so the four digits tell whose run it is.
    """
    if store.lacks is not None:
        return f"{state.next_number(RUNS):04d}"
    head = store.git.head()
    after = _highest_run(store, state.value(NUMBERED))
    name = f"{state.next_number(RUNS, after):04d}"
    state.set_value(NUMBERED, head)
    if not store.git.has_remote():
        return name
    copy = state.value(COPY) or token_hex(2)
    state.set_value(COPY, copy)
    return f"{name}-{copy}"


def _highest_run(store: Store, since: str | None = None) -> int:
    """The largest run number in all commits that the store holds, fetched ones too; 0 without any.

    With `since`, a commit's id, what that commit and those before it say may be left out.
    """
    if store.git.head() is None:
        return 0
    how = ("log", "--all", f"--grep=^{commits.RUN}: ", "--format=%B%x00")
    try:
        out = store.git.run(*how, *([f"^{since}"] if since else []), timeout=LONG_TIMEOUT)
    except GitError:  # the commit is gone: history was rewritten by a purge
        out = store.git.run(*how, timeout=LONG_TIMEOUT)
    texts = out.decode("utf-8", "replace").split("\0")
    values = (value for text in texts for key, value in commits.trailers_of(text) if key == commits.RUN)
    numbers = (value.partition("-")[0] for value in values)
    return max((int(n) for n in numbers if n.isascii() and n.isdecimal() and len(n) <= MAX_DIGITS), default=0)
