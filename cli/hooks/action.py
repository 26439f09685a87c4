"""What an agent is told before it edits, writes or runs something: memories that speak of that very thing.

Nearly every call is spoken of by none. So here they are only looked for, and `giving.py`, which needs much
more, is loaded where one is found.
"""

import os
from importlib import import_module

from siltstone.cli.hooks.common import Answer, Work
from siltstone.pipeline.proof.commands import programs
from siltstone.recall.action import touched
from siltstone.recall.prepared import FILE, Prepared, Steering, scope_of_folder
from siltstone.store.entry import GLOBAL
from siltstone.store.places import home_folder
from siltstone.store.repository import checkout


def step(work: Work, answer: Answer) -> None:
    """Give the memories that speak of the call, and hold it where one is enforced. Raises StateError,
    StoreError, Locked."""
    scope, found = _speaking(work)
    if found:
        import_module("siltstone.cli.hooks.giving").give(work, answer, scope, found)


def _speaking(work: Work) -> tuple[str, list[Steering]]:
    """The scope of the folder, and the memories that speak of the call, each once: the project's own first,
    then the newest."""
    call, action = work.call, work.call.action
    if action is None or not os.path.isfile(os.path.join(work.state.folder, FILE)):
        return "", []
    home = home_folder(work.environ)
    there = checkout(call.cwd, {home, os.path.realpath(home), "/"}) if call.cwd else None
    top, branch = (there.top, there.branch) if there else (call.cwd, "")
    run = [one.words for one in programs(action.command)] if action.command else []
    made = touched(action, run, call.cwd, top, branch)
    with Prepared(work.state.folder) as prepared:
        scope = scope_of_folder(call.cwd, prepared.scope_of, home)
        named = prepared.steering(made.terms(), [GLOBAL] if scope == GLOBAL else [GLOBAL, scope])
    fitting = [one for one in named if made.fits(one.term, one.rest, one.unless)]
    fitting.sort(key=lambda one: (one.fragment.scope != GLOBAL, one.fragment.clock or 0.0, one.fragment.path))
    return scope, list({one.fragment.path: one for one in fitting}.values())[::-1]
