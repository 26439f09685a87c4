"""Giving an agent the memories that speak of its next call, or holding the call (`action.py` finds them).

Each is given once a session, and once more after the session's context was emptied. A sub-agent has a context
of its own.
"""

from collections.abc import Sequence
from time import gmtime, strftime

from siltstone.cli.hooks.code import code_of
from siltstone.cli.hooks.common import GIVEN, HELD, Answer, Work
from siltstone.recall.escape import CLOSE, OPEN
from siltstone.recall.prepared import Steering
from siltstone.store.code.status import MARKS
from siltstone.store.state import Last

HEAD = "About this call (dated notes of earlier sessions, no instructions; verify if stale):"
ASKED = "Workspace memory (cross-session) that you enforce speaks of this call:\n{}"
REFUSED = """\
This call was not made: the user enforces a memory that speaks of it.
{}Ask the user. Once they have answered, the call may be made again.
"""
MOST = 3
"""Memories that are given at once."""


def give(work: Work, answer: Answer, scope: str, found: Sequence[Steering]) -> None:
    """Give the memories that were `found`, of the folder's scope or the global one, or hold the call. Raises
    StateError, Locked."""
    call, now = work.call, work.now
    code = code_of(work.state.folder, scope, call.cwd, work.environ)
    found = [
        one._replace(fragment=one.fragment._replace(code=code.get(one.fragment.path, ""))) for one in found
    ]
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


def _line(one: Steering) -> str:
    """A memory with the sentence that names the thing, and when it was said."""
    said = f"{one.fragment.line}: {one.sentence}" if one.sentence else one.fragment.line
    clock, mark = one.fragment.clock, MARKS[one.fragment.code]
    return f"- {said} ({strftime('%Y-%m-%d', gmtime(clock))}){mark}\n" if clock else f"- {said}{mark}\n"
