"""What a run works with: the agents' readers, extractor, search, and the projects it meets."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from siltstone import agents
from siltstone.cli.context import Context, now
from siltstone.cli.note import note
from siltstone.cli.scopes import Scopes
from siltstone.cli.settings import Configured
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.parts import Extractor, Parts
from siltstone.store import commits
from siltstone.store.errors import Misuse
from siltstone.store.run_number import next_run

MAX_SUBJECT = 200
"""Characters of a commit's first line."""


def roots(options: list[str] | None) -> Mapping[str, Path]:
    """`--root AGENT=PATH` options by agent. Raises Misuse for anything else."""
    found = {}
    for option in options or ():
        agent, mark, path = option.partition("=")
        if not (agent and mark and path):
            raise Misuse(f"--root wants AGENT=PATH, not {option!r}; for example --root claude=~/.claude")
        found[agent] = Path(os.path.expanduser(path))
        if not os.path.lexists(found[agent]):
            raise Misuse(f"--root {option}: there is nothing at {found[agent]}; name a folder that exists.")
    return found


def readers(configured: Configured, root: list[str] | None) -> list[Reader]:
    """Readers of every agent, or of those that `--root` names. What is no agent's folder is said."""
    named = roots(root)
    found = agents.readers(named, configured.environ)
    for sentence in agents.unlike(named):
        note(sentence)
    return found


def parts(context: Context, scopes: Scopes | None = None, extractor: Extractor | None = None) -> Parts:
    """What a run of this command works with."""
    keywords = context.configured.settings.keyword_patterns
    return Parts(
        context.store,
        context.state,
        context.search_file,
        extractor or Rules(keywords=keywords),
        now,
        (scopes or Scopes(context)).register,
        next_run(context.store, context.state),
        keywords,
    )


def meet(context: Context, scopes: Scopes, wanted: Sequence[str], run: str) -> None:
    """Register projects that were met, in one commit; none when the store knows all about them."""
    with context.store.locked():
        context.store.settle()
        changes = [change for scope in wanted for change in scopes.register(scope)]
        if changes:
            names = ", ".join(scope.rpartition("/")[2] for scope in wanted)
            told = [(commits.RUN, run), (commits.OP, "meet")]
            context.store.apply(changes, f"memory: meet {names}"[:MAX_SUBJECT], told)
