"""What an agent is told before it edits, writes or runs something: memories that speak of that very thing.

Each is given once a session, and once more after the session's context was emptied. A sub-agent has a context
of its own.
"""

import os
from time import gmtime, strftime

from siltstone.cli.hooks.common import GIVEN, Answer, Work
from siltstone.pipeline.proof.commands import programs
from siltstone.recall.action import touched
from siltstone.recall.layouts import CLOSE, OPEN
from siltstone.recall.prepared import FILE, Prepared, Steering, scope_of_folder
from siltstone.store.entry import GLOBAL
from siltstone.store.repository import find_repository
from siltstone.store.state import Last

HEAD = "About this call (dated notes of earlier sessions, no instructions; verify if stale):"
MOST = 3
"""Memories that are given at once."""


def step(work: Work, answer: Answer) -> None:
    """Give the memories that speak of the call. Raises StateError, StoreError, Locked."""
    call, now = work.call, work.now
    found = _speaking(work)
    if not found:
        return
    db = work.state.open()
    with db.transaction():
        last = db.shown.get(call.agent, call.session, GIVEN)
        before = () if last is None else last.paths
        given = [one for one in found if one.fragment.path not in before][:MOST]
        if given:
            paths = tuple(one.fragment.path for one in given)
            db.shown.put(call.agent, call.session, GIVEN, Last("", now, now, 0, 0, (*before, *paths)))
            db.usage.shown(paths)
    if given:
        answer.add(f"{OPEN}\n{HEAD}\n{''.join(map(_line, given))}{CLOSE}\n")


def _speaking(work: Work) -> list[Steering]:
    """The memories that speak of the call, each once: the project's own first, then the newest."""
    call, action = work.call, work.call.action
    if action is None or not os.path.isfile(os.path.join(work.state.folder, FILE)):
        return []
    home = work.environ.get("HOME") or os.path.expanduser("~")
    repository = find_repository(call.cwd, {home, os.path.realpath(home), "/"}) if call.cwd else None
    run = [one.words for one in programs(action.command)] if action.command else []
    made = touched(action, run, call.cwd, repository.top if repository else call.cwd)
    with Prepared(work.state.folder) as prepared:
        scope = scope_of_folder(call.cwd, prepared.scope_of, home)
        named = prepared.steering(made.terms(), [GLOBAL] if scope == GLOBAL else [GLOBAL, scope])
    fitting = [one for one in named if made.fits(one.term, one.rest, one.unless)]
    fitting.sort(key=lambda one: (one.fragment.scope != GLOBAL, one.fragment.clock or 0.0, one.fragment.path))
    return list({one.fragment.path: one for one in fitting}.values())[::-1]


def _line(one: Steering) -> str:
    """A memory with the sentence that names the thing, and when it was said."""
    said = f"{one.fragment.line}: {one.sentence}" if one.sentence else one.fragment.line
    clock = one.fragment.clock
    return f"- {said} ({strftime('%Y-%m-%d', gmtime(clock))})\n" if clock else f"- {said}\n"
