"""Agents from npm at pinned versions, kept in a cache folder from one run to the next."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from filelock import FileLock

_QUIETLY = ("--no-audit", "--no-fund", "--no-save", "--fetch-retry-maxtimeout=10000")
TRIES = 3
"""Registries are away for a moment now and then."""


class NotInstalled(Exception):
    """An agent is not there, and npm did not bring it."""


def cache(environ: Mapping[str, str]) -> Path:
    """Where they are kept: `SILT_TEST_AGENTS`, else in the user's cache folder."""
    if named := environ.get("SILT_TEST_AGENTS"):
        return Path(named)
    caches = environ.get("XDG_CACHE_HOME") or str(Path(environ["HOME"]) / ".cache")
    return Path(caches) / "siltstone" / "agents"


def program(package: str, version: str, command: str) -> Path:
    """The path of a package's command; the package is installed when the cache lacks it.

    npm runs with the settings of whoever calls (registry, proxy, certificates); the agent itself never
    sees them. Raises NotInstalled.
    """
    folder = cache(os.environ) / f"{package.replace('/', '-')}@{version}"
    found = folder / "node_modules" / ".bin" / command
    if not found.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{folder}.lock"):
            if not found.exists():
                _install(f"{package}@{version}", folder)
    return found


def _install(wanted: str, folder: Path) -> None:
    """It is there whole or not at all."""
    if shutil.which("npm") is None:
        raise NotInstalled(
            f"{wanted} cannot be installed: there is no npm on the PATH; install node 20 or newer."
        )
    said = ""
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as made:
            words = ["npm", "install", "--prefix", made, *_QUIETLY, wanted]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                shutil.rmtree(folder, ignore_errors=True)
                Path(made).rename(folder)
                return
            said = done.stderr[-2000:].strip()
    raise NotInstalled(
        f"npm could not install {wanted} in {TRIES} tries; see that its registry answers (`npm ping`), "
        f"or name a folder that holds the agents in SILT_TEST_AGENTS. It said:\n{said}"
    )
