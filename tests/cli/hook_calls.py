"""What agents call: hooks in this process, and any code in a process of its own; and what they leave."""

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from siltstone.cli.hooks.hook import run
from siltstone.recall.session.state import SessionState, load
from siltstone.store.state import State

PATIENCE = 100.0
"""Seconds for a hook: tests may share their machine."""
PATIENT = f"from siltstone.cli.hooks.hook import run; run(['{{agent}}'], limit={PATIENCE})"
"""A hook as it is, with more time."""
MAIN = "import sys; sys.argv = ['silt', *{words!r}]; from siltstone.__main__ import main; main()"
"""Any command as it is."""


class Done(NamedTuple):
    """How a hook ended, as a process would tell it."""

    returncode: int
    stdout: bytes
    stderr: bytes


def python(code: str, payload: object = b"", **env: str) -> "subprocess.CompletedProcess[bytes]":
    """Code in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **env},
        input=_raw(payload),
        capture_output=True,
        check=False,
    )


def hook(agent: str, payload: object, **env: str) -> Done:
    """A hook, called in this process."""
    raw, err = io.BytesIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(_raw(payload))))
        for name, value in env.items():
            patch.setenv(name, value)
        with contextlib.redirect_stdout(io.TextIOWrapper(raw)) as out, contextlib.redirect_stderr(err):
            code = run([agent], limit=PATIENCE)
            out.flush()
    return Done(code, raw.getvalue(), err.getvalue().encode())


def _raw(payload: object) -> bytes:
    if isinstance(payload, str):
        return payload.encode("utf-8", "surrogatepass")
    return payload if isinstance(payload, bytes) else json.dumps(payload).encode()


def told(event: str, **more: object) -> dict[str, object]:
    """A payload of Claude Code."""
    return {"hook_event_name": event, "session_id": "s1", "cwd": str(Path.cwd()), **more}


def opencode(event: str, **more: object) -> dict[str, object]:
    """A payload of our plugin."""
    return {"hook_event_name": event, "session": "s1", "cwd": str(Path.cwd()), **more}


def context(done: "Done | subprocess.CompletedProcess[bytes]") -> str:
    """What the agent is told; the hook has ended well and said nothing beside it."""
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    return str(json.loads(done.stdout).get("hookSpecificOutput", {}).get("additionalContext", ""))


def begun(agent: str = "claude", **more: object) -> str:
    """What an agent is shown when a session begins."""
    return context(hook(agent, told("SessionStart", **{"source": "startup", **more})))


def prompted(prompt: str, agent: str = "claude", **more: object) -> str:
    """What an agent is shown with a prompt."""
    event = "BeforeAgent" if agent == "gemini" else "UserPromptSubmit"
    return context(hook(agent, told(event, prompt=prompt, **more)))


def state_of(home: Path, session: str = "s1", agent: str = "claude") -> SessionState:
    with State.open(str(home / "state")) as db:
        return load(db.sessions.get(agent, session))


def log_of(home: Path) -> list[str]:
    file = home / "state" / "hooks.log"
    return file.read_text().splitlines() if file.exists() else []
