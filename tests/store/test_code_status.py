"""`code.sqlite3` as a file: damage is no end of it (invariant 12)."""

from pathlib import Path

import pytest
from support.snapshots import snapshot_of

from siltstone.store.code.status import FILE, CodeStatus
from siltstone.store.entry import Anchor, Snapshot, Stored
from siltstone.store.errors import StateError
from siltstone.store.frontmatter import parse

PAGE = 4096


def bound(count: int) -> Snapshot:
    """Memories of a project, each bound to a file of its own."""
    paths = [f"projects/larkspur/project-fact-{n:03}.md" for n in range(count)]
    entries = [parse(path, "A fact.\n")._replace(anchors=(Anchor("cart.py", words=path),)) for path in paths]
    return snapshot_of(Stored(path, "", "1", entry) for path, entry in zip(paths, entries, strict=True))


def test_a_file_damaged_behind_its_start_begins_anew(tmp_path: Path) -> None:
    with CodeStatus(tmp_path) as status:
        status.sync(bound(400))
    data = bytearray((tmp_path / FILE).read_bytes())
    page = data.find(b"project-fact-200") // PAGE * PAGE
    data[page : page + PAGE] = b"\xff" * PAGE
    (tmp_path / FILE).write_bytes(data)
    with CodeStatus(tmp_path) as status:
        with pytest.raises(StateError, match="damaged and starts empty"):
            status.sync(bound(1))
        status.sync(bound(2))
        assert len(status.of(bound(2).hashes, lambda scope: None)) == 2
