"""Processes that hooks begin: ours, in a session of their own, so that they outlive the agent.

On the hot path (cli/hot.py): without `subprocess` and `tempfile`, which take a hook 6 ms to load.
"""

import os
import sys
import time

from siltstone.agents.hooks import OWN
from siltstone.cli.light_signal import signal
from siltstone.store.places import told_absolutely

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GIVEN = "given"
OURS = {OWN: "1", "PYTHONUTF8": "1"}
"""Set for what we begin: a memory's name may hold letters that the agent's locale has none for."""
_HERE = getattr(os, "O_PATH", os.O_RDONLY)
"""How a folder is opened only to come back to it: it need not be readable where the system allows that."""


class Child:
    """A process that was given something and answers on its standard output."""

    def __init__(self, pid: int, said: int) -> None:
        self.pid = pid
        self._said = said

    def answer(self, seconds: float) -> bytes | None:
        """What it said until its end; None where it failed, or takes longer: then it goes on by itself."""
        import select

        until, said = time.monotonic() + seconds, b""
        try:
            while select.select([self._said], [], [], max(until - time.monotonic(), 0.0))[0]:
                piece = os.read(self._said, 2**16)
                if not piece:
                    return said if _ended_well(self.pid) else None
                said += piece
        finally:
            os.close(self._said)
        return None


def begin(words: "Sequence[str]", folder: str, environ: "Mapping[str, str]") -> None:
    """Begin a module of ours, the first of `words`, in a folder; it reads and says nothing. Raises
    OSError."""
    _begin(words, folder, environ, [_opened(0, os.O_RDONLY), _opened(1, os.O_WRONLY)])


def ask(words: "Sequence[str]", folder: str, environ: "Mapping[str, str]", given: bytes) -> Child:
    """The same, with something on its standard input. Raises OSError."""
    # A file, for the child may read it when nobody writes a pipe any more.
    handed = _file(folder, given)
    try:
        said, says = os.pipe()
        try:
            streams = [(os.POSIX_SPAWN_DUP2, handed, 0), (os.POSIX_SPAWN_DUP2, says, 1)]
            return Child(_begin(words, folder, environ, streams), said)
        except OSError:
            os.close(said)
            raise
        finally:
            os.close(says)
    finally:
        os.close(handed)


def _begin(
    words: "Sequence[str]", folder: str, environ: "Mapping[str, str]", streams: "Sequence[tuple[object, ...]]"
) -> int:
    """Its number."""
    told = {**told_absolutely(environ), **OURS}
    here = os.open(os.curdir, _HERE)
    try:
        os.chdir(folder)
        return os.posix_spawn(
            sys.executable,
            # Without -P a `json.py` in that folder would be ours to run.
            [sys.executable, "-P", "-m", *words],
            told,
            file_actions=[*streams, _opened(2, os.O_WRONLY), *_closed()],
            setsid=True,
            setsigdef=[signal.SIGPIPE],
        )
    finally:
        os.fchdir(here)
        os.close(here)


def _opened(stream: int, how: int) -> tuple[object, ...]:
    return os.POSIX_SPAWN_OPEN, stream, os.devnull, how, 0


def _closed() -> list[tuple[int, int]]:
    """What the agent left open: whoever waits for its end would wait for the process too."""
    found = [int(name) for name in os.listdir("/dev/fd") if int(name) > 2]
    return [(os.POSIX_SPAWN_CLOSE, one) for one in found if _inherited(one)]


def _inherited(handle: int) -> bool:
    try:
        return os.get_inheritable(handle)
    except OSError:  # by which they were listed
        return False


def _file(folder: str, data: bytes) -> int:
    """A file that has no name any more, at its beginning."""
    path = os.path.join(folder, f"{GIVEN}.{os.getpid()}")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    os.unlink(path)
    with open(handle, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


def _ended_well(pid: int) -> bool:
    try:
        return os.waitpid(pid, 0)[1] == 0
    except ChildProcessError:  # whoever began us wants to hear of no child: the system forgot how it ended
        return True
