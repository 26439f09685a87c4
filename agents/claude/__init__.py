"""Claude Code: its transcripts under `$CLAUDE_CONFIG_DIR/projects` (docs/transcripts.md)."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.claude.reader import ClaudeReader
from siltstone.agents.records import home


def reader(root: Path | None, env: Mapping[str, str]) -> ClaudeReader:
    """The reader of `root`, a Claude Code config folder; by default the one `env` names."""
    named = env.get("CLAUDE_CONFIG_DIR")
    return ClaudeReader(root or (Path(named) if named else home(env) / ".claude"))
