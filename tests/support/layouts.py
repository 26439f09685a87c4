"""docs/layouts.md: one project's memories in every layout, as an agent would get them."""

import tempfile
from pathlib import Path

from siltstone.recall.block import Block
from siltstone.recall.brief import Brief, Quote, shown, source
from siltstone.recall.layouts import LAYOUTS, SessionTexts
from siltstone.recall.prepared import Hit, Prepared
from siltstone.recall.prepared_writer import Facts
from siltstone.recall.receipt import in_full
from siltstone.store.entry import GLOBAL
from support.recalled import LARKSPUR, NOW, block, conflict, memory, prepare, view_of

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "layouts.md"

OLD = memory("Free shipping starts at £40", days=78, name="free-shipping-threshold")
NEW = memory("Free shipping is from £50", days=45, name="free-shipping-threshold-2")
RATES = memory("Rates come from the Bring API", "decision", days=50, topic="architecture", name="rates")
STORED = [
    OLD,
    NEW,
    RATES,
    memory("Answers in British English, please", "user", scope=GLOBAL, days=80, source="explicit"),
    memory(
        "Use pnpm for every install and script",
        "feedback",
        days=3,
        repeats=3,
        source="explicit",
        body="Use pnpm for every install and script.\nWhy: CI refuses npm's lockfile.",
        name="package-manager-pnpm",
    ),
    memory(
        "House style of product copy",
        "feedback",
        days=20,
        hot=True,
        body="British English, no exclamation marks.\nPrices with the sign in front: £40.",
        name="copy-style",
    ),
    memory("Hosting is Vercel, region lhr1", days=12, topic="tech-context", name="hosting"),
    memory("Design files: https://design.example/larkspur", "reference", days=101, name="design-files"),
]
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
