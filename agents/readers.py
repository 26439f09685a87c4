"""The readers of the agents' transcripts.

To add an agent, add its folder with a reader in `read.py` and name it here; with `hooks.py` (see
`agents/hooks.py`) it has doors too. A reader is imported when it is wanted.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from siltstone.agents.door import DOORS
from siltstone.pipeline.messages import Reader
from siltstone.store.errors import Misuse

READERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "claude": ("ClaudeReader", ("projects",)),
    "codex": ("Codex", ("sessions", "archived_sessions")),
    "gemini": ("GeminiReader", ("tmp",)),
    "opencode": ("OpenCode", ("storage", "opencode.db")),
    "plain": ("PlainReader", ()),
}
"""The reader of each agent, and what its folder has in it where it keeps transcripts."""
AGENTS = tuple(READERS)


def readers(roots: Mapping[str, Path], env: Mapping[str, str]) -> list[Reader]:
    """A reader for every agent; where `roots` names any, only for those.

    Naming one root means "read this": the user's other transcripts are not touched by such a run. The folder
    of the transcripts themselves (`~/.claude/projects`) does as well as the one above it.
    Raises Misuse for an agent that there is no folder for.
    """
    unknown = sorted(set(roots) - set(AGENTS))
    if unknown:
        raise Misuse(f"there is no agent {unknown[0]!r}; there are {', '.join(AGENTS)}.")
    chosen = [name for name in AGENTS if name in roots] if roots else AGENTS
    made: list[Reader] = []
    for name in chosen:
        root, (reader, folders) = roots.get(name), READERS[name]
        if root is not None and root.absolute().name in folders and not _holds(name, root):
            root = root.absolute().parent
        kind = getattr(import_module(f"siltstone.agents.{name}.read"), reader)
        # Plain files have no place of their own.
        made.append(kind(root or (DOORS[name].transcripts(env) if name in DOORS else None)))
    return made


def unlike(roots: Mapping[str, Path]) -> list[str]:
    """A sentence for each named root that is no folder of its agent."""
    return [
        f"{root} has no {' or '.join(folders)} in it, so no {name} sessions are read; give the folder "
        f"that contains it, as in --root claude=~/.claude"
        for name, root in roots.items()
        if (folders := READERS[name][1]) and root.absolute().name not in folders and not _holds(name, root)
    ]


def _holds(name: str, root: Path) -> bool:
    return any((root / folder).exists() for folder in READERS[name][1])
