"""Hooks called as the agents do, each in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

from siltstone.recall.session.state import SessionState, load
from siltstone.store.state import State

ROOT = Path(__file__).resolve().parents[2]
PATIENT = "from siltstone.cli.hooks.hook import run; run(['{agent}'], limit=100.0)"
"""A hook as it is, with more time: tests may share their machine."""


def hook(agent: str, payload: object, code: str = PATIENT, **env: str) -> subprocess.CompletedProcess[bytes]:
    """A hook in a process of its own."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    whole = dict(os.environ) | {"PYTHONPATH": str(ROOT)} | env
    return subprocess.run(
        [sys.executable, "-c", code.format(agent=agent)],
        env=whole,
        input=raw,
        capture_output=True,
        check=False,
    )


def told(event: str, **more: object) -> dict[str, object]:
    """A payload of Claude Code."""
    return {"hook_event_name": event, "session_id": "s1", "cwd": str(Path.cwd()), **more}


def context(done: subprocess.CompletedProcess[bytes]) -> str:
    """What the agent is told; the hook has ended well and said nothing beside it."""
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])


def state_of(home: Path, session: str = "s1", agent: str = "claude") -> SessionState:
    db = State.open(str(home / "state"))
    body = db.sessions.get(agent, session)
    db.close()
    return load(body)


def log_of(home: Path) -> list[str]:
    file = home / "state" / "hooks.log"
    return file.read_text().splitlines() if file.exists() else []


def opencode(event: str, **more: object) -> dict[str, object]:
    """A payload of our plugin."""
    return {"hook_event_name": event, "session": "s1", "cwd": str(Path.cwd()), **more}
