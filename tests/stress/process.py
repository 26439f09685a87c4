"""`python -m siltstone` as a process of its own, in a home of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from support.cassettes import ENVIRONMENT
from support.commands import places

ROOT = Path(__file__).resolve().parents[2]


def environment(home: Path, **more: str) -> dict[str, str]:
    """Nothing of this machine's own: store, state and config stand in `home`."""
    foreign = ("SILT_", "GIT_", "OPENAI_")
    env = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    return env | ENVIRONMENT | places(home) | {"PYTHONPATH": str(ROOT)} | more


def words(roots: Mapping[str, Path], *more: str) -> list[str]:
    """The call of a run over these agents' folders."""
    named = [word for agent, path in roots.items() for word in ("--root", f"{agent}={path}")]
    return [sys.executable, "-m", "siltstone", "run", "--idle", "0", "--json", *named, *more]


def started(home: Path, argv: list[str], **more: str) -> "subprocess.Popen[str]":
    """The process, running."""
    return subprocess.Popen(
        argv,
        env=environment(home, **more),
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
