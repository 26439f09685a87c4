"""The entry of the commands that agents' hooks call."""

import os
import time
from collections.abc import Sequence
from importlib import import_module
from typing import cast

from siltstone.cli.hooks.common import NotWritten, log
from siltstone.cli.note import note
from siltstone.store.errors import Misuse, SiltError
from siltstone.store.places import state_folder

COMMANDS = ("event", "hook", "inject", "prune", "statusline")


def main(words: Sequence[str]) -> int:
    """Run a hook command and return its exit status.

    The status is 0 even after an error, with one sentence on standard error, because the calling agent must
    not be disturbed. Exceptions: 2 for wrong arguments, 1 if the output cannot be written.
    """
    try:
        return cast(int, import_module(f"siltstone.cli.hooks.{words[0]}").run(list(words[1:])))
    except SiltError as error:
        note(str(error))
        return error.exit_code if isinstance(error, (Misuse, NotWritten)) else 0
    except Exception as error:  # a running agent must not break; the other broad except is in backlog.py
        sentence = f"{words[0]} failed ({type(error).__name__}: {error}); run `silt doctor`"
        if words[0] == "hook":  # the agent reads what a hook prints, so this goes to the log
            log(state_folder(os.environ), " ".join(words[1:2]), sentence, time.time())
        else:
            note(sentence)
        return 0
