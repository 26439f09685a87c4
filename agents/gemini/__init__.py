"""Gemini CLI: its transcripts under `~/.gemini/tmp` (docs/transcripts.md)."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.gemini.reader import GeminiReader
from siltstone.agents.records import home


def reader(root: Path | None, env: Mapping[str, str]) -> GeminiReader:
    """The reader of `root`, a Gemini config folder; by default the one in the user's home."""
    return GeminiReader(root or home(env) / ".gemini")
