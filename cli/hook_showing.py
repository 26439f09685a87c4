"""What an agent is shown at its hooks, and that nothing is shown twice. On the hot path (cli/hot.py).

Of each session the state remembers what it was shown since its context was last emptied (`Shown`): the
block of its start under START, what fitted its prompts under PROMPTS; and that it was resumed, or which
compaction was the last, where only the next prompt can be answered to that.
"""

import os
from collections.abc import Mapping

from siltstone.agents.hooks import Heard
from siltstone.cli import hot
from siltstone.cli.hook_behind import renew
from siltstone.cli.hot_settings import rules_of
from siltstone.cli.inject import Asked, around, hits_for
from siltstone.cli.inject import shown as injected
from siltstone.cli.session_text import known, parts_of
from siltstone.recall import prompted
from siltstone.recall.block import NO_SESSION, Block, build
from siltstone.recall.layouts import CLOSE, LAYOUTS, OPEN
from siltstone.recall.prepared import FILE, Prepared
from siltstone.recall.selection import Budget
from siltstone.recall.view import Session, View
from siltstone.store.errors import Locked, StateError
from siltstone.store.state.shown import Last, Line, Shown, storable
from siltstone.store.state.usage import Usage

START, PROMPTS, RESUMED, COMPACTED = "hook start", "hook prompts", "hook resumed", "hook compacted"
EXCUSED = "hook excused"
BEGINS = ("start", "first", "system")
"""What is asked for when a session begins; `system` at each of its turns."""
UNSHOWN = "Siltstone shows no memories in this session: {}. Tell the user so in one line."
LINE = 400


def shown(heard: Heard, state: hot.State, environ: Mapping[str, str], now: float) -> str:
    """What the agent is shown now, "" for nothing; when its session begins and nothing can be shown, that.

    Raises StateError, StoreError, Locked.
    """
    try:
        return _shown(heard, state, environ, now)
    except StateError as error:
        if heard.show not in BEGINS or not _is_new(heard, state, now):
            raise
        from siltstone.recall import escape

        hot.note(f"nothing is shown: {error}")
        return f"{OPEN}\n{UNSHOWN.format(escape.line(str(error), LINE))}\n{CLOSE}\n"


def _is_new(heard: Heard, state: hot.State, now: float) -> bool:
    """Whether it is told for the first time: each prompt may be asked for as the first of its session."""
    if heard.show != "first":
        return True
    kept = Shown(state.light())
    if kept.get(heard.agent, heard.session, EXCUSED) is not None:
        return False
    _put(kept, heard, EXCUSED, "", now)
    return True


def _shown(heard: Heard, state: hot.State, environ: Mapping[str, str], now: float) -> str:
    if not os.path.isfile(os.path.join(state.folder, FILE)):
        return ""  # there is no store yet
    if heard.show == "resumed":
        with state.light() as database:
            _put(Shown(database), heard, RESUMED, "", now)
        return ""
    if heard.show == "system":
        asked = Asked(heard.agent, heard.session, heard.cwd, heard.query, steady=True)
        return injected(asked, state, environ, now).block.text
    with Prepared(state.folder) as prepared:
        if prepared.behind():
            renew(state, environ, now)
        if heard.show == "prompt" or (heard.show == "first" and not _due(heard, state, now)):
            return _prompt(heard, prepared, state, environ, now)
        scope, view, here = around(prepared, heard.cwd, environ)
        light, to = known(state, heard.agent, heard.session)
        parts = parts_of(light, to, here, now, prepared.brief(scope))
        if heard.show == "compacting":
            return _built(view, parts, now).text
        begun = _start(heard, view, parts, state, now)
        return begun if heard.show == "start" else begun + _prompt(heard, prepared, state, environ, now)


def _due(heard: Heard, state: hot.State, now: float) -> bool:
    """Whether a prompt is to be shown the block: the session was not since its context was emptied, or was
    resumed, so that it may have to be another."""
    light = state.light()
    kept = Shown(light)
    last = kept.get(heard.agent, heard.session, COMPACTED)
    if heard.compaction and (last is None or last.text != heard.compaction):
        with light:
            kept.drop(heard.agent, heard.session)
            _put(kept, heard, COMPACTED, heard.compaction, now)
    resumed = kept.get(heard.agent, heard.session, RESUMED) is not None
    return resumed or kept.get(heard.agent, heard.session, START) is None


def _put(kept: Shown, heard: Heard, variant: str, text: str, now: float) -> None:
    kept.put(heard.agent, heard.session, variant, Last(text, now, now, 0, 0, ()))


def _start(heard: Heard, view: View, parts: Session, state: hot.State, now: float) -> str:
    """The block, unless the session was shown one with the same memories: that stands in its context.

    Whether they are the same is asked as of then, so that an age alone shows nothing again; and without
    what stands beside memories, for of that the session knows more itself.
    """
    whole, alone = _built(view, parts, now), _built(view, NO_SESSION, now)
    try:
        with state.light() as light:
            kept = Shown(light)
            kept.drop_variant(heard.agent, heard.session, RESUMED)
            last = kept.get(heard.agent, heard.session, START)
            if last is not None and storable(_built(view, NO_SESSION, last.at).text) == last.text:
                return ""
            paths = tuple(one.path for one in alone.receipt.shown)
            kept.put(heard.agent, heard.session, START, Last(storable(alone.text), now, now, 0, 0, paths))
            Usage(light).shown(paths)
            told = f"hook {heard.event}: {len(whole.text)} chars"
            kept.log(Line(now, heard.agent, heard.session, told))
    except (Locked, StateError) as error:
        hot.note(f"what is shown at {heard.event} is not noted: {error}")
    return whole.text


def _prompt(
    heard: Heard, prepared: Prepared, state: hot.State, environ: Mapping[str, str], now: float
) -> str:
    """Memories that fit the prompt and are new to the session."""
    view = around(prepared, heard.cwd, environ).view
    light, rules = state.light(), rules_of(state.folder, environ)
    kept = Shown(light)
    if heard.undone:
        with light:
            kept.drop_variant(heard.agent, heard.session, PROMPTS)
    seen = kept.paths(heard.agent, heard.session)
    hits = hits_for(heard.query, state.folder, prepared, view, now, rules, seen)
    if not hits:
        return ""
    with light:
        seen = kept.paths(heard.agent, heard.session)  # another prompt's hook may have been faster
        text, paths = prompted.block(prompted.unseen(hits, seen), now)
        if paths:
            last = kept.get(heard.agent, heard.session, PROMPTS)
            before = () if last is None else last.paths
            kept.put(heard.agent, heard.session, PROMPTS, Last("", now, now, 0, 0, (*before, *paths)))
            Usage(light).shown(paths)
    return text


def _built(view: View, parts: Session, at: float) -> Block:
    return build(view, (), parts, Budget(), LAYOUTS["default"], at)
