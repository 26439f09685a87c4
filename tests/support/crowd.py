"""Hooks in processes of their own, many at once, until whatever they began has ended too."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_CROWD = """
import ctypes, json, os, subprocess, sys
# Processes whose parent has ended become children of this one (PR_SET_CHILD_SUBREAPER of Linux).
assert ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0
ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
words = [sys.executable, "-m", "siltstone", "hook", sys.argv[1]]
payloads = json.load(sys.stdin)
running = [subprocess.Popen(words, **ends) for _ in payloads]
for process, payload in zip(running, payloads):
    process.stdin.write(json.dumps(payload))
    process.stdin.flush()
said = [(*process.communicate(), process.returncode) for process in running]
try:
    while True:
        os.waitpid(-1, 0)
except ChildProcessError:
    json.dump(said, sys.stdout)
"""


def contexts(payloads: Sequence[Mapping[str, object]], agent: str = "claude", **env: str) -> list[str]:
    """What an agent is told at these hooks, called at once; all of them end well."""
    done = subprocess.run(
        [sys.executable, "-c", _CROWD, agent],
        env=dict(os.environ) | {"PYTHONPATH": str(ROOT)} | env,
        input=json.dumps(payloads),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert {(error, status) for _, error, status in told} == {("", 0)}
    answers = [json.loads(said) if said else {} for said, _, _ in told]
    inner = [answer if agent == "opencode" else answer.get("hookSpecificOutput", {}) for answer in answers]
    return [one.get("additionalContext") or one.get("context") or "" for one in inner]
