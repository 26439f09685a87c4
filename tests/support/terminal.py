"""`silt` on a real pseudo-terminal: what a person sees, and the keys that they press."""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
from collections.abc import Sequence

_STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def seen(
    *words: str,
    keys: Sequence[str] = (),
    columns: int = 120,
    rows: int = 60,
    styled: bool = False,
    setting: str = "PAGER=cat",
) -> str:
    """What `silt` shows on a terminal. `keys` are pressed one by one, each when nothing more is shown before
    it is: `silt` asks with a line that ends without a break. `setting`: a variable, else the pager `cat`."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": str(rows)}
        os.environ |= dict([setting.split("=")])
        os.execv(sys.executable, [sys.executable, "-m", "siltstone", *words])  # noqa: S606
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    shown, waiting = bytearray(), list(keys)
    while True:
        asked = shown.endswith((b"] ", b": ", b"? "))
        if waiting and asked and not select.select([terminal], [], [], 0.05)[0]:
            os.write(terminal, waiting.pop(0).encode())
            shown += b"\n"  # the key was answered: the same question is asked anew
        try:
            piece = os.read(terminal, 65_536)
        except OSError:  # Linux: the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.waitpid(process, 0)
    os.close(terminal)
    text = shown.decode("utf-8", "replace").replace("\r\n", "\n")
    return text if styled else _STYLE.sub("", text)
