"""docs/demo.svg, the README's picture: `silt` on a terminal, after the demo. Made anew by `make docs`."""

import io
import os
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from rich.console import Console
from rich.text import Text

from support.terminal import seen

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "demo.svg"
COLUMNS = 96
COMMANDS = (["search", "shipping"], ["show", "prices"], ["sessions", "loses jobs"])
SHOWN_AT = datetime(2026, 11, 23, 12, tzinfo=UTC)
"""The ages in the picture are those of this day."""


def drawn(folder: Path) -> str:
    """The picture, of the demo that has run in `folder`."""
    places = {
        "SILT_HOME": str(folder / "store"),
        "SILT_STATE": str(folder / "state"),
        "SILT_CONFIG": str(folder / "config.toml"),
    }
    clock = {
        "PYTHONPATH": str(ROOT / "tests" / "golden" / "clock"),
        "GOLDEN_CLOCK": str(SHOWN_AT.timestamp()),
    }
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), highlight=False)
    with patch.dict(os.environ, places | clock):
        os.environ.pop("NO_COLOR", None)
        for number, words in enumerate(COMMANDS):
            if number:
                console.print()
            command = " ".join(f'"{word}"' if " " in word else word for word in words)
            console.print(Text.assemble(("$ ", "green"), (f"silt {command}", "bold")))
            console.print(Text.from_ansi(seen(*words, columns=COLUMNS, styled=True).rstrip("\n")))
    svg = console.export_svg(title="silt", unique_id="silt")
    # No font is fetched from the network when somebody looks at it.
    return re.sub(r" *@font-face \{.*?\}\n", "", svg, flags=re.S)


def demo(folder: Path) -> None:
    """Run the demo in a folder."""
    command = ["sh", str(ROOT / "tests" / "demo.sh"), str(folder)]
    subprocess.check_output(command, cwd=ROOT, env=os.environ | {"PYTHON": sys.executable})


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        demo(Path(made))
        PICTURE.write_text(drawn(Path(made)), encoding="utf-8")
