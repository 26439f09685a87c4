"""`hooks.log` in the state folder: what hooks could not do, a line each. On the hot path (cli/hot.py)."""

import os
import time

from siltstone.cli.hot import printable

NAME = "hooks.log"
MOST = 256 * 1024
"""Bytes; then the file becomes `hooks.log.1`, in place of the one before."""
_LONGEST = 500


def log(folder: str, who: str, sentence: str, now: float) -> None:
    """Add a line. A folder that cannot be written to is no failure: there is nobody to tell."""
    line = printable(sentence)
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
    raw = f"{at} {who}: {line[:_LONGEST]}\n".encode("utf-8", "replace")
    path = os.path.join(folder, NAME)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            os.write(file, raw)  # in one piece, so that lines of two hooks do not mix
            full = os.fstat(file).st_size > MOST
        finally:
            os.close(file)
        if full:
            os.replace(path, f"{path}.1")
    except (OSError, ValueError):
        return
