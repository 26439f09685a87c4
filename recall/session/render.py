"""The texts an agent is shown about its own session (docs/seeds.md A38, A39, B5, B15).

All of it came from tools, transcripts or the agent itself, so each text passes `recall/escape.py`. Texts are
cut at whole lines, and a heading with nothing below it is left out.
"""

import time
from collections.abc import Collection, Iterable

from siltstone.recall.escape import line, lines
from siltstone.recall.session import pressure
from siltstone.recall.session.files import ranked
from siltstone.recall.session.state import CORE_LIMITS, SLOTS, SessionState
from siltstone.recall.session.state import core as blocks_of
from siltstone.recall.session.working_memory import ranked as by_score

CHARS = 700
FILES, ERRORS, DECISIONS, PENDING = 8, 3, 8, 6
"""Limits of the hot state: characters, and lines of each section (docs/seeds.md A39 and "Source")."""
HEAD = "Hot session state (current session):"
NO_ERRORS = "open_errors: (none)"
WORKING_CHARS = 1_600
WORKING_ITEMS = 15
WORKING_HEAD = "Recent session context (auto-managed, sorted by relevance):"
_LONGEST = 700
_SHORT = 200
_FOOTER_CHARS = 50
_ORDER = ("active_files:", "open_errors:", "recent_decisions:", "pending_memories:")
_TITLES = {"error": "Errors:", "decision": "Decisions:", "todo": "To do:", "dependency": "Dependencies:"}


def block(state: SessionState) -> str:
    """Everything an agent is shown of its session: hot state, core and working memory, pressure."""
    in_hot = {file.path for file in ranked(state.files)[:FILES]}
    in_hot |= {one.summary for one in state.errors} | {one.text for one in state.decisions}
    texts = (hot(state), core(state), working(state, in_hot), pressure.line(state))
    return "\n".join(text for text in texts if text)


def hot(state: SessionState, chars: int = CHARS) -> str:
    """The hot session state in at most `chars` characters; "" for an empty one.

    Errors come first when space is short.
    """
    errors = sorted(state.errors, key=lambda one: -one.event)[:ERRORS]
    texts = {
        "open_errors:": [
            f"[{line(one.category, _SHORT)}{f', {one.seen}x' if one.seen > 1 else ''}"
            f"{', maybe fixed' if one.maybe_fixed else ''}] {line(one.summary, _LONGEST)}"
            for one in errors
        ],
        "active_files:": [
            f"{line(one.path, _LONGEST)} ({line(one.action, _SHORT)}, {one.times}x)"
            for one in ranked(state.files)[:FILES]
        ],
        "recent_decisions:": [line(one.text, _LONGEST) for one in state.decisions[-DECISIONS:]],
        "pending_memories:": [
            f"[{line(one.type, _SHORT)}] {line(one.text, _LONGEST)}" for one in state.pending[-PENDING:]
        ],
    }
    left = chars - len(f"---\n{HEAD}") - (0 if state.errors else len(NO_ERRORS) + 1)
    sections: dict[str, list[str]] = {}
    for head, rows in texts.items():
        sections[head], left = _fitting(head, rows, left)
    if not any(sections.values()):
        return ""
    if not state.errors:
        sections["open_errors:"] = [NO_ERRORS]
    return "\n".join(["---", HEAD, *(row for head in _ORDER for row in sections[head])])


def core(state: SessionState) -> str:
    """`<core_memory>` with the blocks that hold something; "" when none does."""
    blocks = []
    for name, block in blocks_of(state).items():
        content, most = block.content, CORE_LIMITS[name]
        if content:
            body = "\n".join(lines(content, most + 1))
            blocks.append(f'<{name} chars="{len(content)}/{most}">\n{body}\n</{name}>')
    return "\n".join(["<core_memory>", *blocks, "</core_memory>"]) if blocks else ""


def working(state: SessionState, shown: Collection[str] = ()) -> str:
    """`<working_memory>`: slots by kind, then the pool by score; "" when there is nothing.

    `shown` are texts that the agent is shown elsewhere.
    """
    parts = {_TITLES[kind]: [one.text for one in reversed(state.slots) if one.kind == kind] for kind in SLOTS}
    parts["Key files:"] = [one.text for one in by_score(state.pool, state.events)]
    left = WORKING_CHARS - len(f"<working_memory>\n{WORKING_HEAD}\n</working_memory>") - _FOOTER_CHARS
    rows: list[str] = []
    items = 0
    for title, texts in parts.items():
        new = [line(text, _SHORT) for text in texts if text not in shown]
        section, left = _fitting(title, new[: WORKING_ITEMS - items], left)
        items += max(len(section) - 1, 0)
        rows += section
    if not items:
        return ""
    at = time.strftime("%H:%M:%S", time.gmtime(state.updated))
    footer = f"({items} item{'' if items == 1 else 's'} shown, updated: {at} UTC)"
    return "\n".join(["<working_memory>", WORKING_HEAD, *rows, footer, "</working_memory>"])


def _fitting(head: str, texts: Iterable[str], left: int) -> tuple[list[str], int]:
    """Heading and lines of a section, as many as fit `left` characters, and what is left then."""
    rows: list[str] = []
    for text in texts:
        cost = len(text) + 3 + (0 if rows else len(head) + 1)
        if cost <= left:
            rows.append(f"- {text}")
            left -= cost
    return ([head, *rows] if rows else []), left
