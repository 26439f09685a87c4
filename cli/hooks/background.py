"""Processes that hooks start and do not wait for, or not for long.

They run in a session of their own, so that they outlive the agent. Batches are run by one waiter
(`cli/watch/waiter.py`), which holds a kernel lock as long as it lives.
"""

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from siltstone.agents.hooks import OWN
from siltstone.cli.hooks.common import Answer, LazyState, Work
from siltstone.cli.note import note
from siltstone.store.disk import Disk
from siltstone.store.errors import Locked, StateError
from siltstone.store.places import told_absolutely
from siltstone.store.state import Want

LOCK = "hooks.lock"
"""In the state folder; held by the waiter, and freed by the kernel when it ends."""
TURN_LOCK = "typed.lock"
"""In the state folder; held by one process at a time that saves what was typed."""


def start(
    words: Sequence[str], folder: str, environ: Mapping[str, str], turn: int | None = None
) -> "subprocess.Popen[bytes]":
    """Start `python -m` with these words in a folder, away from the agent. Raises OSError.

    It reads and prints nothing, unless it inherits the handle `turn`: then it has a pipe for each.
    """
    given = subprocess.DEVNULL if turn is None else subprocess.PIPE
    return subprocess.Popen(
        # Without -P, a `json.py` in that folder would be imported.
        [sys.executable, "-P", "-m", *words],
        stdin=given,
        stdout=given,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        # UTF-8, because names of memories may have letters that the agent's locale has not.
        env={**told_absolutely(environ), OWN: "1", "PYTHONUTF8": "1"},
        start_new_session=True,
        pass_fds=() if turn is None else (turn,),
    )


def ask(
    words: Sequence[str], folder: str, environ: Mapping[str, str], given: bytes, seconds: float
) -> bytes | None:
    """What such a process prints; None if it fails or takes longer, in which case it goes on by itself.

    Its last word is the number of a handle for `wait_for_turn`. Raises OSError.
    """
    turn = os.open(os.path.join(folder, TURN_LOCK), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with suppress(BlockingIOError):  # if it is free, the child has it from the first moment
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        child = start([*words, str(turn)], folder, environ, turn)
    finally:
        os.close(turn)
    try:
        if child.stdin is not None:
            with suppress(BrokenPipeError):
                child.stdin.write(given)  # a pipe holds what a person types, even once this has ended
        output, _ = child.communicate(timeout=max(seconds, 0.0))
    except subprocess.TimeoutExpired:
        return None
    return output if child.returncode == 0 else None


def wait_for_turn(handle: int, seconds: float) -> None:
    """Wait for the processes of `ask` started before: what was typed first is saved first."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(0.02)


def step(work: Work, answer: Answer) -> None:
    """Queue a hook's session for reading, or one that waited for others long enough, and start the waiter
    unless there is one."""
    call, state = work.call, work.state
    hooks = state.open().hooks
    wanted = [Want(call.agent, call.session, work.now, call.batch == "now")] if call.batch else []
    wanted += hooks.overdue(work.now)
    for want in wanted:
        hooks.want(want)
    lock = held(state.folder) if wanted else None
    if lock is not None:
        os.close(lock)
        start(["siltstone.cli.watch.waiter"], state.folder, work.environ)


def renew(state: LazyState, environ: Mapping[str, str], now: float) -> None:
    """Start `silt rebuild`, because the store has commits by somebody else: the next hook shows them."""
    try:
        db = state.open()
        with db.transaction():
            due = db.hooks.renew(now)
        if due:
            start(["siltstone", "rebuild"], state.folder, environ)
    except (Locked, StateError, OSError) as error:
        note(f"could not prepare the store's new commits for showing: {error}")


def held(folder: str) -> int | None:
    """The waiter's lock, for the caller to close; None if another process holds it. Raises OSError."""
    return Disk().lock(Path(folder, LOCK))
