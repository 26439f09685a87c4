"""The bytes that `silt install` writes for each agent, for a user and for a project; and that they go again.

How golden files are written anew: golden.py.
"""

import difflib
import os
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from golden import DATA, Desk, compare
from support.folder import everything

AGENTS = ("claude", "codex", "gemini", "opencode")
SETTINGS = tomllib.loads((DATA / "golden" / "settings.toml").read_text("utf-8"))
"""Settings of the user's own, by their place below the home."""
LONG = 200
"""Lines of a file of which only those are shown that name a program."""


@pytest.mark.parametrize("there", [False, True], ids=["no settings", "settings there"])
def test_into_settings_and_out_again(tmp_path: Path, there: bool) -> None:
    desk = at(tmp_path, SETTINGS["user"] | SETTINGS["project"] if there else {})
    before = everything(desk.home)
    for place in ("user", "project"):
        told = "\n".join(written(desk, [f"--{place}"], whole=not there))
        compare(f"install_{place}{'_present' if there else ''}.txt", told)
    gone(desk, before)


def at(folder: Path, files: Mapping[str, str]) -> Desk:
    """A desk with a project and with these files, on whose PATH there is no agent."""
    git = os.path.dirname(shutil.which("git") or "")
    desk = Desk(folder, environ={"PATH": f"{git}:/usr/bin:/bin"})
    desk.project("app")
    for name, text in files.items():
        place = desk.home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    return desk


def written(desk: Desk, words: list[str], whole: bool = True) -> Iterator[str]:
    """Install, and tell what it wrote: new files whole or by name, of others what changed."""
    before = everything(desk.home)
    done = desk.silt("install", *AGENTS, *words, cwd=desk.home / "app")
    assert done.returncode == 0, done.stderr
    for name, raw in everything(desk.home).items():
        if raw is not None and name not in before:
            yield f"== new: {name}" + (f"\n{seen(desk, raw)}" if whole else "")
        elif raw is not None and raw != before[name]:
            old, new = (seen(desk, one or b"").splitlines() for one in (before[name], raw))
            yield f"== changed: {name}\n" + "\n".join(
                list(difflib.unified_diff(old, new, n=1, lineterm=""))[2:]
            )


def gone(desk: Desk, before: Mapping[str, bytes | None]) -> None:
    """Uninstall, and find every byte and folder as it was."""
    done = desk.silt("uninstall", cwd=desk.home / "app")
    assert done.returncode == 0, done.stderr
    assert everything(desk.home) == before


def seen(desk: Desk, raw: bytes) -> str:
    """Bytes as a text in which carriage returns, a byte order mark and a missing last line break show."""
    text = desk.called(raw.decode()).replace("\r", "\\r").replace("\ufeff", "<BOM>")
    if text.count("\n") > LONG:  # OpenCode's plugin, whose source lies in the repository
        lines = text.splitlines()
        return "\n".join(line for line in lines if "/venv/" in line) + f"\n<{len(lines)} lines>\n"
    return text if text.endswith("\n") or not text else f"{text}<no line break>\n"
