"""Summaries of a session in a few lines, made by rule (docs/seeds.md E7, E16, E17, E20).

One is made every few turns and at a compaction: the first and the last request, files, open errors,
decisions. Three are kept, and a line of each older one; only the latest is shown as progress. They are
machine-made and shown as unverified: no memories, and never evidence.
"""

from siltstone.recall.escape import line, lines
from siltstone.recall.retention import day
from siltstone.recall.session.files import ranked
from siltstone.recall.session.state import Note, SessionState, Summary
from siltstone.recall.settings import RecallSettings
from siltstone.store.redaction import cleaned
from siltstone.store.state import Ended

CHARS = 900
"""Characters of one summary."""
KEPT = 3
CONDENSED = 400
"""Characters that are left of all older ones."""
RULES = "rules"
"""The maker of a summary that no model made."""
_LINE = 240
_SEARCHED = 4_000
"""Characters of a request that are redacted. That is far more than is shown, since a secret may begin in
the shown part and end behind it."""
_FILES, _ERRORS, _DECISIONS = 6, 3, 3


def typed(state: SessionState, text: str, at: float, settings: RecallSettings) -> SessionState:
    """The state when the user types `text`, before it counts as a turn."""
    every = settings.turn_summary_interval
    if state.turn and state.turn % every == 0:
        state = summed_up(state, f"{every} turns", at)
    if not text.strip():
        return state
    if len(text) > _SEARCHED:
        text = text[:_SEARCHED].rsplit(None, 1)[0]  # whole words: half a secret may look like none
    request = Note(_line(cleaned(text)), at)
    return state._replace(asked_last=request) if state.asked.text else state._replace(asked=request)


def summed_up(state: SessionState, why: str, at: float) -> SessionState:
    """The state with one more summary; unchanged when nothing was typed since the last one."""
    text = by_rule(state)
    if not text or (state.summaries and state.summaries[-1].turn == state.turn):
        return state
    kept = (*state.summaries, Summary(text, at, state.turn, why))
    older = [state.condensed]
    for one in kept[:-KEPT]:  # what the session was about then
        rows = dict(row.partition(": ")[::2] for row in one.text.splitlines())
        older.append(f"turn {one.turn}: {(rows.get('Last asked') or rows.get('Goal', ''))[: CONDENSED // 4]}")
    condensed = "\n".join(filter(None, older))
    while len(condensed) > CONDENSED:
        condensed = condensed.partition("\n")[2]
    return state._replace(summaries=kept[-KEPT:], condensed=condensed)


def by_rule(state: SessionState) -> str:
    """The summary of a state, at most CHARS characters; "" when nothing was typed."""
    goal = _line(state.goal.content) or state.asked.text
    if not (state.turn and goal):
        return ""
    facts = [
        ("Goal", goal),
        ("Last asked", state.asked_last.text),
        ("Progress", _line(state.progress.content)),
        ("Files", ", ".join(f"{one.path} ({one.action})" for one in ranked(state.files)[:_FILES])),
        ("Open errors", "; ".join(one.summary for one in state.errors[-_ERRORS:])),
        ("Decisions", "; ".join(one.text for one in state.decisions[-_DECISIONS:])),
        ("Earlier", state.condensed.replace("\n", "; ")),
    ]
    rows: list[str] = []
    left = CHARS
    for head, text in facts:
        row = f"{head}: {_line(text)}"
        if text and len(row) < left:
            rows.append(row)
            left -= len(row) + 1
    return "\n".join(rows)


def progress(state: SessionState) -> str:
    """The latest summary of the running session as it is shown; "" while there is none."""
    if not state.summaries:
        return ""
    one = state.summaries[-1]
    return _labelled(f"Machine-made ({one.why}, turn {one.turn}), unverified:", one.text)


def last(ended: Ended) -> str:
    """The summary of an ended session as it is shown."""
    return _labelled(f"Machine-made by {source(ended)}, unverified:", ended.text)


def source(ended: Ended) -> str:
    """Who made a summary, and of which session."""
    return line(f"{ended.maker} of a session with {ended.agent} on {day(ended.at)}", CHARS)


def _labelled(label: str, text: str) -> str:
    return "\n".join([label, *lines(text, CHARS + 1)])


def _line(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LINE else text[: _LINE - 2].rpartition(" ")[0] + " …"
