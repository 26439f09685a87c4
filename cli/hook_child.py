"""Processes that hooks begin: ours, in a session of their own, so that they outlive the agent.

On the hot path (cli/hot.py).
"""

import sys
from collections.abc import Mapping, Sequence

from siltstone.agents.hooks import OWN

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from subprocess import Popen
    from typing import IO


def begin(
    words: Sequence[str], folder: str, environ: Mapping[str, str], given: "IO[bytes] | None" = None
) -> "Popen[bytes]":
    """Begin a module of ours, the first of `words`, in a folder. With `given` on its standard input it
    answers through a pipe; without, it reads and says nothing. Raises OSError."""
    import subprocess

    return subprocess.Popen(
        # Without -P a `json.py` in that folder would be ours to run.
        [sys.executable, "-P", "-m", *words],
        stdin=given or subprocess.DEVNULL,
        stdout=subprocess.PIPE if given else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**environ, OWN: "1"},
        start_new_session=True,
    )
