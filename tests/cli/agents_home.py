"""A home in which agents have their settings, programs for its PATH, and what `silt doctor` says of it."""

from pathlib import Path

from support.commands import call

FOLDERS = {"claude": ".claude", "codex": ".codex", "gemini": ".gemini", "opencode": ".config/opencode"}
"""Of each agent the folder of its settings, below the home."""


def program(path: Path, script: str = "") -> Path:
    """A script that can be called."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script or "#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def findings(what: str, good: bool | None = None) -> list[tuple[bool, str]]:
    """Of each finding of `silt doctor` on one thing whether it is good, and its sentence.

    It fails when something is bad, whatever it is.
    """
    said = call("doctor", "--json")
    assert said.code == (0 if all(row["good"] for row in said.json) else 1)
    found = [(row["good"], row["told"]) for row in said.json if row["what"] == what]
    return [one for one in found if good is None or one[0] is good]
