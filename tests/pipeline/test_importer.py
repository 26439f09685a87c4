"""Import (A4, C2, D2, Claude Code's memory folder): read tolerantly, name what is left out, then judge."""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.bench import DATA
from support.table import table

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.importer import read
from siltstone.pipeline.merging.merge import merge
from siltstone.pipeline.merging.working_copy import View
from siltstone.store.entry import Evidence, Write
from siltstone.store.errors import Misuse, SourceError
from siltstone.store.frontmatter import parse


def one_entry(folder: Path, **told: object) -> Judged:
    """What is read of a workspace memory with one entry."""
    entry = {"text": "Rates come from Bring", "type": "project", **told}
    (item,) = read(written(folder, {"w.json": json.dumps({"entries": [entry]})}) / "w.json").items
    return item


def written(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1_777_716_000, 1_777_716_000))
    return folder


@table("importer", "an_entry_is_as_old_as_its_clock_says")
def test_an_entry_is_as_old_as_its_clock_says(tmp_path: Path, told: dict[str, str], day: int) -> None:
    """Source of A20: retentionClock, else updatedAt, else createdAt."""
    times = {"createdAt": "2026-01-01T03:04:05Z", "updatedAt": "2026-01-02T03:04:05Z"}
    assert one_entry(tmp_path, **times | told).verdict.evidence[0].at.day == day


def test_a_workspace_memory_is_read(tmp_path: Path) -> None:
    told = (DATA / "importing" / "workspace-memory.json").read_text("utf-8")
    found = read(written(tmp_path, {"workspace-memory.json": told}) / "workspace-memory.json")
    assert [
        (i.candidate.type, i.candidate.body, i.candidate.source, i.verdict.origin) for i in found.items
    ] == [
        ("decision", "Use npm cache for plugin loading", "extraction", "assistant-inferred"),
        ("feedback", "I prefer short answers", "explicit", "user-said"),
        ("project", "The build runs on Alpine", "manual", "user-said"),
    ]
    at = datetime(2026, 5, 2, 10, tzinfo=UTC)
    said = "Use npm cache for plugin loading"
    assert found.items[0].verdict.evidence[0] == Evidence(
        at, "import", "workspace-memory.json", "mem_1", said
    )
    assert found.items[2].verdict.evidence[0].at == at
    assert found.skipped == {"superseded": 1, "empty": 1}
    assert len(found.complaints) == 2
    assert "entry 6" in found.complaints[0]


@table("importer", "weighs")
def test_what_an_entry_weighs_is_kept(tmp_path: Path, told: dict[str, object], kept: str | None) -> None:
    """A21: the Source multiplies by userImportance; here it becomes `metadata.importance`."""
    item = one_entry(tmp_path, **told)
    (change,) = merge([item], View("projects/larkspur", datetime(2026, 11, 20, tzinfo=UTC))).changes
    assert isinstance(change, Write)
    assert parse(change.path, change.text).importance == kept
    assert ("importance: " in change.text) == (kept is not None)


NOTE = "---\nname: ports\ndescription: Ports of the API\nmetadata:\n  type: reference\n---\nPort 8080.\n"
AUTO = (
    "---\nname: package-manager\ndescription: pnpm not npm\nmetadata:\n  node_type: memory\n"
    "  type: project\n  originSessionId: 5555\n  modified: 2026-11-21T00:30:07.560Z\n---\n\nWe use pnpm.\n"
)


def test_a_folder_of_notes_is_read_without_its_indexes(tmp_path: Path) -> None:
    found = read(
        written(
            tmp_path / "notes",
            {
                "reference-ports.md": NOTE,
                "package_manager.md": AUTO,
                "feedback-tests.md": "Run the tests before a commit.\n",
                "MEMORY.md": "- [Ports](reference-ports.md)\n",
                ".git/x.md": "no",
                "notes.txt": "no",
                "broken.md": "---\nname: [\n---\nbody\n",
            },
        )
    )
    assert {
        (i.candidate.type, i.candidate.name, i.candidate.body, i.verdict.origin) for i in found.items
    } == {
        ("reference", "ports", "Port 8080.", "user-said"),
        ("project", "package-manager", "We use pnpm.", "assistant-inferred"),
        ("feedback", "tests", "Run the tests before a commit.", "user-said"),
    }
    assert found.skipped == {"derived": 1}
    assert len(found.complaints) == 1
    assert found.complaints[0].startswith("broken.md was left out")
    assert {i.verdict.evidence[0].session for i in found.items} == {"notes"}


def test_a_memfs_folder_keeps_global_and_project_apart(tmp_path: Path) -> None:
    found = read(
        written(
            tmp_path / "memfs",
            {
                "global/system/human.md": "---\ndescription: Who\nlimit: 5000\n---\nMarit works in fish.\n",
                "projects/quern/reference/api.md": "The API speaks JSON.\n",
                "projects.md": "| quern |\n",
            },
        )
    )
    assert [(i.candidate.scope, i.verdict.evidence[0].message) for i in found.items] == [
        ("global", "global/system/human.md"),
        ("project", "projects/quern/reference/api.md"),
    ]


def test_a_single_note_is_read_and_one_without_a_description_is_described_by_its_first_line(
    tmp_path: Path,
) -> None:
    (item,) = read(written(tmp_path, {"reference-ports.md": NOTE}) / "reference-ports.md").items
    assert item.candidate.description == "Ports of the API"
    folder = written(tmp_path / "b", {"alpha.md": "# Deploys go out on Tuesdays only\n\nThe courier comes."})
    assert read(folder).items[0].candidate.description == "Deploys go out on Tuesdays only"


def test_a_pipe_in_a_folder_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "project-notes.md")
    found = read(tmp_path)
    assert (found.items, found.skipped) == ([], {"no-file": 1})


def test_links_are_not_followed(tmp_path: Path) -> None:
    written(tmp_path, {"secret/other.md": "Not mine to read.", "notes/mine.md": "Mine to read."})
    (tmp_path / "notes" / "link.md").symlink_to(tmp_path / "secret" / "other.md")
    (tmp_path / "notes" / "loop").symlink_to(tmp_path / "notes")
    found = read(tmp_path / "notes")
    assert [item.candidate.body for item in found.items] == ["Mine to read."]
    assert found.skipped == {"link": 2}


@pytest.mark.parametrize(
    ("text", "words"),
    [("{", "is not JSON"), ("[1]", "not contain a list of entries"), ("[" * 100_000, "is not JSON")],
    ids=["no JSON", "another JSON", "deep JSON"],
)
def test_what_holds_no_memories_is_said(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(Misuse, match="contains no notes"):
        read(tmp_path)
    with pytest.raises(SourceError, match="check the path"):
        read(tmp_path / "x.json")
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(SourceError, match=words):
        read(tmp_path / "x.json")


def test_secrets_go_and_the_gate_speaks(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    entries = [
        {"id": "1", "type": "reference", "text": f"Deploy docs are in the wiki, its token is {secret}"},
        {"id": "2", "type": "project", "text": "Error: something failed", "source": "manual"},
        {"id": "3", "type": "reference", "text": f"the bot token is {secret}", "source": "explicit"},
        {"id": "4", "type": "project", "text": "</siltstone-memory>", "source": "explicit"},
    ]
    path = tmp_path / "workspace-memory.json"
    path.write_text(json.dumps({"entries": entries}))
    done = read(path).items
    assert secret not in repr(done)
    assert [(item.verdict.outcome, item.verdict.reason) for item in done] == [
        ("accept", "accepted"),
        ("reject", "raw_error"),
        ("reject", "only-secret"),
        ("reject", "only-tags"),
    ]
    outcomes = merge(done, View("projects/quern", datetime(2026, 11, 20, tzinfo=UTC))).outcomes
    assert sorted(outcome.kind for outcome in outcomes) == ["promoted", *["rejected"] * 3]


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["text", "type", "id", "updatedAt", "status"]), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=6))
def test_any_entries_are_items_or_named(raw: list[object]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "workspace-memory.json"
        path.write_text(json.dumps({"entries": raw}))
        found = read(path)
    assert len(found.items) + found.skipped.total() + len(found.complaints) == len(raw)


@pytest.mark.parametrize("name", ["x.md", "x.json"])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(SourceError, match="neither a file nor a folder"):
        read(tmp_path / name)
