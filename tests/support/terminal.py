"""`silt` on a real pseudo-terminal: what a person sees, and the keys that they press."""

import fcntl
import os
import pty
import re
import select
import signal
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
        quiet = 30.0
        if waiting and shown.endswith((b"] ", b": ", b"? ", b"\0")):
            quiet = 2.0 if shown.endswith(b"\0") else 0.05  # a key that is none is answered by nothing
        if not select.select([terminal], [], [], quiet)[0]:
            if not waiting:
                os.kill(process, signal.SIGKILL)
                raise AssertionError(f"silt waits for a key: {shown.decode('utf-8', 'replace')}")
            os.write(terminal, waiting.pop(0).encode())
            shown += b"\0"
            continue
        try:
            piece = os.read(terminal, 65_536)
        except OSError:  # Linux: the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.waitpid(process, 0)
    os.close(terminal)
    text = shown.replace(b"\0", b"").decode("utf-8", "replace").replace("\r\n", "\n")
    return text if styled else _STYLE.sub("", text)
