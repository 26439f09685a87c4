"""Run as a program: for k = 1, 2, … fork a child that dies at its k-th step of a run of ours or of one edit.

A program of its own, because forking a test process that may hold threads is not safe. Prints the
number of steps of an act that came to its end, or the last one asked for.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from files_support import SHOP, open_desk
from run_of_ours import run_of_ours
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


ACTS: dict[str, Callable[[Path, Disk], object]] = {"run": run_of_ours, "edit": one_edit}


def die_at_each_step(act: str, template: Path, into: Path, last: int) -> int:
    """Leave in `into` what each death left of a copy of `template`; the number of steps."""
    here = Path(__file__).parent
    env = dict(os.environ) | {"PYTHONPATH": f"{here}:{here.parent}:{os.getcwd()}"}
    argv = [sys.executable, __file__, act, str(template), str(into), str(last)]
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    return int(done.stdout)


def main(act: str, template: Path, into: Path, last: int) -> None:
    for k in range(1, last + 1):
        root = into / f"{k:03d}"
        if template.exists():
            shutil.copytree(template, root)
        child = os.fork()
        if child == 0:
            ACTS[act](root, FaultyDisk(k, "die"))
            os._exit(0)
        if os.waitpid(child, 0)[1] == 0:
            break
    print(k)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
