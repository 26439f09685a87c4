"""What the packages of all agents say of us."""

import json
from collections.abc import Mapping
from typing import Any

from siltstone import __version__ as VERSION  # noqa: N812 (a constant here)

__all__ = ["TEXT", "VERSION", "json_text"]

TEXT = "Durable memory for coding agents: proven facts from their transcripts, in git"


def json_text(value: Mapping[str, Any]) -> str:
    """JSON as files of a package have it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
