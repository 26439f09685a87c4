"""Names of programs and words by which texts of a session are judged: data beside the code."""

import tomllib
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
NAMES: dict[str, Any] = tomllib.loads((_HERE / "programs.toml").read_text("utf-8"))
WORDS: dict[str, Any] = tomllib.loads((_HERE / "words.toml").read_text("utf-8"))


def by_word(table: dict[str, str]) -> dict[str, str]:
    """Each word of a table's texts, with the name that it stands under."""
    return {word: name for name, words in table.items() for word in words.split()}
