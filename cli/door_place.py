"""For whom a door is installed from here, and the records that installing works on."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from siltstone.agents.door import Place
from siltstone.agents.install import Records
from siltstone.cli.schedule import script, variables
from siltstone.cli.settings import Configured
from siltstone.store.disk import Disk


def home_of(configured: Configured) -> Path:
    return Path(configured.environ.get("HOME") or Path.home())


def place_of(configured: Configured, project: Path | None, tools: str = "") -> Place:
    """For whom a door is made, and what it calls: this very silt, by its absolute path."""
    environ = configured.environ
    found = script(sys.argv[0], environ)
    # Without -P a `json.py` in somebody's repository would be ours to run.
    silt = (found,) if found else (sys.executable, "-P", "-m", "siltstone")
    told = {name: value for name, value in variables(configured).items() if name != "PATH"}
    return Place(environ, home_of(configured), project, silt, find_spec("mcp") is not None, told, tools)


def project_here(home: Path) -> Path | None:
    """The top of the repository that one stands in, else the folder itself; None at home, where the
    settings of a project would be those for all of them."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if folder != home and (folder / ".git").exists():
            return folder
    return None if here == home.resolve() else here


@contextmanager
def at_work(configured: Configured, dry: bool) -> Iterator[tuple[Records, Disk]]:
    """The records, with other installs kept away; of a dry run as they are. Raises Locked."""
    disk = Disk()
    records = Records(configured.places.state, disk)
    if dry:
        yield records, disk
        return
    handle = records.lock()
    try:
        yield records, disk
    finally:
        disk.unlock(handle)
