"""The planted sessions through the whole run, and the score of what was kept (docs/quality.md).

    python -m benchmarks.quality [--prompts DIR]

With the embedded rules always; with a model too when SILT_MODEL names one (and its key is set, or
SILT_API_BASE an endpoint): that costs a few cents. Everything happens in a temporary folder.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

PLANTED = Path(__file__).resolve().parents[1] / "tests" / "data" / "planted"


def transcripts(folder: Path) -> list[str]:
    """Write the sessions in their agents' forms; the `--root` options that read them."""
    options = []
    for agent, script in (("claude", "to_claude.py"), ("codex", "to_codex.py")):
        home = folder / agent
        command = [sys.executable, str(PLANTED / script), str(PLANTED), str(home)]
        subprocess.run(command, check=True, capture_output=True)
        options += ["--root", f"{agent}={home}"]
    return options


def measured(folder: Path, model: str, prompts: Path | None) -> str:
    """Run into an empty store below `folder` and score it: the scorer's own table."""
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
    words += transcripts(folder / "agents")
    subprocess.run([sys.executable, "-m", "siltstone", *words], check=True, env=environ)
    score = [sys.executable, str(PLANTED / "score.py"), "--truth", str(PLANTED / "truth.json")]
    score += ["--store", environ["SILT_HOME"], "--prompts", str(kept)]
    told = subprocess.run(score, check=True, capture_output=True, text=True).stdout
    return told.rpartition("\n{")[0]


def main() -> None:
    """Print one table a model."""
    plain = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    arguments.add_argument("--prompts", type=Path, help="keep what was sent in this folder")
    prompts = arguments.parse_args().prompts
    named = os.environ.get("SILT_MODEL")
    with tempfile.TemporaryDirectory() as folder:
        for model in ["rules", *([named] if named else [])]:
            sys.stdout.write(f"== {model}\n{measured(Path(folder), model, prompts)}\n")
    if not named:
        sys.stdout.write("set SILT_MODEL (and its key) to measure a model too\n")


if __name__ == "__main__":
    main()
