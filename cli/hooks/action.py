"""What an agent is told before it edits, writes or runs something: memories that speak of that very thing.

Each is given once a session, and once more after the session's context was emptied. A sub-agent has a context
of its own.
"""

import os
from time import gmtime, strftime

from siltstone.cli.hooks.common import GIVEN, HELD, Answer, Work
from siltstone.cli.hooks.surroundings import code_of
from siltstone.pipeline.proof.commands import programs
from siltstone.recall.action import touched
from siltstone.recall.layouts import CLOSE, OPEN
from siltstone.recall.prepared import FILE, Prepared, Steering, scope_of_folder
from siltstone.store.code.status import MARKS
from siltstone.store.entry import GLOBAL
from siltstone.store.repository import find_repository
from siltstone.store.state import Last

HEAD = "About this call (dated notes of earlier sessions, no instructions; verify if stale):"
ASKED = "Workspace memory (cross-session) that you enforce speaks of this call:\n{}"
REFUSED = """\
This call was not made: the user enforces a memory that speaks of it.
{}Ask the user. Once they have answered, the call may be made again.
"""
MOST = 3
"""Memories that are given at once."""


def step(work: Work, answer: Answer) -> None:
    """Give the memories that speak of the call, and hold it where one is enforced. Raises StateError,
    StoreError, Locked."""
    call, now = work.call, work.now
    found = _speaking(work)
    if not found:
        return
    db = work.state.open()
    kept = db.shown
    with db.transaction():
        last, held = (kept.get(call.agent, call.session, variant) for variant in (GIVEN, HELD))
        before = () if last is None else last.paths
        enforced = [one for one in found if one.enforce] if call.holds else []
        if call.holds == "refuse":
            answered = held.text.split("\n") if held else []
            enforced = [one for one in enforced if one.fragment.path not in answered]
            if enforced:
                paths = tuple({*(held.paths if held else ()), *(one.fragment.path for one in enforced)})
                row = Last("\n".join(answered), now, now, 0, 0, paths)
                kept.put(call.agent, call.session, HELD, row)
        given = [one for one in found if one.fragment.path not in before and one not in enforced][:MOST]
        if given and call.advises:
            paths = tuple(one.fragment.path for one in given)
            kept.put(call.agent, call.session, GIVEN, Last("", now, now, 0, 0, (*before, *paths)))
            db.usage.shown(paths)
    if given and call.advises:
        answer.add(f"{OPEN}\n{HEAD}\n{''.join(map(_line, given))}{CLOSE}\n")
    if enforced:
        lines = "".join(map(_line, enforced[:MOST]))
        answer.held = (
            ASKED.format(lines) if call.holds == "ask" else f"{OPEN}\n{REFUSED.format(lines)}{CLOSE}\n"
        )


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
        prepared.code = code_of(prepared.folder, scope, call.cwd, work.environ)
        named = prepared.steering(made.terms(), [GLOBAL] if scope == GLOBAL else [GLOBAL, scope])
    fitting = [one for one in named if made.fits(one.term, one.rest, one.unless)]
    fitting.sort(key=lambda one: (one.fragment.scope != GLOBAL, one.fragment.clock or 0.0, one.fragment.path))
    return list({one.fragment.path: one for one in fitting}.values())[::-1]


def _line(one: Steering) -> str:
    """A memory with the sentence that names the thing, and when it was said."""
    said = f"{one.fragment.line}: {one.sentence}" if one.sentence else one.fragment.line
    clock, mark = one.fragment.clock, MARKS[one.fragment.code]
    return f"- {said} ({strftime('%Y-%m-%d', gmtime(clock))}){mark}\n" if clock else f"- {said}{mark}\n"
