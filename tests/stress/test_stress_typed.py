"""Twenty prompts at once that ask to keep something: each is kept once, at once or when it is read."""

import json
import os
from pathlib import Path

import pytest
from person import Person
from support.bench import DATA
from support.commands import call
from support.crowd import ROOT, contexts

from siltstone.cli.hooks.saving import LATER

ASKED = (DATA / "planted" / "asked.txt").read_text("utf-8").splitlines()


def session(home: Path, number: int, text: str) -> dict[str, object]:
    """A session of Claude Code in which the text was typed, and what its hook is told of it."""
    id_ = f"s{number}"
    common = {"sessionId": id_, "cwd": str(Path.cwd()), "isSidechain": False, "version": "2.1.329"}
    typed = {
        "type": "user",
        "uuid": f"11111111-0000-4000-8000-0000000000{number:02d}",
        "parentUuid": None,
        "timestamp": "2026-11-20T07:39:59.000Z",
        "message": {"role": "user", "content": text},
    }
    file = home / "claude" / "projects" / "-p" / f"{id_}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(common | typed) + "\n")
    os.utime(file, (1_795_165_300, 1_795_165_300))
    return {"hook_event_name": "UserPromptSubmit", "session_id": id_, "cwd": str(Path.cwd()), "prompt": text}


@pytest.fixture(autouse=True)
def children_find_us(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def descriptions() -> list[str]:
    return sorted(one["description"] for one in call("list", "--json").json)


def test_twenty_saves_at_once_are_each_kept_once(person: Person, tmp_path: Path) -> None:
    payloads = [session(tmp_path, n, f"Please remember: {text}") for n, text in enumerate(ASKED)]
    for text, said in zip(ASKED, contexts(payloads), strict=True):
        assert not said or LATER in said or text in said
    early = descriptions()
    assert set(early) <= set(ASKED)
    assert len(early) == len(set(early))
    for _ in range(2):
        call("run", "--json", "--root", f"claude={tmp_path / 'claude'}")
        assert descriptions() == sorted(ASKED)
