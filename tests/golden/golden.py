"""Golden files: what commands print and leave behind, as it was before the house was rebuilt.

Each test compares a text with a file in tests/golden/outputs. A difference fails the test; where it is
wanted, write the files anew and look at `git diff tests/golden/outputs`:

    GOLDEN=write .venv/bin/pytest -n auto tests/golden

Commands run in processes of their own, in a home of their own, with a clock that stands still (clock/):
nothing here depends on the day or on the machine.
"""

import difflib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siltstone.store.store import Store

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DATA = ROOT / "tests" / "data"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC).timestamp()
DAY = 86_400.0
PERSON = "/home/dev"
"""How a test's home is called in a golden file, and in the recorded payloads."""
SHOP = ("work/repo", "app")
"""The folders of the one project that the prepared store knows: those of the recorded payloads."""
MEMORIES = tomllib.loads((DATA / "golden" / "memories.toml").read_text("utf-8"))["memory"]
"""What the prepared store holds."""
_FILE = """\
---
name: {name}
description: "{description}"
metadata:
  type: {type}
  source: extraction
  origin: user-said
  created: {at}
  updated: {at}
  evidence:
    - {{agent: claude, session: earlier, message: m1, at: {at}, quote: "{description}"}}
limit: 5000
readonly: false
---
{text}
"""


def compare(name: str, text: str) -> None:
    """Hold a text against a golden file, or write it where GOLDEN=write is set."""
    file = HERE / "outputs" / name
    if os.environ.get("GOLDEN") == "write":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    if text != before:
        lines = difflib.unified_diff(
            before.splitlines(), text.splitlines(), "golden", "now", n=2, lineterm=""
        )
        pytest.fail(
            f"{name} differs; where that is wanted: GOLDEN=write pytest tests/golden\n" + "\n".join(lines),
            False,
        )


def readable(printed: str) -> str:
    """JSON as lines, with the lines of its texts below each other; other text as it is."""
    try:
        value = json.loads(printed)
    except ValueError:
        return printed if not printed or printed.endswith("\n") else f"{printed}\n"
    return json.dumps(value, ensure_ascii=False, indent=1).replace("\\n", "\n    ") + "\n"


@dataclass
class Desk:
    """A home, a store and a state of their own, and a clock that is set by hand."""

    folder: Path
    now: float = NOON
    environ: Mapping[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def env(self) -> dict[str, str]:
        """The environment of a command: nothing of the person's who runs the tests."""
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(HERE / "clock"),
            "PYTHONDONTWRITEBYTECODE": os.environ.get("PYTHONDONTWRITEBYTECODE", ""),
            "GOLDEN_CLOCK": str(self.now),
            "HOME": str(self.home),
            "SILT_HOME": str(self.folder / "store"),
            "SILT_STATE": str(self.folder / "state"),
            "SILT_CONFIG": str(self.folder / "config.toml"),
            "COLUMNS": "200",
            **self.environ,
        }

    def project(self, name: str) -> Path:
        """A project's folder below the home, with a file that tells what it is."""
        folder = self.home / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"name": "shop", "packageManager": "pnpm@9.12.0"}\n', "utf-8")
        return folder

    def prepare(self) -> None:
        """Lay down a project in two folders, and a store of MEMORIES."""
        folders = [self.project(name) for name in SHOP]
        store = self.folder / "store"
        Store.open(store, clock=lambda: datetime.fromtimestamp(NOON, UTC)).close()
        assert self.silt("rebuild").returncode == 0
        for one in MEMORIES:
            at = datetime.fromtimestamp(NOON - one["days"] * DAY, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            scope = "global" if one["where"] == "global" else f"projects/{one['where']}"
            place = store / scope / f"{one['type']}-{one['name']}.md"
            place.parent.mkdir(parents=True, exist_ok=True)
            description = one["text"].partition("\n")[0]
            place.write_text(_FILE.format(description=description, at=at, **one), "utf-8")
        known = "".join(f'  - path: "{folder}"\n' for folder in folders)
        (store / "projects/shop/project.yaml").write_text(f"identities:\n{known}", "utf-8")
        done = self.silt("flush")
        assert done.returncode == 0, done.stderr

    def silt(self, *words: str, cwd: Path | None = None, given: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command; what it prints names this desk's folders as `called` does."""
        done = subprocess.run(
            [sys.executable, "-m", "siltstone", *words],
            cwd=cwd or self.home,
            env=self.env,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        done.stdout, done.stderr = self.called(done.stdout), self.called(done.stderr)
        return done

    def called(self, text: str) -> str:
        """A text with stable names for places and hashes that differ from run to run."""
        text = text.replace(str(self.home), PERSON).replace(str(self.folder), "/desk")
        text = text.replace(str(Path(sys.executable).parent), "/venv/bin").replace(str(ROOT), "/repository")
        return re.sub(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{40}\b", "<hash>", text)

    def here(self, text: str) -> str:
        """A recorded text with the recorded home replaced by this one."""
        return text.replace(PERSON, str(self.home))
