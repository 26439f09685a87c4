"""Siltstone as an installation leaves it: an interpreter, and the script `silt` that agents' settings name.

A checkout is installed editable, and then every interpreter begins by loading a third of what a hook needs:
what is measured over such a one seems less than it is. So commands are measured with an interpreter that is
bare.
"""

import atexit
import shutil
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from venv import EnvBuilder

ROOT = Path(__file__).resolve().parent.parent


def bare(code: str = "pass") -> tuple[str, ...]:
    """The words that call the interpreter alone."""
    return _python(), "-c", code


def silt(*words: str) -> tuple[str, ...]:
    """The words that call a command."""
    return _python(), str(_folder() / "silt"), *words


def _python() -> str:
    return str(_folder() / Path(sys.executable).name)


def _script() -> Path:
    """The script `silt` that was installed beside the interpreter that measures. Which interpreter its first
    line names is no matter: it is called with one."""
    found = Path(sys.executable).with_name("silt")
    if not found.exists():
        raise SystemExit(f"there is no {found} to be measured; run `make bench`")
    return found


@cache
def _folder() -> Path:
    """Where the interpreter and the script are: made once, and taken away as the process ends."""
    home = Path(tempfile.mkdtemp(prefix="silt-bench-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    EnvBuilder(symlinks=True).create(home)
    place = sysconfig.get_paths(vars={"base": str(home), "platbase": str(home)})
    found = f"{ROOT}\n{sysconfig.get_paths()['purelib']}\n"  # plain folders: nothing is loaded for them
    Path(place["purelib"], "siltstone.pth").write_text(found, encoding="utf-8")
    scripts = Path(place["scripts"])
    shutil.copy(_script(), scripts / "silt")
    return scripts
