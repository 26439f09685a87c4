"""The real OpenCode in a home of its own: started for one prompt, or serving many projects."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from real_homes import without_packages
from real_wait import LONGEST, end, eventually

from siltstone.agents.opencode.door import PLUGIN, plugin_text

CONTEXT, OUTPUT = 12_000, 1_000
"""Tokens of the model that OpenCode is told of."""
QUIET = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
SILT = [sys.executable, "-m", "siltstone"]
_NAMED = ("-c", "user.name=t", "-c", "user.email=t@example.org")
_LISTENS = re.compile(r"listening on http://(\S+)")


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

    def ask(self, method: str, path: str, directory: Path, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        place = f"{path}?directory={quote(str(directory))}"
        with closing(HTTPConnection(self.host, timeout=LONGEST)) as connection:
            connection.request(method, place, data, {"content-type": "application/json"})
            answer = connection.getresponse()
            told = answer.read()
        assert answer.status == 200, (method, place, answer.status, told)
        return json.loads(told)


class OpenCodeHome:
    """A home in which OpenCode was never used."""

    def __init__(self, program: Path, root: Path) -> None:
        self.program, self.root = program, root
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
        without_packages(self.settings)
        (self.settings / "opencode.json").write_text(json.dumps(_SETTINGS))

    @contextmanager
    def serving(self) -> Iterator[Server]:
        """`opencode serve` while the block runs. One start, of some seconds, for many sessions."""
        log = self.root / "serve.log"
        words = [str(self.program), "serve", "--hostname", "127.0.0.1", "--port", "0"]
        with (
            log.open("w") as told,
            subprocess.Popen(
                words, cwd=self.root, env=self.env, stdin=subprocess.DEVNULL, stdout=told, stderr=told
            ) as server,
        ):
            try:
                eventually(lambda: _LISTENS.search(log.read_text()) is not None, log.read_text)
                (host,) = _LISTENS.findall(log.read_text())
                yield Server(host)
            finally:
                server.terminate()
        end(self.root)


class Project:
    """A folder with settings of its own, which name its model and bring the plugin."""

    def __init__(self, home: OpenCodeHome, path: Path, model: str, server: Server) -> None:
        self.home, self.path, self.server, self._model = home, path, server, model
        self._own = path / ".opencode"
        without_packages(self._own)
        (path / "opencode.json").write_text(json.dumps({"provider": {"scripted": _provider(model)}}))
        (path / "sum.py").write_text("print(1 + 1)\n")

    def git(self, *words: str) -> None:
        subprocess.run(["git", *_NAMED, *words], cwd=self.path, env=self.home.env, check=True)

    def silt(self, *words: str) -> str:
        """A command that a person types in the project; what it prints."""
        done = subprocess.run(
            [*SILT, *words], cwd=self.path, env=self.home.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def worktree(self, path: Path) -> "Project":
        """Another of the same repository, with the same settings."""
        self.git("worktree", "add", "-q", str(path))
        return Project(self.home, path, self._model, self.server)

    def plug(self, silt: list[str]) -> None:
        """Install the plugin as `silt install` does: the file, with the words that call silt in it."""
        place = self._own / "plugin" / PLUGIN
        place.parent.mkdir()
        place.write_text(plugin_text(silt))

    def run(self, prompt: str, env: Mapping[str, str] | None = None) -> Ran:
        """`opencode run`: a start for one prompt."""
        done = subprocess.run(
            [str(self.home.program), "run", "--format", "json", "--", prompt],
            cwd=self.path,
            env={**self.home.env, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
        found = re.search(r'"sessionID":"(\w+)"', done.stdout)
        return Ran(done.returncode, found[1] if found else "", done.stdout, done.stderr)

    # Of the server, which answers when the turn is over; what its plugins are then told may come later.

    def ask(self, prompt: str, session: str = "") -> str:
        """A prompt in a session, a new one when none is named; the session."""
        session = session or self.session()
        self._call("POST", f"/session/{session}/message", {"parts": [{"type": "text", "text": prompt}]})
        return session

    def session(self) -> str:
        """A new one; its id."""
        return str(self._call("POST", "/session", {})["id"])

    def command(self, words: str) -> None:
        """`/silt …` as a person types it, in a new session."""
        asked = {"command": "silt", "arguments": words}
        self._call("POST", f"/session/{self.session()}/command", asked)

    def messages(self, session: str) -> list[dict[str, Any]]:
        """As OpenCode keeps them."""
        return list(self._call("GET", f"/session/{session}/message"))

    def said(self, session: str) -> list[dict[str, Any]]:
        """The parts of all messages."""
        return [part for one in self.messages(session) for part in one["parts"]]

    def undo(self, session: str, message: str) -> None:
        self._call("POST", f"/session/{session}/revert", {"messageID": message})

    def break_off(self, session: str) -> None:
        self._call("POST", f"/session/{session}/abort")

    def delete(self, session: str) -> None:
        self._call("DELETE", f"/session/{session}")

    def _call(self, method: str, path: str, told: object = None) -> Any:
        return self.server.ask(method, path, self.path, told)


def _provider(model: str) -> dict[str, object]:
    limit = {"context": CONTEXT, "output": OUTPUT}
    return {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Scripted",
        "options": {"baseURL": model, "apiKey": "none"},
        "models": {"scripted": {"name": "Scripted", "limit": limit, "tool_call": True}},
    }


_SETTINGS = {
    "autoupdate": False,
    "share": "disabled",
    "model": "scripted/scripted",
    "small_model": "scripted/scripted",
    "enabled_providers": ["scripted"],
    "permission": {"*": "allow"},
}
