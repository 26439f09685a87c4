"""What an agent is shown at its hooks, and that nothing is shown twice. On the hot path (cli/hot.py).

Of each session the state remembers what it was shown since its context was last emptied (`Shown`): the
block of its start under START, what fitted its prompts under PROMPTS; and that it was resumed, or which
compaction was the last, where only the next prompt can be answered to that.
"""

import os

from siltstone.agents.hooks import Heard
from siltstone.cli import hot
from siltstone.cli.around import Around, around, hits_for
from siltstone.cli.hot_settings import rules_of
from siltstone.recall.prepared import FILE, Prepared
from siltstone.recall.view import CLOSE, OPEN
from siltstone.store.errors import StateError
from siltstone.store.state.shown import Last, Shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

START, PROMPTS, RESUMED, COMPACTED = "hook start", "hook prompts", "hook resumed", "hook compacted"
EXCUSED = "hook excused"
BEGINS = ("start", "first", "system")
"""What is asked for when a session begins; `system` at each of its turns."""
UNSHOWN = "Siltstone shows no memories in this session: {}. Tell the user so in one line."
LINE = 400


def shown(heard: Heard, state: hot.State, environ: "Mapping[str, str]", now: float) -> str:
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


def _shown(heard: Heard, state: hot.State, environ: "Mapping[str, str]", now: float) -> str:
    if not os.path.isfile(os.path.join(state.folder, FILE)):
        return ""  # there is no store yet
    if heard.show == "resumed":
        with state.light() as database:
            _put(Shown(database), heard, RESUMED, "", now)
        return ""
    if heard.show == "system":
        from siltstone.cli.inject import Asked
        from siltstone.cli.inject import shown as injected

        asked = Asked(heard.agent, heard.session, heard.cwd, heard.query, steady=True)
        return injected(asked, state, environ, now).block.text
    with Prepared(state.folder) as prepared:
        if prepared.behind():
            from siltstone.cli.hook_behind import renew

            renew(state, environ, now)
        if heard.show == "prompt" or (heard.show == "first" and not _due(heard, state, now)):
            return _prompt(heard, prepared, around(prepared, heard.cwd, environ, {}), state, environ, now)
        from siltstone.cli import hook_block
        from siltstone.recall.selection import CAPS

        where = around(prepared, heard.cwd, environ, CAPS)
        if heard.show == "compacting":
            return hook_block.block(heard, prepared, where, state, now)
        begun = hook_block.start(heard, prepared, where, state, now)
        return (
            begun if heard.show == "start" else begun + _prompt(heard, prepared, where, state, environ, now)
        )


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


def _prompt(
    heard: Heard,
    prepared: Prepared,
    where: Around,
    state: hot.State,
    environ: "Mapping[str, str]",
    now: float,
) -> str:
    """Memories that fit the prompt and are new to the session."""
    light, rules = state.light(), rules_of(state.folder, environ)
    kept = Shown(light)
    if heard.undone:
        with light:
            kept.drop_variant(heard.agent, heard.session, PROMPTS)
    seen = kept.paths(heard.agent, heard.session)
    hits = hits_for(heard.query, state.folder, prepared, where.view, now, rules, seen)
    if not hits:
        return ""
    from siltstone.recall import prompted
    from siltstone.store.state.usage import Usage

    with light:
        seen = kept.paths(heard.agent, heard.session)  # another prompt's hook may have been faster
        text, paths = prompted.block(prompted.unseen(hits, seen), now)
        if paths:
            last = kept.get(heard.agent, heard.session, PROMPTS)
            before = () if last is None else last.paths
            kept.put(heard.agent, heard.session, PROMPTS, Last("", now, now, 0, 0, (*before, *paths)))
            Usage(light).shown(paths)
    return text
