"""Somebody at the command line: what they said to an agent, what `silt` says to them, what is kept."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.commands import Said, call
from support.git import git

SAVE = "please remember: all copy in this shop is British English"
OTHER = "please remember: deploys go out on Tuesdays only"


def line(content: object, **more: object) -> bytes:
    """A line of a plain transcript."""
    told: dict[str, object] = {"role": "user", "content": content, "timestamp": "2026-09-03T12:00:00Z"}
    return json.dumps(told | {"cwd": "/src/larkspur"} | more).encode() + b"\n"


@dataclass(frozen=True)
class Person:
    """`home` holds their store, state, settings and transcripts."""

    home: Path

    @property
    def store(self) -> Path:
        return self.home / "store"

    @property
    def state(self) -> Path:
        return self.home / "state" / "state.sqlite3"

    def says(self, *lines: bytes, name: str = "a.jsonl") -> Path:
        """Write a transcript."""
        path = self.home / "said" / name
        path.write_bytes(b"".join(lines))
        return path

    def run(self, *words: str) -> Said:
        """`silt run` over the transcripts. A traceback fails the test: nothing catches it."""
        return call("run", "--root", f"plain={self.home / 'said'}", "--idle", "0", "--json", *words)

    def learnt(self) -> None:
        """A store with the first save in it, and the second said since."""
        self.says(line(SAVE))
        assert self.run().code == 0
        self.says(line(OTHER), name="b.jsonl")

    def kept(self) -> list[str]:
        """Descriptions of all that is remembered."""
        return sorted(one["description"] for one in call("list", "--json").json)

    @property
    def memory(self) -> Path:
        """The file of the one memory there is."""
        (path,) = self.store.glob("projects/larkspur/feedback-*.md")
        return path

    def git(self, *args: str) -> str:
        return git(self.store, *args)


def told(said: Said) -> dict[str, Any]:
    """The report of a run that came to its end."""
    assert said.code == 0, said.err
    report: dict[str, Any] = said.json
    return report


def is_one_sentence(said: Said, status: int) -> bool:
    """Whether a command ended with this status and one clear line on standard error."""
    lines = said.err.splitlines()
    return said.code == status and len(lines) == 1 and lines[0].startswith("silt: ") and len(lines[0]) < 800
