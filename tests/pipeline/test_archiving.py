"""Filling the session archive: the newest first, whole after any kill, within its size."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from siltstone.agents.readers import readers
from siltstone.pipeline import archiving
from siltstone.pipeline.archiving import Archiving, fill
from siltstone.pipeline.progress import tell_nobody
from siltstone.pipeline.reading.backlog import Wanted
from siltstone.store.entry import GLOBAL
from siltstone.store.projects import Project
from siltstone.store.session_archive import FILE, Filter, Mark, Said, SessionArchive, search
from siltstone.store.state.database import Row

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SESSIONS = 6


class Killed(BaseException):
    """As a kill: nobody catches it."""


class Mortal(SessionArchive):
    """Dies at its n-th statement."""

    def __init__(self, path: Path, last: int) -> None:
        self.left = float("inf")
        super().__init__(path, 0)
        self.left = last

    def rows(self, sql: str, *values: object) -> list[Row]:
        self.left -= 1
        if self.left < 0:
            raise Killed
        return super().rows(sql, *values)

    def write(self, sql: str, *values: object) -> int:
        self.left -= 1
        if self.left < 0:
            raise Killed
        return super().write(sql, *values)


def put(folder: Path, name: str, said: list[tuple[str, str]], at: datetime, apart: float = 60) -> None:
    """A plain transcript, last changed when its last message was written."""
    rows = [
        {"role": role, "content": text, "timestamp": (at + timedelta(seconds=n * apart)).isoformat()}
        for n, (role, text) in enumerate(said)
    ]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    end = at.timestamp() + apart * len(said)
    os.utime(path, (end, end))


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    """Sessions of a few messages, one a day, each with a word of its own."""
    folder = tmp_path / "plain"
    folder.mkdir()
    for n in range(SESSIONS):
        said = [(role, f"{role} {k} of session{n}") for k, role in enumerate(("user", "assistant") * 2)]
        put(folder, f"s{n}", said, NOW - timedelta(days=9 - n))
    return folder


def filled(archive: SessionArchive, folder: Path, most: int = 10**9) -> int:
    """One filling of the archive with everything in a folder; how many messages were new."""
    to = Archiving(archive, lambda cwd, remotes: Project(GLOBAL), timedelta(days=365), most, ())
    wanted = Wanted(NOW, timedelta(0))
    return fill(readers({"plain": folder}, {}), wanted, to, tell_nobody).messages


def held(archive: SessionArchive) -> Iterator[tuple[str, str, str]]:
    """All that it says: session, role, text; and each of them is found by its words."""
    for past in archive.sessions():
        for line in archive.conversation(past.id):
            yield past.name, line.role, line.text
            assert line in [one.line for one in search(archive, line.text, Filter(), 40)]


def test_a_password_that_answers_what_was_archived_before_is_not_kept(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    said = [("user", "The ledger stays shut."), ("assistant", "What is the password of the ledger?")]
    with SessionArchive(tmp_path / FILE, 0) as archive:
        for reply in ([], [("user", "otter7boat, try it")]):
            put(folder, "talk", [*said, *reply], NOW - timedelta(days=1))
            filled(archive, folder)
        assert ("user", "[REDACTED], try it") in [(role, text) for _, role, text in held(archive)]


def test_a_filling_that_dies_at_any_step_is_made_good(
    tmp_path: Path, transcripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiving, "BATCH_MESSAGES", 3)
    with SessionArchive(tmp_path / FILE, 0) as clean:
        assert filled(clean, transcripts) == 4 * SESSIONS
        wanted = sorted(held(clean))
    for step in count(1, 7):
        path = tmp_path / str(step) / FILE
        with Mortal(path, step) as mortal:
            try:
                filled(mortal, transcripts)
                break
            except Killed:
                pass
        with SessionArchive(path, 0) as again:
            filled(again, transcripts)
            assert sorted(held(again)) == wanted
            assert filled(again, transcripts) == 0
    assert step > 50


def test_the_newest_sessions_come_first(
    tmp_path: Path, transcripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiving, "BATCH_MESSAGES", 3)
    os.utime(transcripts / "s2.jsonl", (NOW.timestamp(), NOW.timestamp()))
    with Mortal(tmp_path / FILE, 60) as mortal, pytest.raises(Killed):
        filled(mortal, transcripts)
    with SessionArchive(tmp_path / FILE, 0) as archive:
        assert 0 < len(archive.sessions()) < SESSIONS
        assert "s2" in {one.name for one in archive.sessions()}


def test_what_is_larger_than_allowed_drops_the_oldest_sessions(
    tmp_path: Path, transcripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiving, "BATCH_MESSAGES", 200)
    for n in range(40):
        said = [("user", " ".join(f"w{n * n}x{(m + 1) * k}" for k in range(400))) for m in range(20)]
        put(transcripts, f"t{n:02}", said, NOW - timedelta(hours=41 - n))
    with SessionArchive(tmp_path / FILE, 0) as archive:
        filled(archive, transcripts)
        whole = archive.size()
        assert len(archive.sessions()) == 40 + SESSIONS
    with SessionArchive(tmp_path / "small" / FILE, 0) as archive:
        filled(archive, transcripts, whole // 2)
        names = [one.name for one in archive.sessions()]
        assert whole // 5 < archive.size() <= whole // 2
        assert names == [f"t{n}" for n in range(39, 39 - len(names), -1)]
        assert 10 < len(names) < 30
        assert filled(archive, transcripts, whole // 2) == 0
        assert len(list(held(archive))) == 20 * len(names)


def test_a_revised_message_takes_the_place_of_the_earlier_one(tmp_path: Path) -> None:
    said = Said("opencode", "s", "/work", 0, "key-1", "part-1", "user", 100, "the heron page is half done")
    with SessionArchive(tmp_path / FILE, 0) as archive:
        said = said._replace(scope=archive.scope(GLOBAL, ()))
        archive.keep([said], [Mark("opencode", "s", "s", "", None)])
        later = said._replace(key="key-2", text="the heron page is done")
        assert archive.keep([later, later._replace(session="fork")], []) == 1
        assert list(held(archive)) == [("s", "user", "the heron page is done")]
        assert search(archive, "half", Filter(), 9) == []
        archive.forget_if(lambda text: "half" in text, lambda cwd: False)
        assert [one.title for one in archive.sessions()] == [""]


def test_messages_of_one_second_keep_their_order(tmp_path: Path, transcripts: Path) -> None:
    for path in transcripts.iterdir():
        path.unlink()
    for name in ("a", "b"):
        put(transcripts, name, [("user", f"word{n}") for n in range(30)], NOW, apart=0)
    with SessionArchive(tmp_path / FILE, 0) as archive:
        filled(archive, transcripts)
        assert len(archive.sessions()) == 2
        for past in archive.sessions():
            texts = [line.text for line in archive.conversation(past.id)]
            assert texts == [f"word{n}" for n in range(30)]
