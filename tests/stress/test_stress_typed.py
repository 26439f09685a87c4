"""Twenty prompts at once that ask to keep something: each is kept once, at once or when it is read."""

import json
import os
from pathlib import Path

import pytest
from person import Person
from support.commands import call
from support.crowd import ROOT, contexts

from siltstone.cli.hooks.saving import LATER

ASKED = """
The importer listens on port 8042
Releases are cut on Fridays only
Invoices are numbered by warehouse
Write commit messages in English
Customer photos never leave the cluster
Rounding is half up in every ledger
The staging database is called heron
Migrations are written by hand
Feature flags live in flags.toml
Use pnpm for every package
Tests of the cart need Redis
Dates are shown as day month year
The search index is rebuilt at night
Passports are checked by the depot
Errors go to the board called ember
Parcels above 30 kg travel by rail
The mobile client speaks gRPC
Colours come from the palette file
Backups are encrypted with age
Vendors are paid every second Monday
""".strip().splitlines()


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
