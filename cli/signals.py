"""How a command that asks the user's own agent is ended from outside."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from siltstone.agents.child import Stop

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ended_by_signals(stop: Stop) -> Iterator[None]:
    """Within the block each of these ends what is being asked, and then the command as Ctrl-C does: by
    itself SIGTERM would leave the agent at work, and a thread that waits for it hears of no Ctrl-C.

    The second signal does what it did before, and what is ignored (`nohup`) stays ignored.
    """
    heard = [kind for kind in ENDING if signal.getsignal(kind) not in (signal.SIG_IGN, None)]
    before = {kind: signal.getsignal(kind) for kind in heard}

    def end(*_: object) -> None:
        stop.asked = True
        restore()
        raise KeyboardInterrupt

    def restore() -> None:
        for kind, handler in before.items():
            signal.signal(kind, handler)

    for kind in heard:
        signal.signal(kind, end)
    try:
        yield
    finally:
        restore()
