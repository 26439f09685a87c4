"""What a folder means, and what fits a question there. On the hot path (cli/hot.py)."""

import os

from siltstone.cli import hot
from siltstone.recall.place import scope_of
from siltstone.recall.prepared import Prepared
from siltstone.recall.rules import Rules
from siltstone.recall.view import GLOBAL, Hit, View
from siltstone.store.errors import Locked, StateError
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence


class Around(NamedTuple):
    """What a folder means."""

    scope: str
    view: View
    here: "Callable[[str], bool]"
    """Whether a session in another folder belongs to the same project."""


def around(prepared: Prepared, cwd: str, environ: "Mapping[str, str]", caps: "Mapping[str, int]") -> Around:
    """What may be shown in a folder, with `caps` as `Prepared.view` takes them. Raises StateError, Locked."""
    home = environ.get("HOME") or os.path.expanduser("~")
    scope = scope_of(cwd, prepared.scope_of, home)

    def here(there: str) -> bool:
        known = scope_of(there, prepared.scope_of, home) if scope != GLOBAL else GLOBAL
        return there == cwd or (known == scope != GLOBAL)

    view = prepared.view([GLOBAL] if scope == GLOBAL else [GLOBAL, scope], caps)
    return Around(scope, view, here)


def hits_for(
    query: str,
    folder: str,
    prepared: Prepared,
    view: View,
    now: float,
    rules: Rules,
    seen: "Collection[str]" = (),
) -> "Sequence[Hit]":
    """What fits a question, `seen` paths apart; nothing, with a remark, when it cannot be searched for."""
    # Loaded only where something is asked.
    from siltstone.recall.relevance import relevant, telling
    from siltstone.store.seek import Seeker

    try:
        with Seeker(folder) as seeker:
            return relevant(telling(query), seeker, prepared.fragments, view, now, rules, seen)
    except (Locked, StateError) as error:
        hot.note(f"what fits the question is not shown: {error}")
        return ()
