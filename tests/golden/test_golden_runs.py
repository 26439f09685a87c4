"""What `make run` prints, and the scores of planted sets. How golden files are written anew: golden.py."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from golden import DATA, ROOT, Desk, compare

SETS = {
    "visible": DATA / "planted",
    **{name: DATA / "planted" / "more" / name for name in "ij"},
}
"""The other sets have their floors in tests/pipeline/test_planted.py."""


def test_what_make_run_prints(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.home.mkdir()
    printed = asked(desk, ["sh", str(ROOT / "tests" / "demo.sh"), str(tmp_path / "demo")])
    compare("make_run.txt", re.sub(r"^[0-9a-f]{7,40} (?=memory: )", "<hash> ", printed, flags=re.M))


@pytest.mark.parametrize("name", SETS)
def test_the_score_of_a_planted_set(tmp_path: Path, name: str) -> None:
    desk = Desk(tmp_path)
    desk.home.mkdir()
    printed = asked(desk, [sys.executable, "-m", "benchmarks.quality", str(SETS[name])])
    compare(
        f"planted_{name}.txt", printed[printed.index("== rules") :].partition("\nset SILT_MODEL")[0] + "\n"
    )


def asked(desk: Desk, command: list[str]) -> str:
    env = desk.env | {"PYTHON": sys.executable, "TMPDIR": str(desk.folder)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return desk.called(done.stdout)
