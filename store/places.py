"""Where the state stands, told without importing anything: hot commands look there on every call."""

import os
import sys
from collections.abc import Mapping

NAME = "siltstone"


def state_folder(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """The absolute path of the state folder: `SILT_STATE`, else `XDG_STATE_HOME` or the platform's own.

    A relative XDG path counts as none, as its specification says.
    """
    said = environ.get("SILT_STATE")
    if said:
        place = os.path.expanduser(said)
        # The folder one stands in is asked for only where it matters: it may be gone.
        return place if os.path.isabs(place) else os.path.join(os.getcwd(), place)
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
