"""The real OpenCode in a home of its own, asked headlessly."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

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


@dataclass(frozen=True, slots=True)
class Server:
    """`opencode serve`, asked as its clients ask it."""

    host: str
    """With its port."""

    def session(self, directory: Path) -> str:
        """A new session in a project; its id."""
        return str(self.ask("POST", "/session", directory, {})["id"])

    def say(self, session: str, text: str, directory: Path) -> None:
        """A prompt, until it is answered."""
        self.ask(
            "POST", f"/session/{session}/message", directory, {"parts": [{"type": "text", "text": text}]}
        )

    def ask(self, method: str, path: str, directory: Path, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        place = f"{path}?directory={quote(str(directory))}"
        with closing(HTTPConnection(self.host, timeout=120)) as connection:
            connection.request(method, place, data, {"content-type": "application/json"})
            return json.loads(connection.getresponse().read() or b"null")


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
        place.write_text(plugin.text(silt, ["mcp"] if mcp else []))
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

    @contextmanager
    def serving(self) -> Iterator[Server]:
        """`opencode serve` in the project, while the block runs."""
        process = subprocess.Popen(
            [str(self._program), "serve", "--port", "0"],
            cwd=self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        with process:
            assert process.stdout is not None
            try:
                found = (re.search(r"listening on http://(\S+)", line) for line in process.stdout)
                yield Server(next(one[1] for one in found if one))
            finally:
                os.killpg(process.pid, signal.SIGKILL)


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
