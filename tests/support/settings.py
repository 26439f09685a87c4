"""docs/settings.md: its table is made from the settings, and from what stands below each of them."""

import ast
import inspect
import re
from pathlib import Path

from siltstone.cli.config import in_words
from siltstone.cli.settings import Settings

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "settings.md"

_SOURCES = re.compile(r" \((?:(?:invariant \d+|[A-E]\d+)(?:, )?)+\)")
_TABLE = re.compile(r"(?:^\|.*\n)+", re.M)


def table() -> str:
    """A row for each setting: name, default, what it does."""
    (model,) = ast.parse(inspect.getsource(Settings)).body
    assert isinstance(model, ast.ClassDef)
    rows = ["| setting | default | what it does |", "|---|---|---|"]
    for field, below in zip(model.body, model.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(below, ast.Expr), f"nothing is said of {field.target.id}"
            name, said = field.target.id, " ".join(ast.literal_eval(below.value).split())
            default = in_words(name, getattr(Settings(), name))
            rows.append(f"| `{name}` | {default} | {_SOURCES.sub('', said).rstrip('.')} |")
    return "".join(f"{row}\n" for row in rows)


def document() -> str:
    """The text of docs/settings.md, with the table of today."""
    return _TABLE.sub(lambda _: table(), DOCUMENT.read_text(encoding="utf-8"))


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
