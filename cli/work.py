"""What the commands that change the store share: readers, extractor, rebuilding."""

from collections.abc import Sequence
from dataclasses import dataclass

from siltstone import agents, prompts
from siltstone.cli.briefs import briefs
from siltstone.cli.context import Context, now, roots
from siltstone.cli.hands import Scopes, next_run
from siltstone.cli.output import note
from siltstone.cli.settings import Configured
from siltstone.pipeline.conflicts import overrides
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.parts import Extractor, Parts
from siltstone.recall.index import rebuild as rebuild_index
from siltstone.recall.prepared_writer import Facts, PreparedWriter
from siltstone.store import commits
from siltstone.store.conflicts import PATH, Section, parse
from siltstone.store.entry import Snapshot
from siltstone.store.errors import GitError
from siltstone.store.history import PURGE, decided
from siltstone.store.layout import ARCHIVE, files
from siltstone.store.projects import Projects
from siltstone.store.recovery import Settled
from siltstone.store.repository import head
from siltstone.store.state import set_aside

DECIDED = "decided-to"
"""Name of the state value that holds the commit up to which it was looked at what the user decided."""
MAX_SUBJECT = 200
"""Characters of a commit's first line."""


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
        next_run(context),
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


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What had to be made anew."""

    files: list[str]
    """Paths of indexes and the like."""
    prepared: int
    """Memories that `silt inject` was given anew, or is not to show any more."""
    searched: int
    """Entries of the search database that had to change."""
    settled: Settled
    """What was in the work tree before."""


def rebuild(context: Context, anew: bool = False) -> Rebuilt:
    """Bring MEMORY.md, projects.md, PROTOCOL.md and what search and showing read up to date.

    Only what changed is read and written; `anew` compares every index with its memories. Without git too
    (C26): they are no memories, and are written anew from what stands.
    """
    store = context.store
    if store.lacks is not None:
        return _rebuilt(context, Settled(), anew)
    with store.locked():
        return _rebuilt(context, store.settle(), anew)


def _rebuilt(context: Context, settled: Settled, anew: bool) -> Rebuilt:
    store, at = context.store, head(str(context.store.root))
    sections = parse(store.text(PATH) or "")
    snapshot = store.snapshot()
    searched = context.search_file.sync(snapshot)
    with PreparedWriter(context.configured.places.state) as writer:
        prepared = prepare(context, writer, snapshot, sections, at)
        indexed = {} if anew else writer.indexed()
        files = rebuild_index(store.root, snapshot, sections, prompts.protocol(), store.disk, indexed)
        writer.set_indexed(indexed)
    _tell_sessions(context)
    return Rebuilt(files, prepared, searched, settled)


def needs_git(context: Context) -> None:
    """Raise GitError before a batch or compaction without git; the index is rebuilt all the same (C26)."""
    try:
        context.store.check_git()
    except GitError:
        rebuild(context)
        raise


def prepare(
    context: Context, writer: PreparedWriter, snapshot: Snapshot, sections: Sequence[Section], at: str
) -> int:
    """Make ready what `silt inject` shows: the hot path reads nothing else. How many memories changed.

    `at`: the commit at which the store stood before the snapshot was taken.
    """
    store = context.store
    archived = {scope: len(files(store.root, f"{scope}/{ARCHIVE}")) for scope in store.scopes()}
    known = Projects.load(store.root).known()
    quoted = briefs(context.configured, known, writer.brief, now())
    used, root = context.state.usage.days(), str(store.root)
    facts = Facts(sections, known, archived, store.unreadable, used, quoted, root, at)
    return writer.sync(snapshot, facts, lambda paths: overrides(paths, context.search_file, snapshot.read))


def _tell_sessions(context: Context) -> None:
    """Running sessions are shown new blocks after what the user decided (D17); called when these can be made.

    Here alone, by the commits of the store: so it holds for every command, the watch and what was pulled.
    """
    store, shown = context.store, context.state.shown
    head = store.git.head() if store.lacks is None else None
    if head is None:
        return
    waits = () if context.configured.settings.refresh_on_promote_demote else ("promote", "demote")
    since = context.state.value(DECIDED)
    found = [one for one in decided(store.git, since or head, head) if one not in waits]
    if PURGE in found:
        shown.withdraw(PURGE)
    elif found:
        shown.force(found[0])
    context.state.set_value(DECIDED, head)


def scrub(context: Context) -> list[str]:
    """Leave nothing deleted in the bytes of the databases; a sentence for each that keeps some."""
    with PreparedWriter(context.configured.places.state) as prepared:
        said = [prepared.scrub(), context.search_file.scrub(), context.state.texts.scrub()]
    left = [f"{sentence}: end that process, then run `silt rebuild`" for sentence in said if sentence]
    return left + [
        f"{path} was set aside when it was damaged, and may still hold what was purged: delete it"
        for path in set_aside(context.state.path)
    ]
