"""The part of the README that shows what `make run` prints: made anew by `make docs`, never by hand."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
BEGIN, END = "<!-- demo -->", "<!-- /demo -->"
WIDTH = 104
LINES = {
    "What was learned (silt list)": 8,
    "What was rejected, and why (silt log --rejected)": 4,
    "What contradicts (silt conflicts)": 6,
}
"""Parts of the demo that are shown, and how many lines of each."""
HEADINGS = tuple(LINES)


def shown(readme: str) -> str:
    """What stands between the marks."""
    return readme.partition(BEGIN)[2].partition(END)[0]


def shortened(printed: str) -> str:
    """The chosen parts of the demo's output, each cut to its first lines."""
    parts = dict(re.findall(r"^== (.+)\n((?:(?!== ).*\n)*)", printed, re.M))
    return "\n\n".join(f"== {name}\n{_cut(parts[name], LINES[name])}" for name in HEADINGS)


def _cut(part: str, count: int) -> str:
    lines = [line for line in part.splitlines() if line.strip()]
    kept = [line if len(line) <= WIDTH else line[: WIDTH - 1].rstrip() + "…" for line in lines[:count]]
    return "\n".join([*kept, "…"] if len(lines) > count else kept)


def demo() -> str:
    """What the demo prints, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["sh", str(ROOT / "tests" / "demo.sh"), folder]
        env = os.environ | {"PYTHON": sys.executable}
        return subprocess.check_output(command, cwd=ROOT, env=env, text=True)


def renewed(readme: str, printed: str) -> str:
    """The README with a new part."""
    before, after = readme.partition(BEGIN)[0], readme.partition(END)[2]
    return f"{before}{BEGIN}\n```\n{shortened(printed)}\n```\n{END}{after}"


if __name__ == "__main__":
    README.write_text(renewed(README.read_text("utf-8"), demo()), encoding="utf-8")
