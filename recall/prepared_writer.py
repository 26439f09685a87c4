"""Writing `recall.sqlite3`: every memory as a fragment, made ready when the store changes (A19–A27, D16).

`sync` brings the file up to date with the store. It gives the same answers whatever was synced before
(invariant 12). A file that is damaged or of another version is thrown away and filled anew.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from siltstone.recall import escape
from siltstone.recall.index import Indexed
from siltstone.recall.prepared import FILE, VERSION, Brief, Fragment, brief_in, read_facts
from siltstone.recall.retention import initial, rank
from siltstone.recall.steering import Steers, steers
from siltstone.store.conflicts import Section
from siltstone.store.data import data
from siltstone.store.derived_database import DerivedDatabase, DerivedWriter, transaction
from siltstone.store.entry import MAX_COUNT, Snapshot, Stored, reinforcements
from siltstone.store.identity import Identity
from siltstone.store.names import scope_of_path

WAIT = 10.0
"""Seconds to wait for another process that writes."""
MAX_LINE = 280
"""Longest description in a block, in characters. `silt show` prints all of it."""
MAX_BODY = 1_200
"""Characters of a body that stand ready for a prompt; a pinned one is there whole."""
SOURCES = {"explicit": 3, "manual": 2, "extraction": 1}

_WORDS = data(__file__)
_AGING = re.compile(rf"(?i)\b(?:{'|'.join(_WORDS['words'].split())})|{'|'.join(_WORDS['patterns'])}")
_EXCEPTION = re.compile(_WORDS["exception"])

_COLUMNS = ", ".join(f'"{name}"' for name in Fragment._fields[:-2])
_TABLES = f"""
create table fragment({_COLUMNS}, hash text not null, rank real not null, primary key(path)) without rowid;
create index best on fragment(scope, hot, type, repeats, rank desc, path);
create index named on fragment(scope, hot, type, rank desc, path, name);
create table override(scope text not null, mine text not null, path text not null);
create index overriding on override(mine);
create index overridden on override(path);
create table steers(term text not null, rest text not null, unless text not null, sentence text not null,
  forbidden integer not null, path text not null);
create index steering on steers(term);
create index steered on steers(path);
create table facts(body text not null);
"""
_PUT = f"insert or replace into fragment values ({', '.join('?' * len(Fragment._fields))})"  # noqa: S608 (our own names)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is prepared besides the memories."""

    conflicts: Sequence[Section] = ()
    projects: Mapping[str, Sequence[Identity]] = field(default_factory=dict)
    """Identities by scope (`Projects.known()`)."""
    archived: Mapping[str, int] = field(default_factory=dict)
    """Number of archived memories by scope."""
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """A sentence for each path."""
    used: Mapping[str, int] = field(default_factory=dict)
    """Number of days on which a memory was opened or cited, by path (`Usage.days()`)."""
    briefs: Mapping[str, Brief] = field(default_factory=dict)
    """By scope."""
    root: str = ""
    """Folder of the store."""
    head: str = ""
    """Its commit before anything was read (`repository.head`)."""
    read: float = 0.0
    """When its files were read, or before; epoch seconds."""
    indexed: Mapping[str, Indexed] = field(default_factory=dict)
    """What each scope's MEMORY.md was written from."""


Differ = Callable[[Collection[str]], Iterable[tuple[Stored, Stored]]]
"""Paths of changed memories → the pairs of a project's memory and a global one that disagree, and of which
one changed."""


class PreparedWriter(DerivedWriter):
    """The file in a state folder, open for writing."""

    def __init__(self, folder: Path) -> None:
        super().__init__(_DATABASE, folder / FILE, WAIT)

    def sync(self, snapshot: Snapshot, facts: Facts, differ: Differ) -> int:
        """Bring the file up to date; returns how many memories were written or dropped.

        Only entries that changed are read. Everything is written in one transaction.
        """
        with self._using(), transaction(self._db):
            return self._sync(snapshot, facts, differ)

    def prepared(self) -> tuple[dict[str, Indexed], dict[str, Brief]]:
        """What each scope's MEMORY.md was written from at the last sync, and its brief."""
        with self._using():
            kept = read_facts(self._db)
        indexed = {scope: Indexed(*told) for scope, told in kept.get("indexed", {}).items()}
        return indexed, {scope: brief for scope in kept.get("briefs", {}) if (brief := brief_in(kept, scope))}

    def _sync(self, snapshot: Snapshot, facts: Facts, differ: Differ) -> int:
        known = dict(self._db.execute("select path, hash from fragment").fetchall())
        marks = _marks(snapshot, facts)
        # One that was superseded has no fragment: the few of them are read each time.
        wanted = {path for path, _ in marks.items() - known.items()}
        read = snapshot.read(sorted(wanted))
        changed = [one for one in read if one.entry.superseded_by is None]
        archived = Counter(facts.archived)
        archived.update(one.entry.scope for one in read if one.entry.superseded_by is not None)
        paths = {one.path for one in changed}
        gone = (known.keys() - marks.keys()) | (known.keys() & (wanted - paths))
        for one in changed:
            made = fragment(one, facts.used.get(one.path, 0))
            at = rank(made.initial, made.repeats, made.clock)
            self._db.execute(_PUT, (*made[:-2], marks[one.path], at))
        self._db.executemany("delete from fragment where path = ?", [(path,) for path in gone])
        touched = [(path,) for path in (*gone, *paths)]
        self._db.executemany("delete from override where mine = ?", touched)
        self._db.executemany("delete from override where path = ?", touched)
        self._db.executemany("delete from steers where path = ?", touched)
        self._db.executemany(
            "insert into steers values (?, ?, ?, ?, ?, ?)",
            [(*steered, one.path) for one in changed for steered in _steers(one)],
        )
        self._db.executemany(
            "insert into override values (?, ?, ?)",
            [(mine.entry.scope, mine.path, other.path) for mine, other in differ(paths)],
        )
        self._db.execute("delete from facts")
        self._db.execute("insert into facts values (?)", (self._body(facts, archived),))
        return len(changed) + len(gone)

    def _body(self, facts: Facts, archived: Mapping[str, int]) -> str:
        identities: dict[str, dict[str, str]] = {}
        for scope, marks in facts.projects.items():
            for one in marks:
                identities.setdefault(one.kind, {}).setdefault(one.value, scope)
        body = {
            "root": facts.root,
            "head": facts.head,
            "read": facts.read,
            "identities": identities,
            "activity": dict(self._db.execute("select scope, max(clock) from fragment group by scope")),
            "archived": archived,
            "conflicts": [(one.id, side.path) for one in facts.conflicts for side in one.sides],
            "unreadable": [(scope_of_path(p), why) for p, why in sorted(facts.unreadable.items())],
            "briefs": facts.briefs,
            "indexed": facts.indexed,
        }
        return json.dumps(body)


def fragment(stored: Stored, used: int = 0) -> Fragment:
    """The fragment of an entry in force. Each of the `used` days on which it was used counts as a repeat.

    Everything costly is done here, so that a hook only reads rows and prints them.
    """
    entry = stored.entry
    clock = entry.updated.timestamp()
    line = _line(_unclipped(entry.description, entry.body))
    told = entry.body if stored.pinned else escape.excerpt(line, entry.body, MAX_BODY)
    return Fragment(
        path=stored.path,
        scope=entry.scope,
        type=entry.type,
        topic=entry.topic or "",
        name=entry.name,
        line=line,
        more=int(_normal(told).strip(" .") not in _normal(line)),
        chars=len(entry.body),
        limit=entry.limit,
        hot=int(stored.pinned),
        source=SOURCES[entry.source],
        clock=clock if clock > 0 else None,
        initial=initial(entry.type, entry.source, entry.importance or "normal"),
        repeats=min(reinforcements(entry.evidence) + used, MAX_COUNT),
        ages=int(ages(entry.description)),
        body="\n".join(escape.lines(told, entry.limit)) if stored.pinned else told,
    )


def _steers(stored: Stored) -> list[Steers]:
    """What a memory steers, each with the sentence that says so where its line says less."""
    line = _normal(stored.entry.description)
    return [
        one._replace(sentence="" if _normal(one.sentence) in line else escape.line(one.sentence, MAX_LINE))
        for one in steers(stored.entry)
    ]


def ages(text: str) -> bool:
    """Whether a statement names what changes with time: a state, a person, a version, a date."""
    return _AGING.search(text) is not None


def _line(description: str) -> str:
    """A description as one safe line. Of one that is too long the exception at its end is kept."""
    line = escape.line(description, MAX_LINE)
    ends = (found.start() for found in _EXCEPTION.finditer(description))
    at = next((at for at in ends if 2 * (len(description) - at) < MAX_LINE), None)
    if not line.endswith(escape.CUT) or at is None:
        return line
    end = escape.line(description[at:], MAX_LINE // 2)
    return f"{escape.line(description[:at], MAX_LINE - 1 - len(end))} {end}"


def _unclipped(description: str, body: str) -> str:
    """A description that was cut (…) with what the body says on: an exception often stands at the end."""
    begun, text = description.rstrip("… "), " ".join(body.split())
    return text if description.endswith("…") and text.startswith(begun) else description


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()


def _marks(snapshot: Snapshot, facts: Facts) -> dict[str, str]:
    """What each fragment depends on, by path."""
    used = {path: min(days, MAX_COUNT) for path, days in facts.used.items() if path in snapshot.hashes}
    return {**snapshot.hashes, **{p: f"{snapshot.hashes[p]}+{days}" for p, days in used.items() if days}}


def _check(db: sqlite3.Connection) -> None:
    db.execute("pragma secure_delete = on")  # what was purged is gone from free pages too
    tables = {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}
    # Writing may never touch a damaged page that every hook reads: so look for damage here.
    sound = db.execute("pragma quick_check(1)").fetchone() == ("ok",)
    if not sound or tables != {"fragment", "override", "steers", "facts"}:
        raise sqlite3.DatabaseError("damaged")


_DATABASE = DerivedDatabase(VERSION, _TABLES, _check)
