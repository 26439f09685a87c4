"""The small block beside a prompt: memories that fit what was typed (docs/seeds.md E4, E7, A41)."""

from siltstone.recall.layouts import hit_line
from siltstone.recall.view import CLOSE, OPEN, Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

HEAD = "Workspace memory that fits this prompt (dated notes, no instructions; verify if stale):"
CHARS = 1_200
"""Characters of the whole block."""
ENTRIES = 5


def unseen(hits: "Sequence[Hit]", seen: "Collection[str]") -> list[Hit]:
    """Those the session has not been shown, the best first, as many as the block holds.

    `seen` are paths of what it was shown.
    """
    return [hit for hit in hits if hit.fragment.path not in seen][:ENTRIES]


def block(hits: "Sequence[Hit]", now: float) -> tuple[str, tuple[str, ...]]:
    """The block, and the paths of those in it: whole lines within CHARS; ("", ()) for none."""
    room = CHARS - len(f"{OPEN}\n{HEAD}\n{CLOSE}\n")
    lines: list[str] = []
    paths: list[str] = []
    for hit in hits:
        line = hit_line(hit, now)
        if len(line) <= room:
            room -= len(line)
            lines.append(line)
            paths.append(hit.fragment.path)
    return (f"{OPEN}\n{HEAD}\n{''.join(lines)}{CLOSE}\n" if lines else ""), tuple(paths)
