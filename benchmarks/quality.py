"""The planted sessions through the whole run, and the score of what was kept (docs/quality.md).

    python -m benchmarks.quality [--prompts DIR] [SET …]

A SET is a folder with sessions/ and truth.json: without one the visible set is measured, the others
lie in tests/data/planted/more/. With the embedded rules always; with a model too when SILT_MODEL names
one (and its key is set, or SILT_API_BASE an endpoint): that costs a few cents. Everything happens in a
temporary folder.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

PLANTED = Path(__file__).resolve().parents[1] / "tests" / "data" / "planted"


def transcripts(planted: Path, folder: Path) -> list[str]:
    """Write the sessions in their agents' forms; the `--root` options that read them."""
    options = []
    for agent, script in (("claude", "to_claude.py"), ("codex", "to_codex.py")):
        home = folder / agent
        command = [sys.executable, str(PLANTED / script), str(planted), str(home)]
        subprocess.run(command, check=True, capture_output=True)
        options += ["--root", f"{agent}={home}"]
    return options


def measured(planted: Path, folder: Path, model: str, prompts: Path | None) -> str:
    """Run into an empty store below `folder` and score it: the scorer's own table, and what was asked for."""
    place = folder / model.replace("/", "-")
    environ: Mapping[str, str] = {
        **os.environ,
        "SILT_HOME": str(place / "store"),
        "SILT_STATE": str(place / "state"),
        "SILT_CONFIG": str(place / "config.toml"),
    }
    kept = prompts or place / "prompts"
    kept.mkdir(parents=True, exist_ok=True)
    words = ["run", "--idle", "0", "--yes", "--model", model, "--keep-prompts", str(kept)]
    words += transcripts(planted, folder / "agents")
    subprocess.run([sys.executable, "-m", "siltstone", *words], check=True, env=environ)
    score = [sys.executable, str(PLANTED / "score.py"), "--truth", str(planted / "truth.json")]
    score += ["--store", environ["SILT_HOME"], "--prompts", str(kept)]
    told = subprocess.run(score, check=True, capture_output=True, text=True).stdout
    table = told.rpartition("\n{")[0]
    return f"{table}\n{asked(json.loads((planted / 'truth.json').read_text('utf-8')), table)}"


def asked(truth: Mapping[str, list[dict[str, str]]], table: str) -> str:
    """What the user asked to keep, or not to keep, in one line: the scorer does not part them."""
    saves = {fact["id"] for fact in truth["facts"] if fact["kind"].startswith("explicit save")}
    negated = {noise["id"] for noise in truth["noise"] if "negated" in noise["kind"]}
    found = len(saves - set(re.findall(r"^ +not found +(\S+)", table, re.M)))
    kept = len(negated & set(re.findall(r"^ +noise +kept +(\S+)", table, re.M)))
    return f"asked for: {found} of {len(saves)} saves found, {kept} of {len(negated)} negated saves kept"


def main() -> None:
    """Print one table a set and model."""
    plain = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    arguments.add_argument("--prompts", type=Path, help="keep what was sent in this folder")
    arguments.add_argument("sets", type=Path, nargs="*", default=[PLANTED], metavar="SET")
    given = arguments.parse_args()
    named = os.environ.get("SILT_MODEL")
    for planted in given.sets:
        with tempfile.TemporaryDirectory() as folder:
            for model in ["rules", *([named] if named else [])]:
                table = measured(planted.resolve(), Path(folder), model, given.prompts)
                sys.stdout.write(f"== {model}\n{table}\n")
    if not named:
        sys.stdout.write("set SILT_MODEL (and its key) to measure a model too\n")


if __name__ == "__main__":
    main()
