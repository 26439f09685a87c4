"""The JSON files OpenCode kept before its database (era 1.1): the same objects, one a file.

storage/session/<project>/<session>.json
storage/message/<session>/<message>.json
storage/part/<message>/<part>.json
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from siltstone.agents.jsonl import MAX_LINE, loads
from siltstone.agents.opencode.messages import Part, Row, Talk, created, talk
from siltstone.agents.values import Record, listed, obj, opened, stated
from siltstone.store.errors import SourceError


@dataclass(frozen=True, slots=True)
class Found:
    """A session file, found by stat alone."""

    session: str
    path: Path
    stamp: str
    changed: float
    """Seconds since 1970."""


class Files:
    """The folder `storage/`. What is no file of ours is passed over."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def found(self) -> Iterator[Found]:
        """Every session. A tool call changes its part's file in place, so all of them are stat-ed."""
        for project in listed(self.root / "session"):
            if not project.is_dir():
                continue
            for entry in listed(Path(project.path)):
                stat = stated(entry) if entry.name.endswith(".json") else None
                if stat is not None:
                    yield self._found(Path(entry.path), stat)

    def talk(self, session: str) -> Talk | None:
        """The session's own file, in whatever project's folder it stands."""
        for project in listed(self.root / "session"):
            path = Path(project.path) / f"{session}.json"
            if path.is_file():
                data = _read(path)
                revert = obj(data.get("revert"))
                parent, permission = data.get("parentID"), data.get("permission")
                return talk(session, data.get("directory"), parent, revert, permission)
        return None

    def order(self, session: str) -> list[str]:
        """By time of creation, then id: needs the files, for their names do not tell the time."""
        names = self._messages(session)
        folder = self.root / "message" / session
        return [name for _, name in sorted((created(_read(folder / f"{n}.json"), 0), n) for n in names)]

    def row(self, session: str, message: str) -> Row | None:
        """One message with its parts, which sort by their ids."""
        path = self.root / "message" / session / f"{message}.json"
        if not path.is_file():
            return None
        data = _read(path)
        folder = self.root / "part" / message
        parts = sorted(entry.name for entry in listed(folder) if entry.name.endswith(".json"))
        return Row(
            message,
            created(data, 0),
            data,
            tuple(Part(name.removesuffix(".json"), _read(folder / name)) for name in parts),
        )

    def rows(self, session: str, messages: Sequence[str]) -> Iterator[Row | None]:
        """Many, one after the other."""
        return (self.row(session, message) for message in messages)

    def _messages(self, session: str) -> list[str]:
        entries = listed(self.root / "message" / session)
        return [entry.name.removesuffix(".json") for entry in entries if entry.name.endswith(".json")]

    def _found(self, path: Path, own: os.stat_result) -> Found:
        session = path.name.removesuffix(".json")
        count = size = latest = 0
        folders = [self.root / "message" / session]
        folders += [self.root / "part" / message for message in self._messages(session)]
        stats = [own]
        for folder in folders:
            stats += filter(None, map(stated, listed(folder)))
        for stat in stats:
            count, size, latest = count + 1, size + stat.st_size, max(latest, stat.st_mtime_ns)
        return Found(session, path, f"{count}:{size}:{latest}", latest / 1e9)


def _read(path: Path) -> Record:
    """The object in a file; an empty one when it is torn, has gone, or is beyond all measure."""
    try:
        with opened(path) as file:
            raw = file.read(MAX_LINE + 1)
        return (loads(raw) or {}) if len(raw) <= MAX_LINE else {}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error}); check its permissions") from error
