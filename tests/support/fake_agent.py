"""Programs that stand in for the agents: real scripts on a PATH of their own, which note how they were
called and then do as they are told."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_HEAD = """\
#!{python} -S
import json, os, signal, subprocess, sys, time
if sys.argv[1:] == ["debug", "models"]:
    if not os.path.exists({models!r}):
        sys.exit(2)
    sys.stdout.write(open({models!r}, encoding="utf-8").read())
    sys.exit(0)
text = sys.stdin.buffer.read().decode()
call = {{"argv": sys.argv[1:], "text": text, "cwd": os.getcwd(), "env": dict(os.environ)}}
with open({log!r}, "a", encoding="utf-8") as log:
    log.write(json.dumps(call) + "\\n")
"""


@dataclass(frozen=True)
class FakeAgents:
    """A folder of such programs."""

    folder: Path

    def does(self, program: str, script: str) -> None:
        """A program that notes its call and goes on with `script`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / program
        head = _HEAD.format(python=sys.executable, log=str(self._log), models=str(self._models))
        path.write_text(head + script, encoding="utf-8")
        path.chmod(0o755)

    def says(self, program: str, out: str = "", err: str = "", code: int = 0) -> None:
        """A program that writes these and exits."""
        self.does(
            program,
            f"sys.stdout.buffer.write({out.encode()!r})\n"
            f"sys.stderr.buffer.write({err.encode()!r})\n"
            f"sys.exit({code})\n",
        )

    def knows(self, models: str) -> None:
        """What Codex tells when it is asked for its list of models; without it there is no such command."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._models.write_text(models, encoding="utf-8")

    @property
    def calls(self) -> list[dict[str, Any]]:
        """How the programs were called so far: argv, text, cwd, env."""
        lines = self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []
        return [json.loads(line) for line in lines]

    @property
    def _models(self) -> Path:
        return self.folder / "models.json"

    @property
    def _log(self) -> Path:
        return self.folder / "calls.jsonl"
