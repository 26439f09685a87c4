"""A home in which agents have their settings."""

from pathlib import Path

FOLDERS = {"claude": ".claude", "codex": ".codex", "gemini": ".gemini", "opencode": ".config/opencode"}
"""Of each agent the folder of its settings, below the home."""


def everything(root: Path) -> dict[str, bytes | None]:
    """What stands below a folder: of files their bytes, of folders None."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(root.rglob("*"))}
