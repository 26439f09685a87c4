"""Agents from npm at pinned versions, kept in a cache folder from one run to the next."""

import os
import subprocess
from pathlib import Path


def cache(environ: dict[str, str]) -> Path:
    """Where they are kept: `SILT_TEST_AGENTS`, else in the user's cache folder."""
    if named := environ.get("SILT_TEST_AGENTS"):
        return Path(named)
    caches = environ.get("XDG_CACHE_HOME") or str(Path(environ["HOME"]) / ".cache")
    return Path(caches) / "siltstone" / "agents"


def program(package: str, version: str, command: str) -> Path:
    """The path of a package's command; the package is installed when the cache lacks it.

    npm runs with the settings of whoever calls (registry, proxy, certificates); the agent itself never
    sees them.
    """
    folder = cache(dict(os.environ)) / f"{package.replace('/', '-')}@{version}"
    found = folder / "node_modules" / ".bin" / command
    if not found.exists():
        folder.mkdir(parents=True, exist_ok=True)
        words = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--no-save"]
        done = subprocess.run([*words, f"{package}@{version}"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"npm cannot install {package}@{version}: {done.stderr[-2000:]}"
    return found
