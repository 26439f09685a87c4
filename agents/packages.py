"""What the packages of all agents say of us, and how an installed one is found."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from siltstone import __version__ as VERSION  # noqa: N812 (a constant here)
from siltstone.agents.settings_edit.tree import value_at

__all__ = ["HOOKS", "NAME", "SILT", "TEXT", "VERSION", "json_text", "said_in"]

NAME = "siltstone"
SILT = ("silt",)
"""What a package calls: the one on PATH, for it is given to others."""
HOOKS = Path("hooks", "hooks.json")
"""Where in a package its hooks stand."""
TEXT = "Durable memory for coding agents: proven facts from their transcripts, in git"


def json_text(value: Mapping[str, Any]) -> str:
    """JSON as files of a package have it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def said_in(path: Path, *names: str) -> Any:
    """What a JSON file of an agent's holds below these names; None where nothing can be read."""
    try:
        told = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
    return value_at(told, names)
