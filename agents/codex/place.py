"""Where Codex keeps its settings and transcripts."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.records import named_folder


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """`$CODEX_HOME`, else `~/.codex`."""
    return named_folder(environ, "CODEX_HOME", home / ".codex")
