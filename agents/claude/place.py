"""Where Claude Code keeps its settings and transcripts."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.records import named_folder


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """`$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    return named_folder(environ, "CLAUDE_CONFIG_DIR", home / ".claude")
