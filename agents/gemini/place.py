"""Where Gemini CLI keeps its settings and transcripts."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.records import named_folder


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """`.gemini` in `$GEMINI_CLI_HOME`, else in the home folder."""
    return named_folder(environ, "GEMINI_CLI_HOME", home) / ".gemini"
