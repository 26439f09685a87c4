"""What the user decided since a commit: told by the commits themselves, whichever command made them.

A block that a session is shown may wait with what is merely learned; it may not go on saying what the
user took back or changed (docs/seeds.md D17).
"""

from siltstone.store import commits
from siltstone.store.commits import Commit
from siltstone.store.errors import GitError
from siltstone.store.git import Git
from siltstone.store.layout import CONFLICTS
from siltstone.store.names import IN_FORCE, place

HAND = "hand"
"""Stands for an edit of files that no command of ours made."""
SUPERSEDED = "superseded"
"""Stands for a fact learned that took the place of another."""
PURGE = "purge"
"""Stands for a history in which the commit is not found any more too: something may be gone for good."""
_LEARNING = frozenset({"extract", "save"})
_ADDING = frozenset({"remember", "import"})
_NEVER = frozenset({"compact"})
"""What says the same in fewer words decides nothing."""


def decided(git: Git, since: str, head: str) -> list[str]:
    """What the commits after `since` up to `head` decided, the latest first, each once.

    The Silt-Op of commands; HAND and SUPERSEDED for the rest. Empty where facts were only added.
    """
    if since == head:
        return []
    try:
        after = list(commits.read(git, f"{since}..{head}"))
    except GitError:
        if git.run("rev-parse", "-q", "--verify", f"{since}^{{commit}}", ok=(0, 1, 128)).strip():
            raise
        return [PURGE]
    return list(dict.fromkeys(filter(None, map(_decision, after))))


def _decision(commit: Commit) -> str:
    op = commit.op or HAND
    shown = [touched for touched in commit.touched if _is_shown(touched.path)]
    if op in _NEVER:
        return ""
    if op in _LEARNING:
        return SUPERSEDED if any(touched.new is None for touched in shown) else ""
    if op in _ADDING:
        return op if any(touched.old is not None for touched in shown) else ""
    return op if shown else ""


def _is_shown(path: str) -> bool:
    where = place(path)
    return path == CONFLICTS or (where is not None and where.kind in IN_FORCE)
