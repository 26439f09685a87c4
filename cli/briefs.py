"""The briefs of the projects the store knows: what their own files say of them (docs/seeds.md E5, E6)."""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from siltstone.cli.settings import Configured
from siltstone.pipeline.proof.gate import assess
from siltstone.pipeline.reading.backlog import excluded
from siltstone.recall.brief import Brief, brief_of
from siltstone.store.identity import Identity


def briefs(
    configured: Configured,
    projects: Mapping[str, Sequence[Identity]],
    known: Callable[[str], Brief | None],
    at: datetime,
) -> dict[str, Brief]:
    """A brief for each scope whose folder stands on this machine and has something to say.

    `known` tells a scope's brief as it was made last.
    """
    found = {}
    for scope, marks in projects.items():
        folder = next((mark.value for mark in marks if mark.kind == "path" and os.path.isdir(mark.value)), "")
        if folder and (brief := one_brief(configured, folder, at, known(scope))):
            found[scope] = brief
    return found


def one_brief(configured: Configured, folder: str, at: datetime, known: Brief | None = None) -> Brief | None:
    """The brief of one folder as the settings have it; None for one that is never to be read, too."""
    settings = configured.settings
    if excluded(folder, settings.exclude):
        return None
    return brief_of(folder, at.timestamp(), settings.init_mode, known, _asks_for_it)


def _asks_for_it(said: str) -> bool:
    return "prompt_injection" in assess("reference", said, "extraction")
