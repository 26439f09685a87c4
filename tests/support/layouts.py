"""docs/layouts.md: one project's memories in every layout, as an agent would get them."""

import tempfile
import tomllib
from pathlib import Path

from siltstone.recall.block import Block
from siltstone.recall.brief import shown, source
from siltstone.recall.layouts import LAYOUTS, SessionTexts
from siltstone.recall.prepared import Brief, Hit, Prepared, Quote
from siltstone.recall.prepared_writer import Facts
from siltstone.recall.receipt import in_full
from support.recalled import LARKSPUR, NOW, block, conflict, memory, prepare, view_of

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "layouts.md"

MEMORIES = Path(__file__).resolve().parents[1] / "data" / "layouts.toml"
STORED = [memory(**told) for told in tomllib.loads(MEMORIES.read_text("utf-8"))["memory"]]
OLD, NEW, RATES, *_ = STORED
BRIEF = Brief(
    "/home/marit/src/larkspur",
    NOW.timestamp(),
    (
        Quote("README.md", "Larkspur sells garden tools."),
        Quote("package.json", '"name": "larkspur"; "packageManager": "pnpm@9.12.0"'),
    ),
)
SESSION = SessionTexts(
    text="---\nHot session state (current session):\n"
    "active_files:\n- src/cart.ts (edit, 2x)\nopen_errors: (none)",
    brief=shown(BRIEF, ["package.json"]),
    last="Machine-made, unverified: moved the cart to the new rates.",
    sources=(source(BRIEF, ["package.json"]),),
)


def sample(layout: str) -> Block:
    """The sample's block."""
    facts = Facts([conflict(OLD.path, NEW.path)], archived={LARKSPUR: 1})
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), STORED, facts)
        with Prepared(folder) as prepared:
            rates = prepared.fragments([RATES.path])[RATES.path]
        view = view_of(Path(folder))
    return block(view, hits=[Hit(rates, 72)], session=SESSION, layout=layout)


def document() -> str:
    """The text of docs/layouts.md."""
    parts = [
        "# Layouts\n\nWritten by `make docs`. The same memories, and the same running session, in each "
        "layout of `silt inject --layout`; what decides which memories are shown is in the "
        "[architecture](architecture.md).\n"
    ]
    for name in LAYOUTS:
        parts.append(f"## {name}\n\n```\n{sample(name).text}```\n")
    parts.append(
        f"## The receipt\n\n`--receipt` tells it all:\n\n```\n{in_full(sample('default').receipt)}```\n"
    )
    return "\n".join(parts)


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
