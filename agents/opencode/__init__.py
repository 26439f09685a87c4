"""OpenCode: its SQLite database, and the JSON files it kept before (docs/transcripts.md)."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.opencode.reader import OpenCode


def reader(root: Path | None, env: Mapping[str, str]) -> OpenCode:
    """A reader of `root`, else of `$XDG_DATA_HOME/opencode`, else of `~/.local/share/opencode`."""
    if root is None:
        home = Path(env.get("HOME") or Path.home())
        data = env.get("XDG_DATA_HOME")
        root = (Path(data) if data else home / ".local" / "share") / "opencode"
    return OpenCode(root)
