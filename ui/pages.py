"""What each page shows: values for its template, out of what the commands read."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from siltstone.cli.card import facts
from siltstone.cli.context import Context
from siltstone.cli.output import memory_row
from siltstone.cli.sessions import WHO
from siltstone.pipeline.conflicts import open_conflicts
from siltstone.store import history
from siltstone.store.commits import RUN, Commit
from siltstone.store.entry import Evidence, Stored
from siltstone.store.errors import EntryError, Misuse
from siltstone.store.history_index import UNDO
from siltstone.store.layout import ARCHIVE
from siltstone.store.names import place
from siltstone.store.session_archive import Line
from siltstone.ui.graph import BACK, TOLD, of_memories, of_projects, stems, ties
from siltstone.ui.waiting import KINDS, waiting

MOST_FOUND, MOST_LISTED, MOST_COMMITS, MOST_DAYS = 50, 300, 200, 90
MOST_FILES = 20
"""Of a commit that are listed."""
AROUND = 3
"""Messages before and after the one with the quote."""
MOST_QUOTES = 3
MOST_CHARS = 2_000
"""Of a message that is shown."""
OPS = {"extract": "learned", "save": "saved", "remember": "saved", UNDO: "undone", "compact": "compacted"}
OPS |= {
    "init": "begun",
    "conflicts": "settled",
    "accept": "accepted",
    "delete": "deleted",
    "confirm": "confirmed",
}


class Shown(NamedTuple):
    template: str
    values: Mapping[str, Any]
    said: str = ""
    """What came of the user's last act."""
    status: int = 200


class Talk(NamedTuple):
    """What was said around a quote."""

    quote: Evidence
    lines: Sequence[tuple[str, Sequence[tuple[str, bool]]]]
    """Who spoke, and what in pieces, of which the quote is marked."""


class Step(NamedTuple):
    """A commit of the timeline."""

    commit: Commit
    what: str
    run: str
    """The run that can be taken back here; "" for none."""
    undone: bool
    files: Sequence[tuple[str, str, str]]
    """What became of each memory, its path, and its description; "" for that where it is gone."""
    more: int
    """Files that are left out."""


def waits(context: Context, _: Mapping[str, str]) -> Shown:
    """What waits for the user."""
    return Shown("waiting.html", {"items": waiting(context), "kinds": KINDS})


def memories(context: Context, fields: Mapping[str, str]) -> Shown:
    """Every memory by project, or those that fit a search, the best first; of one project, or of all."""
    query, archived = fields.get("q", "").strip(), fields.get("archived") == "1"
    scope = context.scope(fields.get("scope") or None)
    asked = fields.get("start", "")
    start = int(asked) if asked.isdecimal() and len(asked) < 10 else 0  # int() takes at most 4,300 digits
    if query:
        found = every = context.found(query, [scope] if scope else None, MOST_FOUND)
    else:
        every = context.store.entries(scope, archived=archived)
        start = start if start < len(every) else 0
        found = context.checked(every[start : start + MOST_LISTED])
    conflicting = {side.path for one in open_conflicts(context.store) for side in one.sides}
    rows = [(one, memory_row(one, conflicting).about) for one in found]
    values = {"query": query, "archived": archived, "scope": scope, "scopes": context.store.scopes()}
    left = len(every) - start - len(found)
    return Shown("memories.html", {**values, "rows": rows, "start": start + len(found), "left": left})


def memory(context: Context, fields: Mapping[str, str]) -> Shown:
    """One memory: what it says, its evidence, what it is tied to, its history, what was said around it."""
    path = fields.get("path", "")
    if place(path) is None:
        raise Misuse(f"{path!r} is not a memory")
    (stored,) = context.checked([context.store.read(path)])
    everything = context.store.entries(archived=True)
    try:
        commits = history.history(context.store, stored.path, MOST_COMMITS)
    except EntryError:  # it is not committed yet
        commits = []
    tied = [
        (TOLD[tie.kind], tie.other) if tie.one == stored.path else (BACK[tie.kind], tie.one)
        for tie in ties(everything, open_conflicts(context.store))
        if stored.path in (tie.one, tie.other)
    ]
    every = {one.path: one.entry.description for one in everything}
    related = [(how, path, every[path]) for how, path in tied if path in every]
    says_more = stored.entry.body.strip(" .\n") != stored.entry.description.strip(" .")
    shown: dict[str, Any] = {"one": stored, "says_more": says_more, "facts": list(facts(stored))}
    shown |= {"related": related, "archive": context.archive, "talks": list(_talks(context, stored))}
    known = history.runs(context.store) if commits else []
    return Shown("memory.html", shown | {"steps": _steps(context, commits, known)})


def graph(context: Context, fields: Mapping[str, str]) -> Shown:
    """What hangs together: topics beside projects; of a project or a topic beside its memories."""
    scope, topic = context.scope(fields.get("scope") or None), fields.get("topic", "")
    everything = context.checked(context.store.entries(scope, archived=True))
    here = [one for one in everything if not one.archived and (not topic or topic in stems(one))]
    label = Counter(stems(one)[topic] for one in here).most_common(1)[0][0] if topic and here else topic
    conflicts = open_conflicts(context.store)
    told = list(ties(everything, conflicts))
    if scope or topic:
        conflicting = {side.path for one in conflicts for side in one.sides}

        def about(one: Stored) -> str:
            where = () if scope else (one.entry.scope.removeprefix("projects/"),)
            return " · ".join(filter(None, (*where, *memory_row(one, conflicting).about)))

        within = {"scope": scope} if scope else {}
        drawn = of_memories(here, [one for one in everything if one.archived], told, about, within)
    else:
        drawn = of_projects(here, told)
    kinds = {
        kind: said for kind, said in TOLD.items() if any(x.kind == kind for r in drawn[1] for x in r.arcs)
    }
    values = {"columns": drawn, "scope": scope, "topic": label, "count": len(here), "kinds": kinds}
    return Shown("graph.html", values)


def timeline(context: Context, _: Mapping[str, str]) -> Shown:
    """What was learned, replaced and taken back, by day, the latest first."""
    context.store.check_git()
    commits = history.log(context.store, MOST_COMMITS)
    steps = _steps(context, commits, history.runs(context.store, commits))
    days = [(day, list(some)) for day, some in groupby(steps, lambda one: one.commit.at.date().isoformat())]
    return Shown("timeline.html", {"days": days, "older": len(steps) == MOST_COMMITS})


def cost(context: Context, _: Mapping[str, str]) -> Shown:
    """What models took, day by day."""
    days = [day for day in context.state.spend.days(MOST_DAYS) if day.tokens or day.usd]
    most = max((day.usd for day in days), default=0.0)
    return Shown("cost.html", {"days": days, "most": most, "limits": context.configured.settings})


def _steps(context: Context, commits: Sequence[Commit], known: Sequence[history.Run]) -> list[Step]:
    runs = {commit.id: run for run in known for commit in run.commits}
    found = []
    files = {commit.id: list(_files(commit)) for commit in commits}
    named = {path for some in files.values() for _, path in some[:MOST_FILES] if place(path)}
    named = {path for path in named if (context.store.root / path).is_file()}
    texts = {one.path: one.entry.description for one in context.store.read_all(sorted(named))}
    for commit in commits:
        run = runs.get(commit.id)
        # A run of several commits is taken back as a whole: its last one has the button.
        last = run is not None and run.commits[-1].id == commit.id
        what = "edited by hand" if commit.op is None else OPS.get(commit.op, commit.op)
        undone = run is not None and run.undone
        offered = commit.trailer(RUN) or commit.id[:8] if last and not undone else ""
        mine = files[commit.id]
        told = [(became, path, texts.get(path, "")) for became, path in mine[:MOST_FILES]]
        found.append(Step(commit, what, offered, undone, told, len(mine) - len(told)))
    return found


def _files(commit: Commit) -> Iterator[tuple[str, str]]:
    """Each memory that a commit touched, and what became of it. A replaced one moves to the archive."""
    made = {one.path for one in commit.touched if one.new is not None}
    for one in commit.touched:
        scope, _, name = one.path.rpartition("/")
        if not name.endswith(".md") or name.startswith("_") or not scope:
            continue
        if one.new is None and f"{scope.removesuffix('/system')}/{ARCHIVE}/{name}" in made:
            continue
        gone = "replaced" if scope.endswith(f"/{ARCHIVE}") else "new"
        yield ("gone" if one.new is None else gone if one.old is None else "changed"), one.path


def _talks(context: Context, stored: Stored) -> Iterator[Talk]:
    """What was said around each of the last quotes, out of the archive of sessions where that has it."""
    archive = context.archive
    if archive is None:
        return
    for one in sorted(stored.entry.evidence, reverse=True)[:MOST_QUOTES]:
        lines = [line for id in archive.named(one.agent, one.session) for line in archive.conversation(id)]
        with_quote = [n for n, line in enumerate(lines) if _at(line, one.quote)]
        if with_quote:
            at = min(with_quote, key=lambda n: abs(lines[n].id - one.at.timestamp()))
            around = lines[max(at - AROUND, 0) : at + AROUND + 1]
            yield Talk(one, [(WHO[line.role], _pieces(line, one.quote)) for line in around])


def _at(line: Line, quote: str) -> tuple[int, int] | None:
    """Where a message has the quote, with whatever blanks between its words; None where it has not."""
    found = re.search(r"\s*".join(map(re.escape, quote.split())), line.text)
    return found.span() if found else None


def _pieces(line: Line, quote: str) -> list[tuple[str, bool]]:
    """A message in pieces, of which the quote is marked; a long one is cut, not the quote."""
    found = _at(line, quote)
    if found is None:
        cut = line.text[:MOST_CHARS]
        return [(cut if cut == line.text else f"{cut} …", False)]
    start, stop = found
    before, after = line.text[:start][-MOST_CHARS:], line.text[stop:][:MOST_CHARS]
    return [(before, False), (line.text[start:stop], True), (after, False)]
