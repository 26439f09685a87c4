"""Names of programs and words by which texts of a session are judged: data beside the code."""

import tomllib
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
NAMES: dict[str, Any] = tomllib.loads((_HERE / "programs.toml").read_text("utf-8"))
WORDS: dict[str, Any] = tomllib.loads((_HERE / "words.toml").read_text("utf-8"))
