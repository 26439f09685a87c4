"""Where state and settings are. Imports nothing of ours: hooks ask at every call."""

import os
import sys
from collections.abc import Mapping

NAME = "siltstone"


def config_file(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """The path of the settings file: `SILT_CONFIG`, else in `XDG_CONFIG_HOME` or the platform's own place."""
    said = environ.get("SILT_CONFIG")
    if said:
        return _absolute(said)
    given = environ.get("XDG_CONFIG_HOME", "").strip()
    home = environ.get("HOME") or os.path.expanduser("~")
    if os.path.isabs(given):
        folder = os.path.join(given, NAME)
    elif platform == "linux":
        folder = os.path.join(home, ".config", NAME)
    elif platform == "darwin":
        folder = os.path.join(home, "Library", "Application Support", NAME)
    else:
        import platformdirs

        folder = platformdirs.user_config_dir(NAME)
    return os.path.join(folder, "config.toml")


def state_folder(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """The absolute path of the state folder: `SILT_STATE`, else `XDG_STATE_HOME` or the platform's own.

    A relative XDG path counts as none, as its specification says.
    """
    said = environ.get("SILT_STATE")
    if said:
        return _absolute(said)
    given = environ.get("XDG_STATE_HOME", "").strip()
    if os.path.isabs(given):
        return os.path.join(given, NAME)
    home = environ.get("HOME") or os.path.expanduser("~")
    if platform == "linux":
        return os.path.join(home, ".local", "state", NAME)
    if platform == "darwin":
        return os.path.join(home, "Library", "Application Support", NAME)
    import platformdirs

    return platformdirs.user_state_dir(NAME)


def told_absolutely(environ: Mapping[str, str]) -> dict[str, str]:
    """The same environment with absolute places, for a process of ours that stands in another folder."""
    named = {name: environ.get(name, "") for name in ("SILT_HOME", "SILT_STATE", "SILT_CONFIG")}
    return {**environ, **{name: _absolute(said) for name, said in named.items() if said}}


def _absolute(said: str) -> str:
    place = os.path.expanduser(said)
    # The folder one stands in is asked for only where it matters: it may be gone.
    return place if os.path.isabs(place) else os.path.join(os.getcwd(), place)
