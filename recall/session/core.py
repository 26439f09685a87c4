"""Core memory: the one goal of a session, what is done, blocks and is worked on (docs/seeds.md B1–B3).

The agent writes it itself. A text that would pass its block's limit is refused, so that nothing is lost
without the agent's knowledge.
"""

from siltstone.recall.session.state import Block, SessionState
from siltstone.store.errors import Misuse
from siltstone.store.plain import cleaned

LIMITS = {"goal": 1_000, "progress": 2_000, "context": 1_500}
"""Characters a block may hold: the ONE task; done, in progress, blocked; current files and key patterns."""


def block(state: SessionState, name: str) -> Block:
    """The block of a name. Raises Misuse where there is none."""
    if name not in LIMITS:
        raise Misuse(f"there is no block {name[:40]!r} in core memory; there are {', '.join(LIMITS)}.")
    found: Block = getattr(state, name)
    return found


def replace(state: SessionState, name: str, text: str, now: float) -> SessionState:
    """The state with a block that says `text`. Raises Misuse for one too long, or without a block."""
    block(state, name)
    content = cleaned(text.strip())
    if len(content) > LIMITS[name]:
        raise Misuse(
            f"the block {name} holds {LIMITS[name]:,} characters, this would make it {len(content):,}; "
            "say it shorter, or replace the block."
        )
    made = Block(content, now)
    if name == "goal":
        return state._replace(goal=made)
    return state._replace(progress=made) if name == "progress" else state._replace(context=made)


def append(state: SessionState, name: str, text: str, now: float) -> SessionState:
    """The state with `text` on a new line at the end of a block. Raises Misuse as `replace` does."""
    before = block(state, name).content
    return replace(state, name, f"{before}\n{text}" if before else text, now)
