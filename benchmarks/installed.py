"""Siltstone as an installation leaves it: an interpreter, and the script `silt` that agents' settings name.

A checkout is installed editable, and then every interpreter begins by loading a third of what a hook needs:
what is measured over such a one seems less than it is. So commands are measured with an interpreter that is
bare.
"""

import atexit
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from shutil import rmtree
from venv import EnvBuilder

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = "import sys\nfrom siltstone.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
"""As pip writes it from 25.2 on; older ones load `re` there, which takes each call some 3 ms more."""


def bare(code: str = "pass") -> tuple[str, ...]:
    """The words that call the interpreter alone."""
    return _python(), "-c", code


def silt(*words: str) -> tuple[str, ...]:
    """The words that call a command."""
    return _python(), str(_folder() / "silt"), *words


def _python() -> str:
    return str(_folder() / Path(sys.executable).name)


@cache
def _folder() -> Path:
    """Where the interpreter and the script are: made once, and taken away as the process ends."""
    home = Path(tempfile.mkdtemp(prefix="silt-bench-"))
    atexit.register(rmtree, home, ignore_errors=True)
    EnvBuilder(symlinks=True).create(home)
    place = sysconfig.get_paths(vars={"base": str(home), "platbase": str(home)})
    found = f"{ROOT}\n{sysconfig.get_paths()['purelib']}\n"  # plain folders: nothing is loaded for them
    Path(place["purelib"], "siltstone.pth").write_text(found, encoding="utf-8")
    scripts = Path(place["scripts"])
    (scripts / "silt").write_text(SCRIPT, encoding="utf-8")
    return scripts
