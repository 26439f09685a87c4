"""How often each memory was shown, opened and cited (docs/recall.md "What was used").

Called by hot commands through `Light` and by all others through `State`. Times are epoch seconds.
"""

from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from siltstone.store.state.database import Database
    from siltstone.store.state.light import Light

DAY = 86_400


class Used(NamedTuple):
    """What is known of one memory's use."""

    shown: int = 0
    """Blocks made for a session that it stood in; one that is shown again counts once."""
    opened: int = 0
    """Times its file was read."""
    cited: int = 0
    """Answers that named or quoted it."""
    days: int = 0
    """UTC days on which it was opened or cited."""


class Usage:
    """Counts by path."""

    def __init__(self, database: "Light | Database") -> None:
        self._db = database

    def shown(self, paths: "Iterable[str]") -> None:
        """Count a new block with these memories."""
        count = (
            "INSERT INTO used (path, shown) VALUES (?, 1) ON CONFLICT (path) DO UPDATE SET shown = shown + 1"
        )
        for path in paths:
            self._db.write(count, (_key(path),))

    def opened(self, path: str, at: float) -> None:
        """Count a reading of a memory's file."""
        self._used(path, "opened", at)

    def cited(self, paths: "Iterable[str]", at: float) -> None:
        """Count an answer that names or quotes these memories."""
        for path in paths:
            self._used(path, "cited", at)

    def all(self) -> dict[str, Used]:
        """What is known, by path."""
        rows = self._db.rows("SELECT path, shown, opened, cited, days FROM used")
        return {str(path): Used(*(int(count or 0) for count in counts)) for path, *counts in rows}

    def days(self) -> dict[str, int]:
        """On how many days each memory was opened or cited, those that never were left out."""
        rows = self._db.rows("SELECT path, days FROM used WHERE days > 0")
        return {str(path): int(days or 0) for path, days in rows}

    def moved(self, old: str, new: str) -> None:
        """A file goes by another path."""
        self._db.write("UPDATE OR REPLACE used SET path = ? WHERE path = ?", (_key(new), _key(old)))

    def forget(self, paths: "Iterable[str]") -> None:
        """Drop what is known of these files; a folder has "/" at its end."""
        for path in paths:
            within = "substr(path, 1, length(?1)) = ?1" if path.endswith("/") else "path = ?1"
            self._db.write(f"DELETE FROM used WHERE {within}", (_key(path),))  # noqa: S608 (no input in it)

    def _used(self, path: str, how: str, at: float) -> None:
        """A day counts once, and only days after the last one that counted: clocks may go back."""
        self._db.write(
            f"INSERT INTO used (path, {how}, days, day) VALUES (?1, 1, 1, ?2) "  # noqa: S608 (no input in it)
            f"ON CONFLICT (path) DO UPDATE SET {how} = {how} + 1, "
            "days = days + (excluded.day > day), day = max(day, excluded.day)",
            (_key(path), int(at // DAY)),
        )


def _key(path: str) -> str:
    return path if path.isascii() else path.encode("utf-8", "replace").decode("utf-8")
