"""Where OpenCode keeps its settings for the user."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.records import named_folder


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """`opencode` in `$XDG_CONFIG_HOME`, else in `~/.config`."""
    return named_folder(environ, "XDG_CONFIG_HOME", home / ".config") / "opencode"
