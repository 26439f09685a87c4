"""What recall works with: fragments of memories, and what is known of the scopes they stand in.

Plain tuples, so that a hot command can make them out of database rows in microseconds.
"""

from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# `store/entry.py` has these names too, but is dear to import.
GLOBAL = "global"
TYPES = ("user", "feedback", "project", "decision", "reference")
"""The order in which groups are shown."""
OPEN, CLOSE = "<siltstone-memory>", "</siltstone-memory>"
"""The wrapper around all that an agent is shown."""


class Fragment(NamedTuple):
    """One memory as it will be shown, prepared when it was written."""

    path: str
    scope: str
    type: str
    topic: str
    """ "" for none."""
    name: str
    line: str
    """The description as one safe line (recall/escape.py)."""
    more: int
    """1 when the body says more than the line."""
    chars: int
    """Of the body."""
    limit: int
    hot: int
    """1 when it stands in `system/`: shown whole."""
    source: int
    """3 explicit, 2 manual, 1 extraction: for ties."""
    clock: float | None
    """When it was last told, epoch seconds; None when undated."""
    initial: float
    repeats: int
    """How often it was told again, 0 to 6."""
    body: str
    """Of hot ones: the body as safe lines; else ""."""
    in_conflict: int = 0


class Hit(NamedTuple):
    """A memory that fits what is asked just now."""

    fragment: Fragment
    percent: int
    """0 to 100."""


class Scope(NamedTuple):
    """What is known of one scope beside its memories."""

    name: str
    activity: float | None
    """When anything was last told there, epoch seconds."""
    totals: "Mapping[str, int]"
    """Memories in force by type, hot ones apart."""
    archived: int
    """Superseded or merged away."""


class View(NamedTuple):
    """What may be shown for some scopes: every hot memory, and of each class of the others the strongest."""

    scopes: tuple[Scope, ...]
    hot: tuple[Fragment, ...]
    candidates: tuple[Fragment, ...]
    overridden: tuple[str, ...] = ()
    """Paths of global memories that one of the project stands in for (invariant 11)."""
    unreadable: tuple[str, ...] = ()
    """A sentence each about files that are left out: damaged, or holding a secret."""
    conflicts: int = 0
    """Open ones that concern these scopes."""


class Session(NamedTuple):
    """Texts of the running session, safe and within their own limits; "" where there is none."""

    text: str = ""
    """Hot session state, core and working memory (A38, B5, B15)."""
    brief: str = ""
    """A quoted excerpt of the project's own files (E6)."""
    progress: str = ""
    """Where a session stands, as a machine summed it up (E7, E16)."""
    last: str = ""
    """The latest summary of a session, made by a machine (E7, E16)."""
    told: tuple[str, ...] = ()
    """What the receipt says of these, a sentence each."""
