"""The real OpenCode in a home of its own, asked headlessly."""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from siltstone.agents.opencode import plugin

VERSION = "1.18.33"
CONTEXT, OUTPUT = 12_000, 1_000
"""Tokens of the model that OpenCode is told of."""
QUIET = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}


@dataclass(frozen=True, slots=True)
class Ran:
    """What one headless call came to."""

    code: int
    session: str
    out: str
    err: str


class OpenCodeHome:
    """A home, a project that is a git repository, and settings that name one model."""

    def __init__(self, program: Path, root: Path, model: str) -> None:
        self.root = root
        self.project = root / "project"
        self.settings = root / ".config" / "opencode"
        self.env = {
            "HOME": str(root),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "SILT_HOME": str(root / "store"),
            "SILT_STATE": str(root / "state"),
            "SILT_CONFIG": str(root / "silt.toml"),
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
            **QUIET,
        }
        self._program = program
        self.settings.mkdir(parents=True)
        (self.settings / "opencode.json").write_text(json.dumps(_settings(model)))
        self.project.mkdir()
        (self.project / "sum.py").write_text("print(1 + 1)\n")
        for words in (["init", "-q"], ["add", "."], [*_NAMED, "commit", "-qm", "First"]):
            subprocess.run(["git", *words], cwd=self.project, env=self.env, check=True)

    def plug(self, silt: list[str], folder: Path | None = None, mcp: bool = False) -> Path:
        """Install the plugin as `silt install` does: the file, with the words that call silt in it."""
        place = (folder or self.settings / "plugin") / plugin.FILE
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(plugin.text(silt, mcp))
        return place

    def run(self, prompt: str, *options: str, session: str = "", env: dict[str, str] | None = None) -> Ran:
        """`opencode run`."""
        again = ["--session", session] if session else []
        return self.call("run", "--format", "json", *again, *options, "--", prompt, env=env)

    def call(self, *words: str, env: dict[str, str] | None = None) -> Ran:
        done = subprocess.run(
            [str(self._program), *words],
            cwd=self.project,
            env=self.env | (env or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        found = re.search(r'"sessionID":"(\w+)"', done.stdout)
        return Ran(done.returncode, found[1] if found else "", done.stdout, done.stderr)


_NAMED = ("-c", "user.name=t", "-c", "user.email=t@example.org")


def _settings(model: str) -> dict[str, object]:
    limit = {"context": CONTEXT, "output": OUTPUT}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Scripted",
        "options": {"baseURL": model, "apiKey": "none"},
        "models": {"scripted": {"name": "Scripted", "limit": limit, "tool_call": True}},
    }
    return {
        "autoupdate": False,
        "share": "disabled",
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "enabled_providers": ["scripted"],
        "permission": {"*": "allow"},
        "provider": {"scripted": provider},
    }
