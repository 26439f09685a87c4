"""The file itself: what is put in, what is read back, what goes again."""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, Self

from siltstone.store.identity import Identity
from siltstone.store.state.database import Database, Row, clean
from siltstone.store.state.purge import Quotes, scrubbed
from siltstone.store.words import stemmed, words

FILE = "sessions.sqlite3"
"""Name of the archive in the state folder."""
BLOCK_CHARS = 32_000
"""About so many characters are compressed together: more takes less room, and longer to read one message."""
TITLE_CHARS = 120
_FREE = """
SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM message WHERE id = ?1) THEN ?1 ELSE (
    SELECT id + 1 FROM message AS taken WHERE id >= ?1
    AND NOT EXISTS (SELECT 1 FROM message WHERE id = taken.id + 1) ORDER BY id LIMIT 1) END
"""


class Said(NamedTuple):
    """One message as it is kept."""

    agent: str
    session: str
    """The agent's own id of the session."""
    cwd: str
    scope: int
    """As `SessionArchive.scope` tells it."""
    key: str
    """`Message.key`: the same in every copy and fork."""
    record: str
    """`Message.id`: the same when the message is revised."""
    role: str
    at: int
    """Seconds since 1970."""
    text: str
    """Without secrets."""


class Mark(NamedTuple):
    """How far a transcript was read."""

    agent: str
    key: str
    session: str
    """The agent's own id of the session in it."""
    stamp: str
    """`Source.stamp` when it was read to its end; "" before that."""
    resume: str | None


class Past(NamedTuple):
    """A session of the archive."""

    id: int
    agent: str
    name: str
    """The agent's own id of it."""
    scope: str
    cwd: str
    last: int
    """When its latest message was written; seconds since 1970."""
    title: str
    """What the user typed first."""


class Line(NamedTuple):
    """A message of the archive."""

    id: int
    """The second since 1970 in which it was said, or a later one where others were said in that."""
    session: int
    role: str
    text: str


class Filter(NamedTuple):
    """Which sessions and messages are looked for."""

    scopes: Collection[str] | None = None
    """Names of scopes; None: all."""
    agent: str | None = None
    since: int = 0
    """Seconds since 1970."""
    but: Collection[tuple[str, str]] = ()
    """Agent and id of sessions that are left out of a search."""
    tools: bool = True
    """Calls of tools too, not only what the user and the agent said."""


ANY = Filter()


class SessionArchive(Database):
    """The archive in a state folder, made where it is missing. Calls raise as those of `Database`."""

    title = "the session archive"
    when_lost = "what the agents still have will be read again"

    def __init__(self, path: Path, wait: float) -> None:
        super().__init__(path, Path(__file__).parent, wait)

    @classmethod
    def there(cls, folder: str, wait: float) -> Self | None:
        """The archive of a state folder; None, and none is made, where there is none."""
        path = Path(folder, FILE)
        return cls(path, wait) if path.exists() else None

    # Filling

    def stamps(self, agent: str) -> dict[str, str]:
        """The stamp of every transcript of an agent that was read."""
        return dict(self.rows("SELECT key, stamp FROM source WHERE agent = ?", agent))

    def in_transcript(self, agent: str, key: str) -> list[int]:
        """The session of a transcript, as far as it is in the archive."""
        ask = (
            "SELECT session.id FROM source JOIN session ON session.agent = source.agent "
            "AND session.name = source.session WHERE source.agent = ? AND key = ?"
        )
        return [id for (id,) in self.rows(ask, agent, key)]

    def named(self, agent: str, name: str) -> list[int]:
        """The session that an agent calls so, if it is in the archive."""
        return [id for (id,) in self.rows("SELECT id FROM session WHERE agent = ? AND name = ?", agent, name)]

    def resume(self, agent: str, key: str) -> str | None:
        """Where to go on in a transcript; None: at its start."""
        rows = self.rows("SELECT resume FROM source WHERE agent = ? AND key = ?", agent, key)
        return rows[0][0] if rows else None

    def places(self) -> dict[str, list[Identity]]:
        """The identities of every project that was met, by scope."""
        found = defaultdict[str, list[Identity]](list)
        for name, mark in self.rows("SELECT name, mark FROM place JOIN scope ON scope.id = place.scope"):
            kind, _, value = mark.partition(" ")
            found[name].append(Identity(kind, value))
        return dict(found)

    def owner(self, kind: str, value: str) -> str | None:
        """The scope that owns an identity of a project."""
        ask = "SELECT name FROM place JOIN scope ON scope.id = place.scope WHERE mark = ?"
        return next((name for (name,) in self.rows(ask, f"{kind} {value}")), None)

    def scope(self, name: str, identities: Iterable[Identity]) -> int:
        """The number of the project that owns one of the identities; it is called `name` from now on."""
        marks = [clean(" ".join(one)) for one in identities]
        with self.transaction():
            rows = self.among("SELECT scope FROM place WHERE mark IN", marks)
            rows = rows or self.rows("SELECT id FROM scope WHERE name = ?", name)
            rows = rows or self.rows("INSERT INTO scope (name) VALUES (?) RETURNING id", name)
            id: int = rows[0][0]
            self.write("UPDATE scope SET name = ? WHERE id = ? AND name != ?", name, id, name)
            self.write_all("INSERT OR IGNORE INTO place VALUES (?,?)", [(mark, id) for mark in marks])
        return id

    def keep(self, said: Iterable[Said], marks: Iterable[Mark]) -> int:
        """Add messages and move watermarks, all or nothing; how many messages are new.

        One that is there stays as it is. One that was revised takes the place of the earlier one.
        """
        by_key: dict[int, Said] = {}
        for one in said:
            by_key.setdefault(_digest(one.agent, one.key), one)
        with self.transaction():
            known = {key for (key,) in self.among("SELECT key FROM message WHERE key IN", by_key)}
            fresh = [(key, one) for key, one in by_key.items() if key not in known]
            new = {_digest(one.agent, one.session, one.record): (key, one) for key, one in fresh}
            ask = "SELECT record, id, block IS NULL FROM message WHERE record IN"
            revised = self.among(ask, new)
            for record, _, purged in revised:
                if purged:
                    del new[record]
            self._take_out([id for _, id, purged in revised if not purged])
            self._add(new)
            for mark in marks:
                self.put("source", **mark._asdict())
        return len(new)

    def _add(self, new: Mapping[int, tuple[int, Said]]) -> None:
        """Put messages in by their times: FTS5 is fast as long as numbers grow."""
        sessions: dict[tuple[str, str], int] = {}
        mine = defaultdict[int, list[Said]](list)
        texts: dict[int, list[str]] = {}
        open_: dict[int, int] = {}
        messages: list[Row] = []
        index: list[Row] = []
        last = 0
        for record, (key, one) in sorted(new.items(), key=lambda item: item[1][1].at):
            session = sessions.get((one.agent, one.session))
            if session is None:
                session = sessions[one.agent, one.session] = self._session(one)
            block = open_.get(session)
            if block is None or sum(map(len, texts[block])) >= BLOCK_CHARS:
                made = self.rows("INSERT INTO block (session, texts) VALUES (?, '') RETURNING id", session)
                block = open_[session] = made[0][0]
                texts[block] = []
            ((last,),) = self.rows(_FREE, max(one.at, last + 1))
            messages.append((last, key, record, session, block, len(texts[block]), one.role))
            index.append((last, _indexed(one.agent, one.scope, one.role, one.text)))
            texts[block].append(one.text)
            mine[session].append(one)
        self.write_all("INSERT INTO message VALUES (?,?,?,?,?,?,?)", messages)
        self.write_all("INSERT INTO word (rowid, text) VALUES (?,?)", index)
        self._write_blocks(texts)
        for session, said in mine.items():
            title = next((_title(one.text) for one in said if one.role == "user"), "")
            self.write("UPDATE session SET last = max(last, ?) WHERE id = ?", said[-1].at, session)
            self.write("UPDATE session SET title = ? WHERE id = ? AND title = ''", title, session)

    def _session(self, one: Said) -> int:
        made = "INSERT INTO session (agent, name, cwd, scope, last, title) VALUES (?,?,?,?,0,'') RETURNING id"
        known = self.named(one.agent, one.session)
        return known[0] if known else int(self.rows(made, one.agent, one.session, one.cwd, one.scope)[0][0])

    def _write_blocks(self, texts: Mapping[int, list[str]]) -> None:
        import zstandard  # takes a tenth of a hook's time, and few hooks want it

        pack = zstandard.ZstdCompressor(level=3).compress
        packed = [(pack(json.dumps(some).encode()), block) for block, some in texts.items()]
        self.write_all("UPDATE block SET texts = ? WHERE id = ?", packed)

    # Reading

    def scopes(self) -> list[str]:
        """Names of the scopes that sessions have, in order."""
        return [name for (name,) in self.rows("SELECT DISTINCT name FROM scope ORDER BY name")]

    def sessions(self, wanted: Filter = ANY, limit: int = -1) -> list[Past]:
        """Sessions with a message that may be wanted, the latest first."""
        where, values = ["last >= ?"], list[object]([wanted.since])
        if wanted.agent is not None:
            where.append("agent = ?")
            values.append(wanted.agent)
        if wanted.scopes is not None:
            where.append(f"scope.name IN ({','.join('?' * len(wanted.scopes))})")
            values += wanted.scopes
        return self._past(" AND ".join(where) + " ORDER BY last DESC, session.id LIMIT ?", *values, limit)

    def called(self, begins: str, agent: str | None, most: int) -> list[Past]:
        """Sessions whose id begins so, a whole id first."""
        where = "substr(session.name, 1, length(?1)) = ?1 AND coalesce(?2, agent) = agent"
        return self._past(
            f"{where} ORDER BY length(session.name), session.name LIMIT ?3", begins, agent, most
        )

    def of(self, ids: Collection[int]) -> dict[int, Past]:
        """Sessions by their numbers."""
        return {one.id: one for one in self._past(f"session.id IN ({','.join('?' * len(ids))})", *ids)}

    def conversation(self, session: int) -> Iterator[Line]:
        """The messages of a session, in order."""
        return self._lines("session = ?", session)

    def numbers(self, agent: str, session: str, records: Iterable[str]) -> list[int]:
        """The numbers of those of these messages that are there (`Said.record`)."""
        wanted = [_digest(agent, session, record) for record in records]
        return sorted(id for (id,) in self.among("SELECT id FROM message WHERE record IN", wanted))

    def answer(self, line: Line) -> Line | None:
        """What the agent said last before the user typed again."""
        ask = (
            "SELECT max(id) FROM message WHERE session = ?1 AND id > ?2 AND role = 'assistant' "
            "AND block NOT NULL AND id < coalesce((SELECT min(id) FROM message "
            "WHERE session = ?1 AND id > ?2 AND role = 'user'), id + 1)"
        )
        ((id,),) = self.rows(ask, line.session, line.id)
        return None if id is None else next(self.messages([id]))

    def last_answer(self, agent: str, session: str) -> str:
        """What the agent said last in a session; "" for nothing."""
        ask = (
            "SELECT max(id) FROM message WHERE role = 'assistant' AND block NOT NULL "
            "AND session = (SELECT id FROM session WHERE agent = ? AND name = ?)"
        )
        ((id,),) = self.rows(ask, agent, session)
        return "" if id is None else next(self.messages([id])).text

    def messages(self, ids: Collection[int]) -> Iterator[Line]:
        """Messages by their numbers, in order."""
        return self._lines(f"id IN ({','.join('?' * len(ids))})", *ids)

    def _past(self, where: str, *values: object) -> list[Past]:
        ask = (
            "SELECT session.id, agent, session.name, scope.name, cwd, last, title FROM session "
            "JOIN scope ON scope.id = session.scope"
        )
        return [Past(*row) for row in self.rows(f"{ask} WHERE {where}", *values)]

    def _lines(self, where: str, *values: object) -> Iterator[Line]:
        ask = (
            "SELECT id, session, role, block, place FROM message "  # noqa: S608 (conditions of ours)
            f"WHERE block NOT NULL AND {where} ORDER BY id"
        )
        texts = lru_cache(maxsize=16)(self._texts)
        for id, session, role, block, place in self.rows(ask, *values):
            yield Line(id, session, role, texts(block)[place])

    def _texts(self, block: int) -> list[str]:
        import zstandard

        rows = self.rows("SELECT texts FROM block WHERE id = ?", block)
        try:
            texts: list[str] = json.loads(zstandard.ZstdDecompressor().decompress(rows[0][0]))
        except (zstandard.ZstdError, ValueError, IndexError) as error:
            raise self._damaged() from error
        return texts

    def size(self) -> int:
        """Bytes of the file that are in use."""
        ((pages,),), ((free,),), ((size,),) = (
            self.rows(f"PRAGMA {one}") for one in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)

    # What goes again

    def forget(self, sessions: Collection[int], read_again: bool = False) -> None:
        """Drop whole sessions. Their transcripts count as read, unless they may be `read_again` one day."""
        marks = "DELETE FROM source WHERE (agent, session) = (SELECT agent, name FROM session WHERE id = ?)"
        with self.transaction():
            for session in sessions:
                self._take_out(
                    [id for (id,) in self.rows("SELECT id FROM message WHERE session = ?", session)]
                )
                if read_again:
                    self.write(marks, session)
                self.write("DELETE FROM session WHERE id = ?", session)

    def full_since(self, most: int) -> float:
        """What was said before this time (in seconds) is not kept, for want of room."""
        return self.number("full_since") if self.size() > most * 0.8 else 0.0

    def shrink(self, most: int) -> None:
        """Drop the oldest sessions until about `most` bytes are in use."""
        used = self.size()
        if used <= most:
            return
        ask = (
            "SELECT session.id, last, sum(length(texts)) FROM session "
            "JOIN block ON block.session = session.id GROUP BY session.id ORDER BY last"
        )
        rows = self.rows(ask)
        left = sum(size for *_, size in rows)
        room = left * most / used
        gone: list[int] = []
        for session, last, size in rows:
            if left <= room:
                self.set_value("full_since", last)
                break
            gone.append(session)
            left -= size
        self.forget(gone)
        self.write("INSERT INTO word (word) VALUES ('optimize')")

    def forget_if(self, quotes: Quotes, at: Callable[[str], bool]) -> None:
        """Blank the messages that quote what is purged, and all of the sessions whose folder `at` picks.

        Their rows stay, without words: so they are not read from the transcript again.
        """
        with self.transaction():
            for past in self.sessions():
                whole = at(past.cwd)
                gone = [one for one in self.conversation(past.id) if whole or quotes(one.text)]
                self._take_out([one.id for one in gone], blank=True)
                if whole:
                    self.write("UPDATE message SET session = 0 WHERE session = ?", past.id)
                    self.write("DELETE FROM session WHERE id = ?", past.id)
                elif past.title in {_title(one.text) for one in gone} or quotes(past.title):
                    self.write("UPDATE session SET title = '' WHERE id = ?", past.id)
            self.write("DELETE FROM scope WHERE id NOT IN (SELECT scope FROM session)")
            self.write("DELETE FROM place WHERE scope NOT IN (SELECT id FROM scope)")

    def scrub(self) -> str:
        """Keep nothing of what was deleted in the bytes of the file (`state/purge.py`)."""
        self.write("INSERT INTO word (word) VALUES ('optimize')")
        return scrubbed(self.rows, str(self.path))

    def _take_out(self, ids: Collection[int], blank: bool = False) -> None:
        """Take messages out of index and blocks. With `blank` their rows stay."""
        ask = (
            "SELECT block, place, message.id, agent, scope, role FROM message JOIN session "
            "ON session.id = message.session WHERE block NOT NULL AND message.id IN"
        )
        taken = defaultdict[int, list[Row]](list)
        for block, *row in self.among(ask, ids):
            taken[block].append(tuple(row))
        gone: list[Row] = []
        for block, rows in taken.items():
            texts = self._texts(block)
            for place, id, agent, scope, role in rows:
                gone.append((id, _indexed(agent, scope, role, texts[place])))
                texts[place] = ""
            if any(texts):
                self._write_blocks({block: texts})
            else:
                self.write("DELETE FROM block WHERE id = ?", block)
        self.write_all("INSERT INTO word (word, rowid, text) VALUES ('delete', ?, ?)", gone)
        change = (
            "UPDATE message SET block = NULL WHERE id = ?" if blank else "DELETE FROM message WHERE id = ?"
        )
        self.write_all(change, [(id,) for id in ids])


def _title(text: str) -> str:
    return " ".join(text[: 2 * TITLE_CHARS].split())[:TITLE_CHARS]


def _indexed(agent: str, scope: int, role: str, text: str) -> str:
    """A message as the index holds it: what queries narrow by, and its words."""
    return " ".join((f"_a{agent}", f"_s{scope}", f"_r{role}", *map(stemmed, words(text))))


def _digest(*parts: str) -> int:
    """A number that stands for these texts, as SQLite keeps numbers."""
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), signed=True)
