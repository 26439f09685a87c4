"""What is done behind a hook, by processes that no agent waits for. On the hot path (cli/hot.py).

Transcripts are read (docs/seeds.md C11, C18, E11): the hook notes what is wanted and begins one detached
process, the waiter (`cli/hook_wait.py`), unless one lives, which waits until the sessions are quiet and runs
a batch. What is shown is prepared anew, where a hand has committed to the store. And what hooks need to be
quick is made, where nobody installed them: by the first hook there is.
"""

import fcntl
import os

from siltstone.agents.hooks import Heard
from siltstone.cli import hot
from siltstone.cli.hook_child import begin
from siltstone.store.errors import Locked, StateError
from siltstone.store.state.hooks import Hooks, Want

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LOCK = "hooks.lock"
"""In the state folder; held by the waiter as long as it lives, and freed by the kernel with it."""


def want(heard: Heard, state: hot.State, environ: "Mapping[str, str]", now: float) -> None:
    """Have the session's transcript read. Raises StateError, Locked."""
    Hooks(state.light()).want(Want(heard.agent, heard.session, now, heard.batch == "now"))
    if _free(state.folder):
        begin(["siltstone.cli.hook_wait"], state.folder, environ)


def make_ready(folder: str, environ: "Mapping[str, str]") -> None:
    """Have made what `silt install` makes (`cli/hook_ready.py`). What fails is a remark: it is slower so, and
    the next run makes it."""
    try:
        if _free(folder):
            begin(["siltstone.cli.hook_ready", folder], folder, environ)
    except OSError as error:
        hot.note(f"what hooks need to be quick is not made: {error}")


def renew(state: hot.State, environ: "Mapping[str, str]", now: float) -> None:
    """Have what is shown prepared anew, for the store has commits of somebody else's: from the next hook on
    they are shown. What fails is a remark, for the memories are shown all the same."""
    try:
        with state.light() as light:
            due = Hooks(light).renew(now)
        if due:
            begin(["siltstone", "rebuild"], state.folder, environ)
    except (Locked, StateError, OSError) as error:
        hot.note(f"what is shown is not prepared anew: {error}")


def _free(folder: str) -> bool:
    """Whether nobody has the waiter's lock. Raises OSError."""
    handle = held(folder)
    if handle is None:
        return False
    os.close(handle)
    return True


def held(folder: str) -> int | None:
    """The waiter's lock, to be closed by the caller; None where somebody has it. Raises OSError."""
    handle = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle
