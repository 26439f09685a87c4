"""A program that stands in for `silt`: it notes what it is told, and answers what it was given to say."""

import json
import sys
from pathlib import Path
from typing import Any

_PROGRAM = """#!{python}
import json, os, sys
here = {here!r}
told = sys.stdin.read()
with open(os.path.join(here, "told.jsonl"), "a") as file:
    file.write(json.dumps({{"words": sys.argv[1:], "cwd": os.getcwd(), "told": told}}) + "\\n")
with open(os.path.join(here, "answers.json")) as file:
    answers = json.load(file)
key = json.loads(told)["hook_event_name"] if told else sys.argv[1]
sys.stdout.write(answers.get(key, ""))
"""

_REAL = """#!{python} -P
import os, sys
os.environ["PYTHONPATH"] = {root!r}
sys.path.insert(0, {root!r})
from siltstone.__main__ import main
main()
"""
_BUSY = ("is saved in the background", "is in use by another process")


def failures(state: Path) -> list[str]:
    """What hooks could not do, by the log in the state folder; a batch tells there what it did.

    That a hook had not the time to wait for something is none: this machine may be busy.
    """
    log = state / "hooks.log"
    lines = log.read_text().splitlines() if log.is_file() else []
    return [line for line in lines if " batch: " not in line and not any(one in line for one in _BUSY)]


def installed_silt(folder: Path) -> Path:
    """The real `silt`, as a script that an agent finds nothing out of its own environment for."""
    folder.mkdir(parents=True)
    path = folder / "silt"
    root = str(Path(__file__).resolve().parents[2])
    path.write_text(_REAL.format(python=sys.executable, root=root))
    path.chmod(0o755)
    return path


class FakeSilt:
    """An executable script in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.path = folder / "silt"
        self.path.write_text(_PROGRAM.format(python=sys.executable, here=str(folder)))
        self.path.chmod(0o755)
        self._folder = folder
        self.toasts: list[str] = []
        """What the plugin showed the person."""
        self.answers({})

    def answers(self, by_event: dict[str, Any]) -> None:
        """What to say to each event: an object, or a text that is said as it is."""
        texts = {key: one if isinstance(one, str) else json.dumps(one) for key, one in by_event.items()}
        (self._folder / "answers.json").write_text(json.dumps(texts))

    @property
    def calls(self) -> list[dict[str, Any]]:
        """Every call: `words`, `cwd`, `told`."""
        noted = self._folder / "told.jsonl"
        return [json.loads(line) for line in noted.read_text().splitlines()] if noted.exists() else []

    @property
    def told(self) -> list[dict[str, Any]]:
        """The payloads of `silt hook opencode`."""
        hooks = [one for one in self.calls if one["words"] == ["hook", "opencode"]]
        return [json.loads(one["told"]) for one in hooks]

    @property
    def events(self) -> list[str]:
        return [one["hook_event_name"] for one in self.told]
