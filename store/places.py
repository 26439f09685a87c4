"""Where store, state and settings are. Imports nothing of ours: hooks ask at every call."""

import os
import sys
from collections.abc import Mapping

NAME = "siltstone"


def home_folder(environ: Mapping[str, str]) -> str:
    """The user's home folder as the environment names it."""
    return environ.get("HOME") or os.path.expanduser("~")


def store_folder(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """The absolute path of the store: `SILT_HOME`, else `XDG_DATA_HOME` or the platform's own."""
    if said := environ.get("SILT_HOME"):
        return _absolute(said)
    return _folder(environ, "XDG_DATA_HOME", os.path.join(".local", "share"), platform)


def config_file(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """The path of the settings file: `SILT_CONFIG`, else in `XDG_CONFIG_HOME` or the platform's own place."""
    if said := environ.get("SILT_CONFIG"):
        return _absolute(said)
    return os.path.join(_folder(environ, "XDG_CONFIG_HOME", ".config", platform), "config.toml")


def state_folder(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """The absolute path of the state folder: `SILT_STATE`, else `XDG_STATE_HOME` or the platform's own."""
    if said := environ.get("SILT_STATE"):
        return _absolute(said)
    return _folder(environ, "XDG_STATE_HOME", os.path.join(".local", "state"), platform)


def _folder(environ: Mapping[str, str], variable: str, on_linux: str, platform: str) -> str:
    """Our folder of one kind. A relative XDG path counts as none, as its specification says."""
    given = environ.get(variable, "").strip()
    if os.path.isabs(given):
        return os.path.join(given, NAME)
    in_home = os.path.join("Library", "Application Support") if platform == "darwin" else on_linux
    return os.path.join(home_folder(environ), in_home, NAME)


def told_absolutely(environ: Mapping[str, str]) -> dict[str, str]:
    """The same environment with absolute places, for a process of ours that stands in another folder."""
    named = {name: environ.get(name, "") for name in ("SILT_HOME", "SILT_STATE", "SILT_CONFIG")}
    return {**environ, **{name: _absolute(said) for name, said in named.items() if said}}


def _absolute(said: str) -> str:
    place = os.path.expanduser(said)
    # The folder one stands in is asked for only where it matters: it may be gone.
    return place if os.path.isabs(place) else os.path.join(os.getcwd(), place)
