"""What a run works with, who acts on the store's files, and the agents' readers."""

import os
from collections.abc import Sequence
from pathlib import Path

from siltstone.agents import readers as agents
from siltstone.cli.context import Context, now
from siltstone.cli.note import note
from siltstone.cli.rebuild import rebuild
from siltstone.cli.settings import Configured
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.parts import Extractor, Parts
from siltstone.store import commits
from siltstone.store.errors import Misuse
from siltstone.store.files import Actor, Session
from siltstone.store.run_number import next_run


def readers(configured: Configured, roots: list[str] | None) -> list[Reader]:
    """Readers of every agent, or of those that `--root AGENT=PATH` options name. What is no agent's folder
    is said. Raises Misuse."""
    named: dict[str, Path] = {}
    for option in roots or ():
        agent, mark, path = option.partition("=")
        if not (agent and mark and path):
            raise Misuse(f"--root wants AGENT=PATH, not {option!r}; for example --root claude=~/.claude")
        named[agent] = Path(os.path.expanduser(path))
        if not os.path.lexists(named[agent]):
            raise Misuse(f"--root {option}: there is nothing at {named[agent]}; name a folder that exists.")
    found = agents.readers(named, configured.environ)
    for sentence in agents.unlike(named):
        note(sentence)
    return found


def parts(context: Context, extractor: Extractor | None = None) -> Parts:
    """What a run of this command works with."""
    settings = context.configured.settings
    keywords = settings.keyword_patterns
    return Parts(
        context.store,
        context.state,
        context.search_file,
        extractor or Rules(keywords=keywords, saves_alone=not settings.extract_enabled),
        now,
        context.scopes.register,
        next_run(context.store, context.state),
        keywords,
    )


def actor(context: Context, session: str | None = None) -> Actor:
    """Who acts on the store's files: the user, or the agent of a session."""
    return Actor(
        context.store,
        lambda: context.state.usage,
        now,
        Session.of(session),
        lambda: next_run(context.store, context.state),
        context.scopes.register,
        lambda: rebuild(context),
        "user" if session is None else "agent",
    )


def meet(context: Context, wanted: Sequence[str], run: str) -> None:
    """Register projects that were met, in one commit; none when the store knows all about them."""
    with context.store.locked():
        context.store.settle()
        changes = [change for scope in wanted for change in context.scopes.register(scope)]
        if changes:
            names = ", ".join(scope.rpartition("/")[2] for scope in wanted)
            told = [(commits.RUN, run), (commits.OP, "meet")]
            context.store.apply(changes, f"memory: meet {names}", told)
