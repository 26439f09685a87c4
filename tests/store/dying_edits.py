"""Run as a program: for k = 1, 2, … fork a child that dies at its k-th step of one edit.

Prints the number of steps of an edit that came to its end, or the last one asked for.
"""

import os
import shutil
import sys
from pathlib import Path

from files_support import SHOP, open_desk
from support.faulty_disk import FaultyDisk

from siltstone.store.disk import Disk
from siltstone.store.files import edit

HOT = f"{SHOP}/system/project-hosting.md"
OLD, NEW = "Hosting is Vercel.", "Hosting is Hetzner."


def one_edit(home: Path, disk: Disk) -> None:
    """Put `NEW` in place of `OLD`, which is hot, so that nobody has to have read it."""
    desk = open_desk(home, disk)
    with desk.state:
        edit(desk.hand, HOT, "Vercel", "Hetzner")


def main(template: Path, into: Path, last: int) -> None:
    for k in range(1, last + 1):
        home = into / f"{k:03d}"
        shutil.copytree(template, home)
        child = os.fork()
        if child == 0:
            one_edit(home, FaultyDisk(k, "die"))
            os._exit(0)
        if os.waitpid(child, 0)[1] == 0:
            break
    print(k)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
