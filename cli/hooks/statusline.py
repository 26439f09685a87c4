"""Print one line for Claude Code's status line: how things stand in the
folder it works in.

Claude Code's settings take it as
{"statusLine": {"type": "command", "command": "silt statusline"}}. The folder is
read from standard input. If there is no store, nothing is printed.
Example: echo '{"workspace": {"current_dir": "."}}' | silt statusline
"""

import json
import os
from contextlib import suppress

from siltstone.agents.values import obj, string
from siltstone.cli.hooks.common import read_input, say
from siltstone.cli.hooks.options import Options
from siltstone.cli.hooks.showing import told_of
from siltstone.cli.hooks.surroundings import folder_of
from siltstone.recall.prepared import Prepared
from siltstone.recall.selection import CAPS
from siltstone.store.errors import SiltError
from siltstone.store.places import state_folder

MAX_INPUT = 2**20
"""Bytes."""


def run(argv: list[str]) -> int:
    """The command. Raises Misuse; whatever else is wrong leaves the line empty."""
    Options("statusline", __doc__).parse_args(argv)
    payload: object = None
    with suppress(ValueError, RecursionError):
        payload = json.loads(read_input(MAX_INPUT))
    said = obj(payload)
    cwd = string(obj(said.get("workspace")).get("current_dir")) or string(said.get("cwd")) or "."
    with suppress(SiltError, OSError), Prepared(state_folder(os.environ)) as prepared:
        say(told_of(folder_of(prepared, os.path.abspath(cwd), os.environ, CAPS).view) + "\n")
    return 0
