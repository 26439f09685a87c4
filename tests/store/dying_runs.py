"""Run as a program: for k = 1, 2, … fork a child that dies at its k-th step of one run of ours.

A program of its own, because forking a test process that may hold threads is not safe. Prints the
number of steps of a run that came to its end, or the last one asked for.
"""

import os
import shutil
import sys
from pathlib import Path

from run_of_ours import run_of_ours
from support.faulty_disk import FaultyDisk


def main(template: Path, into: Path, last: int) -> None:
    for k in range(1, last + 1):
        root = into / f"{k:03d}" / "store"
        if template.exists():
            shutil.copytree(template, root)
        child = os.fork()
        if child == 0:
            run_of_ours(root, FaultyDisk(k, "die"))
            os._exit(0)
        if os.waitpid(child, 0)[1] == 0:
            break
    print(k)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
