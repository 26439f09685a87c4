"""git as a person runs it."""

import os
import subprocess
from pathlib import Path

_ME = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
}


def git(folder: Path, *words: str | Path, **variables: str) -> str:
    """What git prints in a folder, with an identity and nothing else of this machine."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | _ME
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"} | variables
    # Submodules may come out of a folder.
    command = ["git", "-C", folder, "-c", "protocol.file.allow=always", *words]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
