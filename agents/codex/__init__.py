"""Codex CLI: its rollout files, of every era since 0.57 (docs/transcripts.md)."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.codex.reader import Codex


def reader(root: Path | None, env: Mapping[str, str]) -> Codex:
    """A reader of `root`, else of `$CODEX_HOME`, else of `~/.codex`."""
    if root is None:
        home = env.get("CODEX_HOME")
        root = Path(home) if home else Path(env.get("HOME") or Path.home()) / ".codex"
    return Codex(root)
