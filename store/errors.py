"""Every error Siltstone raises on purpose, in one tree.

Exit status 2 for Misuse, 1 for what is Terminal, 3 for what is Transient.
"""

from pathlib import Path


class SiltError(Exception):
    """Base of all: `str(error)` is one sentence for a person."""

    exit_code = 1


class Misuse(SiltError):
    """Wrong arguments or settings."""

    exit_code = 2


class Terminal(SiltError):
    """Trying again as it is will fail again."""


class GitError(Terminal):
    """git is missing, too old, or refused what was asked."""


class StoreError(Terminal):
    """The folder is no store, or not one that may be touched."""


class EntryError(Terminal):
    """An entry cannot be read, or may not be written so."""


class StateError(Terminal):
    """A database in the state folder cannot be used: it is missing, damaged, or of another version."""


class RedactionError(Terminal):
    """Text could not be proven free of secrets, so it goes nowhere (invariant 8)."""


class SourceError(Terminal):
    """A transcript cannot be read."""


class SettingsError(Terminal):
    """An agent's settings cannot be read or edited; they stay as they are."""


class ScheduleError(Terminal):
    """The system's scheduler is missing or refused; nothing is scheduled by us."""


class ModelError(Terminal):
    """The model refused for good: key, name, policy."""


class ReplyError(Terminal):
    """The model's reply could not be read, even after a repair."""


class Transient(SiltError):
    """The same call may work later."""

    exit_code = 3


class Locked(Transient):
    """Somebody else holds the store, git's index or a lease."""


class Deferred(Transient):
    """The store is in the middle of a merge or rebase."""


class Stale(Transient):
    """Files changed after a decision about them was made (invariant 9)."""

    def __init__(self, message: str, paths: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.paths = paths
        """Store paths that are not as they were."""


class ConsentNeeded(Transient):
    """A model is named, but the user has not agreed to its first run (invariant 14)."""


class LimitReached(Transient):
    """A ceiling of tokens or money would be passed (invariant 15)."""


class Unavailable(Transient):
    """The model's service did not answer."""


class Overflow(Transient):
    """The window is too large for the model: halve it."""


def why(error: Exception) -> object:
    """What is wrong with a file, without the path that Python adds."""
    return getattr(error, "strerror", None) or error


def cannot_write(root: Path, error: OSError) -> StoreError:
    """What an OSError on the way means to a person: nothing is lost, and what to do."""
    named = (error.filename2, error.filename)  # of a rename the second is the file that was meant
    where = next((name for name in named if isinstance(name, str)), root)
    return StoreError(
        f"{where} cannot be written ({error.strerror or error}): nothing is lost; free some space or make "
        f"it writable, and run this again"
    )
