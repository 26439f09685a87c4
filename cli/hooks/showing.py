"""What an agent is shown at its hooks, never the same twice.

For each session the state remembers what it was shown since its context was last emptied (`Shown`): the
block of its start (START), the memories for its prompts (PROMPTS), that it was resumed (RESUMED) and which
compaction was the last (COMPACTED), where only its next prompt can be answered.
"""

import os
from collections.abc import Sequence

from siltstone.cli.hooks.background import renew
from siltstone.cli.hooks.common import GIVEN, HELD, Answer, Work, headline
from siltstone.cli.hooks.inject import Asked, inject_block
from siltstone.cli.hooks.surroundings import Folder, folder_of, hits_for, quotes_for, running, session_texts
from siltstone.cli.note import note
from siltstone.recall import escape
from siltstone.recall.block import NO_TEXTS, Block, build, prompt_block
from siltstone.recall.escape import CLOSE, OPEN
from siltstone.recall.layouts import LAYOUTS, SessionTexts
from siltstone.recall.past_sessions import ANSWERED
from siltstone.recall.prepared import FILE, Hit, Prepared, View
from siltstone.recall.selection import CAPS, Budget
from siltstone.store.errors import Locked, StateError
from siltstone.store.places import store_folder
from siltstone.store.state import Line, clean

START, PROMPTS, RESUMED, COMPACTED = "hook start", "hook prompts", "hook resumed", "hook compacted"
EXCUSED = "hook excused"
BEGINS = ("start", "first", "system")
"""What is asked for when a session begins; `system` at each of its turns."""
NOT_SHOWN = "Siltstone shows no memories in this session: {}. Tell the user so in one line."
MAX_REASON = 400
NOTHING_YET = "Siltstone: nothing is remembered yet"


def step(work: Work, answer: Answer) -> None:
    """Show what a hook asks for. If a session begins and nothing can be shown: the reason.

    Raises StateError, StoreError, Locked.
    """
    try:
        answer.add(_shown(work, answer))
    except StateError as error:
        if work.call.show not in BEGINS or not _is_new(work):
            raise
        note(f"no memories are shown: {error}")
        answer.add(f"{OPEN}\n{NOT_SHOWN.format(escape.line(str(error), MAX_REASON))}\n{CLOSE}\n")


def _is_new(work: Work) -> bool:
    """Whether the session was not yet given this reason: each prompt may be asked for as the first one."""
    if work.call.show != "first":
        return True
    if work.last(EXCUSED) is not None:
        return False
    work.keep(EXCUSED)
    return True


def _shown(work: Work, answer: Answer) -> str:
    call, state = work.call, work.state
    if not os.path.isfile(os.path.join(state.folder, FILE)):  # there is no store yet, or the state was lost
        if call.show in BEGINS and not os.path.exists(store_folder(work.environ)) and _is_new(work):
            answer.told = NOTHING_YET
        return ""
    if call.show == "resumed":
        with state.open().transaction():
            work.keep(RESUMED)
        return ""
    with Prepared(state.folder) as prepared:
        text = _prepared(work, answer, prepared)
        if prepared.behind():
            renew(state, work.environ, work.now)
        return text


def _prepared(work: Work, answer: Answer, prepared: Prepared) -> str:
    call = work.call
    if call.show == "system":
        asked = Asked(call.agent, call.session, call.cwd, call.query, True, work.rules.layout)
        shown, _ = inject_block(asked, work.state, prepared, work.rules, work.environ, work.now)
        if shown.text:
            answer.told = headline(shown.receipt.total, shown.receipt.conflicts)
        elif prepared.is_empty():
            answer.told = NOTHING_YET
        return shown.text
    if call.show == "prompt" or (call.show == "first" and not _needs_block(work)):
        return _prompt(work, prepared, folder_of(prepared, call.cwd, work.environ, {}))
    folder = folder_of(prepared, call.cwd, work.environ, CAPS)
    if call.show == "compacting":
        return _built(work, folder.view, _texts(work, prepared, folder), work.now).text
    block = _start(work, prepared, folder)
    if block or prepared.is_empty():
        answer.told = told_of(folder.view) if block else NOTHING_YET
    return block if call.show == "start" else block + _prompt(work, prepared, folder)


def told_of(view: View) -> str:
    """How things stand in a folder, for the person who works there."""
    totals = sum(sum(scope.totals.values()) for scope in view.scopes)
    return headline(totals + len(view.hot), view.conflicts)


def _needs_block(work: Work) -> bool:
    """Whether a prompt is to be shown the block: the session was shown none since its context was emptied,
    or it was resumed, so that the block may have changed."""
    compaction, last = work.call.compaction, work.last(COMPACTED)
    if compaction and (last is None or last.text != compaction):
        with work.state.open().transaction():
            work.drop()
            work.keep(COMPACTED, compaction)
    return work.last(RESUMED) is not None or work.last(START) is None


def _start(work: Work, prepared: Prepared, folder: Folder) -> str:
    """The block, unless the session was shown one with the same memories, which is still in its context.

    The two are compared as of the earlier time, so that age alone shows nothing again, and without the texts
    beside memories, because the session knows more of them itself.
    """
    call, now = work.call, work.now
    view, texts = folder.view, _texts(work, prepared, folder)
    whole = _built(work, view, texts, now)
    alone = whole if texts == NO_TEXTS else _built(work, view, NO_TEXTS, now)
    try:
        db = work.state.open()
        with db.transaction():
            work.drop(RESUMED)
            last = work.last(START)
            if last is not None and clean(_built(work, view, NO_TEXTS, last.at).text) == last.text:
                return ""
            paths = tuple(one.path for one in alone.receipt.shown)
            work.keep(START, clean(alone.text), paths)
            db.usage.shown(paths)
            db.shown.log(Line(now, call.agent, call.session, f"hook {call.event}: {len(whole.text)} chars"))
    except (Locked, StateError) as error:
        note(f"what is shown at {call.event} is not noted: {error}")
    return whole.text


def _texts(work: Work, prepared: Prepared, folder: Folder) -> SessionTexts:
    db, to = running(work.state, work.call.agent, work.call.session)
    return session_texts(db, to, prepared, folder, work.now)


def _built(work: Work, view: View, texts: SessionTexts, at: float) -> Block:
    return build(view, (), texts, Budget(), LAYOUTS[work.rules.layout], at)


def _prompt(work: Work, prepared: Prepared, folder: Folder) -> str:
    """Memories that fit the prompt and are new to the session."""
    call, db = work.call, work.state.open()
    if call.undone:
        with db.transaction():
            work.drop(PROMPTS)
            work.drop(GIVEN)
    for variant in (GIVEN, HELD):
        row = work.last(variant)
        if row is not None and row.text != (until_now := "\n".join(row.paths)):
            with db.transaction():
                work.keep(variant, until_now, row.paths)
    last = work.last(PROMPTS)
    before = () if last is None else last.paths
    hits = hits_for(call.query, prepared, folder.view, work.rules, before)
    quotes = {} if _is_answered(work, prepared, folder, hits) else quotes_for(work, prepared, before)
    if not hits and not quotes:
        return ""
    with db.transaction():
        last = work.last(PROMPTS)  # another prompt's hook may have been faster
        before = () if last is None else last.paths
        new = [hit for hit in hits if hit.fragment.path not in before]
        quotes = {message: line for message, line in quotes.items() if message not in before}
        block = prompt_block(new, db.shown.paths(call.agent, call.session), quotes, work.now)
        if block.text:
            work.keep(PROMPTS, paths=[*before, *block.paths, *block.quoted])
            db.usage.shown(block.paths)
    return block.text


def _is_answered(work: Work, prepared: Prepared, folder: Folder, hits: Sequence[Hit]) -> bool:
    """Whether a memory answers the prompt, also one that the session was shown before."""
    if not any(hit.percent >= ANSWERED for hit in hits):
        hits = hits_for(work.call.query, prepared, folder.view, work.rules)
    return any(hit.percent >= ANSWERED for hit in hits)
